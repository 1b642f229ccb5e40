#include "data/encoding/value_codes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/data/indices.h"

namespace slm {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ValueCodes CodesOf(std::vector<double> numbers, int mi_bins = 0) {
  Table table;
  table.rows = numbers.size();
  table.columns.push_back({"x", ColumnType::kNumeric, std::move(numbers), {}, {}});
  const std::vector<int32_t> rows = Indices(table.rows);
  return BuildValueCodes(table, std::vector<int32_t>{0}, rows, mi_bins)[0];
}

std::vector<uint32_t> AllCodes(const ValueCodes& codes) {
  std::vector<uint32_t> result;
  for (size_t i = 0; i < codes.bytes.size() + codes.words.size(); ++i)
    result.push_back(codes.at(i));
  return result;
}

std::vector<double> Counting(size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), -3.5);
  return values;
}

TEST(ValueCodes, DistinctValuesAreFreeAndNeedNoCodes) {
  ValueCodes codes = CodesOf(Counting(50));
  EXPECT_EQ(codes.kind, ValueCodes::Kind::kFree);
  EXPECT_TRUE(codes.bytes.empty());
  EXPECT_TRUE(codes.words.empty());
}

TEST(JoinCodes, RowsAreAlikeWhereTheyAreInEachColumn) {
  const std::vector<ValueCodes> columns = {CodesOf({1, 1, 2, 2, 1}), CodesOf({5, 6, 5, 5, 5})};
  const ValueCodes joined = JoinCodes(columns, 5);
  EXPECT_EQ(AllCodes(joined), (std::vector<uint32_t>{0, 1, 2, 2, 0}));
  const std::vector<ValueCodes> free = {CodesOf({1, 1, 2, 2, 1}), CodesOf({1, 2, 3, 4, 5})};
  EXPECT_EQ(JoinCodes(free, 5).kind, ValueCodes::Kind::kFree);
}

TEST(ValueCodes, OneMissingCellAmongDistinctValuesIsStillFree) {
  std::vector<double> values = Counting(50);
  values[7] = kNan;
  EXPECT_EQ(CodesOf(values).kind, ValueCodes::Kind::kFree);
}

TEST(ValueCodes, MissingCellsShareACodeOfTheirOwn) {
  ValueCodes codes = CodesOf({kNan, 1, 0, std::copysign(kNan, -1.0), 1});
  EXPECT_EQ(AllCodes(codes), (std::vector<uint32_t>{0, 1, 2, 0, 1}));
  EXPECT_EQ(codes.kind, ValueCodes::Kind::kDense);
  EXPECT_EQ(codes.levels, 3u);
}

TEST(ValueCodes, TheTwoZerosAreOneValue) {
  EXPECT_EQ(AllCodes(CodesOf({0.0, -0.0, 5})), (std::vector<uint32_t>{0, 0, 1}));
}

TEST(ValueCodes, TwoValuesAreBinaryWhateverTheyAre) {
  EXPECT_EQ(CodesOf({3, 7, 7, 3, 3}).kind, ValueCodes::Kind::kBinary);
  EXPECT_EQ(CodesOf({kNan, 7, 7, 7}).kind, ValueCodes::Kind::kBinary);
}

TEST(ValueCodes, FewTiesAreSparseAndManyDense) {
  std::vector<double> values = Counting(100);
  values[10] = values[20];  // 1 pair of 4950
  EXPECT_EQ(CodesOf(values).kind, ValueCodes::Kind::kSparse);
  for (size_t i = 0; i < 10; ++i) values[i] = 0;  // 45 more
  EXPECT_EQ(CodesOf(values).kind, ValueCodes::Kind::kDense);
}

TEST(ValueCodes, MoreThan256LevelsUseWords) {
  std::vector<double> values = Counting(300);
  values[299] = values[0];
  ValueCodes codes = CodesOf(values);
  EXPECT_EQ(codes.levels, 299u);
  ASSERT_EQ(codes.words.size(), 300u);
  EXPECT_TRUE(codes.bytes.empty());
  EXPECT_EQ(codes.at(299), codes.at(0));
  EXPECT_EQ(codes.at(298), 298u);
}

TEST(ValueCodes, BinsHoldEqualSharesAndKeepMissingApart) {
  std::vector<double> values = Counting(100);
  values.push_back(kNan);
  values.push_back(kNan);
  ValueCodes codes = CodesOf(values, 4);
  EXPECT_EQ(codes.levels, 5u);
  std::vector<int> counts(5);
  for (uint32_t code : AllCodes(codes)) ++counts[code];
  EXPECT_EQ(counts, (std::vector<int>{25, 25, 25, 25, 2}));
}

TEST(ValueCodes, BinsNeverSplitEqualValues) {
  std::vector<double> values = Counting(40);
  for (size_t i = 0; i < 25; ++i) values[i] = 100;
  std::vector<uint32_t> codes = AllCodes(CodesOf(values, 8));
  for (size_t i = 1; i < 25; ++i) EXPECT_EQ(codes[i], codes[0]);
  EXPECT_NE(codes[30], codes[0]);
}

TEST(ValueCodes, NoMoreValuesThanBinsKeepTheirValues) {
  EXPECT_EQ(AllCodes(CodesOf({5, 1, 9, 5, 1, 1, 1}, 3)),
            (std::vector<uint32_t>{0, 1, 2, 0, 1, 1, 1}));
}

TEST(ValueCodes, TextKeepsItsLevelsUnderBinsAndRowsAreThoseAskedFor) {
  Table table;
  table.rows = 6;
  table.columns.push_back({"n", ColumnType::kNumeric, Counting(6), {}, {}});
  table.columns.push_back({"t", ColumnType::kText, {}, {0, 1, 2, -1, -1, 0}, {"a", "b", "c"}});
  std::vector<ValueCodes> codes =
      BuildValueCodes(table, std::vector<int32_t>{1, 0}, std::vector<int32_t>{5, 4, 3, 2, 1, 0}, 2);
  EXPECT_EQ(AllCodes(codes[0]), (std::vector<uint32_t>{0, 1, 1, 2, 3, 0}));
  EXPECT_EQ(AllCodes(codes[1]), (std::vector<uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(codes[1].kind, ValueCodes::Kind::kBinary);
}

TEST(ValueCodes, MatrixColumnsAreCodedLikeTableColumns) {
  Matrix x(5, 2);
  const float second[] = {1, 2, std::nanf(""), 2, std::nanf("")};
  for (size_t i = 0; i < 5; ++i) {
    x(i, 0) = static_cast<float>(i);
    x(i, 1) = second[i];
  }
  std::vector<ValueCodes> codes = BuildValueCodes(x.view(), 0);
  ASSERT_EQ(codes.size(), 2u);
  EXPECT_EQ(codes[0].kind, ValueCodes::Kind::kFree);
  EXPECT_EQ(AllCodes(codes[1]), (std::vector<uint32_t>{0, 1, 2, 1, 2}));
}

}  // namespace
}  // namespace slm
