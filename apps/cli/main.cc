// The executable: finds the command, turns errors into messages and exit codes.

#include <algorithm>
#include <csignal>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/output.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr Command kCommands[] = {
    {"apply", "write the chosen columns of another file", RunApply},
    {"compare", "hold the methods against each other on the same splits", RunCompare},
    {"export", "turn a model into a file for other programs: ONNX", RunExport},
    {"inspect", "show what is in a model or a result", RunInspect},
    {"methods", "list the methods with their options", RunMethods},
    {"path", "show quality against the number of columns, and how many are enough", RunPath},
    {"predict", "predict the target of another file's rows by a model", RunPredict},
    {"select", "choose the k columns of a table that predict a target best", RunSelect},
    {"stability", "ask how much a selection changes with rows and seeds", RunStability},
    {"synth", "write a synthetic table whose salient columns are known", RunSynth},
    {"tune", "search for the settings of a method that select best", RunTune},
};

std::string MainHelp() {
  std::string out =
      "Example:\n"
      "  slm select houses.csv --target price -k 10\n"
      "\n"
      "Usage:\n"
      "  slm COMMAND ...\n"
      "\n"
      "Chooses the k columns of a table that predict a target best, exactly k, and says why.\n"
      "\n"
      "Commands:\n";
  for (const Command& command : kCommands) {
    out += "  " + Fit(command.name, 10) + std::string(command.summary) + "\n";
  }
  return out +
         "\n"
         "  slm help COMMAND   the flags of a command\n"
         "  slm --version      the version\n";
}

const Command& FindCommand(const std::string& name) {
  std::vector<std::string> names = {"help"};
  for (const Command& command : kCommands) {
    if (command.name == name) return command;
    names.emplace_back(command.name);
  }
  std::string near = NearestName(name, names);
  throw UsageError("there is no command '" + name + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

int Dispatch(const std::vector<std::string>& args) {
  if (args.empty()) throw UsageError("a command is missing");
  const std::string& first = args[0];
  if (first == "--version") {
    WriteStdout("slm " + std::string(Version()) + "\n");
    return kDone;
  }
  bool help = first == "help";
  if (first == "--help" || first == "-h" || (help && args.size() == 1)) {
    WriteStdout(MainHelp());
    return kDone;
  }
  if (help) return FindCommand(args[1]).run(std::vector<std::string>{"--help"});
  return FindCommand(first).run(Arguments(args).subspan(1));
}

int Main(const std::vector<std::string>& args) {
  // A write beyond a file-size limit must come back as an error, to be reported and cleaned up
  // after.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return Dispatch(args);
  } catch (const InputError& error) {
    Say(error.what());
    if (error.kind() == InputError::Kind::kData) return kBadData;
    if (error.kind() == InputError::Kind::kModel) return kBadModel;
    bool known = std::any_of(
        std::begin(kCommands), std::end(kCommands),
        [&](const Command& command) { return !args.empty() && command.name == args[0]; });
    Say(known ? "see 'slm help " + args[0] + "'" : "see 'slm help'");
    return kUsage;
  } catch (const std::bad_alloc&) {
    Say("out of memory");
    return kRuntimeFailure;
  } catch (const std::exception& error) {
    Say(error.what());
    return kRuntimeFailure;
  }
}

}  // namespace
}  // namespace slm

int main(int argc, char** argv) {
  return slm::Main(std::vector<std::string>(argv + 1, argv + argc));
}
