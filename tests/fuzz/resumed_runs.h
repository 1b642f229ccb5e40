#pragma once

// Small requests of every command that keeps a state, for fuzzing the whole of a resumed run.

#include <span>
#include <string>
#include <string_view>

namespace slm {

struct ResumedRun {
  std::string_view name;
  // Resumes the whole request from a file with this content behind its first line, which is right.
  // Throws an InputError if it is refused; ends the process if a selection of the result has
  // another number of columns than was asked for.
  void (*resume)(std::string_view content);
  // The content after a run that was stopped when it had asked so many times.
  std::string (*state)(int asks);
};

std::span<const ResumedRun> CheckpointedRuns();
const ResumedRun& JournaledRun();

}  // namespace slm
