#pragma once

// A feature selector: from a problem and k to exactly k features and a score for every feature.
// Implement it to bring your own method.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "slm/context.h"
#include "slm/predictor.h"
#include "slm/problem.h"

namespace slm {

class OptionList;

struct Choice {
  std::vector<int> features;   // exactly k, best first
  std::vector<float> weights;  // of each feature of the problem; 0 for those not chosen
  // The model that was trained along with the choice, on the chosen features; without a predictor
  // for methods that only rank.
  Model model;
};

class Selector {
 public:
  virtual ~Selector() = default;
  virtual Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) = 0;
  // Adds the method's options, bound to this selector.
  virtual void DescribeOptions(OptionList&) {}
};

}  // namespace slm
