#pragma once

// Tables whose salient columns are known. Features are named x0, x1, ... in an order drawn from the
// seed, so that neither name nor place tells which are salient; the target is the last column, y, a
// class or a value.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace slm {

class OptionList;

// How the paper's sum of terms becomes a label; see PaperLabels in synth_classes.cc.
enum class PaperForm {
  kSigned,         // without the absolute value in the second term, threshold 3: balanced
  kSignedMedian,   // the same, threshold at the median
  kPrinted,        // as printed, threshold 3: 99 % of the rows are positive
  kPrintedMedian,  // as printed, threshold at the median
};

struct SynthOptions {
  std::string kind = "paper100";
  int rows = 0;  // 0 takes the default of the kind, as of the other sizes
  int test_rows = 0;
  int features = 0;
  int salient = 0;
  int classes = 0;   // of the kinds that can have more than two
  double shift = 0;  // of the kinds blocks and skewed; 0 takes the default of the kind
  PaperForm form = PaperForm::kSigned;
  uint64_t seed = 0;
};

// Adds rows, test_rows, features, salient, classes, shift and form.
void DescribeOptions(SynthOptions* options, OptionList* list);

struct SynthKind {
  std::string_view name;
  std::string_view summary;
  int rows, features, salient, classes;  // defaults; no classes: the target is a value
};
std::vector<SynthKind> SynthKinds();  // sorted by name

struct SyntheticSet {
  Table table;
  // The last of the table. Without them the others are the same, but for labels by a median.
  size_t test_rows;
  std::vector<int> salient;              // columns of the table, ascending
  std::vector<std::vector<int>> copies;  // of each salient column: as good as it, or nearly
  std::string description;               // kind, sizes and the form of the label, in words
};

// Throws a UsageError for an unknown kind and for sizes that do not fit together.
SyntheticSet Synthesize(const SynthOptions& options);

}  // namespace slm
