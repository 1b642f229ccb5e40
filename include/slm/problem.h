#pragma once

// What selectors work on: numbers only, encoded and scaled by statistics of the training rows.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slm/rows.h"

namespace slm {

struct Metric;

enum class Task { kClassification, kRegression };

// A feature is what the user selects: one column of the table. Its encoded parts (one-hot levels,
// the indicator of missing cells) share one mask entry and count once.
struct FeatureLayout {
  std::vector<std::string> names;
  std::vector<int32_t> offsets = {
      0};  // feature j owns encoded columns [offsets[j], offsets[j + 1])

  size_t features() const { return names.size(); }
  size_t columns() const { return static_cast<size_t>(offsets.back()); }

  // The encoded columns of the given features, one feature after the other.
  template <class Column = int32_t, class Features>
  std::vector<Column> ColumnsOf(const Features& given) const {
    std::vector<Column> all;
    for (const auto j : given) {
      const size_t at = static_cast<size_t>(j);
      for (int32_t c = offsets[at]; c < offsets[at + 1]; ++c) all.push_back(static_cast<Column>(c));
    }
    return all;
  }
};

// What is to be predicted, row by row: classes or values.
struct Labels {
  Task task = Task::kClassification;  // what they are for; says how they are encoded and measured
  int classes = 0;                    // how many there are; 0 for values
  std::vector<int32_t> index;         // the class of each row; empty for values
  std::vector<float> value;           // the standardised value of each row; empty for classes

  // Which of the two forms the labels have, whatever they are for.
  bool has_classes() const { return classes > 0; }
  bool has_values() const { return classes == 0; }
  size_t rows() const { return has_classes() ? index.size() : value.size(); }
  // Outputs of a predictor: a score for each class, or the value.
  size_t outputs() const { return has_classes() ? static_cast<size_t>(classes) : 1; }
};

struct Dataset {
  std::shared_ptr<const RowSource> x = NoRows();  // rows x encoded columns
  Labels y;
  std::vector<float> weight;  // one for each row with mean 1, or empty for equal weights
  // What choices by these rows are to serve; null for what the loss compares.
  const Metric* metric = nullptr;

  size_t rows() const { return x->rows(); }
  double RowWeight(size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
};

// Which rows share a value in a feature. The pair term r_cs asks only "equal or not", so values are
// replaced by codes, and a feature in which no two rows are equal needs none at all.
struct ValueCodes {
  enum class Kind : uint8_t {
    kFree,    // no two rows are equal: the feature costs the pair term nothing
    kSparse,  // few pairs are equal: only those are visited
    kBinary,  // two values
    kDense,   // anything else
  };
  Kind kind = Kind::kFree;
  uint32_t levels = 0;  // codes are 0 ... levels - 1; 0 if kFree
  // One code for each row: bytes where they suffice (levels <= 256), words otherwise; both are
  // empty if kFree. Batches gather them at random, and a column of bytes stays in the cache.
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> words;

  uint32_t at(size_t row) const { return bytes.empty() ? words[row] : bytes[row]; }
};

// One split of one problem. Training rows decide every statistic behind the encoding.
struct Problem {
  FeatureLayout layout;
  std::vector<int32_t> keep;  // features that are in every choice, ascending
  Dataset train;
  Dataset valid;
  Dataset test;  // inputs only, for methods that ask how they differ; may have no rows
  // Codes of the training rows, one for each feature, on raw values (0) or so many quantile bins.
  // Made on demand: only the pair term needs them.
  std::function<std::vector<ValueCodes>(int bins)> value_codes;
};

}  // namespace slm
