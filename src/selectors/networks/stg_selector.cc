// STG: a network behind stochastic gates, one for each feature, trained on
//
//   E_z L(f(x z), y) + lambda mean_j P(z_j > 0).
//
// lambda decides how many gates stay open. Unless it is given, it is searched: each round trains
// from scratch at several values between a lambda that leaves more than k gates open and one that
// leaves fewer. The k features are those of the largest gates in the run whose number of open gates
// is nearest to k. Columns behind a closed gate take no part in a batch's products.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/choose.h"
#include "selectors/methods.h"
#include "selectors/networks/sparse_net.h"
#include "selectors/networks/stochastic_gates.h"
#include "selectors/networks/training_length.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

enum class StgOptimiser { kAdam, kSgd };

struct StgOptions {
  int hidden_layers = 1;
  int hidden_units = 128;
  double sigma = 0.5;
  double lambda = 0;
  int search_rounds = 3;
  TrainingLength length = {.steps = 3000, .batch_size = 100};
  StgOptimiser optimizer = StgOptimiser::kAdam;
  double learning_rate = 1e-3;
  double weight_decay = 1e-3;
};

constexpr size_t kTrials = 3;    // runs of a search round, side by side
constexpr double kLeast = 1e-2;  // the search's range of lambda
constexpr double kMost = 1e2;
constexpr double kNearEnough = 0.1;  // of k, above it

struct GateRun {
  std::vector<double> means;
  size_t open = 0;
};

class StgTraining {
 public:
  // `runs` is how many there will be at most, for the progress.
  StgTraining(const Problem& problem, const StgOptions& options, uint64_t seed, int runs,
              const Context& context)
      : problem_(problem), options_(options), seed_(seed), runs_(runs), context_(context) {}

  // May be called from several threads at once.
  GateRun Run(double lambda) {
    const FeatureLayout& layout = problem_.layout;
    SparseNet net(problem_.train, problem_.valid,
                  {.hidden_layers = static_cast<size_t>(options_.hidden_layers),
                   .hidden_units = static_cast<size_t>(options_.hidden_units),
                   .changing = true,
                   .start = WeightStart::kTruncated},
                  RandomStream(seed_, 0));
    EvenBatches batches(problem_.train.rows(), static_cast<size_t>(options_.length.batch_size),
                        RandomStream(seed_, 1));
    StochasticGates gates(layout.features(), options_.sigma, RandomStream(seed_, 2));
    const RandomStream noise(seed_, 3);
    const int per_epoch = static_cast<int>(batches.per_epoch());
    const int steps = options_.length.Steps(batches.per_epoch());
    std::vector<char> in(layout.features());
    std::vector<float> d_gates(layout.features());
    double loss = 0;
    for (int step = 0; step < steps && !context_.ShouldStop(); ++step) {
      const size_t place = static_cast<size_t>(step % per_epoch);
      if (place == 0) {
        batches.Shuffle();
        Report(runs_ * steps, gates.Open(), loss);
      }
      const std::span<const float> drawn = gates.Draw(noise.Substream(static_cast<uint64_t>(step)));
      for (size_t j = 0; j < in.size(); ++j) in[j] = drawn[j] > 0 ? 1 : 0;
      net.SetActive(ColumnsOf(layout, in));
      ForEachColumn(layout, in, [&](size_t a, size_t j) { net.scale()[a] = drawn[j]; });
      loss = net.Gradients(batches.at(place));
      done_.fetch_add(1, std::memory_order_relaxed);
      std::fill(d_gates.begin(), d_gates.end(), 0.0f);
      ForEachColumn(layout, in, [&](size_t a, size_t j) { d_gates[j] += net.d_scale()[a]; });
      gates.SetGradient(d_gates, lambda, options_.weight_decay);
      if (options_.optimizer == StgOptimiser::kAdam) {
        net.AdamStep(options_.learning_rate, options_.weight_decay);
        gates.AdamStep(options_.learning_rate);
      } else {
        net.MomentumStep(options_.learning_rate, 0, options_.weight_decay);
        gates.PlainStep(options_.learning_rate);
      }
    }
    return {{gates.means().begin(), gates.means().end()}, gates.Open()};
  }

