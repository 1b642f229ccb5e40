#include "jobs/significance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "jobs/doubled_problem.h"
#include "jobs/select.h"
#include "selectors/catalog.h"
#include "slm/errors.h"
#include "slm/slm.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

// Numbers, every fourth column a text of four levels that goes along with the number before it, and
// a value that the first `planted` numbers make.
Table MixedTable(size_t rows, size_t features, size_t planted, uint64_t seed) {
  Table table = PlantedTable(rows, features, false, seed);
  for (size_t j = 3; j < features; j += 4) {
    Column& column = table.columns[j];
    const std::vector<double> beside = table.columns[j - 1].numbers;
    column.type = ColumnType::kText;
    column.levels = {"a", "b", "c", "d"};
    for (size_t i = 0; i < rows; ++i) {
      const double by = beside[i] + column.numbers[i];
      column.codes.push_back(by < -1 ? 0 : by < 0 ? 1 : by < 1.5 ? 2 : 3);
    }
    column.numbers.clear();
  }
  RandomStream random(seed, 7);
  std::vector<double>& y = table.columns.back().numbers;
  for (size_t i = 0; i < rows; ++i) {
    y[i] = random.Normal();
    for (size_t j = 0, taken = 0; taken < planted; ++j) {
      if (table.columns[j].type == ColumnType::kText) continue;
      y[i] += (taken % 2 == 0 ? 0.6 : -0.6) * table.columns[j].numbers[i];
      ++taken;
    }
  }
  return table;
}

SelectionSpec SpecOf(int k) {
  SelectionSpec spec;
  spec.target = "y";
  spec.k = k;
  return spec;
}

std::vector<float> ColumnOf(const Matrix& x, size_t c) {
  std::vector<float> column;
  for (size_t i = 0; i < x.rows(); ++i) column.push_back(x(i, c));
  return column;
}

