#include "data/encoding/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slm/errors.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

Column Numbers(const std::string& name, std::vector<double> values) {
  Column column;
  column.name = name;
  column.numbers = std::move(values);
  return column;
}

Column Texts(const std::string& name, const std::vector<std::string>& values) {
  Column column;
  column.name = name;
  column.type = ColumnType::kText;
  for (const std::string& value : values) {
    if (!value.empty()) column.levels.push_back(value);
  }
  std::sort(column.levels.begin(), column.levels.end());
  column.levels.erase(std::unique(column.levels.begin(), column.levels.end()), column.levels.end());
  for (const std::string& value : values) {
    auto found = std::lower_bound(column.levels.begin(), column.levels.end(), value);
    column.codes.push_back(value.empty() ? -1
                                         : static_cast<int32_t>(found - column.levels.begin()));
  }
  return column;
}

Table MakeTable(std::vector<Column> columns) {
  Table table;
  table.rows = std::max(columns[0].numbers.size(), columns[0].codes.size());
  table.columns = std::move(columns);
  return table;
}

Encoder FitAll(const Table& table, std::span<const size_t> rows,
               const EncodeOptions& options = {}) {
  ThreadPool pool(2);
  std::vector<size_t> columns = AllIndices(table.columns.size());
  return Encoder::Fit(table, rows, columns, options, pool);
}

Encoder FitAll(const Table& table) { return FitAll(table, AllIndices(table.rows)); }

Matrix EncodeAll(const Encoder& encoder, const Table& table) {
  ThreadPool pool(2);
  std::vector<size_t> rows = AllIndices(table.rows);
  return encoder.Encode(table, rows, pool);
}

std::string Reason(const Encoder& encoder, const std::string& name) {
  for (const DroppedColumn& dropped : encoder.dropped()) {
    if (dropped.name == name) return dropped.reason.Text();
  }
  return "";
}

const double kNone = std::nan("");

TEST(Encoder, StandardisesNumbers) {
  Table table = MakeTable({Numbers("a", {1, 2, 3, 6})});
  Matrix x = EncodeAll(FitAll(table), table);
  ASSERT_EQ(x.cols(), 1u);
  double sd = std::sqrt((4 + 1 + 0 + 9) / 4.0);
  EXPECT_FLOAT_EQ(x(0, 0), static_cast<float>(-2 / sd));
  EXPECT_FLOAT_EQ(x(3, 0), static_cast<float>(3 / sd));
}

TEST(Encoder, LongTailsAreSquashed) {
  std::vector<double> tailed, normal, counts;
  for (int i = 1; i < 200; ++i) {
    const double z = std::log(i / (200.0 - i));  // close to normal
    normal.push_back(z);
    tailed.push_back(std::exp(2 * z));
    counts.push_back(i < 140 ? 0 : std::exp(2 * z));
  }
  Table table = MakeTable({Numbers("t", tailed), Numbers("n", normal), Numbers("c", counts)});
  Encoder encoder = FitAll(table);
  EXPECT_EQ(encoder.columns()[1].squash, 0);
  EXPECT_EQ(encoder.columns()[2].squash, 0) << "its quartiles are zeros";
  Matrix x = EncodeAll(encoder, table);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < x.rows(); ++i) {
    const double value = x(i, 0);
    EXPECT_LT(std::abs(value), 6) << "standardised alone the last one would be 13";
    if (i != 0) {
      EXPECT_GT(value, x(i - 1, 0)) << "the order of the cells stays";
    }
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 199, 0, 1e-5);
  EXPECT_NEAR(squares / 199, 1, 1e-5);
  const double spread = (tailed[148] - tailed[49]) / 1.349;
  const double a = std::asinh((tailed[120] - 1) / spread),
               b = std::asinh((tailed[20] - 1) / spread);
  EXPECT_NEAR(x(120, 0) - x(20, 0), (a - b) * encoder.columns()[0].scale, 1e-5);
}

TEST(Encoder, LongTailsStayWhereTheyAreWanted) {
  std::vector<double> tailed, even;
  for (int i = 1; i < 200; ++i) {
    tailed.push_back(std::pow(i / (200.0 - i), 2));
    even.push_back(i);
  }
  Table table = MakeTable({Numbers("t", tailed), Numbers("e", even)});
  const std::vector<size_t> rows = AllIndices(table.rows);
  EXPECT_TRUE(HasLongTails(table.columns[0], rows));
  EXPECT_FALSE(HasLongTails(table.columns[1], rows));
  EXPECT_FALSE(HasLongTails(table.columns[0], std::span(rows).first(60))) << "of these rows alone";
  ThreadPool pool(1);
  const EncodeOptions as_they_are{.compress_tails = false};
  const Encoder encoder = Encoder::Fit(table, rows, AllIndices(2), as_they_are, pool);
  EXPECT_EQ(encoder.columns()[0].squash, 0);
}

