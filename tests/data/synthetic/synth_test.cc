#include "data/synthetic/synth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/options.h"
#include "data/readers/csv_writer.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

double PositiveShare(const Table& table) {
  const std::vector<double>& y = table.columns.back().numbers;
  return static_cast<double>(std::count(y.begin(), y.end(), 1.0)) / static_cast<double>(y.size());
}

// The ratio of variance between classes to variance within, times the rows: about classes - 1 for a
// column that has nothing to do with the label.
double ClassEffect(const std::vector<double>& x, const std::vector<double>& y) {
  std::set<double> classes(y.begin(), y.end());
  double n = static_cast<double>(x.size()), mean = 0, between = 0, total = 0;
  for (double v : x) mean += v / n;
  for (double c : classes) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      if (y[i] != c) continue;
      sum += x[i];
      count += 1;
    }
    if (count > 0) between += count * (sum / count - mean) * (sum / count - mean);
  }
  for (double v : x) total += (v - mean) * (v - mean);
  return n * between / (total - between);
}

double MeanEffect(const SyntheticSet& set, bool salient) {
  double sum = 0, count = 0;
  const std::vector<double>& y = set.table.columns.back().numbers;
  for (size_t j = 0; j + 1 < set.table.columns.size(); ++j) {
    bool is = std::binary_search(set.salient.begin(), set.salient.end(), static_cast<int>(j));
    if (is != salient) continue;
    sum += ClassEffect(set.table.columns[j].numbers, y);
    count += 1;
  }
  return sum / count;
}

SyntheticSet Make(const std::string& kind, int rows = 0, int features = 0, uint64_t seed = 0) {
  SynthOptions options;
  options.kind = kind;
  options.rows = rows;
  options.features = features;
  options.seed = seed;
  return Synthesize(options);
}

double Correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

// The share of the target's variance that least squares on the columns explain: c' R^-1 c with the
// correlations c of columns and target and R among columns, by elimination.
double ExplainedShare(const SyntheticSet& set, const std::vector<int>& columns) {
  std::vector<const std::vector<double>*> x;
  for (int j : columns) x.push_back(&set.table.columns[static_cast<size_t>(j)].numbers);
  x.push_back(&set.table.columns.back().numbers);
  std::vector<std::vector<double>> r(x.size(), std::vector<double>(x.size()));
  for (size_t a = 0; a < x.size(); ++a) {
    for (size_t b = 0; b < x.size(); ++b) r[a][b] = Correlation(*x[a], *x[b]);
  }
  for (size_t p = 0; p + 1 < x.size(); ++p) {
    for (size_t a = p + 1; a < x.size(); ++a) {
      const double factor = r[a][p] / r[p][p];
      for (size_t b = p; b < x.size(); ++b) r[a][b] -= factor * r[p][b];
    }
  }
  return 1 - r.back().back();
}

TEST(Synthesize, EveryKindHasItsShapeAndAllClassesOrManyValues) {
  for (const SynthKind& kind : SynthKinds()) {
    SyntheticSet set = Make(std::string(kind.name), std::min(kind.rows, 200));
    EXPECT_EQ(set.table.columns.size(), static_cast<size_t>(kind.features) + 1) << kind.name;
    EXPECT_EQ(set.salient.size(), static_cast<size_t>(kind.salient)) << kind.name;
    EXPECT_TRUE(std::is_sorted(set.salient.begin(), set.salient.end()));
    EXPECT_NE(set.salient.back(), kind.salient - 1) << kind.name << " hides its salient columns";
    EXPECT_EQ(set.table.columns.back().name, "y");
    EXPECT_EQ(set.table.columns[7].name, "x7");
    const std::vector<double>& y = set.table.columns.back().numbers;
    const size_t levels = std::set<double>(y.begin(), y.end()).size();
    if (kind.classes > 0) {
      EXPECT_EQ(levels, static_cast<size_t>(kind.classes)) << kind.name;
    } else {
      EXPECT_GT(levels, y.size() * 9 / 10) << kind.name;
    }
  }
}

TEST(Synthesize, TheSeedDecides) {
  for (const SynthKind& kind : SynthKinds()) {
    const std::string name(kind.name);
    SyntheticSet a = Make(name, 30), b = Make(name, 30), c = Make(name, 30, 0, 1);
    for (size_t j = 0; j < a.table.columns.size(); ++j) {
      ASSERT_EQ(a.table.columns[j].numbers, b.table.columns[j].numbers) << name;
    }
    EXPECT_EQ(a.salient, b.salient);
    EXPECT_NE(a.salient, c.salient) << name;
    EXPECT_NE(a.table.columns[3].numbers, c.table.columns[3].numbers) << name;
  }
}

