#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "base/format.h"
#include "base/random.h"
#include "jobs/warnings.h"
#include "slm/table.h"

namespace slm {
namespace {

double Cents(double x) { return std::round(100 * x) / 100; }

// Warnings of tables whose target follows from some of the columns.
class FormulaTest : public testing::Test {
 protected:
  using Row = std::vector<double>;

  FormulaTest() {
    spec_.target = "y";
    spec_.k = 1;
  }

  // Columns "a", "b" and so on of prices between 0 and 100, and what is made of them; those beyond
  // the fourth are noise.
  static Tables Made(size_t rows, size_t columns, const std::function<double(Row*)>& target,
                     uint64_t seed = 1) {
    RandomStream random(seed, 0);
    Tables tables{.data = {}, .valid = {}, .test = {}};
    tables.data.rows = rows;
    tables.data.columns.resize(columns + 1);
    for (size_t i = 0; i < rows; ++i) {
      Row row;
      for (size_t j = 0; j < columns; ++j) row.push_back(Cents(100 * random.Uniform()));
      row.push_back(target(&row));
      for (size_t j = 0; j <= columns; ++j) tables.data.columns[j].numbers.push_back(row[j]);
    }
    for (size_t j = 0; j < columns; ++j) {
      tables.data.columns[j].name =
          j < 4 ? std::string(1, static_cast<char>('a' + j)) : "x" + std::to_string(j);
    }
    tables.data.columns[columns].name = "y";
    return tables;
  }

  std::vector<Warning> Leaks(const Tables& tables, int threads = 1) {
    ThreadPool pool(threads);
    std::vector<Warning> leaks;
    for (const Warning& warning : CheckTables(tables, spec_, pool).warnings) {
      if (warning.kind == "leak") leaks.push_back(warning);
    }
    return leaks;
  }

  // What the only leak says before its semicolon; empty if there is none.
  std::string Formula(const Tables& tables) {
    const std::vector<Warning> leaks = Leaks(tables);
    EXPECT_LE(leaks.size(), 1u);
    return leaks.empty() ? "" : leaks[0].text.substr(0, leaks[0].text.find(';'));
  }

