#pragma once

// --quiet and --verbose of the commands that select nothing; for the others see cli/job.h.

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/options.h"

namespace slm {

class Verbosity {
 public:
  // Adds both flags.
  void Describe(OptionList* list);

  bool verbose() const { return verbose_; }

  // Says it, unless --quiet was given.
  void Remark(std::string_view text) const;
  // The end of a command, whose exit code it gives back: --verbose hears what was done, and how
  // long it took.
  int Done(const std::string& what) const;

 private:
  const Clock::time_point start_ = Clock::now();
  bool quiet_ = false;
  bool verbose_ = false;
};

}  // namespace slm
