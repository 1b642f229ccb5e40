#include "data/splits/row_splitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/random.h"
#include "data/encoding/encoder.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::array<double, 3> kParts = {0.6, 0.2, 0.2};

// 300 rows in 30 groups of 1 to about 20 rows, times with ties in no order.
Table Rows() {
  RandomStream random(5, 0);
  Table table;
  table.rows = 300;
  Column group{.name = "who", .type = ColumnType::kText, .numbers = {}, .codes = {}, .levels = {}};
  for (int g = 0; g < 30; ++g) group.levels.push_back("p" + std::to_string(100 + g));
  Column time{.name = "when", .numbers = {}, .codes = {}, .levels = {}};
  Column number{.name = "house", .numbers = {}, .codes = {}, .levels = {}};
  for (size_t i = 0; i < table.rows; ++i) {
    group.codes.push_back(static_cast<int32_t>(random.Below(1 + random.Below(30))));
    number.numbers.push_back(static_cast<double>(group.codes.back()) / 7);
    time.numbers.push_back(static_cast<double>(random.Below(40)));
  }
  table.columns = {group, time, number};
  return table;
}

SplitRule Rule(SplitRule::Kind kind, const std::string& column) { return {kind, column}; }

std::set<int32_t> Groups(const Table& table, const std::vector<size_t>& rows) {
  std::set<int32_t> groups;
  for (size_t row : rows) groups.insert(table.columns[0].codes[row]);
  return groups;
}

