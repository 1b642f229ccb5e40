#pragma once

// Tables whose salient columns are known. Features are named x0, x1, ... in an order drawn from the
// seed, so that neither name nor place tells which are salient; the target is the last column, y.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace slm {

class OptionList;

// How the paper's sum of terms becomes a label; see PaperLabels in synth.cc.
enum class PaperForm {
  kSigned,         // without the absolute value in the second term, threshold 3: balanced
  kSignedMedian,   // the same, threshold at the median
  kPrinted,        // as printed, threshold 3: 99 % of the rows are positive
  kPrintedMedian,  // as printed, threshold at the median
};

struct SynthOptions {
  std::string kind = "paper100";
  int rows = 0;  // these four: 0 takes the default of the kind
  int features = 0;
  int salient = 0;
  int classes = 0;  // of the kinds that can have more than two
  PaperForm form = PaperForm::kSigned;
  uint64_t seed = 0;
};

// Adds kind, rows, features, salient, classes and form.
void DescribeOptions(SynthOptions* options, OptionList* list);

struct SynthKind {
  std::string_view name;
  std::string_view summary;
  int rows, features, salient, classes;  // defaults
};
std::vector<SynthKind> SynthKinds();  // sorted by name

struct SyntheticSet {
  Table table;
  std::vector<int> salient;  // columns of the table, ascending
  std::string description;   // kind, sizes and the form of the label, in words
};

// Throws a UsageError for an unknown kind and for sizes that do not fit together.
SyntheticSet Synthesize(const SynthOptions& options);

}  // namespace slm
