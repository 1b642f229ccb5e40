#include "search/cross_fit.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "mask/mask_learner.h"
#include "nn/batches.h"
#include "nn/mlp.h"
#include "nn/model_archive.h"

namespace slm {
namespace {

constexpr size_t kFolds = 4;  // as many as there are rows, if those are fewer

// One predictor with the rows it learns from and those it is asked about.
struct Fold {
  std::unique_ptr<Predictor> predictor;
  Batches learn;
  Batches ask;
};

class CrossFittedSource : public GradientSource {
 public:
  CrossFittedSource(const RunInput& input, const RandomStream& random)
      : input_(input), random_(random) {}

  bool Prepare(int drops, const Context& context) override {
    if (drops == drops_) return true;
    std::vector<Fold> folds;
    for (size_t f = 0; f < FoldCount(); ++f) {
      if (context.ShouldStop()) return false;
      folds.push_back(MakeFold(f, OfDrop(drops)));
    }
    drops_ = drops;
    folds_ = std::move(folds);
    return true;
  }

  // The predictors' rate does not decay: they start afresh too often for that.
  MaskGradients Step(int /*step*/, int /*drops*/, MaskLearner& learner) override {
    const SlmOptions& options = *input_.options;
    d_weights_.assign(learner.mask().support().size(), 0.0f);
    d_argument_.assign(learner.d_argument().size(), 0.0f);
    for (Fold& fold : folds_) {
      const ActiveInput active = learner.Pass(*fold.predictor, fold.learn.Next(), nullptr);
      fold.predictor->Step(active, {options.learning_rate, options.l2});
      learner.Pass(*fold.predictor, fold.ask.Next(), nullptr);
      for (size_t i = 0; i < d_weights_.size(); ++i) d_weights_[i] += learner.d_weights()[i];
      for (size_t j = 0; j < d_argument_.size(); ++j) d_argument_[j] += learner.d_argument()[j];
    }
    return {d_weights_, d_argument_};
  }

  std::unique_ptr<Predictor>& predictor() override {
    // Stopped before the first step.
    if (folds_.empty()) folds_.push_back(MakeFold(FoldCount() - 1, random_));
    return folds_.back().predictor;
  }

  int ValidationInterval(int /*final_steps*/) const override { return 0; }

  void Serialize(Archive& archive) override {
    archive.Value(drops_);
    archive.Require(drops_ >= 0 && drops_ <= input_.options->drops, "is beyond the last drop");
    if (archive.reading()) {
      folds_.clear();
      for (size_t f = 0; f < FoldCount(); ++f) folds_.push_back(MakeFold(f, OfDrop(drops_)));
    }
    const size_t rows = input_.problem->train.rows();
    for (Fold& fold : folds_) {
      SerializeTraining(archive, *fold.predictor);
      fold.learn.Serialize(archive, rows);
      fold.ask.Serialize(archive, rows);
    }
  }

 private:
  RandomStream OfDrop(int drops) const { return random_.Substream(static_cast<uint64_t>(drops)); }

  size_t FoldCount() const { return std::min(kFolds, input_.problem->train.rows()); }

  Fold MakeFold(size_t f, const RandomStream& random) const {
    const Problem& problem = *input_.problem;
    const SlmOptions& options = *input_.options;
    const size_t columns = problem.layout.columns(), outputs = problem.train.y.outputs();
    const size_t rows = problem.train.rows(), batch = static_cast<size_t>(options.batch_size);
    std::vector<int32_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    random.Substream(0).Shuffle(std::span(order));
    std::vector<int32_t> learn, ask;
    for (size_t i = 0; i < rows; ++i) (i % FoldCount() == f ? ask : learn).push_back(order[i]);
    const RandomStream own = random.Substream(1 + f);
    return {MakePredictor(input_.make_predictor, columns, outputs, options.hidden_layers,
                          options.hidden_units, own.Substream(0)),
            Batches(Batches::Repeat(learn, input_.repeats), batch, own.Substream(1)),
            Batches(Batches::Repeat(ask, input_.repeats), batch, own.Substream(2))};
  }

  const RunInput& input_;
  const RandomStream random_;
  int drops_ = -1;  // behind the step that the folds were drawn for
  std::vector<Fold> folds_;
  std::vector<float> d_weights_, d_argument_;  // sums over the folds
};

}  // namespace

std::unique_ptr<GradientSource> CrossFitted(const RunInput& input, const RandomStream& random) {
  return std::make_unique<CrossFittedSource>(input, random);
}

}  // namespace slm
