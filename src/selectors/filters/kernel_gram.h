#pragma once

// The inner products behind HSIC Lasso: of centred kernels of norm 1, feature with feature and
// feature with label, averaged over blocks of rows.
//
//   K_j = exp(-|x_i - x_k|^2 / (2 total variance of feature j)),  H K_j H / |H K_j H|_F
//
// Labels of classes have the kernel [y_i = y_k] / (rows of the class in the block); values a
// Gaussian one. Weights of rows take part in the means of the centring and in the norm. Kernels are
// made for some pairs of rows at a time and never stored: columns of the Gram matrix are made by
// passes over all pairs, several columns at a time.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernel_pairs.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

class KernelGram {
 public:
  // `blocks` names the rows of each block. `data` must stay.
  KernelGram(const FeatureLayout& layout, const Dataset& data,
             std::vector<std::vector<int32_t>> blocks);

  // The products of the label and of each of `features` with every feature: (1 + features) x all
  // features, the label first. One pass makes five kernels of each feature for every pair of rows,
  // and a product of all of them with those asked for. Empty if asked to stop.
  std::vector<double> Products(std::span<const int> features, const Context& context) const;

 private:
  struct Block;
  // What one task adds up, with its scratch.
  struct Sums {
    Matrix left;     // pairs x (label, features asked for)
    Matrix panel;    // pairs x values of all features
    Matrix product;  // of the two
    std::vector<double> sum;
  };
  Block LoadBlock(const std::vector<int32_t>& rows, const Context& context) const;
  void LoadLabels(const std::vector<int32_t>& rows, Block& block) const;
  KernelRows View(const Block& block) const;
  double LabelKernel(const Block& block, size_t i, size_t j) const;
  double CentredLabel(const Block& block, size_t i, size_t j) const;
  void AddPairs(const Block& block, size_t begin, size_t end, std::span<const int> features,
                Sums& sums) const;

  const Dataset& data_;
  std::vector<std::vector<int32_t>> blocks_;
  size_t features_;
  std::vector<int32_t> planes_;  // of each strip
  std::vector<size_t> place_;    // of each feature among the values
  Matrix x_;                     // all rows in strips, scaled
  double label_scale_ = 0;       // 1 / (2 variance of the values)
};

}  // namespace slm
