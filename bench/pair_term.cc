// Microseconds of one call of the pair term r_cs (value and both gradients, one thread) by kind of
// column, batch size b and number of active features F. Prints a table on stderr and JSON lines on
// stdout; with --emit-cases prints the batches themselves instead, for bench/pair_term_torch.py,
// and with --only KIND B F it times one case.

#include "kernels/pair_term.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/random.h"
#include "data/encoding/value_codes.h"
#include "kernels/dispatch.h"
#include "slm/matrix.h"

namespace slm {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kRows = 1460;  // as Ames has
constexpr size_t kBatches = 8;  // different rows in turn, so that gathering codes is not free

// Levels of the columns of each kind, in turn: 0 for a continuous column, 1 for one that is zero in
// half of the rows and continuous in the others. The mixture has Ames's shares: nine of ten columns
// of 3 to 112 levels or half zero, the rest binary, and 700 levels (sparse).
struct ColumnMix {
  const char* name;
  std::vector<int> levels;
};
const ColumnMix kMixes[] = {
    {"continuous", {0}},
    {"8 levels", {8}},
    {"binary", {2}},
    {"mixed", {5, 25, 4, 8, 111, 3, 10, 1, 5, 9, 700, 16, 6, 7, 112, 2, 4, 5, 8, 1}},
};

struct Case {
  const char* kind;
  std::vector<ValueCodes> codes;
  std::vector<int32_t> features;
  std::vector<std::vector<int32_t>> batches;
  std::vector<float> p, r;

  Case(const ColumnMix& mix, size_t b, size_t count) : kind(mix.name) {
    RandomStream random(b, count);
    Matrix x(kRows, count);
    for (size_t j = 0; j < count; ++j) {
      int levels = mix.levels[j % mix.levels.size()];
      for (size_t i = 0; i < kRows; ++i) {
        double u = random.Uniform();
        double value = levels > 1 ? static_cast<double>(random.Below(static_cast<uint64_t>(levels)))
                       : levels == 1 ? std::max(0.0, u - 0.5)
                                     : static_cast<double>(i);
        x(i, j) = static_cast<float>(value);
      }
    }
    codes = BuildValueCodes(x.view(), 0);
    features.resize(count);
    std::iota(features.begin(), features.end(), 0);
    std::vector<int32_t> all(kRows);
    std::iota(all.begin(), all.end(), 0);
    for (size_t i = 0; i < kBatches; ++i) {
      random.Shuffle(std::span(all));
      batches.emplace_back(all.begin(), all.begin() + static_cast<ptrdiff_t>(b));
    }
    p.assign(count, 1.0f / static_cast<float>(count));
    for (size_t i = 0; i < b; ++i) r.push_back(static_cast<float>(random.Uniform()));
  }
};

Json JsonNumbers(const auto& values) {
  Json array = Json::MakeArray();
  for (auto value : values) array.Push(value);
  return array;
}

void EmitCase(const Case& c) {
  Json columns = Json::MakeArray();
  for (const ValueCodes& codes : c.codes) {
    std::vector<int> column;
    for (size_t row = 0; row < kRows; ++row) {
      bool free = codes.kind == ValueCodes::Kind::kFree;
      column.push_back(static_cast<int>(free ? row : codes.at(row)));
    }
    columns.Push(JsonNumbers(column));
  }
  Json json = Json::MakeObject();
  json.Add("kind", c.kind);
  json.Add("codes", std::move(columns));
  json.Add("rows", JsonNumbers(c.batches[0]));
  json.Add("p", JsonNumbers(c.p));
  json.Add("r", JsonNumbers(c.r));
  std::puts(json.Dump().c_str());
}

// The fastest call in four tenths of a second: other work on the machine only ever adds.
void TimeCase(const Case& c) {
  PairTerm term;
  std::vector<float> dr(c.r.size()), dp(c.p.size());
  auto run = [&](size_t batch) {
    return term.Compute(c.codes, c.features, c.batches[batch], c.p, c.r, {}, 0, dr, dp);
  };
  double value = run(0);
  double microseconds = std::numeric_limits<double>::infinity();
  Clock::time_point end = Clock::now() + std::chrono::milliseconds(400);
  for (size_t i = 0; i < 20 || Clock::now() < end; ++i) {
    Clock::time_point start = Clock::now();
    run(i % kBatches);
    std::chrono::duration<double, std::micro> took = Clock::now() - start;
    microseconds = std::min(microseconds, took.count());
  }
  std::fprintf(stderr, "%-10s b %4zu  F %4zu  %8.1f us\n", c.kind, c.r.size(), c.p.size(),
               microseconds);
  Json json = Json::MakeObject();
  json.Add("bench", "pair_term");
  json.Add("kind", c.kind);
  json.Add("b", c.r.size());
  json.Add("features", c.p.size());
  json.Add("level", SimdLevelName(ActiveSimdLevel()));
  json.Add("microseconds", microseconds);
  json.Add("value", value);
  std::puts(json.Dump().c_str());
}

}  // namespace
}  // namespace slm

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool emit = arguments == std::vector<std::string>{"--emit-cases"};
  const bool only = arguments.size() == 4 && arguments[0] == "--only";
  if (!arguments.empty() && !emit && !only) {
    std::fputs("bench_pair_term [--emit-cases | --only KIND B F]\n", stderr);
    return 2;
  }
  for (const slm::ColumnMix& mix : slm::kMixes) {
    for (size_t b : {64, 128, 256, 512}) {
      for (size_t features : {50, 100}) {
        const std::vector<std::string> own{"--only", mix.name, std::to_string(b),
                                           std::to_string(features)};
        if (only && arguments != own) continue;
        slm::Case c(mix, b, features);
        emit ? slm::EmitCase(c) : slm::TimeCase(c);
      }
    }
  }
}
