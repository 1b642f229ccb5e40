// The command `slm` that comes with the package: the command line itself, run inside Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <csignal>
#include <string>
#include <vector>

#include "bindings.h"
#include "cli/command_line.h"

namespace nb = nanobind;

namespace slm {
namespace {

// Signals as a program finds them: Python's own handlers would only note them down for an
// interpreter that does not run. What the parent process has set to be ignored stays ignored, but
// for SIGPIPE, which Python ignores itself, so that nobody can tell.
void RestoreDefaultSignals() {
  if (const auto handler = std::signal(SIGINT, SIG_DFL); handler == SIG_IGN) {
    std::signal(SIGINT, SIG_IGN);
  }
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_DFL);
#endif
}

int RunCommand(const std::vector<nb::bytes>& words) {
  std::vector<std::string> args;
  for (const nb::bytes& word : words) args.emplace_back(word.c_str(), word.size());
  RestoreDefaultSignals();
  nb::gil_scoped_release release;
  return RunCommandLine(args);
}

}  // namespace

void BindCommandLine(nb::module_& m) {
  m.def("command_line", &RunCommand, nb::arg("words"),
        "Runs the command line and returns its exit code. Takes over the signals of the process.");
}

}  // namespace slm