TEST(Encoder, AMissingCellIsTheMeanAndRaisesTheIndicatorOfItsFeature) {
  Table table = MakeTable({Numbers("a", {1, kNone, 3, kNone}), Numbers("b", {1, 2, 3, 5})});
  Encoder encoder = FitAll(table);
  EXPECT_EQ(encoder.layout().offsets, (std::vector<int32_t>{0, 2, 3}));
  Matrix x = EncodeAll(encoder, table);
  EXPECT_FLOAT_EQ(x(0, 0), -1);
  EXPECT_FLOAT_EQ(x(1, 0), 0);
  EXPECT_FLOAT_EQ(x(0, 1), -1);
  EXPECT_FLOAT_EQ(x(1, 1), 1);
}

TEST(Encoder, AConstantWithMissingCellsKeepsItsIndicatorAlone) {
  Table table = MakeTable({Numbers("a", {7, kNone, 7, kNone})});
  Encoder encoder = FitAll(table);
  EXPECT_EQ(encoder.layout().columns(), 1u);
  EXPECT_FLOAT_EQ(EncodeAll(encoder, table)(1, 0), 1);
}

TEST(Encoder, ATextColumnIsOneFeatureOfTotalVarianceOne) {
  Table table = MakeTable({Texts("t", {"x", "y", "z", "x", "", "x", "x", "y"})});
  Encoder encoder = FitAll(table);
  EXPECT_EQ(encoder.layout().features(), 1u);
  ASSERT_EQ(encoder.layout().columns(), 4u);  // x, y, z, missing
  Matrix x = EncodeAll(encoder, table);
  double variance = 0;
  for (size_t j = 0; j < 4; ++j) {
    double sum = 0;
    for (size_t i = 0; i < 8; ++i) {
      sum += x(i, j);
      variance += x(i, j) * x(i, j) / 8;
    }
    EXPECT_NEAR(sum, 0, 1e-5) << j;
  }
  EXPECT_NEAR(variance, 1, 1e-5);
  EXPECT_GT(x(4, 3), 0) << "missing is a level of its own";
  EXPECT_LT(x(4, 0), 0);
}