  SelectionSpec spec_;
};

TEST_F(FormulaTest, ASumOfTwoColumnsIsALeak) {
  const Tables tables = Made(300, 12, [](Row* row) { return (*row)[0] + (*row)[1]; });
  const std::vector<Warning> leaks = Leaks(tables, 3);
  ASSERT_EQ(leaks.size(), 1u);
  EXPECT_EQ(leaks[0].columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(leaks[0].figure, 1);
  EXPECT_EQ(leaks[0].text,
            "'y' = 'a' + 'b' in every training row; if they are not known when predictions are "
            "made, leave them out");
  spec_.leaks = LeakPolicy::kIgnore;
  EXPECT_TRUE(Leaks(tables).empty());
}

TEST_F(FormulaTest, WeightsAndRoundingAreSaid) {
  EXPECT_EQ(Formula(Made(
                300, 12,
                [](Row* row) { return Cents(1.19 * (*row)[0] - (*row)[1] / 2 + (*row)[2] + 40); })),
            "'y' = 1.19 * 'a' - 0.5 * 'b' + 'c' + 40 in every training row, but for rounding");
}

TEST_F(FormulaTest, FloatsMayBeWrittenWithFifteenDigits) {
  const auto written = [](float x) { return std::stod(Format("%.15g", double{x})); };
  EXPECT_EQ(Formula(Made(300, 12,
                         [&](Row* row) {
                           const float a = static_cast<float>((*row)[0]),
                                       b = static_cast<float>((*row)[1]);
                           (*row)[0] = written(a);
                           (*row)[1] = written(b);
                           return written((a + b) / 2);
                         })),
            "'y' = 0.5 * 'a' + 0.5 * 'b' in every training row");
}

TEST_F(FormulaTest, AColumnThatIsMerelyCloseIsNoPartOfTheFormula) {
  EXPECT_EQ(Formula(Made(400, 12,
                         [](Row* row) {
                           const double sum = (*row)[0] + (*row)[1] + (*row)[2];
                           (*row)[3] = Cents(sum + 0.006 * (*row)[4] * (*row)[5]);
                           return Cents(sum);
                         })),
            "'y' = 'a' + 'b' + 'c' in every training row");
}

TEST_F(FormulaTest, RowsThatAreOtherwiseAreCounted) {
  const Tables tables = Made(
      1000, 12, [](Row* row) { return (*row)[0] + (*row)[1] + ((*row)[5] > 98 ? (*row)[6] : 0); });
  const std::vector<Warning> leaks = Leaks(tables);
  ASSERT_EQ(leaks.size(), 1u);
  EXPECT_GT(leaks[0].figure, 0.96);
  EXPECT_LT(leaks[0].figure, 0.995);
  EXPECT_NE(leaks[0].text.find(" % of the training rows;"), std::string::npos) << leaks[0].text;
}

TEST_F(FormulaTest, CellsMayBeMissing) {
  Tables tables = Made(600, 12, [](Row* row) { return (*row)[0] + (*row)[1]; });
  for (size_t i = 0; i < 600; i += 10) tables.data.columns[1].numbers[i] = std::nan("");
  EXPECT_EQ(Formula(tables), "'y' = 'a' + 'b' in every training row with these cells");
}

TEST_F(FormulaTest, AProductIsALeak) {
  EXPECT_EQ(Formula(Made(300, 12,
                         [](Row* row) {
                           (*row)[1] = 1 + std::floor((*row)[1] / 10);
                           (*row)[0] += 1;
                           return Cents((*row)[0] * (*row)[1]);
                         })),
            "'y' = 'a' * 'b' in every training row");
}

TEST_F(FormulaTest, FiveColumnsNoiseAndFewRowsAreNoFormula) {
  EXPECT_EQ(Formula(Made(300, 12,
                         [](Row* row) {
                           return (*row)[0] + (*row)[1] + (*row)[2] + (*row)[3] + (*row)[4];
                         })),
            "");
  EXPECT_EQ(
      Formula(Made(300, 12,
                   [](Row* row) { return (*row)[0] + (*row)[1] + 0.1 * (*row)[2] * (*row)[3]; })),
      "");
  EXPECT_EQ(Formula(Made(28, 12, [](Row* row) { return (*row)[0] + (*row)[1]; })), "")
      << "19 training rows";
}

TEST_F(FormulaTest, CountsAmongManyNoiseColumnsAreNoFormula) {
  int alarms = 0;
  for (uint64_t seed = 0; seed < 3; ++seed) {
    alarms += !Leaks(Made(
                         60, 2000,
                         [](Row* row) {
                           for (double& x : *row) x = std::floor(x / 34);
                           return (*row)[0] + std::floor((*row)[1] * (*row)[2] / 2);
                         },
                         seed))
                   .empty();
  }
  EXPECT_EQ(alarms, 0);
}

TEST_F(FormulaTest, DropLeavesOutAllButWhatIsKept) {
  const Tables tables = Made(300, 12, [](Row* row) { return (*row)[0] + (*row)[1]; });
  spec_.leaks = LeakPolicy::kDrop;
  ThreadPool pool(1);
  EXPECT_EQ(CheckTables(tables, spec_, pool).leaking, (std::vector<std::string>{"a", "b"}));
  spec_.keep = {"a"};
  EXPECT_EQ(CheckTables(tables, spec_, pool).leaking, std::vector<std::string>{"b"});
  EXPECT_TRUE(Leaks(tables).empty()) << "a alone is no leak";
  spec_.keep = {"a", "b"};
  EXPECT_EQ(Leaks(tables).size(), 1u);
  spec_.keep = {};
  spec_.drop = {"b"};
  spec_.leaks = LeakPolicy::kWarn;
  EXPECT_TRUE(Leaks(tables).empty()) << "b is not used";
}

}  // namespace
}  // namespace slm
