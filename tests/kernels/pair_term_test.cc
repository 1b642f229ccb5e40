#include "kernels/pair_term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "kernels/pair_term_reference.h"
#include "tests/kernels/at_simd_level.h"

namespace slm {
namespace {

using Kind = ValueCodes::Kind;

constexpr size_t kTrainingRows = 600;

ValueCodes MakeCodes(Kind kind, RandomStream& random) {
  ValueCodes codes;
  codes.kind = kind;
  if (kind == Kind::kFree) return codes;
  // Sparse codes are words here, although bytes could hold fewer levels. Some dense columns have
  // too many levels for bytes, half of their rows sharing one.
  const bool wide = kind == Kind::kDense && random.Below(4) == 0;
  codes.levels = kind == Kind::kSparse   ? 400
                 : kind == Kind::kBinary ? 2
                 : wide                  ? 300
                                         : 3 + static_cast<uint32_t>(random.Below(27));
  for (size_t i = 0; i < kTrainingRows; ++i) {
    uint32_t code = static_cast<uint32_t>(random.Below(codes.levels));
    if (wide && random.Below(2) == 0) code = 0;
    if (kind == Kind::kSparse || wide) {
      codes.words.push_back(code);
    } else {
      codes.bytes.push_back(static_cast<uint8_t>(code));
    }
  }
  return codes;
}

// A batch over features of the given kinds. Probabilities sum to one; every third feature of the
// training set is inactive.
struct Batch {
  std::vector<ValueCodes> codes;
  std::vector<int32_t> features, rows;
  std::vector<float> p, r, w;
  size_t block = 0;

  Batch(const std::vector<Kind>& kinds, size_t b, bool weighted, size_t block_in, uint64_t seed)
      : block(block_in) {
    RandomStream random(seed, 0);
    for (Kind kind : kinds) {
      if (codes.size() % 3 == 2) codes.push_back(MakeCodes(Kind::kDense, random));
      features.push_back(static_cast<int32_t>(codes.size()));
      codes.push_back(MakeCodes(kind, random));
    }
    rows.resize(kTrainingRows);
    std::iota(rows.begin(), rows.end(), 0);
    random.Shuffle(std::span(rows));
    rows.resize(b);
    double sum = 0;
    for (size_t a = 0; a < kinds.size(); ++a) {
      p.push_back(static_cast<float>(random.Uniform(0.01, 1)));
      sum += static_cast<double>(p.back());
    }
    for (float& x : p) x = static_cast<float>(static_cast<double>(x) / sum);
    for (size_t i = 0; i < b; ++i) {
      r.push_back(static_cast<float>(random.Uniform()));
      if (weighted) w.push_back(static_cast<float>(random.Uniform(0, 2)));
    }
  }
};

struct Result {
  double value = 0;
  std::vector<double> dr, dp;
};

Result Reference(const Batch& batch) {
  auto wide = [](const std::vector<float>& x) { return std::vector<double>(x.begin(), x.end()); };
  Result result;
  result.dr.resize(batch.rows.size());
  result.dp.resize(batch.features.size());
  result.value = PairTermReference(batch.codes, batch.features, batch.rows, wide(batch.p),
                                   wide(batch.r), wide(batch.w), batch.block, result.dr, result.dp);
  return result;
}

Result Kernel(const Batch& batch, PairTerm& term) {
  // Stale values must not show.
  std::vector<float> dr(batch.rows.size(), 7.0f), dp(batch.features.size(), 7.0f);
  Result result;
  result.value = term.Compute(batch.codes, batch.features, batch.rows, batch.p, batch.r, batch.w,
                              batch.block, dr, dp);
  result.dr.assign(dr.begin(), dr.end());
  result.dp.assign(dp.begin(), dp.end());
  return result;
}

double Largest(const std::vector<double>& x) {
  double largest = 0;
  for (double value : x) {
    if (!(std::abs(value) <= largest)) largest = std::abs(value);  // NaN shows
  }
  return largest;
}

void ExpectNear(const std::vector<double>& got, const std::vector<double>& want, double tolerance,
                const char* what) {
  double scale = std::max(Largest(want), 1e-30);
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], tolerance * scale) << what << " " << i;
  }
}

void ExpectNear(const Result& got, const Result& want) {
  EXPECT_NEAR(got.value, want.value, 3e-7 * want.value);
  ExpectNear(got.dp, want.dp, 3e-7, "dp");
  ExpectNear(got.dr, want.dr, 1e-6, "dr");
}

