#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace slm {
namespace {

constexpr FuzzTarget kTargets[] = {
    {"csv", FuzzCsv},         {"compressed", FuzzCompressed},
    {"npy", FuzzNpy},         {"npz", FuzzNpz},
    {"libsvm", FuzzLibsvm},   {"arff", FuzzArff},
    {"duckdb", FuzzDuckdb},   {"model", FuzzModel},
    {"config", FuzzConfig},   {"json", FuzzJson},
    {"journal", FuzzJournal}, {"checkpoint", FuzzCheckpoint},
    {"archive", FuzzArchive}, {"description", FuzzDescription},
    {"xlsx", FuzzXlsx},       {"json_table", FuzzJsonTable},
    {"resume", FuzzResume},   {"resume_journal", FuzzResumeJournal},
};

}  // namespace

std::span<const FuzzTarget> FuzzTargets() { return kTargets; }

const FuzzTarget* FindFuzzTarget(std::string_view name) {
  for (const FuzzTarget& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

void ReportFinding(std::string_view what) {
  std::fprintf(stderr, "finding: %s\n", std::string(what).c_str());
  std::abort();
}

}  // namespace slm