std::vector<float> Sorted(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Rows of the columns of a feature, as sets to look up.
std::set<std::vector<float>> RowsOf(const Matrix& x, size_t first, size_t last) {
  std::set<std::vector<float>> rows;
  for (size_t i = 0; i < x.rows(); ++i) rows.emplace(x.row(i) + first, x.row(i) + last);
  return rows;
}

struct Prepared {
  explicit Prepared(Table table, int threads = 2)
      : tables{std::move(table), std::nullopt, std::nullopt},
        pool(threads),
        preparation(tables, SpecOf(3), pool) {}
  Context context() { return {.pool = &pool}; }
  const Problem& problem() const { return preparation.problem(); }

  Tables tables;
  ThreadPool pool;
  Preparation preparation;
};

TEST(KnockoffCopies, HoldTheValuesOfTheColumnsInEveryPart) {
  Prepared data(MixedTable(400, 8, 3, 1));
  const auto fitted = KnockoffCopies::Fit(data.problem(), data.context());
  ASSERT_TRUE(fitted);
  const Copies copies = fitted->Draw(RandomStream(1, 1), data.context());
  const FeatureLayout& layout = data.problem().layout;
  const std::pair<const Dataset*, const Matrix*> parts[] = {{&data.problem().train, &copies.train},
                                                            {&data.problem().valid, &copies.valid},
                                                            {&data.problem().test, &copies.test}};
  for (const auto& [own, copy] : parts) {
    const Matrix x = ValuesOf(*own->x);
    ASSERT_EQ(copy->rows(), x.rows());
    for (size_t j = 0; j < layout.features(); ++j) {
      const size_t first = static_cast<size_t>(layout.offsets[j]);
      const size_t last = static_cast<size_t>(layout.offsets[j + 1]);
      if (last == first + 1) {
        EXPECT_EQ(Sorted(ColumnOf(*copy, first)), Sorted(ColumnOf(x, first)));
        EXPECT_NE(ColumnOf(*copy, first), ColumnOf(x, first));
        continue;
      }
      // A row of a text has just one level, as of training.
      const auto known = RowsOf(ValuesOf(*data.problem().train.x), first, last);
      EXPECT_EQ(known.size(), 4u);
      for (const std::vector<float>& row : RowsOf(*copy, first, last))
        EXPECT_TRUE(known.contains(row));
    }
  }
}

TEST(KnockoffCopies, LearnFromTrainingRowsAlone) {
  const Table table = MixedTable(300, 8, 3, 2);
  Prepared data(table);
  // Other rows than those of training are other rows.
  Problem other = data.problem();
  Matrix x = ValuesOf(*other.test.x);
  for (size_t i = 0; i < x.rows(); ++i) {
    for (size_t c = 0; c < x.cols(); ++c) x(i, c) = x(i, c) * 5 + 1;
  }
  other.test.x = MakeRows(std::move(x));
  const auto a = KnockoffCopies::Fit(data.problem(), data.context());
  const auto b = KnockoffCopies::Fit(other, data.context());
  const Copies first = a->Draw(RandomStream(1, 1), data.context());
  const Copies second = b->Draw(RandomStream(1, 1), data.context());
  for (size_t c = 0; c < first.train.cols(); ++c) {
    EXPECT_EQ(ColumnOf(first.train, c), ColumnOf(second.train, c));
    EXPECT_EQ(ColumnOf(first.valid, c), ColumnOf(second.valid, c));
  }
}

TEST(KnockoffCopies, NeedTwentyRows) {
  Prepared data(PlantedTable(26, 3, false, 3));
  ASSERT_LT(data.problem().train.rows(), KnockoffCopies::kLeastRows);
  EXPECT_THROW(KnockoffCopies::Fit(data.problem(), data.context()), InputError);
}

TEST(DrawShadows, MoveTheRowsOfAllFeaturesTogether) {
  Prepared data(MixedTable(300, 8, 3, 1));
  const Copies copies = DrawShadows(data.problem(), RandomStream(1, 1));
  const Matrix x = ValuesOf(*data.problem().train.x);
  const FeatureLayout& layout = data.problem().layout;
  for (size_t j = 0; j < layout.features(); ++j) {
    const size_t first = static_cast<size_t>(layout.offsets[j]);
    const size_t last = static_cast<size_t>(layout.offsets[j + 1]);
    EXPECT_EQ(RowsOf(copies.train, first, last), RowsOf(x, first, last));
    for (size_t c = first; c < last; ++c) {
      EXPECT_EQ(Sorted(ColumnOf(copies.train, c)), Sorted(ColumnOf(x, c)));
      EXPECT_NE(ColumnOf(copies.train, c), ColumnOf(x, c));
    }
  }
  // The text goes along with the number before it, and so do their shadows.
  const size_t text = static_cast<size_t>(layout.offsets[3]);
  double own = 0, shadow = 0;
  for (size_t i = 0; i < x.rows(); ++i) {
    own += double{x(i, 2)} * double{x(i, text)};
    shadow += double{copies.train(i, 2)} * double{copies.train(i, text)};
  }
  EXPECT_NEAR(own, shadow, 1e-4 * std::abs(own));
}

TEST(BesideCopies, PutsOriginalsAndCopiesInEitherOrder) {
  Prepared data(MixedTable(200, 40, 3, 1));
  const Copies copies = DrawShadows(data.problem(), RandomStream(1, 1));
  const DoubledProblem doubled = BesideCopies(data.problem(), copies, RandomStream(2, 2));
  const FeatureLayout &layout = data.problem().layout, &both = doubled.problem.layout;
  ASSERT_EQ(both.features(), 80u);
  ASSERT_EQ(both.columns(), 2 * layout.columns());
  const Matrix x = ValuesOf(*data.problem().train.x), y = ValuesOf(*doubled.problem.train.x);
  int first = 0;
  for (size_t j = 0; j < 40; ++j) {
    const size_t own = static_cast<size_t>(doubled.original[j]);
    const size_t copy = static_cast<size_t>(doubled.copy[j]);
    EXPECT_EQ(own / 2, j);
    EXPECT_EQ(copy / 2, j);
    first += own < copy;
    EXPECT_EQ(both.names[own], layout.names[j]);
    const size_t begin = static_cast<size_t>(layout.offsets[j]);
    EXPECT_EQ(ColumnOf(y, static_cast<size_t>(both.offsets[own])), ColumnOf(x, begin));
    EXPECT_EQ(ColumnOf(y, static_cast<size_t>(both.offsets[copy])), ColumnOf(copies.train, begin));
  }
  EXPECT_GT(first, 8);
  EXPECT_LT(first, 32);
  // Codes of equal values are those of the same kind for a column and its copy.
  const std::vector<ValueCodes> codes = doubled.problem.value_codes(0);
  for (size_t j = 0; j < 80; j += 2) EXPECT_EQ(codes[j].levels, codes[j + 1].levels);
}

// Exchanging columns with their copies turns the sign of their statistic and of no other.
TEST(Statistics, TurnTheirSignWhenAColumnAndItsCopyChangePlaces) {
  Prepared data(MixedTable(400, 12, 4, 5));
  const Problem& problem = data.problem();
  const auto fitted = KnockoffCopies::Fit(problem, data.context());
  const Copies copies = fitted->Draw(RandomStream(1, 1), data.context());
  const std::set<size_t> exchanged = {0, 3, 5};
  Problem other = problem;
  Copies others = copies;
  const auto exchange = [&](Dataset* own, Matrix* copy) {
    Matrix x = ValuesOf(*own->x);
    for (size_t j : exchanged) {
      for (int32_t c = problem.layout.offsets[j]; c < problem.layout.offsets[j + 1]; ++c) {
        const size_t column = static_cast<size_t>(c);
        for (size_t i = 0; i < x.rows(); ++i) std::swap(x(i, column), (*copy)(i, column));
      }
    }
    own->x = MakeRows(std::move(x));
  };
  exchange(&other.train, &others.train);
  exchange(&other.valid, &others.valid);
  exchange(&other.test, &others.test);
  for (const char* method :
       {"anova", "mi", "lasso", "linear", "omp", "best-subset", "hsic-lasso"}) {
    std::array<std::vector<double>, 2> w;
    for (size_t run = 0; run < 2; ++run) {
      const DoubledProblem doubled = run == 0 ? BesideCopies(problem, copies, RandomStream(2, 2))
                                              : BesideCopies(other, others, RandomStream(2, 2));
      const Choice choice =
          FindMethod(method).make()->Select(doubled.problem, 8, 1, data.context());
      for (size_t j = 0; j < problem.layout.features(); ++j) {
        const size_t own = static_cast<size_t>(doubled.original[j]);
        const size_t copy = static_cast<size_t>(doubled.copy[j]);
        w[run].push_back(double{choice.scores[own]} - double{choice.scores[copy]});
      }
    }
    double largest = 0;
    for (double value : w[0]) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0) << method;
    for (size_t j = 0; j < w[0].size(); ++j) {
      const double sign = exchanged.contains(j) ? -1 : 1;
      EXPECT_NEAR(w[1][j], sign * w[0][j], 2e-3 * largest) << method << ", feature " << j;
    }
  }
}

