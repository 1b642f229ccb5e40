// LassoNet: a network with a skip connection, on a path of growing penalties.
//
//   minimise  L(theta, W) + lambda sum_j |theta_j|_2   subject to  |W1_j|_inf <= M |theta_j|_2
//
// with skip weights theta and first-layer weights W1. The constraint takes every weight of a
// feature away with its skip connection. In the authors' package the penalties on squared weights
// change the objective that is watched but not the gradients; here they do both.

#include <cmath>

#include "selectors/methods.h"
#include "selectors/networks/hier_prox.h"
#include "selectors/networks/shrinking_path.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct LassoNetOptions {
  PathOptions path;
  double path_rate = 1e-3;
  double momentum = 0.9;
  double hierarchy = 10;  // M
};

class LassoNetPath : public ShrinkingPath {
 public:
  LassoNetPath(const Problem& problem, const LassoNetOptions& options, uint64_t seed,
               const Context& context)
      : ShrinkingPath(problem, options.path, /*skip=*/true, seed, context),
        own_(options),
        bounds_(problem.layout.features(), -1.0f) {}

 private:
  double Norm(size_t j) override {
    double squares = 0;
    for (float w : RowsOf(net().skip_weights(), layout(), j)) squares += static_cast<double>(w) * w;
    return std::sqrt(squares);
  }

  void Shrink(size_t j, double threshold) override {
    bounds_[j] = HierProx(RowsOf(net().skip_weights(), layout(), j),
                          RowsOf(net().hidden_weights(), layout(), j), threshold, own_.hierarchy,
                          bounds_[j]);
  }

  void PathStep(std::span<const int32_t>, double, double lambda) override {
    net().MomentumStep(own_.path_rate, own_.momentum);
    ShrinkAll(lambda * own_.path_rate);
  }

  // A tenth of what the first feature can bear.
  double AutomaticStart() override {
    std::vector<FeatureWeights> features;
    for (size_t j = 0; j < layout().features(); ++j) {
      features.push_back(
          {RowsOf(net().skip_weights(), layout(), j), RowsOf(net().hidden_weights(), layout(), j)});
    }
    return LargestHarmlessLambda(features, own_.hierarchy, context()) / own_.path_rate / 10;
  }

  const LassoNetOptions& own_;
  std::vector<float> bounds_;  // by feature, of the latest Shrink
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("hidden_units", 50, 400),
    SearchDimension::OneOf("batch_size", "64,128,256,512"),
    SearchDimension::Log("learning_rate", 5e-4, 1e-2),
    SearchDimension::Log("hierarchy", 1, 100),
    SearchDimension::OneOf("l2", "0,0.0001,0.001,0.01"),
    SearchDimension::OneOf("l2_skip", "0,0.0001,0.001,0.01"),
    SearchDimension::Linear("momentum", 0.5, 0.95),
};

class LassoNetSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return LassoNetPath(problem, options_, seed, context).Run(k);
  }

  MemoryNeed Memory(const Problem& problem, int) const override {
    return PathMemory(problem, options_.path, /*skip=*/true);
  }

  void DescribeOptions(OptionList& list) override {
    DescribePathOptions(options_.path, list);
    list.Real("path_rate", &options_.path_rate, 1e-9, 10, "learning rate on the path");
    list.Real("momentum", &options_.momentum, 0, 0.9999, "momentum on the path");
    list.Real("l2_skip", &options_.path.l2_skip, 0, 1e6, "penalty on squared skip weights");
    list.Real("hierarchy", &options_.hierarchy, 0, 1e6,
              "M: bound on first-layer weights, in units of the skip weights; 0 is linear");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .unchanged = 0.5, .budget = kPathBudget};
  }

 private:
  LassoNetOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeLassoNet() { return std::make_unique<LassoNetSelector>(); }

}  // namespace slm
