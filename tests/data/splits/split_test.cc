#include "data/splits/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "slm/errors.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

constexpr std::array<double, 3> kShares = {0.7, 0.1, 0.2};

std::vector<int32_t> Classes(std::initializer_list<int> sizes) {
  std::vector<int32_t> classes;
  int32_t label = 0;
  for (int size : sizes) {
    classes.insert(classes.end(), static_cast<size_t>(size), label++);
  }
  return classes;
}

size_t CountClass(const std::vector<size_t>& rows, const std::vector<int32_t>& classes, int32_t c) {
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [&](size_t row) { return classes[row] == c; }));
}

TEST(SplitRows, EveryRowIsInOnePart) {
  Split split = SplitRows(1003, {}, kShares, 0);
  std::set<size_t> all;
  for (const auto* part : {&split.train, &split.valid, &split.test}) {
    EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
    all.insert(part->begin(), part->end());
  }
  EXPECT_EQ(all.size(), 1003u);
  EXPECT_EQ(split.valid.size(), 100u);
  EXPECT_EQ(split.test.size(), 201u);
  EXPECT_EQ(split.train.size(), 702u);
}

TEST(SplitRows, EveryClassHasItsShareOfEveryPart) {
  std::vector<int32_t> classes = Classes({700, 200, 57, 3});
  Split split = SplitRows(classes.size(), classes, kShares, 3);
  EXPECT_NEAR(static_cast<double>(CountClass(split.valid, classes, 0)), 70, 1);
  EXPECT_NEAR(static_cast<double>(CountClass(split.test, classes, 0)), 140, 1);
  EXPECT_NEAR(static_cast<double>(CountClass(split.test, classes, 1)), 40, 1);
  for (int32_t c = 0; c < 4; ++c) {
    for (const auto* part : {&split.train, &split.valid, &split.test}) {
      EXPECT_GE(CountClass(*part, classes, c), 1u) << c;
    }
  }
  EXPECT_NEAR(static_cast<double>(split.valid.size()), 96, 1);
}

TEST(SplitRows, ManySmallClassesKeepTheTotals) {
  std::vector<int32_t> classes;
  for (int32_t i = 0; i < 2000; ++i) classes.push_back(i / 8);
  Split split = SplitRows(classes.size(), classes, kShares, 0);
  EXPECT_NEAR(static_cast<double>(split.test.size()), 400, 2);
  EXPECT_NEAR(static_cast<double>(split.valid.size()), 250, 2) << "one of each class at least";
}

TEST(SplitRows, AClassTooSmallForEveryPartStillTrains) {
  std::vector<int32_t> classes = Classes({50, 1, 2});
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Split split = SplitRows(classes.size(), classes, kShares, seed);
    EXPECT_EQ(CountClass(split.train, classes, 1), 1u);
    EXPECT_GE(CountClass(split.train, classes, 2), 1u);
  }
}

TEST(SplitRows, TheSeedDecides) {
  Split a = SplitRows(100, {}, kShares, 1), b = SplitRows(100, {}, kShares, 1);
  EXPECT_EQ(a.test, b.test);
  EXPECT_NE(a.test, SplitRows(100, {}, kShares, 2).test);
}

TEST(SplitRows, TooFewRowsAreAnError) {
  for (size_t rows : {0u, 1u, 2u}) {
    std::string message = DataErrorOf([&] { SplitRows(rows, {}, kShares, 0); });
    EXPECT_NE(message.find("too few"), std::string::npos) << rows;
  }
  EXPECT_NE(DataErrorOf([&] { SplitRows(2, Classes({1, 1}), kShares, 0); }), "");
  EXPECT_EQ(SplitRows(3, {}, kShares, 0).valid.size(), 1u);
}

TEST(SplitRows, SharesMustSumToOne) {
  EXPECT_THROW(SplitRows(100, {}, {0.7, 0.1, 0.1}, 0), InputError);
  EXPECT_THROW(SplitRows(100, {}, {0, 0.5, 0.5}, 0), InputError);
  EXPECT_THROW(SplitRows(100, {}, {1.5, -0.5, 0}, 0), InputError);
}

TEST(SharesOfDataFile, FilesReplaceParts) {
  EXPECT_EQ(SharesOfDataFile(kShares, false, false), kShares);
  EXPECT_EQ(SharesOfDataFile(kShares, true, true), (std::array<double, 3>{1, 0, 0}));
  EXPECT_EQ(SharesOfDataFile(kShares, false, true), (std::array<double, 3>{0.875, 0.125, 0}));
  EXPECT_DOUBLE_EQ(SharesOfDataFile(kShares, true, false)[0], 0.7 / 0.9);
  EXPECT_EQ(SplitRows(10, {}, {1, 0, 0}, 0).train.size(), 10u);
}

TEST(FoldRows, HoldsEveryRowOutOnceWithItsShareOfEachClass) {
  const std::vector<int32_t> classes = Classes({50, 23, 7});
  std::vector<size_t> rows(80);
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::multiset<size_t> seen;
  for (const std::vector<size_t>& fold : FoldRows(rows, classes, 5, 1)) {
    EXPECT_EQ(fold.size(), 16u);
    EXPECT_EQ(CountClass(fold, classes, 0), 10u);
    EXPECT_NEAR(static_cast<double>(CountClass(fold, classes, 2)), 1.4, 1);
    seen.insert(fold.begin(), fold.end());
  }
  EXPECT_EQ(seen, std::multiset<size_t>(rows.begin(), rows.end()));
}

TEST(FoldRows, NeverHoldsOutTheOnlyRowOfAClass) {
  const std::vector<int32_t> classes = Classes({10, 1});
  std::vector<size_t> rows(11);
  std::iota(rows.begin(), rows.end(), size_t{0});
  for (const std::vector<size_t>& fold : FoldRows(rows, classes, 3, 0)) {
    EXPECT_EQ(CountClass(fold, classes, 1), 0u);
  }
  EXPECT_THROW(FoldRows(std::span(rows).first(2), classes, 3, 0), InputError);
}

}  // namespace
}  // namespace slm
