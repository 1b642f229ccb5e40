#pragma once

// Linear models on a subset of the features, for the splicing search: what a subset loses, what
// leaving a feature out would cost, what taking one in would win.

#include <memory>
#include <span>

#include "base/thread_pool.h"
#include "slm/context.h"
#include "slm/problem.h"

namespace slm {

class SubsetModel {
 public:
  virtual ~SubsetModel() = default;

  // Fits a candidate on these features, starting from the accepted one, and returns its loss. It
  // may give up on one that will not get below `wanted`, and returns a larger loss then.
  virtual double Fit(std::span<const size_t> features, double wanted, const Context& context) = 0;
  // Makes the last candidate the accepted model; at first that is the one without features.
  virtual void Accept() = 0;
  // To second order around the accepted model, for each feature: by how much the loss would rise
  // without it (its features), or fall with it (others). Zero for features that a stop left out.
  virtual void Sacrifices(std::span<double> out, const Context& context) = 0;
};

// Half the mean squared error, and -log p summed over rows, each with l2 / 2 |coefficients|^2 on
// the scale of the sum.
std::unique_ptr<SubsetModel> MakeSubsetSquared(const Problem& problem, double l2, ThreadPool& pool);
std::unique_ptr<SubsetModel> MakeSubsetLogistic(const Problem& problem, double l2,
                                                const Context& context);

}  // namespace slm
