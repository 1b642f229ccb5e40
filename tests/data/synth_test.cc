#include "data/synth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/options.h"
#include "data/csv_writer.h"
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

TEST(Synthesize, EveryKindHasItsShapeAndAllClasses) {
  for (const SynthKind& kind : SynthKinds()) {
    SyntheticSet set = Make(std::string(kind.name), std::min(kind.rows, 200));
    EXPECT_EQ(set.table.columns.size(), static_cast<size_t>(kind.features) + 1) << kind.name;
    EXPECT_EQ(set.salient.size(), static_cast<size_t>(kind.salient)) << kind.name;
    EXPECT_TRUE(std::is_sorted(set.salient.begin(), set.salient.end()));
    EXPECT_NE(set.salient.back(), kind.salient - 1) << kind.name << " hides its salient columns";
    EXPECT_EQ(set.table.columns.back().name, "y");
    EXPECT_EQ(set.table.columns[7].name, "x7");
    const std::vector<double>& y = set.table.columns.back().numbers;
    EXPECT_EQ(std::set<double>(y.begin(), y.end()).size(), static_cast<size_t>(kind.classes))
        << kind.name;
  }
}

TEST(Synthesize, TheSeedDecides) {
  SyntheticSet a = Make("madelon", 100), b = Make("madelon", 100), c = Make("madelon", 100, 0, 1);
  EXPECT_EQ(a.table.columns[3].numbers, b.table.columns[3].numbers);
  EXPECT_EQ(a.salient, b.salient);
  EXPECT_NE(a.salient, c.salient);
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
  for (const Case& one : {Case{"microarray", 1000, 500}, Case{"paper100", 8000, 300},
                          Case{"redundant", 1000, 0}, Case{"text", 1000, 500}}) {
    SyntheticSet set = Make(one.kind, one.rows, one.features);
    EXPECT_GT(MeanEffect(set, true), 8) << one.kind;
    // The other columns of red are copies.
    if (one.kind != std::string("redundant")) {
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

TEST(Synthesize, ImpossibleSizesAreUsageErrors) {
  for (const SynthOptions& options :
       {SynthOptions{.kind = "paper1000"}, SynthOptions{.kind = "paper100", .salient = 7},
        SynthOptions{.kind = "xor", .salient = 3}, SynthOptions{.kind = "madelon", .salient = 4},
        SynthOptions{.kind = "madelon", .features = 10},
        SynthOptions{.kind = "xor", .classes = 3}}) {
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

}  // namespace
}  // namespace slm