SelectRequest AtTheLevel(const std::string& method) {
  SelectRequest request;
  request.target = "y";
  request.method = method;
  request.fdr = 0.2;
  request.threads = 2;
  return request;
}

// Of ten columns.
bool IsPlanted(const RankedFeature& feature) {
  return feature.index < 13 && feature.index % 4 != 3;
}

Tables InMemory(Table table) { return {std::move(table), std::nullopt, std::nullopt}; }

TEST(Select, ByALevelAloneChoosesWhatIsSignificant) {
  SelectRequest request = AtTheLevel("lasso");
  const SelectResult found = Select(request, InMemory(MixedTable(600, 40, 10, 6)));
  int right = 0;
  for (const RankedFeature& feature : found.features()) {
    EXPECT_TRUE(feature.significant.value_or(false));
    EXPECT_LE(*feature.q_value, 0.2);
    right += IsPlanted(feature);
  }
  EXPECT_EQ(right, 10);
  EXPECT_LE(found.features().size(), 16u);
  EXPECT_EQ(found.tested().size(), 40u);
  EXPECT_NE(found.ToJson().find("\"test\": \"knockoffs\""), std::string::npos);
  EXPECT_FALSE(found.model().empty());
}

TEST(Select, ByALevelAloneMayFindNothingAndSaysSo) {
  const SelectResult found = Select(AtTheLevel("lasso"), InMemory(MixedTable(300, 40, 0, 7)));
  EXPECT_TRUE(found.features().empty());
  EXPECT_TRUE(found.model().empty());
  EXPECT_FALSE(found.test().has_value());
  EXPECT_EQ(found.tested().size(), 40u);
  const std::string json = found.ToJson();
  EXPECT_NE(json.find("\"selected\": []"), std::string::npos);
  EXPECT_NE(json.find("\"k\": 0"), std::string::npos);
  EXPECT_NE(json.find("\"reason\": \"not significant\""), std::string::npos);
}

TEST(Select, OfKColumnsMarksTheSignificantOnes) {
  for (SignificanceTest test : {SignificanceTest::kKnockoffs, SignificanceTest::kShadows,
                                SignificanceTest::kRandomisation}) {
    SelectRequest request = AtTheLevel("anova");
    request.k = 14;
    request.significance = test;
    const SelectResult found = Select(request, InMemory(MixedTable(600, 40, 10, 6)));
    ASSERT_EQ(found.features().size(), 14u);
    int marked = 0, right = 0;
    for (const RankedFeature& feature : found.features()) {
      ASSERT_TRUE(feature.significant && feature.q_value);
      EXPECT_EQ(feature.p_value.has_value(), test != SignificanceTest::kKnockoffs);
      marked += *feature.significant;
      right += *feature.significant && IsPlanted(feature);
    }
    EXPECT_EQ(right, 10);
    EXPECT_LE(marked, 13);
    EXPECT_EQ(found.tested().size(), test == SignificanceTest::kRandomisation ? 14u : 40u);
  }
}

