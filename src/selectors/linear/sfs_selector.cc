// Sequential forward selection: the feature with which a linear model predicts rows held out best
// joins those that it has, one after another. With `floating`, after each that joins, those leave
// whose absence is better than the best that was known of so few features (Pudil, Novovicova,
// Kittler 1994); as the best of each size only rises, that ends.

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "base/options.h"
#include "base/thread_pool.h"
#include "selectors/choose.h"
#include "selectors/linear/held_out_linear.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "slm/errors.h"

namespace slm {
namespace {

struct SfsOptions {
  HeldOutOptions held_out;
  bool floating = false;
};

class SequentialSearch {
 public:
  SequentialSearch(const Problem& problem, size_t k, const SfsOptions& options,
                   const Context& context)
      : k_(k),
        options_(options),
        context_(context),
        model_(problem, options.held_out, context),
        scores_(problem.layout.features()),
        best_(k + 1) {}

  Choice Run() {
    while (chosen_.size() < k_ && !context_.ShouldStop()) {
      if (!Add()) break;
      while (options_.floating && chosen_.size() > 2 && !context_.ShouldStop()) {
        if (!Remove()) break;
      }
    }
    FillUp();
    return ChooseInOrder(chosen_, scores_);
  }

 private:
  // The best of the sets that differ from the chosen ones by each of `features`; nothing if time
  // ran out.
  std::optional<size_t> BestOf(const std::vector<int>& features, bool without,
                               std::vector<Measure>* measures) {
    model_.SetBase(chosen_, context_);
    measures->assign(features.size(), {});
    context_.pool->ParallelFor(features.size(), [&](size_t i) {
      if (context_.ShouldStop()) return;
      std::vector<int> set = chosen_;
      if (without) {
        std::erase(set, features[i]);
      } else {
        set.push_back(features[i]);
      }
      (*measures)[i] = model_.MeasureOf(set, context_);
    });
    if (context_.ShouldStop()) return std::nullopt;
    size_t best = 0;
    for (size_t i = 1; i < features.size(); ++i) {
      if ((*measures)[i].BetterThan((*measures)[best])) best = i;
    }
    return best;
  }

  bool Add() {
    std::vector<int> others;
    for (int j = 0; j < static_cast<int>(scores_.size()); ++j) {
      if (std::find(chosen_.begin(), chosen_.end(), j) == chosen_.end()) others.push_back(j);
    }
    std::vector<Measure> measures;
    const std::optional<size_t> best = BestOf(others, false, &measures);
    if (!best) return false;
    const double before = best_[chosen_.size()] ? best_[chosen_.size()]->quality : 0;
    for (size_t i = 0; i < others.size(); ++i) {
      scores_[static_cast<size_t>(others[i])] = measures[i].quality - before;
    }
    chosen_.push_back(others[*best]);
    Keep(measures[*best]);
    if (context_.observer != nullptr) {
      context_.observer->OnProgress({.phase = "forward",
                                     .step = static_cast<int>(chosen_.size()),
                                     .steps = static_cast<int>(k_),
                                     .active_features = static_cast<int>(chosen_.size()),
                                     .loss = measures[*best].loss,
                                     .valid_metric = measures[*best].quality});
    }
    return true;
  }

  // Takes out the feature that is missed least, if those left are better than any so many before.
  // The one that has just joined stays: without it they are what they were.
  bool Remove() {
    const std::vector<int> older(chosen_.begin(), chosen_.end() - 1);
    std::vector<Measure> measures;
    const std::optional<size_t> least = BestOf(older, true, &measures);
    if (!least || !measures[*least].BetterThan(*best_[chosen_.size() - 1])) return false;
    std::erase(chosen_, older[*least]);
    Keep(measures[*least]);
    return true;
  }

  void Keep(const Measure& measure) {
    std::optional<Measure>& known = best_[chosen_.size()];
    if (!known || measure.BetterThan(*known)) known = measure;
  }

  // Where time ran out, with those that did best in the last round that was finished.
  void FillUp() {
    std::vector<int> order(scores_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return scores_[static_cast<size_t>(a)] > scores_[static_cast<size_t>(b)];
    });
    for (int j : order) {
      if (chosen_.size() == k_) return;
      if (std::find(chosen_.begin(), chosen_.end(), j) == chosen_.end()) chosen_.push_back(j);
    }
  }

  const size_t k_;
  const SfsOptions& options_;
  const Context& context_;
  HeldOutLinear model_;
  std::vector<int> chosen_;
  std::vector<double> scores_;                // quality won, when last tried
  std::vector<std::optional<Measure>> best_;  // of each number of features
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::Log("l2", 1e-3, 1e3),
    SearchDimension::OneOf("floating", "false,true"),
};

class SfsSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context& context) override {
    return SequentialSearch(problem, static_cast<size_t>(k), options_, context).Run();
  }

  MemoryNeed Memory(const Problem& problem, int k) const override {
    // For values also a row of second moments for each column that was chosen.
    const double columns = static_cast<double>(problem.layout.columns());
    const double chosen = columns * k / static_cast<double>(problem.layout.features());
    double each = sizeof(float) * static_cast<double>(problem.train.rows());
    if (problem.train.y.has_values()) each += sizeof(double) * chosen;
    return {options_.held_out.folds * each * columns,
            "each fold has its rows; lower " + FieldRef("sfs_folds")};
  }

  void DescribeOptions(OptionList& list) override {
    HeldOutOptions& held_out = options_.held_out;
    list.Bool("floating", &options_.floating, "also take features out again where that is better");
    list.Int("sfs_folds", &held_out.folds, 2, 100,
             "parts of the training rows, each held out in turn to measure a set on");
    list.Real("l2", &held_out.l2, 1e-12, 1e12,
              "strength of the penalty: alpha of ridge regression, 1 / C of logistic regression");
    list.Real("tolerance", &held_out.tolerance, 1e-12, 1,
              "largest derivative of the mean loss at which logistic regression has converged");
    list.Int("max_steps", &held_out.max_steps, 1, 100000,
             "most Newton steps of logistic regression");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  SfsOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeSfs() { return std::make_unique<SfsSelector>(); }

}  // namespace slm
