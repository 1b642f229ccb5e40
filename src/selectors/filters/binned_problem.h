#pragma once

// The training rows as discrete features and a discrete label, for methods that choose by mutual
// information estimated from counts. Rows count by their weights.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/count_tables.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

class OptionList;

struct BinOptions {
  int bins = 5;
};
void DescribeOptions(BinOptions& options, OptionList& list);

class BinnedProblem {
 public:
  // Numbers of more than `bins` values, in features and label, become quantile bins; missing cells
  // are a level of their own. A feature has at most 256 levels: beyond, the rarest become one.
  // One byte for each cell. Features not reached before the context says to stop are constant.
  BinnedProblem(const Problem& problem, const BinOptions& options, const Context& context);
  BinnedProblem(const BinnedProblem&) = delete;

  size_t features() const { return features_.size(); }

  double Entropy(size_t f) const { return tables_.Entropy(features_[f].sum); }
  double LabelEntropy() const { return tables_.Entropy(label_sum_); }
  // I(f; y)
  double Relevance(size_t f) const;

  // The codes of a feature as keys, to be joined with many others.
  std::vector<uint32_t> Keys(size_t f) const;
  // H(f, s), with the keys of s.
  double JointEntropy(std::span<const uint32_t> keys_of_s, size_t s, size_t f) const;

  // The codes of (f, y) as keys.
  std::vector<uint32_t> KeysWithLabel(size_t f) const;
  // I(f; y | s), with the keys of (f, y).
  double ConditionalRelevance(std::span<const uint32_t> keys_of_f, size_t f, size_t s) const;

 private:
  struct Feature {
    std::vector<uint8_t> codes;
    size_t levels = 1;
    double sum = 0;             // of c log c over its levels
    double sum_with_label = 0;  // and over (level, label)
  };

  void BinLabel(const Problem& problem, std::span<const uint32_t> rows, size_t bins);

  std::vector<float> weights_;
  CountTables tables_;
  std::vector<Feature> features_;
  std::vector<uint32_t> label_;
  size_t label_levels_ = 1;
  double label_sum_ = 0;
};

}  // namespace slm
