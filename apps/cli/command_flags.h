#pragma once

// Commands that select nothing: their flags with --quiet and --verbose, help, and what they say at
// their end. For the others see cli/request_flags.h.

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/options.h"
#include "cli/args.h"
#include "cli/commands.h"

namespace slm {

class CommandFlags {
 public:
  CommandFlags(Arguments arguments, CommandText text);
  CommandFlags(const CommandFlags&) = delete;

  // The command's own flags, and its other arguments.
  OptionList& own() { return own_; }
  ArgParser& parser() { return parser_; }

  // Sets what they are bound to. Returns false if help was asked for, which is then written. Throws
  // one UsageError with every complaint.
  bool Parse();

  // Says it, unless --quiet was given.
  void Remark(std::string_view text) const;
  // The end of a command, whose exit code it gives back: --verbose hears what was done, and how
  // long it took.
  int Done(const std::string& what) const;

 private:
  const Clock::time_point start_ = Clock::now();
  const Arguments arguments_;
  ArgParser parser_;
  OptionList own_;
  bool quiet_ = false;
  bool verbose_ = false;
};

}  // namespace slm
