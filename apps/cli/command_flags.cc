#include "cli/command_flags.h"

#include <utility>

#include "base/format.h"
#include "base/output.h"

namespace slm {

CommandFlags::CommandFlags(Arguments arguments, CommandText text)
    : arguments_(arguments), parser_(std::move(text)), own_("Flags") {}

bool CommandFlags::Parse() {
  own_.Bool("quiet", &quiet_, "no remarks");
  own_.Bool("verbose", &verbose_, "also say what was done, and how long it took");
  parser_.Flags(own_);
  if (parser_.Parse(arguments_)) return true;
  WriteStdout(parser_.Help());
  return false;
}

void CommandFlags::Remark(std::string_view text) const {
  if (!quiet_) Log(text);
}

int CommandFlags::Done(const std::string& what) const {
  if (verbose_ && !quiet_) Log(what + Format(" in %.3f s", SecondsSince(start_)));
  return kDone;
}

}  // namespace slm