 private:
  // Calls body(place among the active columns, feature).
  template <class Body>
  static void ForEachColumn(const FeatureLayout& layout, std::span<const char> in, Body body) {
    size_t a = 0;
    for (size_t j = 0; j < in.size(); ++j) {
      if (!in[j]) continue;
      for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) body(a++, j);
    }
  }

  void Report(int steps, size_t open, double loss) const {
    if (context_.observer == nullptr) return;
    context_.observer->OnProgress({.phase = "gates",
                                   .step = done_.load(std::memory_order_relaxed),
                                   .steps = steps,
                                   .active_features = static_cast<int>(open),
                                   .loss = loss});
  }

  const Problem& problem_;
  const StgOptions& options_;
  uint64_t seed_;
  int runs_;
  std::atomic<int> done_ = 0;  // steps of all runs
  const Context& context_;
};

// How far a run is from k open gates; too few is worse than too many, whose order still tells.
double Distance(const GateRun& run, size_t k) {
  const double open = static_cast<double>(run.open), wanted = static_cast<double>(k);
  return open >= wanted ? open - wanted : 2 * (wanted - open);
}

constexpr SearchDimension kSearched[] = {
    SearchDimension::OneOf("batch_size", "32,64,128,256"),
    SearchDimension::Log("learning_rate", 3e-4, 1e-2),
    SearchDimension::LogWhole("steps", 1500, 6000),
    SearchDimension::LogWhole("hidden_units", 50, 400),
    SearchDimension::Linear("sigma", 0.25, 1),
    SearchDimension::OneOf("weight_decay", "0,0.0001,0.001,0.01"),
};

class StgSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const bool search = options_.lambda == 0;
    const int runs = search ? options_.search_rounds * static_cast<int>(kTrials) : 1;
    StgTraining training(problem, options_, seed, runs, context);
    if (!search) return ChooseTop(training.Run(options_.lambda).means, k);
    return ChooseTop(Search(training, static_cast<size_t>(k), context).means, k);
  }

  void DescribeOptions(OptionList& list) override {
    StgOptions& o = options_;
    list.Int("hidden_layers", &o.hidden_layers, 1, 16, "hidden layers of the network");
    list.Int("hidden_units", &o.hidden_units, 1, 65536, "units in each hidden layer");
    list.Real("sigma", &o.sigma, 1e-3, 10, "standard deviation of the gates' noise");
    list.Real("lambda", &o.lambda, 0, 1e9,
              "penalty on the mean probability of open gates; 0: found by search");
    list.Int("search_rounds", &o.search_rounds, 1, 16, "rounds of the search for lambda");
    o.length.Describe(" of one run", list);
    list.Choice("optimizer", &o.optimizer,
                {{"adam", StgOptimiser::kAdam}, {"sgd", StgOptimiser::kSgd}},
                "optimiser of network and gates");
    list.Real("learning_rate", &o.learning_rate, 1e-9, 10, "learning rate of network and gates");
    list.Real("weight_decay", &o.weight_decay, 0, 10, "weight decay of the network");
  }

  void DescribeSearch(SearchSpace& space) const override {
    space = {.dimensions = kSearched, .unchanged = 0.5, .budget = kTrainingBudget};
  }

 private:
  GateRun Search(StgTraining& training, size_t k, const Context& context) const {
    std::optional<GateRun> best;
    double low = std::log(kLeast), high = std::log(kMost);
    for (int round = 0; round < options_.search_rounds; ++round) {
      std::vector<GateRun> runs(kTrials);
      const double width = (high - low) / (kTrials + 1);
      context.pool->ParallelFor(kTrials, [&](size_t i) {
        runs[i] = training.Run(std::exp(low + width * static_cast<double>(i + 1)));
      });
      // Runs stand by growing lambda: so many of them leave more than k gates open.
      size_t more = 0;
      while (more < kTrials && runs[more].open > k) ++more;
      high = low + width * static_cast<double>(more + 1);
      low += width * static_cast<double>(more);
      for (GateRun& run : runs) {
        if (!best || Distance(run, k) < Distance(*best, k)) best = std::move(run);
      }
      if (Distance(*best, k) <= kNearEnough * static_cast<double>(k) || context.ShouldStop()) break;
    }
    return *best;
  }

  StgOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeStg() { return std::make_unique<StgSelector>(); }

}  // namespace slm
