#pragma once

// Everything that reads bytes of unknown origin, one function for each kind of file. The fuzzers
// (fuzzer.cc) and the replay of their corpora (replay_test.cc) call the same ones.

#include <cstddef>
#include <span>
#include <string_view>

namespace slm {

// Longer inputs are more of the same; tools/fuzz makes none.
inline constexpr size_t kLongestInput = 8192;

struct FuzzTarget {
  std::string_view name;  // of its corpus too: tests/fuzz/corpus/<name>
  // Reads the bytes, and uses what came out of them so that a wrong index or pointer is noticed.
  // Throws an InputError for bytes that are refused, and nothing else.
  void (*run)(std::string_view bytes);
};

std::span<const FuzzTarget> FuzzTargets();

// Null if there is none of that name.
const FuzzTarget* FindFuzzTarget(std::string_view name);

// By kind of file.
void FuzzCsv(std::string_view bytes);
void FuzzCompressed(std::string_view bytes);
void FuzzNpy(std::string_view bytes);
void FuzzNpz(std::string_view bytes);
void FuzzLibsvm(std::string_view bytes);
void FuzzArff(std::string_view bytes);
void FuzzXlsx(std::string_view bytes);
void FuzzJsonTable(std::string_view bytes);
void FuzzDuckdb(std::string_view bytes);
void FuzzModel(std::string_view bytes);
void FuzzDescription(std::string_view bytes);
void FuzzConfig(std::string_view bytes);
void FuzzJson(std::string_view bytes);
void FuzzJournal(std::string_view bytes);
void FuzzCheckpoint(std::string_view bytes);
void FuzzArchive(std::string_view bytes);
// The whole of a resumed run.
void FuzzResume(std::string_view bytes);
void FuzzResumeJournal(std::string_view bytes);

// Ends the process: what was read contradicts itself. An exception could be taken for a refusal.
[[noreturn]] void ReportFinding(std::string_view what);

}  // namespace slm