TEST(Synthesize, TestRowsFollowTheOthersAndChangeNoneOfThem) {
  for (const SynthKind& kind : SynthKinds()) {
    SynthOptions options;
    options.kind = kind.name;
    options.rows = 25;
    const SyntheticSet alone = Synthesize(options);
    options.test_rows = 40;
    const SyntheticSet both = Synthesize(options);
    EXPECT_EQ(alone.test_rows, 0U);
    EXPECT_EQ(both.test_rows, 40U);
    ASSERT_EQ(both.table.rows, 65U);
    EXPECT_EQ(both.salient, alone.salient);
    for (size_t j = 0; j < alone.table.columns.size(); ++j) {
      const std::vector<double>& numbers = both.table.columns[j].numbers;
      ASSERT_EQ(std::vector<double>(numbers.begin(), numbers.begin() + 25),
                alone.table.columns[j].numbers)
          << kind.name << " column " << j;
    }
  }
}

TEST(Synthesize, ThePaperAsPrintedIsNotBalancedAndTheOtherFormsAre) {
  SynthOptions options;
  options.rows = 20000;
  options.features = 100;
  options.form = PaperForm::kPrinted;
  EXPECT_GT(PositiveShare(Synthesize(options).table), 0.98);
  for (PaperForm form : {PaperForm::kSigned, PaperForm::kSignedMedian, PaperForm::kPrintedMedian}) {
    options.form = form;
    EXPECT_NEAR(PositiveShare(Synthesize(options).table), 0.5, 0.03);
  }
  EXPECT_NE(Synthesize(options).description.find("printed_median"), std::string::npos);
}

TEST(Synthesize, MarginalKindsShowTheirSalientColumns) {
  struct Case {
    const char* kind;
    int rows, features;
  };
  for (const Case& one :
       {Case{"blocks", 400, 500}, Case{"copies", 0, 0}, Case{"microarray", 1000, 500},
        Case{"paper100", 8000, 300}, Case{"redundant", 1000, 0}, Case{"skewed", 1000, 500},
        Case{"text", 1000, 500}}) {
    SyntheticSet set = Make(one.kind, one.rows, one.features);
    EXPECT_GT(MeanEffect(set, true), 8) << one.kind;
    if (set.copies.front().empty()) {
      EXPECT_LT(MeanEffect(set, false), 4) << one.kind;
    }
  }
}

TEST(Synthesize, XorHasNoMarginalEffectButItsPairsDecide) {
  SyntheticSet set = Make("xor");
  EXPECT_LT(MeanEffect(set, true), 4);
  SynthOptions options;
  options.kind = "xor";
  options.salient = 2;
  SyntheticSet one_pair = Synthesize(options);
  const auto& columns = one_pair.table.columns;
  const auto& a = columns[static_cast<size_t>(one_pair.salient[0])].numbers;
  const auto& b = columns[static_cast<size_t>(one_pair.salient[1])].numbers;
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(columns.back().numbers[i], a[i] * b[i] > 0 ? 1 : 0);
  }
}

// A nearest neighbour in the salient columns knows the cluster, one in the others knows nothing.
TEST(Synthesize, MadelonIsSolvedByItsSalientColumnsOnly) {
  SyntheticSet set = Make("madelon", 1500, 60);
  const auto& columns = set.table.columns;
  const auto& y = columns.back().numbers;
  for (bool salient : {true, false}) {
    std::vector<size_t> used;
    for (size_t j = 0; j + 1 < columns.size(); ++j) {
      bool is = std::binary_search(set.salient.begin(), set.salient.end(), static_cast<int>(j));
      if (is == salient) used.push_back(j);
    }
    int right = 0;
    for (size_t i = 0; i < 300; ++i) {
      double nearest = INFINITY, label = 0;
      for (size_t k = 300; k < set.table.rows; ++k) {
        double distance = 0;
        for (size_t j : used) {
          double d = columns[j].numbers[i] - columns[j].numbers[k];
          distance += d * d;
        }
        if (distance < nearest) {
          nearest = distance;
          label = y[k];
        }
      }
      right += label == y[i] ? 1 : 0;
    }
    if (salient) {
      EXPECT_GT(right, 225);
    } else {
      EXPECT_NEAR(right, 150, 45);
    }
  }
}

