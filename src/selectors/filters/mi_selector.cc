// Mutual information of each feature with the label, in nats.
//
// Numbers are judged by nearest neighbours (neighbour_mi.h), discrete features against
// classes by counting. A number with missing cells has both a discrete part D, missing or not, and
// a continuous part X, and the chain rule joins them: I(D, X; Y) = I(D; Y) + sum_d p(d) I(X; Y | D
// = d). With classes no feature is worth more than the entropy of the label. Rows of weight 0 are
// left out; other weights do not count, since neighbours have no weighted form.

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/options.h"
#include "base/thread_pool.h"
#include "numerics/count_tables.h"
#include "selectors/choose.h"
#include "selectors/filters/feature_values.h"
#include "selectors/filters/neighbour_mi.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct MiOptions {
  int neighbors = 3;
  int discrete_levels = 10;
};

// The label of some rows: codes for classes, else numbers.
struct SomeLabels {
  std::vector<uint32_t> classes;
  size_t count = 0;
  std::vector<float> values;
};

class FeatureInformation {
 public:
  FeatureInformation(const Problem& problem, const MiOptions& options, const Context& context)
      : columns_(problem),
        discrete_levels_(static_cast<size_t>(options.discrete_levels)),
        neighbours_(columns_.rows(), options.neighbors,
                    [&context] { return context.ShouldStop(); }),
        tables_(columns_.rows(), {}) {
    const Labels& y = problem.train.y;
    by_class_ = y.has_classes();
    for (uint32_t row : columns_.source_rows()) {
      if (by_class_) {
        labels_.classes.push_back(static_cast<uint32_t>(y.index[row]));
      } else {
        labels_.values.push_back(y.value[row]);
      }
    }
    labels_.count = static_cast<size_t>(y.classes);
    const std::vector<uint32_t> none(columns_.rows());
    if (by_class_) most_ = EntropyOf(none, 1);
  }

  double Of(size_t j) const {
    const FeatureValues feature = columns_.Feature(j, discrete_levels_);
    double information = feature.levels > 1 ? OfCodes(feature) : 0;
    if (!feature.numbers.empty()) information += GivenCodes(feature);
    return std::min(information, most_);
  }

 private:
  double EntropyOf(std::span<const uint32_t> codes, size_t levels) const {
    return tables_.Entropy(
        tables_.Sum(codes, levels, std::span<const uint32_t>(labels_.classes), labels_.count));
  }

  double OfCodes(const FeatureValues& feature) const {
    if (!by_class_) {
      return neighbours_.OfNumberAndClass(labels_.values, feature.codes, feature.levels);
    }
    const std::vector<uint32_t> none(columns_.rows());
    const double own = tables_.Entropy(
        tables_.Sum(none, 1, std::span<const uint32_t>(feature.codes), feature.levels));
    return std::max(0.0, own + most_ - EntropyOf(feature.codes, feature.levels));
  }

  double GivenCodes(const FeatureValues& feature) const {
    if (feature.levels == 1) return OfNumbers(feature.numbers, labels_);
    double sum = 0;
    for (size_t level = 0; level < feature.levels; ++level) {
      SomeLabels labels;
      labels.count = labels_.count;
      std::vector<std::vector<float>> numbers(feature.numbers.size());
      size_t rows = 0;
      for (size_t i = 0; i < columns_.rows(); ++i) {
        if (feature.codes[i] != level) continue;
        ++rows;
        if (by_class_) {
          labels.classes.push_back(labels_.classes[i]);
        } else {
          labels.values.push_back(labels_.values[i]);
        }
        for (size_t c = 0; c < numbers.size(); ++c) numbers[c].push_back(feature.numbers[c][i]);
      }
      const double share = static_cast<double>(rows) / static_cast<double>(columns_.rows());
      sum += share * OfNumbers({numbers.begin(), numbers.end()}, labels);
    }
    return sum;
  }

  // Of the best of several columns.
  double OfNumbers(const std::vector<std::span<const float>>& columns,
                   const SomeLabels& labels) const {
    double most = 0;
    for (std::span<const float> x : columns) {
      most =
          std::max(most, by_class_ ? neighbours_.OfNumberAndClass(x, labels.classes, labels.count)
                                   : neighbours_.OfNumbers(x, labels.values));
    }
    return most;
  }

  FeatureColumns columns_;
  size_t discrete_levels_;
  NeighbourMi neighbours_;
  CountTables tables_;
  bool by_class_ = false;
  SomeLabels labels_;
  double most_ = std::numeric_limits<double>::infinity();  // the entropy of the label
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::Whole("neighbors", 1, 20),
};

class MiSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    const FeatureInformation information(problem, options_, context);
    std::vector<double> scores(problem.layout.features());
    std::atomic<int> done = 0;
    context.pool->ParallelFor(scores.size(), [&](size_t j) {
      if (context.ShouldStop()) return;
      scores[j] = information.Of(j);
      const int step = ++done;
      if (context.observer != nullptr) {
        context.observer->OnProgress(
            {.phase = "features", .step = step, .steps = static_cast<int>(scores.size())});
      }
    });
    return ChooseTop(scores, k);
  }

  void DescribeOptions(OptionList& list) override {
    list.Int("neighbors", &options_.neighbors, 1, 100,
             "neighbours per estimate: more of them lower the variance and raise the bias");
    list.Int("discrete_levels", &options_.discrete_levels, 2, 65536,
             "columns with at most this many distinct values are treated as discrete");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  MiOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeMi() { return std::make_unique<MiSelector>(); }

}  // namespace slm
