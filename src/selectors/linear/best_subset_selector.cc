// Best subset by splicing: from the k features that promise most alone, exchange those whose loss
// would be felt least for those that would win most, and keep an exchange if the loss then falls by
// more than
//
//   tau = threshold k log(features) log(log(rows)) / rows
//
// Exchanges are tried from the largest size down, by halves, and the search ends when not even one
// feature for one helps. Features of several columns are exchanged whole.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/options.h"
#include "selectors/choose.h"
#include "selectors/linear/subset_model.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct BestSubsetOptions {
  int exchange = 5;
  int max_splices = 1000;
  double threshold = 0.01;
  double l2 = 1;
};

class Splicing {
 public:
  Splicing(const Problem& problem, int k, const BestSubsetOptions& options, const Context& context)
      : features_(problem.layout.features()),
        k_(static_cast<size_t>(k)),
        options_(options),
        context_(context),
        model_(problem.train.y.has_classes()
                   ? MakeSubsetLogistic(problem, options.l2, context)
                   : MakeSubsetSquared(problem, options.l2, *context.pool)),
        sacrifices_(features_) {
    const double rows = static_cast<double>(problem.train.rows());
    tau_ = options.threshold * k * std::log(static_cast<double>(features_)) *
           std::max(0.0, std::log(std::log(std::max(rows, 3.0)))) / rows;
  }

  Choice Run() {
    model_->Sacrifices(sacrifices_, context_);
    const std::vector<size_t> first = Ordered(Complement({}), false);
    active_.assign(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(k_));
    std::sort(active_.begin(), active_.end());
    if (!context_.ShouldStop()) {
      loss_ = model_->Fit(active_, std::numeric_limits<double>::infinity(), context_);
      model_->Accept();
      model_->Sacrifices(sacrifices_, context_);
    }
    const size_t most = std::min({static_cast<size_t>(options_.exchange), k_, features_ - k_});
    size_t size = most;
    for (int splice = 0; size > 0 && splice < options_.max_splices && !context_.ShouldStop();
         ++splice) {
      const size_t exchanged = Exchange(size);
      // Small exchanges stay small while they help; the end is only believed of the largest.
      const size_t next = exchanged > 0 ? exchanged : size < most ? most : 0;
      size = next;
      if (context_.observer != nullptr) {
        context_.observer->OnProgress({.phase = "splices",
                                       .step = splice + 1,
                                       .steps = options_.max_splices,
                                       .active_features = static_cast<int>(k_),
                                       .loss = loss_});
      }
    }
    const std::vector<size_t> order = Ordered(active_, false);
    return ChooseInOrder(std::vector<int>(order.begin(), order.end()), sacrifices_);
  }

 private:
  std::vector<size_t> Complement(std::span<const size_t> of) const {
    std::vector<size_t> out;
    for (size_t j = 0; j < features_; ++j) {
      if (!std::binary_search(of.begin(), of.end(), j)) out.push_back(j);
    }
    return out;
  }

  // By their sacrifices, ties to the earlier.
  std::vector<size_t> Ordered(std::vector<size_t> which, bool ascending) const {
    std::stable_sort(which.begin(), which.end(), [&](size_t a, size_t b) {
      return ascending ? sacrifices_[a] < sacrifices_[b] : sacrifices_[a] > sacrifices_[b];
    });
    return which;
  }

  // Tries exchanges of at most `size` features; returns the size of the one that was kept, or 0.
  size_t Exchange(size_t size) {
    const std::vector<size_t> out = Ordered(active_, true);
    const std::vector<size_t> in = Ordered(Complement(active_), false);
    for (; size > 0 && !context_.ShouldStop(); size /= 2) {
      std::vector<size_t> tried(out.begin() + static_cast<std::ptrdiff_t>(size), out.end());
      tried.insert(tried.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(size));
      std::sort(tried.begin(), tried.end());
      const double loss = model_->Fit(tried, loss_ - tau_, context_);
      if (!(loss < loss_ - tau_)) continue;
      model_->Accept();
      model_->Sacrifices(sacrifices_, context_);
      active_ = std::move(tried);
      loss_ = loss;
      return size;
    }
    return 0;
  }

  size_t features_;
  size_t k_;
  const BestSubsetOptions& options_;
  const Context& context_;
  std::unique_ptr<SubsetModel> model_;
  double tau_ = 0;
  double loss_ = 0;
  std::vector<double> sacrifices_;
  std::vector<size_t> active_;  // ascending
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::Log("l2", 0.1, 100),
    SearchDimension::Whole("exchange", 1, 10),
};

class BestSubsetSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    return Splicing(problem, k, options_, context).Run();
  }

  void DescribeOptions(OptionList& list) override {
    list.Int("exchange", &options_.exchange, 1, 1000, "most features exchanged at once");
    list.Int("max_splices", &options_.max_splices, 0, 1000000, "most exchanges");
    list.Real("threshold", &options_.threshold, 0, 1000,
              "gain that an exchange needs, in units of k log(features) log(log(rows)) / rows");
    list.Real("l2", &options_.l2, 0, 1e12,
              "L2 penalty, which keeps the coefficients of separable classes finite");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  BestSubsetOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeBestSubset() { return std::make_unique<BestSubsetSelector>(); }

}  // namespace slm