TEST(Encoder, RareLevelsAndUnseenOnesShareOnePart) {
  std::vector<std::string> values;
  for (int i = 0; i < 40; ++i) values.push_back(i < 20 ? "a" : i < 30 ? "b" : i < 35 ? "c" : "d");
  values.push_back("e");
  Table table = MakeTable({Texts("t", values)});
  EncodeOptions options;
  options.sure_levels = 2;
  options.rows_of_level = 10;
  Encoder encoder = FitAll(table, AllIndices(table.rows), options);
  EXPECT_EQ(encoder.columns()[0].levels, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(encoder.layout().columns(), 3u);
  Table other = MakeTable({Texts("t", {"0new", "c", "b"})});
  Matrix x = EncodeAll(encoder, other);
  for (size_t j = 0; j < 3; ++j) EXPECT_EQ(x(0, j), x(1, j));
  EXPECT_GT(x(0, 2), 0);
  EXPECT_GT(x(2, 1), 0) << "levels are matched by text, not by code";
}

TEST(Encoder, DropsConstantsAndDuplicatesWithTheirReasons) {
  Table table =
      MakeTable({Numbers("a", {1, 2, 3, 4}), Numbers("c", {5, 5, 5, 5}), Numbers("b", {1, 2, 3, 4}),
                 Numbers("none", {kNone, kNone, kNone, kNone}), Texts("t", {"x", "x", "y", "y"}),
                 Texts("u", {"x", "x", "y", "y"}), Texts("same", {"x", "x", "x", "x"}),
                 Numbers("d", {1, 2, 3, 5})});
  Encoder encoder = FitAll(table);
  EXPECT_EQ(encoder.layout().names, (std::vector<std::string>{"a", "t", "d"}));
  EXPECT_EQ(encoder.columns()[2].source_column, 7u);
  EXPECT_EQ(Reason(encoder, "c"), "constant");
  EXPECT_EQ(Reason(encoder, "none"), "constant");
  EXPECT_EQ(Reason(encoder, "same"), "constant");
  EXPECT_EQ(Reason(encoder, "b"), "duplicate of a");
  EXPECT_EQ(Reason(encoder, "u"), "duplicate of t");
}

TEST(Encoder, AHundredThousandDistinctTextsAreAnIdentifier) {
  std::vector<std::string> values;
  std::vector<double> numbers;
  for (int i = 0; i < 100000; ++i) {
    values.push_back("id" + std::to_string(i));
    numbers.push_back(i % 3);
  }
  Table table = MakeTable({Texts("id", values), Numbers("x", numbers)});
  Encoder encoder = FitAll(table);
  EXPECT_EQ(Reason(encoder, "id"), "identifier: every value differs");
  EXPECT_EQ(encoder.layout().columns(), 1u);
}

TEST(Encoder, AHandfulOfCellsThatDifferInAColumnOtherwiseMissingAreNoIdentifier) {
  std::vector<std::string> few(100), many(100);
  for (size_t i = 0; i < 100; ++i) {
    if (i < 3) few[i] = "pool " + std::to_string(i);
    if (i < 20) many[i] = "ticket " + std::to_string(i);
  }
  const Encoder encoder = FitAll(MakeTable({Texts("few", few), Texts("many", many)}));
  EXPECT_EQ(encoder.layout().names, (std::vector<std::string>{"few"}));
  EXPECT_EQ(Reason(encoder, "many"), "identifier: every value differs");
}

TEST(Encoder, ManyLevelsThatRepeatAreCapped) {
  std::vector<std::string> values;
  for (int i = 0; i < 30000; ++i) values.push_back("id" + std::to_string(i % 10000));
  Encoder encoder = FitAll(MakeTable({Texts("t", values)}));
  EXPECT_EQ(encoder.layout().columns(), 272u);  // 256 levels, and 16 buckets for the others
}

TEST(Encoder, ARowNumberIsAnIdentifier) {
  std::vector<double> number, value;
  for (int i = 0; i < 50; ++i) {
    number.push_back(i + 1000);
    value.push_back(i * i);
  }
  Encoder encoder = FitAll(MakeTable({Numbers("Id", number), Numbers("x", value)}));
  EXPECT_EQ(Reason(encoder, "Id"), "identifier: it counts the rows");
  EXPECT_EQ(encoder.layout().features(), 1u);
}

TEST(Encoder, NothingLeftToSelectFromIsAnError) {
  Table table = MakeTable({Numbers("c", {5, 5})});
  EXPECT_NE(DataErrorOf([&] { FitAll(table); }).find("c (constant)"), std::string::npos);
}

// Leakage: rows outside training must not influence anything.
TEST(Encoder, OtherRowsDoNotChangeTheEncoding) {
  std::vector<size_t> train = {0, 1, 2, 3, 4, 5};
  Table before =
      MakeTable({Numbers("a", {1, 2, 3, 4, 7, 9, 2, 3}), Numbers("b", {0, 0, 0, 0, 0, 0, 1, 2}),
                 Texts("t", {"x", "x", "y", "y", "z", "x", "x", "y"}),
                 Numbers("copy", {1, 2, 3, 4, 7, 9, 0, 0})});
  Table after = MakeTable({Numbers("a", {1, 2, 3, 4, 7, 9, 1e9, kNone}),
                           Numbers("b", {0, 0, 0, 0, 0, 0, 5, 5}),
                           Texts("t", {"x", "x", "y", "y", "z", "x", "", "a new one"}),
                           Numbers("copy", {1, 2, 3, 4, 7, 9, 4, 4})});
  Encoder one = FitAll(before, train), two = FitAll(after, train);
  EXPECT_EQ(one.layout().names, (std::vector<std::string>{"a", "t"}));
  EXPECT_EQ(two.layout().names, one.layout().names);
  EXPECT_EQ(two.layout().offsets, one.layout().offsets);
  EXPECT_EQ(Reason(two, "copy"), "duplicate of a");
  ThreadPool pool(1);
  Matrix x = one.Encode(before, train, pool), y = two.Encode(after, train, pool);
  for (size_t i = 0; i < train.size(); ++i) {
    for (size_t j = 0; j < x.cols(); ++j) EXPECT_EQ(x(i, j), y(i, j));
  }
}

TEST(Encoder, FindsColumnsByNameAndRefusesOtherTypes) {
  Table table = MakeTable({Numbers("a", {1, 2, 4}), Texts("t", {"x", "y", "x"})});
  Encoder encoder = FitAll(table);
  Table turned = MakeTable({Texts("t", {"x", "y", "x"}), Numbers("a", {1, 2, 4})});
  Matrix x = EncodeAll(encoder, table), y = EncodeAll(encoder, turned);
  for (size_t j = 0; j < x.cols(); ++j) EXPECT_EQ(x(1, j), y(1, j));

  Table text = MakeTable({Texts("a", {"1", "b"}), Texts("t", {"x", "y"})});
  EXPECT_NE(DataErrorOf([&] { EncodeAll(encoder, text); }).find("'a' is text"), std::string::npos);
  Table lacking = MakeTable({Numbers("a", {1, 2})});
  EXPECT_NE(DataErrorOf([&] { EncodeAll(encoder, lacking); }).find("no column 't'"),
            std::string::npos);
}

TEST(Encoder, FarAwayValuesStayFinite) {
  Table table =
      MakeTable({Numbers("a", {1e-300, 2e-300, 3e-300}), Numbers("b", {1e308, -1e308, 0})});
  Encoder encoder = FitAll(table);
  Table far = MakeTable({Numbers("a", {1e300}), Numbers("b", {-1.7e308})});
  for (const Table* one : {&table, &far}) {
    Matrix x = EncodeAll(encoder, *one);
    for (size_t i = 0; i < x.rows(); ++i) {
      for (size_t j = 0; j < x.cols(); ++j) EXPECT_TRUE(std::isfinite(x(i, j)));
    }
  }
}

TEST(Encoder, AGroupIsOneFeatureAtThePlaceOfItsFirstColumn) {
  const Table table = MakeTable({Numbers("a", {1, 2, 3, 5}), Texts("t", {"u", "v", "u", "v"}),
                                 Numbers("b", {4, 3, 1, 1}), Numbers("c", {1, 1, 1, 1}),
                                 Numbers("d", {9, 7, 9, 8})});
  EncodeOptions options;
  options.groups = {{"g", {1, 3, 4}}};
  const Encoder encoder = FitAll(table, AllIndices(4), options);
  EXPECT_EQ(encoder.layout().names, (std::vector<std::string>{"a", "g", "b"}));
  EXPECT_EQ(encoder.layout().offsets, (std::vector<int32_t>{0, 1, 4, 5}));
  ASSERT_EQ(encoder.ColumnsOf(1).size(), 2u);
  EXPECT_EQ(encoder.ColumnsOf(1)[0].name, "t");
  EXPECT_EQ(encoder.ColumnsOf(1)[1].name, "d");
  EXPECT_EQ(Reason(encoder, "c"), "constant");

  const Encoder again(encoder.columns());
  EXPECT_EQ(again.layout().offsets, encoder.layout().offsets);
  const Matrix x = EncodeAll(again, table), alone = EncodeAll(FitAll(table), table);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(x(i, 0), alone(i, 0));
    EXPECT_EQ(x(i, 1), alone(i, 1));
    EXPECT_EQ(x(i, 3), alone(i, 4)) << "d follows t";
    EXPECT_EQ(x(i, 4), alone(i, 3)) << "b comes last";
  }
}

