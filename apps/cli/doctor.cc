// slm doctor: what is available on this machine.

#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/machine.h"
#include "base/options.h"
#include "base/output.h"
#include "base/version.h"
#include "cli/build_facts.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/install.h"
#include "cli/terminal.h"
#include "data/readers/duckdb_library.h"
#include "kernels/dispatch.h"
#include "selectors/catalog.h"
#include "selectors/trees/xgboost_library.h"

namespace slm {
namespace {

struct Finding {
  std::string name;
  std::string value;
  bool present = true;
};

// Whether a library can be loaded; the complaint says how to get it.
template <class Load>
Finding Library(std::string name, const std::string& use, Load load) {
  try {
    load();
    return {std::move(name), "found; " + use};
  } catch (const std::exception& error) {
    return {std::move(name), error.what(), false};
  }
}

// The library that `slm doctor --install` has put there was checked then, and is again: anyone who
// can write that file could have written another since.
Finding Duckdb() {
  Finding found = Library("libduckdb", "Parquet, JSON lines and SQL can be read",
                          [] { DuckdbLibrary::Load("Parquet, JSON lines and SQL"); });
  const std::optional<bool> intact = InstalledDuckdbIsIntact();
  const char* other = std::getenv("SLM_DUCKDB");
  if (!intact || (other != nullptr && *other != 0)) return found;
  if (*intact) return {found.name, found.value + "; its checksum is right", found.present};
  return {found.name,
          "its checksum is not that of the tested release; 'slm doctor --install duckdb' fetches "
          "it again",
          false};
}

std::vector<Finding> FindingsOfBuild() {
  std::vector<Finding> findings;
  for (BuildFact& fact : FactsOfBuild()) {
    findings.push_back({std::move(fact.name), std::move(fact.value), fact.hardened});
  }
  return findings;
}

std::vector<Finding> Examine() {
  return {
      {"version", Version()},
      {"compiler", __VERSION__},
      {"SIMD", std::string(SimdLevelName(ActiveSimdLevel())) +
                   "; SLM_SIMD chooses a lower level: v2, v3 or v4"},
      {"threads", std::to_string(UsableCores())},
      {"memory", std::to_string(static_cast<int64_t>(UsableMemory() / 1e6)) + " MB"},
      {"methods", std::to_string(Methods().size()) + "; see 'slm methods'"},
      {"formats", "CSV, TSV, xlsx, JSON, npy, npz, libsvm, ARFF; gz, zst and zip"},
      Duckdb(),
      Library("libxgboost", "method xgboost can be used", [] { XgboostLibrary::Load(); }),
  };
}

}  // namespace

int RunDoctor(Arguments arguments) {
  bool json = false, build = false;
  std::string install;
  CommandFlags flags(
      arguments,
      {.example = "slm doctor",
       .usage = "doctor [flags]",
       .summary =
           "Reports how this program was built, what the processor offers, which libraries were "
           "found,\nand how to get those that are missing. CSV files need none of them."});
  flags.own().Bool("json", &json, "print the findings as JSON");
  flags.own().Bool("build", &build, "report how the program was built and hardened instead");
  flags.own().Text("install", &install,
                   "first fetch a library by npm, check it, and put it where slm looks: duckdb");
  if (!flags.Parse()) return kDone;
  if (!install.empty()) InstallLibrary(install);
  Json document = Json::MakeObject();
  document.Add("schema", "slm.doctor/1");
  std::string text;
  for (const Finding& finding : build ? FindingsOfBuild() : Examine()) {
    Json one = Json::MakeObject();
    one.Add("present", finding.present);
    one.Add("value", finding.value);
    document.Add(finding.name, std::move(one));
    text += Fit(finding.name, build ? 18 : 12) + (finding.present || build ? "" : "missing: ") +
            finding.value + "\n";
  }
  WriteStdout(json ? document.Dump(2) + "\n" : text);
  return flags.Done("examined the machine");
}

}  // namespace slm
