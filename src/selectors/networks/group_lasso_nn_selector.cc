// Sparse-input networks (SPINN): a perceptron whose input weights carry a sparse group lasso,
//
//   minimise  L(W) + l2 sum_{layers above} |W_a|^2 + lambda sum_j Omega(W1_j),
//
// one group for each feature, by proximal gradient steps whose length is found by backtracking: the
// fewer features carry the output, the larger the weights above them and the shorter the steps must
// be. Gradients are taken over all rows as by the authors, up to a limit; with small batches the
// choice was much worse (docs/decisions.md).

#include <algorithm>
#include <numeric>

#include "selectors/methods.h"
#include "selectors/networks/shrinking_path.h"
#include "selectors/networks/sparse_group_prox.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

constexpr double kStartShare = 1e-3;  // of the lambda that no feature could overcome
constexpr double kGrowth = 1.2;       // of the rate after a step
constexpr double kLeastRate = 1e-8;
constexpr double kRounding = 1e-7;  // of a loss in single precision

class GroupLassoPath : public ShrinkingPath {
 public:
  GroupLassoPath(const Problem& problem, const PathOptions& options, double alpha, uint64_t seed,
                 const Context& context)
      : ShrinkingPath(problem, options, /*skip=*/false, seed, context),
        rows_(problem.train.rows()),
        alpha_(alpha) {}

 private:
  double Norm(size_t j) override {
    return SparseGroupNorm(RowsOf(net().hidden_weights(), layout(), j), alpha_);
  }

  void Shrink(size_t j, double threshold) override {
    SparseGroupProx(RowsOf(net().hidden_weights(), layout(), j), threshold, alpha_);
  }

  // Halves the rate until the smooth part stays below its quadratic bound, then lets it grow again.
  void PathStep(std::span<const int32_t> rows, double loss, double lambda) override {
    net().SaveWeights();
    const double before = loss + options().l2 * net().UpperSquares();
    for (;; rate_ /= 2) {
      net().StepFromSaved(rate_);
      ShrinkAll(rate_ * lambda);
      const double after = net().LossOf(rows) + options().l2 * net().UpperSquares();
      if (after <= before + net().StepBound(rate_) + kRounding || rate_ < kLeastRate ||
          context().ShouldStop()) {
        break;
      }
    }
    rate_ *= kGrowth;
  }

  // A share of the largest gradient of a feature's weights where all input weights are zero.
  double AutomaticStart() override {
    const Matrix weights = net().hidden_weights();
    net().hidden_weights() = Matrix(weights.rows(), weights.cols());
    std::vector<int32_t> rows(std::min(rows_, kStartRows));
    std::iota(rows.begin(), rows.end(), 0);
    net().Gradients(rows);
    net().hidden_weights() = weights;
    double largest = 0;
    for (size_t j = 0; j < layout().features(); ++j) {
      largest = std::max(
          largest,
          SparseGroupNorm(RowsOf(net().hidden_layer().weights().gradient, layout(), j), 1));
    }
    return std::max(kStartShare * largest, 1e-9);
  }

  static constexpr size_t kStartRows = 4096;  // enough for the scale of lambda

  size_t rows_;
  double alpha_;
  double rate_ = 0.1;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("hidden_units", 50, 400),
    SearchDimension::OneOf("hidden_layers", "1,1,2"),
    SearchDimension::OneOf("batch_size", "64,128,256,512"),
    SearchDimension::Log("learning_rate", 5e-4, 1e-2),
    SearchDimension::OneOf("l2", "0,0.0001,0.001,0.01"),
    SearchDimension::OneOf("alpha", "0.5,0.9,1"),
};

class GroupLassoSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    return GroupLassoPath(problem, options_, alpha_, seed, context).Run(k);
  }

  MemoryNeed Memory(const Problem& problem, int) const override {
    return PathMemory(problem, options_, /*skip=*/false);
  }

  void DescribeOptions(OptionList& list) override {
    DescribePathOptions(options_, list);
    list.Int("path_batch_size", &options_.path_batch_size, 1, 1 << 24,
             "rows per step of the path; at most all training rows");
    list.Real("alpha", &alpha_, 0, 1, "1 is the group lasso, 0 the lasso on single weights");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .unchanged = 0.5, .budget = kPathBudget};
  }

 private:
  PathOptions options_ = {.l2 = 1e-4,
                          .epochs = 200,
                          .patience = 20,
                          .path_multiplier = 1.05,
                          .path_epochs = 20,
                          .path_patience = 5,
                          .path_batch_size = 16384};
  double alpha_ = 1;
};

}  // namespace

std::unique_ptr<Selector> MakeGroupLassoNetwork() { return std::make_unique<GroupLassoSelector>(); }

}  // namespace slm
