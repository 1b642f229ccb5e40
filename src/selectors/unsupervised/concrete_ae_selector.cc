// Concrete autoencoder (Balin, Abid and Zou, ICML 2019): the k features from which a decoder
// rebuilds all of them best. A concrete selector layer with k nodes feeds the decoder; the
// temperature falls exponentially while both learn. Where the nodes have not decided by the end,
// everything starts again with twice the steps, as the authors do.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/options.h"
#include "nn/active_batch.h"
#include "nn/batches.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/networks/concrete_layer.h"
#include "selectors/networks/leaky_network.h"
#include "selectors/networks/reconstruction.h"
#include "selectors/networks/training_length.h"
#include "selectors/search_space.h"
#include "slm/errors.h"

namespace slm {
namespace {

struct ConcreteAutoencoderOptions {
  int hidden_layers = 1;
  int hidden_units = 0;  // 0: 3 k / 2, the paper's
  double dropout = 0.0;
  TrainingLength length = {.steps = 4000, .batch_size = 64};  // of the first try
  double learning_rate = 1e-3;
  // The authors give the logits the decoder's rate and 76800 steps, 300 passes in batches of n /
  // 256. In a twentieth of the steps the logits must move faster to travel as far: at this rate the
  // nodes have decided after the first try on MNIST and Isolet, and what they chose rebuilds the
  // rest no worse than what slower rates choose.
  double selector_rate = 0.2;
  double start_temperature = 10;
  double end_temperature = 0.1;
  int tries = 3;
  double decided = 0.998;  // the mean largest probability of the nodes that ends the tries
};

constexpr double kSlope = 0.2;  // of the decoder's units where they are negative

constexpr SearchDimension kSearched[] = {
    SearchDimension::OneOf("hidden_layers", "0,1,2"),
    SearchDimension::OneOf("dropout", "0,0.1,0.2"),
    SearchDimension::LogWhole("steps", 2000, 10000),
    SearchDimension::OneOf("batch_size", "32,64,128,256"),
    SearchDimension::Log("learning_rate", 3e-4, 1e-2),
    SearchDimension::Log("selector_rate", 1e-3, 0.1),
    SearchDimension::Log("start_temperature", 3, 30),
    SearchDimension::Log("end_temperature", 0.01, 0.5),
};

class ConcreteAutoencoder : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const size_t per_epoch =
        Batches::OfAll(problem.train.rows(), static_cast<size_t>(options_.length.batch_size),
                       RandomStream(seed, 0))
            .per_epoch();
    int steps = options_.length.Steps(per_epoch);
    Matrix probabilities;
    for (int i = 0; i < options_.tries; ++i, steps *= 2) {
      const RandomStream random(seed, static_cast<uint64_t>(i));
      const Matrix logits = Train(problem, static_cast<size_t>(k), steps, random, context);
      probabilities = SelectionProbabilities(logits);
      if (MeanLargest(probabilities) >= options_.decided || context.ShouldStop()) break;
    }
    // How many nodes a feature may expect to be read by.
    std::vector<double> scores(problem.layout.features());
    for (size_t i = 0; i < probabilities.rows(); ++i) {
      for (size_t j = 0; j < scores.size(); ++j) {
        scores[j] += static_cast<double>(probabilities(i, j));
      }
    }
    return ChooseInOrder(DistinctFeatures(probabilities), scores);
  }

  MemoryNeed Memory(const Problem& problem, int k) const override {
    // Logits with gradient and two moments, the sample and its gradient, both transposed.
    const double logits =
        8.0 * static_cast<double>(k) * static_cast<double>(PaddedWidth(problem.layout.features()));
    return {4 * logits, "lower " + FieldRef("k")};
  }