std::vector<Kind> Repeat(std::vector<Kind> kinds, size_t times) {
  std::vector<Kind> result;
  for (size_t t = 0; t < times; ++t) result.insert(result.end(), kinds.begin(), kinds.end());
  return result;
}

const std::vector<std::vector<Kind>>& Mixtures() {
  static const std::vector<std::vector<Kind>> mixtures = {
      Repeat({Kind::kFree}, 5),
      Repeat({Kind::kSparse}, 6),
      Repeat({Kind::kFree, Kind::kSparse}, 4),
      Repeat({Kind::kBinary}, 7),
      Repeat({Kind::kDense}, 9),
      Repeat({Kind::kDense, Kind::kBinary}, 5),
      Repeat({Kind::kFree, Kind::kSparse, Kind::kBinary, Kind::kDense, Kind::kDense}, 10),
  };
  return mixtures;
}

template <class Body>
void ForEachBatch(Body body) {
  uint64_t seed = 0;
  for (const std::vector<Kind>& kinds : Mixtures()) {
    for (size_t b : {1, 2, 17, 64, 100, 256}) {
      for (bool weighted : {false, true}) {
        for (size_t block : {0, 16, 37}) {
          SCOPED_TRACE(testing::Message() << kinds.size() << " features, " << b
                                          << " rows, weighted " << weighted << ", block " << block);
          body(Batch(kinds, b, weighted, block, ++seed));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

using PairTermAtLevel = AtSimdLevel;

TEST_P(PairTermAtLevel, AgreesWithTheReference) {
  PairTerm term;  // one for all batches, so that scratch memory is used again at other sizes
  ForEachBatch([&](const Batch& batch) { ExpectNear(Kernel(batch, term), Reference(batch)); });
}

TEST_P(PairTermAtLevel, IsExactWhenOneProbabilityIsCloseToOne) {
  PairTerm term;
  uint64_t seed = 100;
  for (Kind kind : {Kind::kFree, Kind::kSparse, Kind::kBinary, Kind::kDense}) {
    for (float top : {0.6f, 0.999f, 1.0f - 0x1p-24f, 1.0f}) {
      for (const std::vector<Kind>& others :
           {std::vector<Kind>{}, {Kind::kFree}, {Kind::kSparse, Kind::kDense, Kind::kBinary}}) {
        SCOPED_TRACE(testing::Message() << "p " << top << ", " << others.size() << " others");
        std::vector<Kind> kinds = others;
        kinds.insert(kinds.begin(), kind);
        Batch batch(kinds, 60, true, 0, ++seed);
        for (float& p : batch.p)
          p = (1 - top) / static_cast<float>(std::max<size_t>(1, others.size()));
        batch.p[0] = top;
        Result result = Kernel(batch, term);
        ExpectNear(result, Reference(batch));
        EXPECT_NE(result.dp[0], 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, PairTermAtLevel, EverySimdLevel(), NameOfLevel);

TEST(PairTerm, LevelsV3AndV4GiveTheSameBits) {
  SimdLevel best = ActiveSimdLevel();
  if (best != SimdLevel::kV4) GTEST_SKIP() << "this machine has no AVX-512";
  PairTerm term;
  ForEachBatch([&](const Batch& batch) {
    SetSimdLevel(SimdLevel::kV3);
    Result v3 = Kernel(batch, term);
    SetSimdLevel(SimdLevel::kV4);
    Result v4 = Kernel(batch, term);
    EXPECT_EQ(v3.value, v4.value);
    EXPECT_EQ(v3.dr, v4.dr);
    EXPECT_EQ(v3.dp, v4.dp);
  });
  SetSimdLevel(best);
}

TEST(PairTerm, FreeColumnsAreWorthAsMuchAsCodesWithoutTies) {
  Batch batch(Repeat({Kind::kDense, Kind::kFree, Kind::kBinary}, 3), 90, false, 0, 1);
  PairTerm term;
  Result free = Kernel(batch, term);
  for (ValueCodes& codes : batch.codes) {
    if (codes.kind != Kind::kFree) continue;
    codes.kind = Kind::kDense;
    codes.levels = kTrainingRows;
    codes.words.resize(kTrainingRows);
    std::iota(codes.words.begin(), codes.words.end(), 0);
  }
  ExpectNear(Kernel(batch, term), free);
}

TEST(PairTerm, EqualRowsCountInFull) {
  Batch batch({Kind::kBinary, Kind::kDense}, 2, false, 0, 1);
  for (ValueCodes& codes : batch.codes) std::fill(codes.bytes.begin(), codes.bytes.end(), 1);
  batch.r = {0.25f, 1.0f};
  PairTerm term;
  Result result = Kernel(batch, term);
  EXPECT_NEAR(result.value, 0.5625, 1e-6);
  EXPECT_NEAR(result.dp[0], 0, 1e-6);
  EXPECT_NEAR(result.dr[1], 1.5, 1e-6);
}

TEST(PairTerm, WithoutAWeightedPairEverythingIsZero) {
  Batch batch(Mixtures().back(), 17, true, 0, 1);
  std::fill(batch.w.begin(), batch.w.end(), 0.0f);
  batch.w[3] = 2;
  PairTerm term;
  Result result = Kernel(batch, term);
  EXPECT_EQ(result.value, 0);
  EXPECT_EQ(Largest(result.dr), 0);
  EXPECT_EQ(Largest(result.dp), 0);
}

TEST(PairTerm, ProbabilitiesNeedNotSumToOne) {
  PairTerm term;
  RandomStream random(1, 2);
  for (const std::vector<Kind>& kinds : Mixtures()) {
    Batch batch(Repeat(kinds, 4), 80, false, 0, 1);
    for (float& p : batch.p) p = static_cast<float>(random.Uniform(0, 0.97));
    Result result = Kernel(batch, term), want = Reference(batch);
    EXPECT_NEAR(result.value, want.value, 2e-5 * want.value);
    ExpectNear(result.dp, want.dp, 2e-5, "dp");
    ExpectNear(result.dr, want.dr, 2e-5, "dr");
  }
}

TEST(PairTerm, WholeWeightsCountRowsSeveralTimes) {
  // A row of weight 2 is two copies of it, whose own pair has no difference of r.
  Batch once(Repeat({Kind::kDense, Kind::kBinary}, 4), 40, true, 0, 5);
  for (size_t i = 0; i < once.w.size(); ++i) once.w[i] = static_cast<float>(1 + i % 2);
  Batch twice = once;
  twice.w.clear();
  double copies_of_itself = 0;
  for (size_t i = 1; i < once.rows.size(); i += 2) {
    twice.rows.push_back(once.rows[i]);
    twice.r.push_back(once.r[i]);
    copies_of_itself += 1;
  }
  PairTerm term;
  double rows = static_cast<double>(twice.rows.size());
  double pairs = rows * (rows - 1) / 2;
  EXPECT_NEAR(Kernel(once, term).value * (pairs - copies_of_itself),
              Kernel(twice, term).value * pairs, 1e-6 * pairs);
}

// Central differences, step h: the error is of order h^2 plus rounding.
TEST(PairTermReference, GradientsAreTheDifferenceQuotients) {
  const double h = 1e-5;
  for (size_t block : {0, 5}) {
    Batch batch(Mixtures().back(), 17, true, block, 9);
    Result exact = Reference(batch);
    std::vector<double> p(batch.p.begin(), batch.p.end()), r(batch.r.begin(), batch.r.end()),
        w(batch.w.begin(), batch.w.end()), dr(r.size()), dp(p.size());
    auto value = [&] {
      return PairTermReference(batch.codes, batch.features, batch.rows, p, r, w, block, dr, dp);
    };
    auto quotient = [&](double& x) {
      double before = x;
      x = before + h;
      double above = value();
      x = before - h;
      double below = value();
      x = before;
      return (above - below) / (2 * h);
    };
    for (size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(quotient(r[i]), exact.dr[i], 1e-9);
    for (size_t a = 0; a < p.size(); ++a) EXPECT_NEAR(quotient(p[a]), exact.dp[a], 1e-9);
  }
}

TEST(PairTermReference, IsTheFormulaOnThreeRows) {
  // Columns a = (0, 0, 1) and b = (0, 1, 1), p = (0.2, 0.5): W_01 = 0.5, W_12 = 0.8, W_02 = 0.4.
  std::vector<ValueCodes> codes(2);
  codes[0] = {Kind::kBinary, 2, {0, 0, 1}, {}};
  codes[1] = {Kind::kBinary, 2, {0, 1, 1}, {}};
  std::vector<double> p = {0.2, 0.5}, r = {1, 3, 6}, w = {1, 2, 3}, dr(3), dp(2);
  double value = PairTermReference(codes, std::vector<int32_t>{0, 1}, std::vector<int32_t>{0, 1, 2},
                                   p, r, w, 0, dr, dp);
  EXPECT_NEAR(value, (2 * 0.5 * 4 + 6 * 0.8 * 9 + 3 * 0.4 * 25) / 11, 1e-12);
  EXPECT_NEAR(dp[1], -(2 * 4 + 3 * 0.8 * 25) / 11, 1e-12);
}

}  // namespace
}  // namespace slm
