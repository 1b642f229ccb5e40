#pragma once

// The commands of `slm`. Each takes the arguments after its name and returns the exit code; errors
// are thrown.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slm {

class ArgParser;

enum ExitCode : int {
  kDone = 0,
  kRuntimeFailure = 1,
  kUsage = 2,
  kBadData = 3,
  kBadModel = 4,
  kTimeLimit = 5,      // reached, with a result
  kNothingFound = 6,   // no column is significant, which the result says
  kInterrupted = 130,  // by Ctrl-C, with a result
};

using Arguments = std::span<const std::string>;

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(Arguments arguments);
};

int RunApply(Arguments arguments);
int RunCompare(Arguments arguments);
int RunCompletions(Arguments arguments);
int RunDoctor(Arguments arguments);
int RunExport(Arguments arguments);
int RunInspect(Arguments arguments);
int RunMethods(Arguments arguments);
int RunPath(Arguments arguments);
int RunPredict(Arguments arguments);
int RunSelect(Arguments arguments);
int RunStability(Arguments arguments);
int RunSynth(Arguments arguments);
int RunTune(Arguments arguments);

// The file of a model as the next argument of a command.
void DescribeModelArgument(std::string* path, ArgParser* parser);

// New data for a model as all arguments that are left.
void DescribeNewData(std::vector<std::string>* data, ArgParser* parser);

// Every request with its fields, for docs/reference/requests.md.
std::string RequestsToMarkdown();

// Writes "slm: MESSAGE", every line of it, to standard error.
void Log(std::string_view message);

}  // namespace slm
