#pragma once

// The proximal operator of LassoNet on one feature; selectors/hier_prox.h has its definition.

#include <cstddef>

namespace slm {

struct HierarchyArgs {
  float* skip;
  size_t skip_size;  // a multiple of 16, as is hidden_size
  float* hidden;
  size_t hidden_size;
  double lambda;
  double hierarchy;  // M
  float guess;       // of the bound on hidden weights; negative if there is none
};
// Returns the bound on hidden weights.
float ShrinkHierarchy(const HierarchyArgs& args) noexcept;

}  // namespace slm
