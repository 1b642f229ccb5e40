// FsNet (Singh, Climente-Gonzalez, Petrovich, Kawakami, Yamada 2020), for data of few rows and very
// many columns: a concrete selector layer feeds an encoder, from whose code one part of the network
// tells the label and another rebuilds all columns. The weights of the two layers that touch every
// column are predicted from histograms (fsnet.h).
//
//   loss = task + reconstruction * mean squared error
//
// The authors train with RMSprop; this uses Adam, as everything here does. They read the chosen
// features off the last noisy sample; here the noise is left out, so that the answer does not
// depend on a last throw of dice.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/options.h"
#include "nn/active_batch.h"
#include "nn/batches.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/networks/concrete_layer.h"
#include "selectors/networks/fsnet.h"
#include "selectors/networks/leaky_network.h"
#include "selectors/networks/reconstruction.h"
#include "selectors/networks/training_length.h"
#include "selectors/search_space.h"
#include "slm/errors.h"
#include "targets/losses.h"

namespace slm {
namespace {

struct FsNetOptions {
  // Of a column's histogram. The authors' ten say little more than the shape of a distribution:
  // with them the choice was no better than chance on generated microarrays of 150 rows and 5000
  // columns, with a hundred the accuracy of two classes was 0.63 to 0.9.
  int bins = 100;
  int hidden_units = 16;  // h: layers of 4h, 2h, h and back again
  double dropout = 0.2;
  TrainingLength length = {.steps = 1500, .batch_size = 32};
  double learning_rate = 2e-3;
  double reconstruction = 1;  // weight of the squared error
  double start_temperature = 10;
  double end_temperature = 0.01;
};

constexpr double kSlope = 0.2;  // of units where they are negative

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("bins", 20, 200),
    SearchDimension::LogWhole("hidden_units", 8, 64),
    SearchDimension::OneOf("dropout", "0,0.2,0.4"),
    SearchDimension::LogWhole("steps", 1000, 5000),
    SearchDimension::OneOf("batch_size", "16,32,64"),
    SearchDimension::Log("learning_rate", 5e-4, 1e-2),
    SearchDimension::Log("reconstruction", 0.01, 10),
    SearchDimension::Log("start_temperature", 3, 30),
    SearchDimension::Log("end_temperature", 0.01, 0.5),
};

class FsNet : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const Matrix p = SelectionProbabilities(
        Train(problem, static_cast<size_t>(k), RandomStream(seed, 0), context));
    // The node that wants it most.
    std::vector<double> scores(problem.layout.features());
    for (size_t i = 0; i < p.rows(); ++i) {
      for (size_t j = 0; j < scores.size(); ++j) {
        scores[j] = std::max(scores[j], static_cast<double>(p(i, j)));
      }
    }
    return ChooseInOrder(DistinctFeatures(p), scores);
  }

  MemoryNeed Memory(const Problem& problem, int k) const override {
    // Logits, shares, samples and gradients by node; predicted weights and gradients by unit.
    const double columns = static_cast<double>(problem.layout.columns());
    return {4 * columns * (9.0 * k + 4 * 4.0 * options_.hidden_units), "lower " + FieldRef("k")};
  }

  void DescribeOptions(OptionList& list) override {
    FsNetOptions& o = options_;
    list.Int("bins", &o.bins, 2, 500, "bins of the histogram that represents a column");
    list.Int("hidden_units", &o.hidden_units, 1, 16384,
             "h of the hidden layers, which have 4h, 2h, h, 2h and 4h units");
    list.Real("dropout", &o.dropout, 0, 0.95, "share of units dropped in training");
    o.length.Describe("", list);
    list.Real("learning_rate", &o.learning_rate, 1e-9, 10, "Adam's learning rate");
    list.Real("reconstruction", &o.reconstruction, 0, 1e6,
              "weight of the reconstruction error relative to the task loss");
    list.Real("start_temperature", &o.start_temperature, 1e-3, 1e6,
              "initial temperature of the concrete selector");
    list.Real("end_temperature", &o.end_temperature, 1e-3, 1e6,
              "final temperature of the concrete selector");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .unchanged = 0.5, .budget = kTrainingBudget};
  }

 private:
  // The logits of the nodes after training.
  Matrix Train(const Problem& problem, size_t nodes, RandomStream random,
               const Context& context) const {
    const Dataset& train = problem.train;
    const size_t batch_size = static_cast<size_t>(options_.length.batch_size);
    const size_t h = static_cast<size_t>(options_.hidden_units), outputs = train.y.outputs();
    ConcreteLayer layer(problem.layout, nodes);
    Matrix by_column = ColumnHistograms(train, layer.columns(), options_.bins);
    Whiten(by_column, context);
    // The layer's columns begin with the first of each feature.
    Matrix by_feature(layer.features(), by_column.cols());
    std::copy_n(by_column.data(), by_feature.rows() * by_feature.stride(), by_feature.data());
    SelectorPredictor selector(std::move(by_feature), nodes, random.Substream(0));
    auto network = [&](std::vector<size_t> widths, LeakyNetwork::Last last, uint64_t stream) {
      return LeakyNetwork(widths, last, kSlope, options_.dropout, random.Substream(stream));
    };
    LeakyNetwork encoder =
        network({layer.outputs(), 4 * h, 2 * h, h}, LeakyNetwork::Last::kLeaky, 1);
    LeakyNetwork head = network({h, outputs}, LeakyNetwork::Last::kLinear, 2);
    LeakyNetwork decoder = network({h, 2 * h, 4 * h}, LeakyNetwork::Last::kLeaky, 3);
    ReconstructionPredictor rebuild(std::move(by_column), 4 * h, random.Substream(4));
    Batches batches = Batches::OfAll(train.rows(), batch_size, random.Substream(5));
    const int steps = options_.length.Steps(batches.per_epoch());
    ActiveBatch batch;
    batch.SetColumns(layer.columns(), layer.columns());
    Matrix read(batch_size, layer.outputs()), d_scores(batch_size, outputs);
    Matrix d_made(batch_size, layer.columns().size()), d_code(batch_size, h);
    Matrix d_logits(nodes, layer.features());
    const std::unique_ptr<Loss> loss = DefaultLoss(train.y).make();
    AdamClock clock;
    for (int step = 0; step < steps && !context.ShouldStop(); ++step) {
      const RandomStream own = random.Substream(6).Substream(static_cast<uint64_t>(step));
      const std::span<const int32_t> rows = batches.Next();
      auto first_rows = [&](Matrix& m) {
        return MatrixView<float>(m.data(), rows.size(), m.cols(), m.stride());
      };
      const MatrixView<const float> x = batch.Gather(*train.x, rows, {}).x;
      const MatrixView<float> y = first_rows(read), d = first_rows(d_code);
      layer.Sample(selector.Predict(),
                   Temperature(options_.start_temperature, options_.end_temperature, step, steps),
                   own.Substream(0));
      layer.Forward(x, y);
      const MatrixView<const float> code = encoder.Forward(y, own.Substream(1));
      loss->Prepare(head.Forward(code, own.Substream(2)), train, rows);
      loss->Gradient(0, {}, first_rows(d_scores));
      const MatrixView<const float> last = decoder.Forward(code, own.Substream(3));
      const double error = SquaredError(x, rebuild.Forward(last), train.weight, rows,
                                        options_.reconstruction, first_rows(d_made));
      const MatrixView<const float> from_head = head.Backward(code, first_rows(d_scores));
      const MatrixView<const float> from_decoder =
          decoder.Backward(code, rebuild.Backward(last, first_rows(d_made)));
      for (size_t i = 0; i < rows.size(); ++i) {
        for (size_t j = 0; j < h; ++j) d(i, j) = from_head(i, j) + from_decoder(i, j);
      }
      layer.Backward(x, encoder.Backward(y, d), d_logits);
      selector.Backward(d_logits);
      clock.Tick({options_.learning_rate});
      selector.Step(clock);
      encoder.Step(clock);
      head.Step(clock);
      decoder.Step(clock);
      rebuild.Step(clock);
      if (context.observer != nullptr && (step + 1) % 20 == 0) {
        context.observer->OnProgress({.phase = "annealing",
                                      .step = step + 1,
                                      .steps = steps,
                                      .active_features = static_cast<int>(nodes),
                                      .loss = loss->task() + error});
      }
    }
    return selector.Predict();
  }

  FsNetOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeFsNet() { return std::make_unique<FsNet>(); }

}  // namespace slm
