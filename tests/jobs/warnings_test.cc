#include "jobs/warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

class WarningsTest : public testing::Test {
 protected:
  WarningsTest() {
    spec_.target = "y";
    spec_.k = 1;
  }

  static Tables Classes(size_t rows, uint64_t seed = 1) {
    return {.data = PlantedTable(rows, 6, true, seed), .valid = {}, .test = {}};
  }
  // With noise, or the target would be a sum of columns.
  static Tables Values(size_t rows, uint64_t seed = 1) {
    Tables tables{.data = PlantedTable(rows, 6, false, seed), .valid = {}, .test = {}};
    RandomStream random(seed, 1);
    for (double& y : tables.data.columns[6].numbers) y += random.Normal();
    return tables;
  }
  static const std::vector<double>& Target(const Tables& tables) {
    return tables.data.Find("y").numbers;
  }
  static void Add(Tables* tables, const std::string& name, std::vector<double> numbers,
                  ColumnType type = ColumnType::kNumeric) {
    Column column;
    column.name = name;
    column.type = type;
    column.numbers = std::move(numbers);
    tables->data.columns.push_back(std::move(column));
  }

  // The columns that warnings of a kind name.
  std::vector<std::string> Named(const Tables& tables, const std::string& kind, int threads = 1) {
    ThreadPool pool(threads);
    std::vector<std::string> columns;
    for (const Warning& warning : CheckTables(tables, spec_, pool).warnings) {
      if (warning.kind != kind) continue;
      columns.insert(columns.end(), warning.columns.begin(), warning.columns.end());
    }
    return columns;
  }

  using Names = std::vector<std::string>;
  SelectionSpec spec_;
};

TEST_F(WarningsTest, AColumnThatFollowsFromTheTargetLeaks) {
  Tables tables = Values(300);
  std::vector<double> cubed, noisy, half;
  RandomStream random(7, 0);
  for (double y : Target(tables)) {
    cubed.push_back(y * y * y);
    noisy.push_back(-y + 0.2 * random.Normal());  // of a spread of 8.7
    half.push_back(y + 3 * random.Normal());
  }
  Add(&tables, "cubed", cubed);
  Add(&tables, "noisy", noisy);
  Add(&tables, "half", half);
  EXPECT_EQ(Named(tables, "leak"), (Names{"cubed", "noisy"}));
  spec_.leaks = LeakPolicy::kIgnore;
  EXPECT_EQ(Named(tables, "leak"), Names{});
}

TEST_F(WarningsTest, AColumnFromWhichTheClassFollowsLeaks) {
  Tables tables = Classes(400);
  std::vector<double> renamed, score, wrong;
  RandomStream random(7, 0);
  for (double y : Target(tables)) {
    renamed.push_back(17 - 3 * y);
    score.push_back(y + 0.99 * random.Uniform());
    wrong.push_back(random.Uniform() < 0.1 ? 1 - y : y);
  }
  std::vector<double> gappy = renamed;
  for (size_t i = 0; i < gappy.size(); i += 5) gappy[i] = std::nan("");
  Add(&tables, "gappy", gappy);
  Add(&tables, "renamed", renamed);
  Add(&tables, "score", score);
  Add(&tables, "wrong", wrong);
  EXPECT_EQ(Named(tables, "leak"), (Names{"gappy", "renamed", "score"}));
}

TEST_F(WarningsTest, LearningByHeartIsNoLeak) {
  Tables tables = Classes(300);
  Column names;
  names.name = "name";
  names.type = ColumnType::kText;
  for (size_t i = 0; i < 300; ++i) {
    names.levels.push_back("n" + std::to_string(1000 + i));
    names.codes.push_back(static_cast<int32_t>(i));
  }
  tables.data.columns.push_back(names);
  EXPECT_EQ(Named(tables, "leak"), Names{});
}

TEST_F(WarningsTest, WideTablesOfNoiseHaveNoLeak) {
  int alarms = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Tables tables{.data = PlantedTable(60, 2000, true, seed), .valid = {}, .test = {}};
    alarms += !Named(tables, "leak").empty();
  }
  EXPECT_EQ(alarms, 0);
}