TEST(Synthesize, BlocksAreBalancedAndTheirShiftDecidesHowFarClassesAreApart) {
  SynthOptions options{.kind = "blocks", .rows = 400, .features = 400, .classes = 4};
  options.shift = 0.3;
  const SyntheticSet near = Synthesize(options);
  options.shift = 1.2;
  const SyntheticSet far = Synthesize(options);
  const std::vector<double>& y = far.table.columns.back().numbers;
  for (double c : {0, 1, 2, 3}) EXPECT_EQ(std::count(y.begin(), y.end(), c), 100);
  // Between classes the variance is the square of the shift, within them it is 1.
  EXPECT_NEAR(MeanEffect(near, true) / 400, 0.09, 0.03);
  EXPECT_NEAR(MeanEffect(far, true) / 400, 1.44, 0.3);
}

TEST(Synthesize, SkewedColumnsHaveLongTails) {
  for (const auto& [kind, low, high] :
       {std::tuple{"blocks", 0.8, 1.25}, std::tuple{"skewed", 2.0, 1e9}}) {
    const SyntheticSet set = Make(kind, 1000, 200);
    std::vector<double> ratios;  // of the upper tail to the lower
    for (size_t j = 0; j < 200; ++j) {
      std::vector<double> x = set.table.columns[j].numbers;
      std::sort(x.begin(), x.end());
      ratios.push_back((x[950] - x[500]) / (x[500] - x[50]));
    }
    std::sort(ratios.begin(), ratios.end());
    EXPECT_GT(ratios[100], low) << kind;
    EXPECT_LT(ratios[100], high) << kind;
  }
}

TEST(Synthesize, CopiesAreListedAndAreCopies) {
  const SyntheticSet set = Make("copies");
  const auto& columns = set.table.columns;
  for (size_t j = 0; j < set.salient.size(); ++j) {
    ASSERT_EQ(set.copies[j].size(), 20U);
    const std::vector<double>& original = columns[static_cast<size_t>(set.salient[j])].numbers;
    int equal = 0;
    for (int c : set.copies[j]) {
      const std::vector<double>& copy = columns[static_cast<size_t>(c)].numbers;
      equal += copy == original ? 1 : 0;
      EXPECT_GT(Correlation(copy, original), 0.9);
    }
    EXPECT_EQ(equal, 5);
  }
}

TEST(Synthesize, SumsAreExplainedByTheirSalientColumnsUpToTheNoise) {
  struct Case {
    const char* kind;
    double share;  // of the variance: 1 / (1 + noise^2), less for what is not linear
  };
  for (const Case& one :
       {Case{"linear", 0.8}, Case{"wide", 1 / 1.16}, Case{"value-copies", 0.82}}) {
    const SyntheticSet set = Make(one.kind, 4000);
    EXPECT_NEAR(ExplainedShare(set, set.salient), one.share, 0.03) << one.kind;
    std::vector<int> fewer(set.salient.begin() + 1, set.salient.end());
    EXPECT_LT(ExplainedShare(set, fewer), ExplainedShare(set, set.salient) - 0.001) << one.kind;
  }
}

TEST(Synthesize, LinearColumnsHaveCorrelatedNeighbours) {
  const SyntheticSet set = Make("linear", 2000, 60);
  for (size_t j = 0; j < 60; ++j) {
    double most = 0;
    for (size_t l = 0; l < 60; ++l) {
      if (l == j) continue;
      most =
          std::max(most, Correlation(set.table.columns[j].numbers, set.table.columns[l].numbers));
    }
    EXPECT_NEAR(most, 0.6, 0.08);
  }
}

// Each product of a pair explains its share of the variance; no column does alone.
TEST(Synthesize, ProductsPairTheSalientColumns) {
  const SyntheticSet set = Make("products", 4000);
  const auto& columns = set.table.columns;
  const std::vector<double>& y = columns.back().numbers;
  for (int a : set.salient) {
    const std::vector<double>& x = columns[static_cast<size_t>(a)].numbers;
    EXPECT_LT(std::abs(Correlation(x, y)), 0.08);
    int partners = 0;
    for (int b : set.salient) {
      if (a == b) continue;
      std::vector<double> product = columns[static_cast<size_t>(b)].numbers;
      for (size_t i = 0; i < product.size(); ++i) product[i] *= x[i];
      partners += Correlation(product, y) > 0.3 ? 1 : 0;
    }
    EXPECT_EQ(partners, 1);
  }
}