  void DescribeOptions(OptionList& list) override {
    ConcreteAutoencoderOptions& o = options_;
    list.Int("hidden_layers", &o.hidden_layers, 0, 4, "hidden layers of the decoder; 0 is linear");
    list.Int("hidden_units", &o.hidden_units, 0, 65536, "units in each hidden layer; 0: 3 k / 2");
    list.Real("dropout", &o.dropout, 0, 0.95, "share of the decoder's units dropped in training");
    o.length.Describe(" of the first try", list);
    list.Real("learning_rate", &o.learning_rate, 1e-9, 10, "Adam's learning rate for the decoder");
    list.Real("selector_rate", &o.selector_rate, 1e-9, 10,
              "Adam's learning rate for the logits of the nodes");
    list.Real("start_temperature", &o.start_temperature, 1e-3, 1e6,
              "initial temperature of the concrete selector");
    list.Real("end_temperature", &o.end_temperature, 1e-3, 1e6,
              "final temperature of the concrete selector");
    list.Int("tries", &o.tries, 1, 20,
             "most runs, each with twice the steps, until the nodes have converged");
    list.Real("decided", &o.decided, 0, 1,
              "mean largest probability of the nodes at which they have converged");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .unchanged = 0.5, .budget = kTrainingBudget};
  }

 private:
  // The logits of the nodes after a run.
  Matrix Train(const Problem& problem, size_t k, int steps, RandomStream random,
               const Context& context) const {
    ConcreteLayer layer(problem.layout, k);
    Parameters logits(k, problem.layout.features());
    RandomStream start = random.Substream(0);
    const double deviation = std::sqrt(2.0 / static_cast<double>(k + layer.features()));
    for (size_t i = 0; i < k; ++i) {
      for (size_t j = 0; j < layer.features(); ++j) {
        logits.w(i, j) = static_cast<float>(deviation * start.Normal());
      }
    }
    const size_t columns = layer.columns().size(),
                 batch_size = static_cast<size_t>(options_.length.batch_size);
    const size_t units = options_.hidden_units > 0 ? static_cast<size_t>(options_.hidden_units)
                                                   : std::max<size_t>(1, 3 * k / 2);
    std::vector<size_t> widths(static_cast<size_t>(options_.hidden_layers) + 2, units);
    widths.front() = layer.outputs();
    widths.back() = columns;
    LeakyNetwork decoder(widths, LeakyNetwork::Last::kLinear, kSlope, options_.dropout,
                         random.Substream(1));
    Batches batches = Batches::OfAll(problem.train.rows(), batch_size, random.Substream(2));
    ActiveBatch batch;
    batch.SetColumns(layer.columns(), layer.columns());
    Matrix read(batch_size, layer.outputs()), d_made(batch_size, columns);
    AdamClock clock, selector_clock;
    for (int step = 0; step < steps && !context.ShouldStop(); ++step) {
      const uint64_t address = static_cast<uint64_t>(step);
      const std::span<const int32_t> rows = batches.Next();
      const MatrixView<const float> x = batch.Gather(*problem.train.x, rows, {}).x;
      MatrixView<float> y{read.data(), rows.size(), read.cols(), read.stride()};
      MatrixView<float> d{d_made.data(), rows.size(), columns, d_made.stride()};
      layer.Sample(logits.w,
                   Temperature(options_.start_temperature, options_.end_temperature, step, steps),
                   random.Substream(3).Substream(address));
      layer.Forward(x, y);
      const MatrixView<const float> made =
          decoder.Forward(y, random.Substream(4).Substream(address));
      const double loss = SquaredError(x, made, problem.train.weight, rows, 1, d);
      layer.Backward(x, decoder.Backward(y, d), logits.gradient);
      clock.Tick({options_.learning_rate});
      decoder.Step(clock);
      selector_clock.Tick({options_.selector_rate});
      selector_clock.Apply(logits.w.data(), logits.m.data(), logits.v.data(),
                           logits.gradient.data(), 1.0f, k * logits.w.stride());
      if (context.observer != nullptr && (step + 1) % 20 == 0) {
        context.observer->OnProgress({.phase = "annealing",
                                      .step = step + 1,
                                      .steps = steps,
                                      .active_features = static_cast<int>(k),
                                      .loss = loss});
      }
    }
    return std::move(logits.w);
  }

  ConcreteAutoencoderOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeConcreteAutoencoder() {
  return std::make_unique<ConcreteAutoencoder>();
}

}  // namespace slm
