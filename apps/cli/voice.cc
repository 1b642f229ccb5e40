#include "cli/voice.h"

#include <cstdio>

#include "cli/commands.h"

namespace slm {

void Voice::Describe(OptionList* list) {
  list->Bool("quiet", &quiet_, "no remarks");
  list->Bool("verbose", &verbose_, "also say what was done, and how long it took");
}

void Voice::Remark(std::string_view text) const {
  if (!quiet_) Say(text);
}

int Voice::Done(const std::string& what) const {
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), " in %.3f s", SecondsSince(start_));
  if (verbose_ && !quiet_) Say(what + seconds);
  return kDone;
}

}  // namespace slm