TEST(Encoder, DuplicatesInAnotherGroupStay) {
  const Table table =
      MakeTable({Numbers("a", {1, 2, 3}), Numbers("b", {1, 2, 3}), Numbers("c", {1, 2, 3})});
  EncodeOptions options;
  options.groups = {{"g", {1, 2}}};
  const Encoder encoder = FitAll(table, AllIndices(3), options);
  EXPECT_EQ(encoder.layout().names, (std::vector<std::string>{"a", "g"}));
  EXPECT_EQ(Reason(encoder, "c"), "duplicate of b");
}

TEST(Encoder, TrustedColumnsAreNoIdentifiersAndStayBeforeTheirTwins) {
  std::vector<std::string> texts;
  std::vector<double> numbers;
  for (int i = 0; i < 30; ++i) {
    texts.push_back("t" + std::to_string(i));
    numbers.push_back(i % 7);
  }
  const Table table =
      MakeTable({Numbers("a", numbers), Texts("name", texts), Numbers("b", numbers)});
  EXPECT_EQ(Reason(FitAll(table), "name"), "identifier: every value differs");
  EXPECT_EQ(Reason(FitAll(table), "b"), "duplicate of a");
  EncodeOptions options;
  options.trusted = {1, 2};
  const Encoder encoder = FitAll(table, AllIndices(30), options);
  EXPECT_EQ(encoder.layout().names, (std::vector<std::string>{"name", "b"}));
  EXPECT_EQ(Reason(encoder, "a"), "duplicate of b");
}

