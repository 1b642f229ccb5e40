#include "cli/verbosity.h"

#include <cstdio>

#include "cli/commands.h"

namespace slm {

void Verbosity::Describe(OptionList* list) {
  list->Bool("quiet", &quiet_, "no remarks");
  list->Bool("verbose", &verbose_, "also say what was done, and how long it took");
}

void Verbosity::Remark(std::string_view text) const {
  if (!quiet_) Log(text);
}

int Verbosity::Done(const std::string& what) const {
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), " in %.3f s", SecondsSince(start_));
  if (verbose_ && !quiet_) Log(what + seconds);
  return kDone;
}

}  // namespace slm
