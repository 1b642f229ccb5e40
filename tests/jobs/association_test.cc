#include "jobs/association.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/encoding/encoder.h"
#include "data/table.h"

namespace slm {
namespace {

Column Numbers(std::vector<double> numbers) { return {.name = "x", .numbers = std::move(numbers)}; }

// One letter for each cell; '.' is a missing one.
Column Letters(const std::string& letters) {
  Column column{.name = "t", .type = ColumnType::kText};
  for (char c = 'a'; c <= 'z'; ++c) column.levels.emplace_back(1, c);
  for (char c : letters) column.codes.push_back(c == '.' ? -1 : c - 'a');
  return column;
}

std::optional<Association> CompareAll(const Column& a, const Column& b) {
  const std::vector<size_t> rows =
      AllIndices(a.type == ColumnType::kText ? a.codes.size() : a.numbers.size());
  const auto found = Compare(ComparedColumn(a, rows), ComparedColumn(b, rows));
  const auto other_way = Compare(ComparedColumn(b, rows), ComparedColumn(a, rows));
  EXPECT_EQ(found.has_value(), other_way.has_value());
  if (found) {
    EXPECT_NEAR(found->value, other_way->value, 1e-12);
  }
  return found;
}

// The value of scipy.stats.spearmanr.
TEST(Association, OfNumbersIsSpearmans) {
  const Column x = Numbers({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8});
  const Column y = Numbers({2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5});
  const auto found = CompareAll(x, y);
  EXPECT_EQ(found->measure, "rank correlation");
  EXPECT_NEAR(found->value, 0.1415796863640157, 1e-12);
  Column grown = x;  // by any rising function
  for (double& value : grown.numbers) value = std::exp(value);
  EXPECT_NEAR(CompareAll(x, grown)->value, 1, 1e-12);
}

TEST(Association, IsOfRowsInWhichBothHaveACell) {
  Column x = Numbers({}), y = Numbers({}), z = Numbers({});
  RandomStream random(1, 0);
  for (size_t i = 0; i < 400; ++i) {
    // Missing together, as in joined tables, and otherwise of no relation.
    const bool both = i % 2 == 0;
    x.numbers.push_back(both ? random.Normal() : kMissing);
    y.numbers.push_back(both ? random.Normal() : kMissing);
    z.numbers.push_back(both ? kMissing : random.Normal());
  }
  EXPECT_LT(std::abs(CompareAll(x, y)->value), 0.2);
  EXPECT_FALSE(CompareAll(x, z));  // no row has both
  Column twin = x;
  for (size_t i = 0; i < 40; ++i) twin.numbers[i] = kMissing;
  EXPECT_NEAR(CompareAll(x, twin)->value, 1, 0.01);  // ranks are those of all its own cells
}

TEST(Association, OfTextsIsCramersVWithoutWhatManyLevelsGiveByChance) {
  // From chi-squared of scipy.stats.chi2_contingency, corrected as by Bergsma (2013).
  const Column t = Letters("aabbccaabbccaabbcc"), u = Letters("xxyyzzxxyyzzxxyyzy");
  const auto found = CompareAll(t, u);
  EXPECT_EQ(found->measure, "Cramér's V");
  EXPECT_NEAR(found->value, 0.9154754164341269, 1e-12);
  EXPECT_NEAR(CompareAll(t, t)->value, 1, 1e-12);
  std::string random_letters, others;
  RandomStream random(2, 0);
  for (size_t i = 0; i < 200; ++i) {
    random_letters += static_cast<char>('a' + random.Below(20));
    others += static_cast<char>('a' + random.Below(20));
  }
  EXPECT_LT(CompareAll(Letters(random_letters), Letters(others))->value, 0.2);
}

TEST(Association, OfTextAndNumbersIsTheCorrelationRatio) {
  const Column t = Letters("aaabbbcccaaabbbccc");
  std::vector<double> by_level, of_no_relation;
  RandomStream random(3, 0);
  for (int32_t code : t.codes) {
    by_level.push_back(code == 1 ? 10 : code);
    of_no_relation.push_back(random.Normal());
  }
  const auto found = CompareAll(t, Numbers(by_level));
  EXPECT_EQ(found->measure, "correlation ratio");
  EXPECT_NEAR(found->value, 1, 1e-12);
  EXPECT_LT(CompareAll(t, Numbers(of_no_relation))->value, 0.6);
  EXPECT_FALSE(CompareAll(Letters(std::string(18, 'a')), Numbers(by_level)));  // one level
}

TEST(Association, IsNothingOnTooFewRowsOrForAConstant) {
  EXPECT_FALSE(CompareAll(Numbers({1, 2, 3}), Numbers({1, 2, 3})));
  EXPECT_FALSE(
      CompareAll(Numbers(std::vector<double>(20, 4)), Numbers(std::vector<double>(20, 1))));
  EXPECT_FALSE(CompareAll(Letters("ab"), Letters("ab")));
}

}  // namespace
}  // namespace slm