TEST_F(WarningsTest, LeaksCanBeLeftOutButNotWhatIsKept) {
  Tables tables = Values(300);
  Add(&tables, "copy", Target(tables));
  Add(&tables, "kept", Target(tables));
  spec_.leaks = LeakPolicy::kDrop;
  spec_.keep = {"kept"};
  ThreadPool pool(1);
  const DataCheck check = CheckTables(tables, spec_, pool);
  EXPECT_EQ(check.leaking, Names{"copy"});
  EXPECT_EQ(Named(tables, "leak"), Names{"kept"});
}

TEST_F(WarningsTest, ATargetThatChangesWithTimeAsksForASplitByTime) {
  Tables tables = Values(300);
  std::vector<double> day, other, year;
  RandomStream random(7, 0);
  Column& y = tables.data.columns[6];
  for (size_t i = 0; i < 300; ++i) {
    y.numbers[i] += 0.05 * static_cast<double>(i);
    day.push_back(18000 + static_cast<double>(i));
    other.push_back(18000 + std::floor(300 * random.Uniform()));
    year.push_back(2000 + std::floor(static_cast<double>(i) / 20));
  }
  Add(&tables, "day", day, ColumnType::kDate);
  Add(&tables, "other", other, ColumnType::kDate);
  Add(&tables, "year", year);
  Add(&tables, "size", year);
  EXPECT_EQ(Named(tables, "time"), (Names{"day", "year"}));
  spec_.split_by = {SplitRule::Kind::kTime, "day"};
  EXPECT_EQ(Named(tables, "time"), Names{});
}

TEST_F(WarningsTest, DriftIsFoundInAFileOfTestRows) {
  Tables tables = Values(400);
  tables.test = PlantedTable(200, 6, false, 2);
  EXPECT_EQ(Named(tables, "drift"), Names{}) << "another sample of the same";
  for (double& x : tables.test->columns[3].numbers) x += 1;
  EXPECT_EQ(Named(tables, "drift"), Names{"x3"});
  for (double& x : tables.test->columns[6].numbers) x += 10;
  EXPECT_EQ(Named(tables, "drift"), (Names{"x3", "y"}));
}

TEST_F(WarningsTest, AreTheSameForAnyNumberOfThreads) {
  Tables tables = Classes(2000);
  Add(&tables, "copy", Target(tables));
  tables.test = PlantedTable(300, 6, true, 2);
  Add(&tables, "later", std::vector<double>(2000, 1));
  auto texts = [&](int threads) {
    ThreadPool pool(threads);
    std::string all;
    for (const Warning& warning : CheckTables(tables, spec_, pool).warnings) {
      all += warning.kind + warning.text + std::to_string(warning.figure);
    }
    return all;
  };
  EXPECT_FALSE(texts(1).empty());
  EXPECT_EQ(texts(1), texts(3));
}

TEST_F(WarningsTest, SmallPartsAreNamedWithTheirRows) {
  const Tables tables = Values(60);
  ThreadPool pool(1);
  const std::vector<Warning> warnings = CheckTables(tables, spec_, pool).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].kind, "tiny_split");
  EXPECT_EQ(warnings[0].figure, 6);
  EXPECT_NE(warnings[1].text.find("only 12 test rows"), std::string::npos) << warnings[1].text;
}

TEST_F(WarningsTest, PastTheEndOnlyLeaksThatAreToBeLeftOutAreLookedFor) {
  Tables tables = Values(300);
  std::vector<double> twice;
  for (double y : Target(tables)) twice.push_back(2 * y);
  Add(&tables, "leak", twice);
  ThreadPool pool(2);
  const Clock::time_point past = Clock::now();
  const DataCheck cut = CheckTables(tables, spec_, pool, past);
  EXPECT_TRUE(cut.cut);
  EXPECT_TRUE(cut.warnings.empty());
  EXPECT_FALSE(CheckTables(tables, spec_, pool).cut);
  spec_.leaks = LeakPolicy::kDrop;
  EXPECT_EQ(CheckTables(tables, spec_, pool, past).leaking, Names{"leak"});
  spec_.leaks = LeakPolicy::kWarn;
  spec_.strict = true;
  EXPECT_FALSE(CheckTables(tables, spec_, pool, past).cut);
}

}  // namespace
}  // namespace slm
