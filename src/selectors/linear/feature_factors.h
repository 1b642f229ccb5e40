#pragma once

// What features of one or several columns explain of a residual, from second moments.

#include <vector>

#include "numerics/cholesky.h"
#include "numerics/moments.h"

namespace slm {

class FeatureFactors {
 public:
  // Columns that depend on others of their feature, to within `dependent` of their variance, are
  // left out. Both references must outlive this object.
  FeatureFactors(const FeatureLayout& layout, const Moments& moments, double dependent,
                 ThreadPool& pool);

  // By how much feature j alone reduces the squared norm of a residual R, summed over outputs;
  // `residual` is X'R, outputs x stride of the moments.
  double Explained(size_t j, const double* residual, size_t outputs) const;

 private:
  // The independent columns of a feature of several, and the factor of their Gram matrix.
  struct Block {
    std::vector<size_t> columns;
    Cholesky factor;
  };

  const FeatureLayout& layout_;
  const Moments& moments_;
  std::vector<Block> blocks_;  // empty for features of one column
};

}  // namespace slm
