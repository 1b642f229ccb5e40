// Finds the command, turns errors into messages and exit codes.

#include "cli/command_line.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/checkpoint.h"
#include "base/options.h"
#include "base/output.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "jobs/outcome.h"
#include "kernels/dispatch.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr Command kCommands[] = {
    {"apply", "write the chosen columns of another file", RunApply},
    {"compare", "compare methods on the same splits", RunCompare},
    {"completions", "print a completion script for a shell", RunCompletions},
    {"doctor", "check what is available on this machine", RunDoctor},
    {"export", "export a model to ONNX", RunExport},
    {"inspect", "show what is in a model or a result", RunInspect},
    {"methods", "list the methods with their options", RunMethods},
    {"path", "show quality against the number of columns, and how many are enough", RunPath},
    {"predict", "predict the target of new rows with a model", RunPredict},
    {"select", "choose the k columns of a table that predict a target best", RunSelect},
    {"stability", "measure how stable a selection is over rows and seeds", RunStability},
    {"synth", "write a synthetic table whose salient columns are known", RunSynth},
    {"tune", "search for the best settings of a method", RunTune},
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
    out += "  " + Fit(command.name, 13) + std::string(command.summary) + "\n";
  }
  return out +
         "\n"
         "  slm help COMMAND   the flags of a command\n"
         "  slm man [COMMAND]  the same as a manual page\n"
         "  slm --version      the version\n";
}

std::string MainManPage() {
  std::string out = ".TH SLM 1 \"\" \"slm " + std::string(Version()) +
                    "\"\n.SH NAME\nslm \\- feature selection\n.SH SYNOPSIS\n.B slm\nCOMMAND ...\n"
                    ".SH DESCRIPTION\nChooses the k columns of a table that predict a target best, "
                    "exactly k, and says why.\n.SH COMMANDS\n";
  for (const Command& command : kCommands) {
    out += ".TP\n.BR slm\\-" + std::string(command.name) + " (1)\n" + std::string(command.summary) +
           "\n";
  }
  return out +
         ".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage, 3 bad data, 4 bad model, 5 time limit "
         "reached with a result, 130 interrupted with a result.\n";
}

const Command& FindCommand(const std::string& name) {
  std::vector<std::string> names = {"help", "man"};
  for (const Command& command : kCommands) {
    if (command.name == name) return command;
    names.emplace_back(command.name);
  }
  std::string near = NearestName(name, names);
  throw UsageError("there is no command '" + name + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

// Candidates for the last of the words, for the scripts of `slm completions`. Half a line may be
// wrong in many ways, none of which is anybody's business yet.
int Complete(Arguments words) {
  const bool topic = words.size() == 2 && (words[0] == "help" || words[0] == "man");
  if (words.size() == 1 || topic) {
    std::string out;
    for (const Command& command : kCommands) {
      if (!command.name.starts_with(words.back())) continue;
      out += std::string(command.name) + "\t" + std::string(command.summary) + "\n";
    }
    WriteStdout(out);
  } else if (!words.empty()) {
    std::vector<std::string> line(words.begin() + 1, words.end());
    line.back() = "--help=complete:" + line.back();
    try {
      return FindCommand(words[0]).run(line);
    } catch (const InputError&) {
      return kDone;
    }
  }
  return kDone;
}

int Dispatch(const std::vector<std::string>& args) {
  if (args.empty()) throw UsageError("a command is missing");
  const std::string& first = args[0];
  if (first == "--version" || first == "version") {
    WriteStdout("slm " + std::string(Version()) + "\n");
    return kDone;
  }
  bool help = first == "help";
  if (first == "--help" || first == "-h" || (help && args.size() == 1)) {
    WriteStdout(MainHelp());
    return kDone;
  }
  if (help && args[1] == "--markdown") {
    WriteStdout(RequestsToMarkdown());
    return kDone;
  }
  if (help) return FindCommand(args[1]).run(std::vector<std::string>{"--help"});
  if (first == "man" && args.size() == 1) {
    WriteStdout(MainManPage());
    return kDone;
  }
  if (first == "man") return FindCommand(args[1]).run(std::vector<std::string>{"--help=man"});
  if (first == "complete") return Complete(Arguments(args).subspan(1));
  return FindCommand(first).run(Arguments(args).subspan(1));
}

// The message and the exit code of what was thrown. Call it inside a catch.
int Report(const std::vector<std::string>& args) {
  try {
    throw;
  } catch (const InputError& error) {
    Log(RenderFields(error.marked(), FlagStyle));
    if (error.kind() == InputError::Kind::kData) return kBadData;
    if (error.kind() == InputError::Kind::kModel) return kBadModel;
    bool known = std::any_of(
        std::begin(kCommands), std::end(kCommands),
        [&](const Command& command) { return !args.empty() && command.name == args[0]; });
    Log(known ? "see 'slm help " + args[0] + "'" : "see 'slm help'");
    return kUsage;
  } catch (const NoResultYet& error) {
    Log(RenderFields(error.marked(), FlagStyle));
    return Interrupted() ? kInterrupted : kRuntimeFailure;
  } catch (const RuntimeFailure& error) {
    Log(RenderFields(error.marked(), FlagStyle));
    return kRuntimeFailure;
  } catch (const std::bad_alloc&) {
    Log("out of memory");
    return kRuntimeFailure;
  } catch (const std::system_error& error) {
    Log("the system failed: " + std::string(error.what()));
    return kRuntimeFailure;
  } catch (const std::exception& error) {
    Log("this should not happen (" + std::string(error.what()) +
        "); please report it with the command and what 'slm doctor' says");
    return kRuntimeFailure;
  }
}

}  // namespace

int RunCommandLine(const std::vector<std::string>& args) {
  try {
    CheckSimdSetting();
    return Dispatch(args);
  } catch (...) {
    return Report(args);
  }
}

}  // namespace slm