TEST(Encoder, WholeNumbersThatDifferAreAnIdentifierIfTheirNameSaysSo) {
  std::vector<double> different, repeated, fractions;
  for (int i = 0; i < 30; ++i) {
    different.push_back((i * 7919) % 10007);
    repeated.push_back((i * 7919) % 10007 % 20);
    fractions.push_back((i * 7919) % 10007 + 0.5);
  }
  for (const char* name : {"id", "ID", "customer_id", "customerId", "uuid"}) {
    const Encoder encoder = FitAll(MakeTable({Numbers(name, different), Numbers("x", repeated)}));
    EXPECT_EQ(Reason(encoder, name), "identifier: whole numbers that all differ");
  }
  const Encoder encoder = FitAll(MakeTable(
      {Numbers("paid", different), Numbers("a_id", repeated), Numbers("b_id", fractions)}));
  EXPECT_TRUE(encoder.dropped().empty());
}

TEST(Encoder, ManyRareLevelsShareBucketsByTheirHash) {
  std::vector<std::string> cells;
  for (int i = 0; i < 400; ++i) {
    cells.push_back(i % 2 == 0 ? "often" : "rare" + std::to_string(i % 200));
  }
  cells.push_back("");
  const Table table = MakeTable({Texts("t", cells)});
  EncodeOptions options;
  options.sure_levels = 4;
  const Encoder encoder = FitAll(table, AllIndices(401), options);
  const FeatureEncoding& encoding = encoder.columns()[0];
  EXPECT_EQ(encoding.hash_buckets, 16);
  EXPECT_FALSE(encoding.has_other);
  EXPECT_EQ(encoder.layout().features(), 1u);
  EXPECT_EQ(encoding.parts(), 4 + encoding.buckets.size() + 1);
  EXPECT_GT(encoding.buckets.size(), 12u);

  // An unseen text belongs to the bucket of its hash, as a seen one does.
  const Table other = MakeTable({Texts("t", {"rare77", "never seen", "often"})});
  const Matrix x = EncodeAll(encoder, other);
  for (size_t row : {size_t{0}, size_t{1}}) {
    const int bucket = HashBucket(row == 0 ? "rare77" : "never seen", 16);
    size_t highest = 0;
    for (size_t part = 0; part < encoding.parts(); ++part) {
      if (x(row, part) > x(row, highest)) highest = part;
    }
    const auto at = std::find(encoding.buckets.begin(), encoding.buckets.end(), bucket);
    ASSERT_NE(at, encoding.buckets.end());
    const auto known = std::find(encoding.levels.begin(), encoding.levels.end(), "rare77");
    if (row == 0 && known != encoding.levels.end()) continue;
    EXPECT_EQ(highest, 4 + static_cast<size_t>(at - encoding.buckets.begin()));
  }
}

TEST(Encoder, AFewRareLevelsAreOneOther) {
  std::vector<std::string> cells;
  for (int i = 0; i < 120; ++i) cells.push_back("t" + std::to_string(i % 60));
  const Encoder encoder = FitAll(MakeTable({Texts("t", cells)}));
  EXPECT_EQ(encoder.columns()[0].hash_buckets, 0);
  EXPECT_TRUE(encoder.columns()[0].has_other);
}

// `rows_each` cells of each of so many levels.
Column LevelsOfEqualSize(int levels, int rows_each) {
  std::vector<std::string> cells;
  for (int i = 0; i < levels * rows_each; ++i) cells.push_back("t" + std::to_string(i % levels));
  return Texts("t", cells);
}

TEST(Encoder, LevelsOfEnoughRowsHavePartsOfTheirOwn) {
  const Encoder encoder = FitAll(MakeTable({LevelsOfEqualSize(200, 3)}));
  EXPECT_EQ(encoder.columns()[0].levels.size(), 200u);
  EXPECT_EQ(encoder.layout().columns(), 200u);
  EXPECT_TRUE(encoder.remarks().empty());
  const Encoder rare = FitAll(MakeTable({LevelsOfEqualSize(200, 2)}));
  EXPECT_EQ(rare.columns()[0].levels.size(), 32u);
}