template <class T>
std::vector<T> Common(const std::set<T>& a, const std::set<T>& b) {
  std::vector<T> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<size_t> Joined(std::initializer_list<const std::vector<size_t>*> parts) {
  std::vector<size_t> all;
  for (const std::vector<size_t>* part : parts) all.insert(all.end(), part->begin(), part->end());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(RowSplitter, KeepsGroupsWholeAndSharesNearTheirSize) {
  const Table table = Rows();
  for (const char* column : {"who", "house"}) {
    const RowSplitter splitter(table, Rule(SplitRule::Kind::kGroup, column), {});
    const Split split = splitter.Cut(AllIndices(300), kParts, 1);
    EXPECT_EQ(Joined({&split.train, &split.valid, &split.test}), AllIndices(300));
    const auto train = Groups(table, split.train), valid = Groups(table, split.valid),
               test = Groups(table, split.test);
    EXPECT_TRUE(Common(train, valid).empty() && Common(train, test).empty() &&
                Common(valid, test).empty());
    EXPECT_NEAR(static_cast<double>(split.train.size()), 180, 6) << column;
    EXPECT_NEAR(static_cast<double>(split.test.size()), 60, 6) << column;
  }
}

TEST(RowSplitter, FoldsHoldOutEveryRowOnceAndNoGroupIsOnBothSides) {
  const Table table = Rows();
  const RowSplitter splitter(table, Rule(SplitRule::Kind::kGroup, "who"), {});
  std::vector<size_t> held_out;
  for (const Fold& fold : splitter.Folds(AllIndices(300), 5, 3)) {
    EXPECT_TRUE(Common(Groups(table, fold.learn), Groups(table, fold.held_out)).empty());
    EXPECT_EQ(Joined({&fold.learn, &fold.held_out}), AllIndices(300));
    EXPECT_NEAR(static_cast<double>(fold.held_out.size()), 60, 6);
    held_out.insert(held_out.end(), fold.held_out.begin(), fold.held_out.end());
  }
  std::sort(held_out.begin(), held_out.end());
  EXPECT_EQ(held_out, AllIndices(300));
}

TEST(RowSplitter, SpreadsClassesOverTheFoldsAsFarAsGroupsAllow) {
  Table table = Rows();
  std::vector<int32_t> classes(300), groups(300);
  // 60 groups of five rows; every sixth group is of the rare class.
  for (size_t i = 0; i < 300; ++i) {
    const size_t group = i / 5;
    table.columns[2].numbers[i] = static_cast<double>(group);
    classes[i] = i / 5 % 6 == 0 ? 1 : 0;
  }
  const RowSplitter splitter(table, Rule(SplitRule::Kind::kGroup, "house"), classes);
  for (const Fold& fold : splitter.Folds(AllIndices(300), 5, 3)) {
    EXPECT_EQ(std::count_if(fold.held_out.begin(), fold.held_out.end(),
                            [&](size_t row) { return classes[row] == 1; }),
              10);
  }
}

TEST(RowSplitter, AnotherSeedDealsGroupsOtherwise) {
  const Table table = Rows();
  const RowSplitter splitter(table, Rule(SplitRule::Kind::kGroup, "who"), {});
  EXPECT_EQ(splitter.Cut(AllIndices(300), kParts, 1).test,
            splitter.Cut(AllIndices(300), kParts, 1).test);
  Table even = Rows();
  for (size_t i = 0; i < 300; ++i) {
    const size_t group = i / 5;
    even.columns[2].numbers[i] = static_cast<double>(group);
  }
  const RowSplitter equal(even, Rule(SplitRule::Kind::kGroup, "house"), {});
  EXPECT_NE(equal.Cut(AllIndices(300), kParts, 1).test, equal.Cut(AllIndices(300), kParts, 2).test);
}

TEST(RowSplitter, TrainsOnThePastAndNeverPartsRowsOfOneTime) {
  const Table table = Rows();
  const std::vector<double>& time = table.columns[1].numbers;
  auto latest = [&](const std::vector<size_t>& rows) {
    double t = -1;
    for (size_t row : rows) t = std::max(t, time[row]);
    return t;
  };
  auto earliest = [&](const std::vector<size_t>& rows) {
    double t = 1e9;
    for (size_t row : rows) t = std::min(t, time[row]);
    return t;
  };
  const RowSplitter splitter(table, Rule(SplitRule::Kind::kTime, "when"), {});
  const Split split = splitter.Cut(AllIndices(300), kParts, 0);
  EXPECT_LT(latest(split.train), earliest(split.valid));
  EXPECT_LT(latest(split.valid), earliest(split.test));
  EXPECT_EQ(Joined({&split.train, &split.valid, &split.test}), AllIndices(300));

  size_t past = 0;
  const std::vector<Fold> folds = splitter.Folds(AllIndices(300), 4, 0);
  ASSERT_EQ(folds.size(), 4u);
  for (const Fold& fold : folds) {
    EXPECT_LT(latest(fold.learn), earliest(fold.held_out));
    EXPECT_GT(fold.learn.size(), past);
    EXPECT_NEAR(static_cast<double>(fold.held_out.size()), 60, 12);
    past = fold.learn.size();
  }
}

TEST(RowSplitter, DrawsWholeGroups) {
  const Table table = Rows();
  const RowSplitter splitter(table, Rule(SplitRule::Kind::kGroup, "who"), {});
  const std::vector<size_t> drawn = splitter.Draw(AllIndices(300), 0.5, 4);
  std::vector<size_t> rest;
  const std::vector<size_t> all = AllIndices(300);
  std::set_difference(all.begin(), all.end(), drawn.begin(), drawn.end(), std::back_inserter(rest));
  EXPECT_NEAR(static_cast<double>(drawn.size()), 150, 6);
  EXPECT_TRUE(Common(Groups(table, drawn), Groups(table, rest)).empty());
}

TEST(RowSplitter, SaysWhatIsWrongWithItsColumn) {
  Table table = Rows();
  auto message = [&](const SplitRule& rule) -> std::string {
    try {
      RowSplitter(table, rule, {}).Folds(AllIndices(300), 35, 0);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(Rule(SplitRule::Kind::kGroup, "whom")).find("who"), std::string::npos);
  EXPECT_NE(message(Rule(SplitRule::Kind::kTime, "who")).find("not a time"), std::string::npos);
  EXPECT_NE(message(Rule(SplitRule::Kind::kGroup, "who")).find("too few different groups"),
            std::string::npos);
  EXPECT_NE(message(Rule(SplitRule::Kind::kTime, "when")).find("too few different times"),
            std::string::npos);
  table.columns[1].numbers[7] = std::nan("");
  EXPECT_NE(message(Rule(SplitRule::Kind::kTime, "when")).find("row 7"), std::string::npos);
}

}  // namespace
}  // namespace slm
