// On second moments alone: a subset of a columns costs a Cholesky factor, a^3 / 6 multiply-adds,
// and a column that was never in a subset before its row of the Gram matrix.

#include <vector>

#include "kernels/products.h"
#include "numerics/cholesky.h"
#include "numerics/moments.h"
#include "selectors/linear/feature_factors.h"
#include "selectors/linear/subset_model.h"

namespace slm {
namespace {

class SubsetSquared : public SubsetModel {
 public:
  SubsetSquared(const Problem& problem, double l2, ThreadPool& pool)
      : layout_(problem.layout),
        l2_(l2),
        moments_(problem.train, pool),
        factors_(layout_, moments_, kDependent, pool) {}

  double Fit(std::span<const size_t> features, double, const Context&) override {
    candidate_ = {};
    const std::vector<size_t> columns = layout_.ColumnsOf<size_t>(features);
    moments_.PrepareGram(columns);
    Cholesky factor;
    std::vector<double> row;
    for (size_t c : columns) {
      row.clear();
      for (size_t other : candidate_.columns) row.push_back(moments_.Gram(c)[other]);
      row.push_back(moments_.variance(c) + l2_);
      if (moments_.variance(c) > 0 && factor.Append(row, kDependent)) {
        candidate_.columns.push_back(c);
      }
    }
    double explained = 0;
    for (size_t c : candidate_.columns) candidate_.beta.push_back(moments_.Cross(0)[c]);
    factor.Solve(candidate_.beta.data());
    for (size_t a = 0; a < candidate_.columns.size(); ++a) {
      explained += candidate_.beta[a] * moments_.Cross(0)[candidate_.columns[a]];
    }
    candidate_.features.assign(features.begin(), features.end());
    return (moments_.total() - explained) / (2 * moments_.weight());
  }

  void Accept() override { accepted_ = candidate_; }

  void Sacrifices(std::span<double> out, const Context&) override {
    std::vector<double> residual(moments_.Cross(0), moments_.Cross(0) + moments_.stride());
    std::vector<double> beta(moments_.columns());
    for (size_t a = 0; a < accepted_.columns.size(); ++a) {
      const size_t c = accepted_.columns[a];
      beta[c] = accepted_.beta[a];
      AddScaled(-beta[c], moments_.Gram(c), residual.data(), residual.size());
    }
    const double scale = 1 / (2 * moments_.weight());
    for (size_t j = 0; j < layout_.features(); ++j) {
      out[j] = scale * factors_.Explained(j, residual.data(), 1);
    }
    for (size_t j : accepted_.features) {
      const size_t begin = static_cast<size_t>(layout_.offsets[j]);
      const size_t end = static_cast<size_t>(layout_.offsets[j + 1]);
      double cost = 0;
      for (size_t a = begin; a < end; ++a) {
        if (beta[a] == 0) continue;
        cost += beta[a] *
                (Dot(moments_.Gram(a) + begin, beta.data() + begin, end - begin) + l2_ * beta[a]);
      }
      out[j] = scale * cost;
    }
  }

 private:
  struct State {
    std::vector<size_t> features;
    std::vector<size_t> columns;  // those of them that do not depend on others
    std::vector<double> beta;
  };

  const FeatureLayout& layout_;
  double l2_;
  Moments moments_;
  FeatureFactors factors_;
  State accepted_, candidate_;
};

}  // namespace

std::unique_ptr<SubsetModel> MakeSubsetSquared(const Problem& problem, double l2,
                                               ThreadPool& pool) {
  return std::make_unique<SubsetSquared>(problem, l2, pool);
}

}  // namespace slm