TEST(Encoder, SaysWhichTextsAreNotToldApart) {
  const Encoder encoder = FitAll(MakeTable({LevelsOfEqualSize(300, 10)}));
  EXPECT_EQ(encoder.columns()[0].levels.size(), 256u);
  ASSERT_EQ(encoder.remarks().size(), 1u);
  const std::string& remark = encoder.remarks()[0];
  EXPECT_NE(remark.find("'t' has 300 values"), std::string::npos) << remark;
  EXPECT_NE(remark.find("the 44 rarest (14.7 %"), std::string::npos) << remark;
  EXPECT_NE(remark.find("at most 256"), std::string::npos) << remark;
  EXPECT_TRUE(FitAll(MakeTable({LevelsOfEqualSize(268, 10)})).remarks().empty()) << "4.5 %";
}

TEST(Encoder, TextColumnsShareTheCellsForTheirLevels) {
  EncodeOptions options;
  options.most_level_cells = 1000 * 100;
  const Column many = LevelsOfEqualSize(100, 10);
  Column other = many;
  other.name = "u";
  std::reverse(other.codes.begin(), other.codes.end());
  Column short_text = Texts("s", {});
  for (int i = 0; i < 1000; ++i) short_text.codes.push_back(i % 2);
  short_text.levels = {"a", "b"};
  const auto levels = [&](const std::vector<Column>& columns) {
    const Table table = MakeTable(columns);
    return FitAll(table, AllIndices(table.rows), options).columns()[0].levels.size();
  };
  EXPECT_EQ(levels({many, short_text}), 100u);
  EXPECT_EQ(levels({many, other, short_text}), 50u);
  options.most_level_cells = 1;
  EXPECT_EQ(levels({many, other}), 32u);
}

TEST(HashBucket, IsTheSameForever) {
  // Stored models depend on it.
  EXPECT_EQ(HashBucket("", 16), 11);
  EXPECT_EQ(HashBucket("city17", 16), 12);
}

TEST(Encoder, ADateIsOneFeatureWithItsCalendar) {
  Column day = Numbers("day", {});
  day.type = ColumnType::kDate;
  for (int i = 0; i < 100; ++i) day.numbers.push_back(18000 + 11 * i);
  day.numbers[3] = std::nan("");
  const Encoder encoder = FitAll(MakeTable({day}));
  EXPECT_EQ(encoder.layout().features(), 1u);
  EXPECT_EQ(encoder.layout().columns(), 2u + 1 + 12 + 7);
  const Matrix x = EncodeAll(encoder, MakeTable({day}));
  EXPECT_GT(x(3, 1), 1) << "missing";
  for (size_t part = 2; part < 22; ++part) EXPECT_EQ(x(3, part), 0);
  EXPECT_NE(x(4, 2), 0);
}

TEST(Encoder, ADateIsNeverAnIdentifier) {
  Column daily = Numbers("id", {}), times = Numbers("time_id", {});
  daily.type = times.type = ColumnType::kDate;
  for (int i = 0; i < 100; ++i) {
    daily.numbers.push_back(18000 + i);
    times.numbers.push_back(18000 + i * 1.25);
  }
  Column counter = Numbers("n", daily.numbers);
  const Encoder encoder = FitAll(MakeTable({daily, times, counter}));
  ASSERT_EQ(encoder.dropped().size(), 1u);
  EXPECT_EQ(encoder.dropped()[0].name, "n");
}

TEST(Encoder, NumbersThatLookLikeMissingCellsAreRemarkedOn) {
  std::vector<double> odd, honest, once;
  for (int i = 0; i < 40; ++i) {
    odd.push_back(i % 10 == 0 ? -999 : i % 7);
    honest.push_back(i % 10 == 0 ? 999 : i * 31);
    once.push_back(i == 0 ? 9999 : i % 7);
  }
  const Encoder encoder =
      FitAll(MakeTable({Numbers("odd", odd), Numbers("honest", honest), Numbers("once", once)}));
  ASSERT_EQ(encoder.remarks().size(), 1u);
  EXPECT_EQ(RenderFields(encoder.remarks()[0]),
            "'odd' is -999 in 4 of 40 training cells and from 0 to 6 in the others; if that stands "
            "for missing, give na='-999'");
}

}  // namespace
}  // namespace slm