TEST(Select, WithoutALevelGivesValuesAndNoMarks) {
  SelectRequest request = AtTheLevel("anova");
  request.fdr.reset();
  request.k = 5;
  request.significance = SignificanceTest::kShadows;
  request.significance_rounds = 19;
  const SelectResult found = Select(request, InMemory(MixedTable(300, 12, 3, 6)));
  for (const RankedFeature& feature : found.features()) {
    EXPECT_TRUE(feature.q_value && !feature.significant);
    EXPECT_GE(*feature.q_value, 0.05);  // one of twenty
  }
  EXPECT_EQ(found.features()[0].q_value, 0.05);
}

std::string WithoutSeconds(std::string json) {
  return json.erase(json.find("\"seconds\""),
                    json.find('}', json.find("\"seconds\"")) - json.find("\"seconds\""));
}

TEST(Select, FindsTheSameAtAnyNumberOfThreads) {
  for (SignificanceTest test : {SignificanceTest::kKnockoffs, SignificanceTest::kShadows,
                                SignificanceTest::kRandomisation}) {
    SelectRequest request = AtTheLevel("rf");
    request.k = 6;
    request.significance = test;
    request.significance_rounds = test == SignificanceTest::kShadows ? 5 : 0;
    request.options = {{"trees", "10"}};
    std::set<std::string> results;
    for (int threads : {1, 2, 8}) {
      request.threads = threads;
      results.insert(WithoutSeconds(Select(request, InMemory(MixedTable(200, 12, 3, 8))).ToJson()));
    }
    EXPECT_EQ(results.size(), 1u);
  }
}

constexpr size_t kRows = 100;

TEST(TestOf, TakesKnockoffsWhereTheyCanFindAnythingAndElseShadows) {
  SelectionSpec request;
  request.significance = SignificanceTest::kAuto;
  EXPECT_FALSE(TestOf(request, 100, kRows));
  request.fdr = 0.1;
  EXPECT_EQ(TestOf(request, 20, kRows)->test, SignificanceTest::kKnockoffs);
  EXPECT_EQ(TestOf(request, 19, kRows)->test, SignificanceTest::kShadows);
  EXPECT_EQ(TestOf(request, 20, KnockoffCopies::kLeastRows - 1)->test, SignificanceTest::kShadows);
  request.significance = SignificanceTest::kKnockoffs;
  EXPECT_EQ(TestOf(request, 10, kRows)->test, SignificanceTest::kKnockoffs);
}

TEST(TestOf, RefusesWhatCannotFindAnything) {
  SelectionSpec request;
  request.fdr = 0.1;
  request.significance = SignificanceTest::kKnockoffs;
  EXPECT_THROW(TestOf(request, 9, kRows), InputError);
  EXPECT_THROW(TestOf(request, 10, KnockoffCopies::kLeastRows - 1), InputError);
  request.significance_rounds = 50;  // of a test that has none
  EXPECT_THROW(TestOf(request, 10, kRows), InputError);

  request.significance = SignificanceTest::kShadows;
  request.significance_rounds = 8;
  EXPECT_THROW(TestOf(request, 100, kRows), InputError);
  request.significance_rounds = 9;
  EXPECT_TRUE(TestOf(request, 100, kRows));
  request.significance_rounds = 0;
  request.fdr = 1e-10;  // by ten thousand million rounds
  EXPECT_THROW(TestOf(request, 100, kRows), InputError);

  // With all three at 1 / (1 + draws), the q-value is 100 / 3 / (1 + draws).
  request.significance = SignificanceTest::kRandomisation;
  request.fdr = 0.1;
  request.k = 3;
  request.significance_rounds = 332;
  EXPECT_THROW(TestOf(request, 100, kRows), InputError);
  request.significance_rounds = 333;
  EXPECT_TRUE(TestOf(request, 100, kRows));
}

TEST(SelectionResult, WithATestIsTheSameAfterJson) {
  const Tables tables = InMemory(MixedTable(200, 12, 3, 8));
  SelectionSpec spec = SpecOf(4);
  spec.fdr = 0.3;
  spec.significance = SignificanceTest::kShadows;
  ThreadPool pool(1);
  const std::unique_ptr<Selector> anova = FindMethod("anova").make();
  const Json json = SelectFromTable(tables, spec, "anova", *anova, {.pool = &pool}).ToJson();
  EXPECT_EQ(SelectionResult::FromJson(json).ToJson().Dump(), json.Dump());
}

}  // namespace
}  // namespace slm
