// (R - Y)^2: the mean of what may be. It is its own E.

#include <numeric>

#include "targets/value_loss.h"

namespace slm {
namespace {

struct Squared {
  static double Value(double difference) { return difference * difference; }
  static float Slope(float difference) { return 2 * difference; }
};

// Networks under a penalty search for the length of a step by this loss, down to where its changes
// are small: shares of rows are not rounded to floats.
class SquaredError : public ValueLoss<Squared> {
 public:
  void Gradient(double error_weight, std::span<const float> d_predictions,
                MatrixView<float> d_scores) const override {
    const size_t b = predictions_.size();
    double total = static_cast<double>(b);
    if (!weights_.empty()) total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (size_t i = 0; i < b; ++i) {
      const double weight = weights_.empty() ? 1 : weights_[i];
      const double share = total > 0 ? weight / total : 0;
      std::fill_n(d_scores.row(i), d_scores.stride, 0.0f);
      d_scores(i, 0) =
          static_cast<float>(2 * (1 + error_weight) * share * (predictions_[i] - targets_[i])) +
          (d_predictions.empty() ? 0.0f : d_predictions[i]);
    }
  }

 protected:
  void Read(MatrixView<const float> scores, const Labels& labels,
            std::span<const int32_t> rows) override {
    ValueLoss::Read(scores, labels, rows);
    task_ = error_;
  }
};

}  // namespace

const LossKind& SquaredLoss() {
  static constexpr LossKind kKind = {
      .name = "squared",
      .summary = "the squared error, which asks for the mean",
      .task = Task::kRegression,
      .traits = TraitsOfValues(/*rate=*/1, /*least_l2=*/0.002, /*good_quality=*/-0.01),
      .make = [] { return std::unique_ptr<Loss>(std::make_unique<SquaredError>()); }};
  return kKind;
}

}  // namespace slm
