// Orthogonal matching pursuit: take the feature whose columns, alone, reduce the residual most,
// then project the labels on everything taken so far. With several outputs (one for each class) the
// residuals are taken together, with several columns a feature enters as a block.
//
// The work is done on second moments, as in Batch-OMP: with Q an orthonormal basis of the columns
// taken, the rows Q'X and the correlations X'R of the residual are all that is kept. A new column c
// costs its row of the Gram matrix, x_c'X minus its part in Q'X, and is the next row of Q'X; no
// residual is ever formed. With n rows and D columns a step costs n D multiply-adds, and D times
// the columns taken.

#include <cmath>
#include <vector>

#include "kernels/products.h"
#include "numerics/moments.h"
#include "selectors/choose.h"
#include "selectors/linear/feature_factors.h"
#include "selectors/methods.h"
#include "slm/errors.h"

namespace slm {
namespace {

class Pursuit {
 public:
  Pursuit(const Problem& problem, ThreadPool& pool)
      : layout_(problem.layout),
        moments_(problem.train, pool),
        factors_(layout_, moments_, kDependent, pool) {
    for (size_t o = 0; o < moments_.outputs(); ++o) {
      residual_.insert(residual_.end(), moments_.Cross(o), moments_.Cross(o) + moments_.stride());
    }
  }

  double total() const { return moments_.total(); }

  // By how much feature j alone would reduce the squared norm of the residual.
  double Gain(size_t j) const {
    return factors_.Explained(j, residual_.data(), moments_.outputs());
  }

  // Takes feature j and returns by how much the squared norm of the residual fell.
  double Take(size_t j) {
    double fall = 0;
    for (size_t c = Begin(j); c < Begin(j + 1); ++c) fall += TakeColumn(c);
    return fall;
  }

 private:
  size_t Begin(size_t j) const { return static_cast<size_t>(layout_.offsets[j]); }

  double TakeColumn(size_t c) {
    const size_t stride = moments_.stride();
    std::vector<double> row = moments_.TakeGram(c);
    for (const std::vector<double>& q : basis_) AddScaled(-q[c], q.data(), row.data(), stride);
    const double left = row[c];
    if (!(left > kDependent * moments_.variance(c))) return 0;
    const double scale = 1 / std::sqrt(left);
    for (double& value : row) value *= scale;
    double fall = 0;
    for (size_t o = 0; o < moments_.outputs(); ++o) {
      double* residual = residual_.data() + o * stride;
      const double along = residual[c] * scale;
      AddScaled(-along, row.data(), residual, stride);
      fall += along * along;
    }
    basis_.push_back(std::move(row));
    return fall;
  }

  const FeatureLayout& layout_;
  Moments moments_;
  FeatureFactors factors_;
  std::vector<double> residual_;            // outputs x stride: X'R
  std::vector<std::vector<double>> basis_;  // Q'X
};

class OmpSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    Pursuit pursuit(problem, *context.pool);
    const size_t features = problem.layout.features(), wanted = static_cast<size_t>(k);
    const double unit = pursuit.total() > 0 ? 1 / pursuit.total() : 0;
    std::vector<double> scores(features);
    std::vector<bool> taken(features);
    std::vector<int> order;
    const auto rate = [&] {
      for (size_t j = 0; j < features; ++j) {
        if (!taken[j]) scores[j] = unit * pursuit.Gain(j);
      }
    };
    const auto best = [&] {
      size_t found = features;
      for (size_t j = 0; j < features; ++j) {
        if (!taken[j] && (found == features || scores[j] > scores[found])) found = j;
      }
      return found;
    };
    rate();
    while (order.size() < wanted) {
      const size_t j = best();
      taken[j] = true;
      order.push_back(static_cast<int>(j));
      // Out of time, the rest goes by the gains of the last step.
      if (context.ShouldStop()) continue;
      scores[j] = unit * pursuit.Take(j);
      rate();
      if (context.observer != nullptr) {
        context.observer->OnProgress({.phase = "pursuit",
                                      .step = static_cast<int>(order.size()),
                                      .steps = k,
                                      .active_features = static_cast<int>(order.size())});
      }
    }
    return ChooseInOrder(order, scores);
  }

  MemoryNeed Memory(const Problem& problem, int k) const override {
    const double columns = static_cast<double>(problem.layout.columns());
    const double share = k / static_cast<double>(problem.layout.features());
    return {sizeof(double) * columns * columns * share, "lower " + FieldRef("k")};  // Q'X
  }
};

}  // namespace

std::unique_ptr<Selector> MakeOmp() { return std::make_unique<OmpSelector>(); }

}  // namespace slm