TEST(Synthesize, FriedmansFunctionHasItsVariance) {
  const SyntheticSet set = Make("friedman", 20000, 10);
  const std::vector<double>& y = set.table.columns.back().numbers;
  double mean = 0, square = 0;
  for (double v : y) mean += v / 20000;
  for (double v : y) square += (v - mean) * (v - mean) / 20000;
  EXPECT_NEAR(mean, 14.4, 0.15);
  EXPECT_NEAR(square, 24.8, 0.8);  // 23.8 of the function and 1 of the noise
  // Linear in two columns, nearly so in the product of two, and not at all in the fifth.
  EXPECT_NEAR(ExplainedShare(set, set.salient), 0.72, 0.04);
}

TEST(Synthesize, AHeavyTailedTargetIsOneAndFollowsItsColumns) {
  const SyntheticSet set = Make("heavy-tail", 4000);
  std::vector<double> sorted = set.table.columns.back().numbers;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_GT(sorted.back() - sorted[2000], 20 * (sorted[3000] - sorted[2000]));
  // All but one matter by their sign: the order of y shows it, whatever its tail.
  std::vector<double> ranks = set.table.columns.back().numbers;
  for (double& v : ranks) {
    v = static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), v) - sorted.begin());
  }
  int seen = 0;
  for (int j : set.salient) {
    seen += Correlation(set.table.columns[static_cast<size_t>(j)].numbers, ranks) > 0.1 ? 1 : 0;
  }
  EXPECT_EQ(seen, 10);
}

TEST(Synthesize, ImpossibleSizesAreUsageErrors) {
  for (const SynthOptions& options :
       {SynthOptions{.kind = "paper1000"}, SynthOptions{.kind = "paper100", .salient = 7},
        SynthOptions{.kind = "xor", .salient = 3}, SynthOptions{.kind = "madelon", .salient = 4},
        SynthOptions{.kind = "madelon", .features = 10}, SynthOptions{.kind = "xor", .classes = 3},
        SynthOptions{.kind = "linear", .classes = 2}, SynthOptions{.kind = "xor", .shift = 1},
        SynthOptions{.kind = "friedman", .salient = 6},
        SynthOptions{.kind = "products", .salient = 3},
        SynthOptions{.kind = "heavy-tail", .salient = 1},
        SynthOptions{.kind = "value-copies", .salient = 3}}) {
    try {
      Synthesize(options);
      ADD_FAILURE() << options.kind;
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), InputError::Kind::kUsage);
    }
  }
}

TEST(CsvWriter, ReadsBackAsTheSameTable) {
  SyntheticSet set = Make("madelon", 300, 30);
  std::string text;
  AppendCsvHeader(set.table, &text);
  AppendCsvRows(set.table, 0, 100, &text);
  AppendCsvRows(set.table, 100, set.table.rows, &text);
  Table back = ReadText(text);
  ASSERT_EQ(back.columns.size(), set.table.columns.size());
  for (size_t j = 0; j < back.columns.size(); ++j) {
    EXPECT_EQ(back.columns[j].name, set.table.columns[j].name);
    EXPECT_EQ(back.columns[j].numbers, set.table.columns[j].numbers);
  }
}

TEST(CsvWriter, QuotesTextAndWritesDatesAndBooleans) {
  std::string text =
      "\"a,b\",d,b\n\"x\"\"y\",2021-03-04T05:06:07,true\n,1969-12-31,false\n\" z\",,\n";
  Table table = ReadText(text);
  std::string out;
  AppendCsvHeader(table, &out);
  AppendCsvRows(table, 0, table.rows, &out);
  EXPECT_EQ(out, text);
}

TEST(CsvWriter, WritesMillisecondsAndNoBlankLines) {
  const std::string text = "d\n2021-03-04T05:06:07.250\n\"\"\n2021-03-04\n";
  const Table table = ReadText(text);
  ASSERT_EQ(table.rows, 3u);
  std::string out;
  AppendCsvHeader(table, &out);
  AppendCsvRows(table, 0, table.rows, &out);
  EXPECT_EQ(out, text);
}

}  // namespace
}  // namespace slm
