#include "selectors/networks/shrinking_path.h"

#include <algorithm>

#include "selectors/choose.h"
#include "slm/errors.h"

namespace slm {

void DescribePathOptions(PathOptions& o, OptionList& list) {
  list.Int("hidden_layers", &o.hidden_layers, 1, 16, "hidden layers of the network");
  list.Int("hidden_units", &o.hidden_units, 1, 65536, "units in each hidden layer");
  list.Int("batch_size", &o.batch_size, 1, 1 << 24, "rows in a mini-batch");
  list.Real("l2", &o.l2, 0, 1e6, "penalty on squared weights above the first layer");
  list.Int("epochs", &o.epochs, 1, 1 << 24, "most epochs of the dense fit");
  list.Int("patience", &o.patience, 1, 1 << 24, "epochs of the dense fit without improvement");
  list.Real("learning_rate", &o.learning_rate, 1e-9, 10, "Adam's learning rate, dense fit");
  list.Real("lambda_start", &o.lambda_start, 0, 1e12, "first penalty of the path; 0: automatic");
  list.Real("path_multiplier", &o.path_multiplier, 1.0001, 100,
            "factor from one penalty to the next");
  list.Int("path_epochs", &o.path_epochs, 1, 1 << 24, "most epochs at one penalty");
  list.Int("path_patience", &o.path_patience, 1, 1 << 24,
           "epochs at one penalty without improvement");
  list.Real("tolerance", &o.tolerance, 0.5, 1,
            "an objective below this share of the best counts as an improvement");
}

MemoryNeed PathMemory(const Problem& problem, const PathOptions& options, bool skip) {
  constexpr double kMatrices = 5;  // weights, gradients, two moments, weights times scales
  const size_t units = static_cast<size_t>(options.hidden_units);
  const size_t outputs = problem.train.y.outputs();
  const double columns = static_cast<double>(problem.layout.columns());
  const double inputs =
      columns * static_cast<double>(PaddedWidth(units) + (skip ? PaddedWidth(outputs) : 0));
  const double upper =
      static_cast<double>(units) *
      static_cast<double>(PaddedWidth(units) * static_cast<size_t>(options.hidden_layers - 1) +
                          PaddedWidth(outputs));
  const int batch = std::max(options.batch_size, options.path_batch_size);
  const double rows =
      std::min(static_cast<double>(problem.train.rows()), static_cast<double>(batch));
  const double activations =
      rows * (static_cast<double>(PaddedWidth(units)) * options.hidden_layers +
              3 * static_cast<double>(PaddedWidth(outputs)) + columns);
  const double copies = columns * static_cast<double>(problem.train.rows() + problem.valid.rows());
  return {sizeof(float) * (kMatrices * (inputs + upper) + activations + copies),
          "lower " + FieldRef("hidden_units")};
}

ShrinkingPath::ShrinkingPath(const Problem& problem, const PathOptions& options, bool skip,
                             uint64_t seed, const Context& context)
    : layout_(problem.layout),
      options_(options),
      context_(context),
      net_(problem.train, problem.valid,
           {.hidden_layers = static_cast<size_t>(options.hidden_layers),
            .hidden_units = static_cast<size_t>(options.hidden_units),
            .skip = skip},
           RandomStream(seed, 0)),
      dense_batches_(problem.train.rows(), static_cast<size_t>(options.batch_size),
                     RandomStream(seed, 1)),
      path_batches_(problem.train.rows(),
                    static_cast<size_t>(options.path_batch_size > 0 ? options.path_batch_size
                                                                    : options.batch_size),
                    RandomStream(seed, 2)),
      in_(layout_.features(), 1),
      scores_(layout_.features()) {}

Choice ShrinkingPath::Run(int k) {
  const size_t wanted = static_cast<size_t>(k);
  size_t left = layout_.features();
  Train(0, options_.epochs, options_.patience);
  net_.ForgetMoments();
  norms_ = Norms();
  double lambda = 1;
  if (left > wanted) {
    lambda = options_.lambda_start > 0 ? options_.lambda_start : AutomaticStart();
  }
  while (left > wanted && !context_.ShouldStop()) {
    Train(lambda, options_.path_epochs, options_.path_patience);
    left = Leave(lambda);
    lambda *= options_.path_multiplier;
    Report("path", layout_.features() - left, layout_.features() - wanted, left);
  }
  // Those that stay outrank all that left, by their norms.
  const double largest = *std::max_element(norms_.begin(), norms_.end());
  for (size_t j = 0; j < in_.size(); ++j) {
    if (in_[j]) scores_[j] = lambda * (1 + (largest > 0 ? norms_[j] / largest : 0));
  }
  return ChooseTop(scores_, k);
}

// Epochs at one lambda, until the validation objective has not improved for `patience` of them.
void ShrinkingPath::Train(double lambda, int epochs, int patience) {
  const bool dense = lambda == 0;
  EvenBatches& batches = dense ? dense_batches_ : path_batches_;
  double best = ValidObjective(lambda);
  int since_best = 0;
  for (int epoch = 0; epoch < epochs && since_best < patience; ++epoch) {
    batches.Shuffle();
    for (size_t b = 0; b < batches.per_epoch(); ++b) {
      if (context_.ShouldStop()) return;
      loss_ = net_.Gradients(batches.at(b));
      net_.AddUpperPenalty(options_.l2);
      net_.AddSkipPenalty(options_.l2_skip);
      if (dense) {
        net_.AdamStep(options_.learning_rate);
        ShrinkAll(0);
      } else {
        PathStep(batches.at(b), loss_, lambda);
      }
    }
    const double objective = ValidObjective(lambda);
    if (objective < options_.tolerance * best) {
      best = objective;
      since_best = 0;
    } else {
      ++since_best;
    }
    if (dense) {
      Report("dense", static_cast<size_t>(epoch) + 1, static_cast<size_t>(epochs),
             layout_.features());
    }
  }
}

void ShrinkingPath::ShrinkAll(double threshold) {
  for (size_t j = 0; j < in_.size(); ++j) {
    if (in_[j]) Shrink(j, threshold);
  }
}

double ShrinkingPath::ValidObjective(double lambda) {
  valid_loss_ = net_.ValidLoss();
  double penalty = 0;
  if (lambda > 0) {
    for (double norm : Norms()) penalty += lambda * norm;
  }
  if (options_.l2 > 0) penalty += options_.l2 * net_.UpperSquares();
  if (options_.l2_skip > 0) penalty += options_.l2_skip * net_.SkipSquares();
  return valid_loss_ + penalty;
}

// 0 for the features that left.
std::vector<double> ShrinkingPath::Norms() {
  std::vector<double> norms(in_.size());
  for (size_t j = 0; j < in_.size(); ++j) {
    if (in_[j]) norms[j] = Norm(j);
  }
  return norms;
}

// Lets the features without influence go, and returns how many are left. Of those that go
// together, the one that had the larger norm before ranks higher, but below those that go
// at the next lambda.
size_t ShrinkingPath::Leave(double lambda) {
  const std::vector<double> norms = Norms();
  const double largest = *std::max_element(norms_.begin(), norms_.end());
  const double gap = 0.5 * (options_.path_multiplier - 1);
  size_t left = 0, gone = 0;
  for (size_t j = 0; j < in_.size(); ++j) {
    if (in_[j] && norms[j] == 0) {
      in_[j] = 0;
      scores_[j] = lambda * (1 + gap * norms_[j] / largest);
      ++gone;
    }
    left += in_[j] ? 1 : 0;
  }
  norms_ = norms;
  if (gone > 0) net_.SetActive(ColumnsOf(layout_, in_));
  return left;
}

void ShrinkingPath::Report(std::string_view phase, size_t step, size_t steps, size_t left) const {
  if (context_.observer == nullptr) return;
  context_.observer->OnProgress({.phase = phase,
                                 .step = static_cast<int>(step),
                                 .steps = static_cast<int>(steps),
                                 .active_features = static_cast<int>(left),
                                 .loss = loss_,
                                 .valid_metric = valid_loss_});
}

}  // namespace slm
