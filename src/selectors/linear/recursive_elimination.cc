#include "selectors/linear/recursive_elimination.h"

#include <algorithm>
#include <numeric>

#include "base/options.h"
#include "selectors/choose.h"

namespace slm {

void DescribeOptions(EliminationOptions& o, OptionList& list) {
  list.Real("step", &o.step, 0, 1,
            "share of the features above k that a round removes, at least one; 0: one by one");
}

RecursiveElimination::RecursiveElimination(const FeatureLayout& layout,
                                           const EliminationOptions& options, ShrinkingModel& model)
    : layout_(layout),
      options_(options),
      model_(model),
      left_(layout.features()),
      weight_(layout.features()) {
  std::iota(left_.begin(), left_.end(), size_t{0});
}

void RecursiveElimination::Fit(const Context& context) {
  const std::vector<double> squares = model_.Fit(layout_.ColumnsOf<size_t>(left_), context);
  fitted_ = true;
  if (squares.empty()) return;
  size_t at = 0;
  for (size_t j : left_) {
    weight_[j] = 0;
    for (int32_t c = layout_.offsets[j]; c < layout_.offsets[j + 1]; ++c) {
      weight_[j] += squares[at++];
    }
  }
}

void RecursiveElimination::ReduceTo(size_t k, const Context& context) {
  const size_t surplus = left_.size() - k;
  while (left_.size() > k && (!fitted_ || !context.ShouldStop())) {
    Fit(context);
    if (context.ShouldStop()) return;  // with weights of a model that is not done
    const size_t above = left_.size() - k;
    const size_t count = std::clamp<size_t>(
        static_cast<size_t>(options_.step * static_cast<double>(above)), 1, above);
    // Of equals the later one goes first.
    std::vector<size_t> order(left_.rbegin(), left_.rend());
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return weight_[a] < weight_[b]; });
    removed_.insert(removed_.end(), order.begin(),
                    order.begin() + static_cast<std::ptrdiff_t>(count));
    left_.assign(order.begin() + static_cast<std::ptrdiff_t>(count), order.end());
    std::sort(left_.begin(), left_.end());
    if (context.observer != nullptr) {
      context.observer->OnProgress({.phase = "elimination",
                                    .step = static_cast<int>(surplus - (left_.size() - k)),
                                    .steps = static_cast<int>(surplus),
                                    .active_features = static_cast<int>(left_.size())});
    }
  }
  if (!context.ShouldStop()) Fit(context);
}

std::vector<int> RecursiveElimination::Left() const {
  std::vector<int> order(left_.begin(), left_.end());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return weight_[static_cast<size_t>(a)] > weight_[static_cast<size_t>(b)];
  });
  return order;
}

Choice RecursiveElimination::Choose(size_t k) const {
  std::vector<int> order = Left();
  std::vector<double> scores(layout_.features());
  for (size_t i = 0; i < removed_.size(); ++i) scores[removed_[i]] = static_cast<double>(i);
  for (size_t i = 0; i < order.size(); ++i) {
    scores[static_cast<size_t>(order[i])] = static_cast<double>(scores.size() - 1 - i);
  }
  order.resize(k);
  return ChooseInOrder(order, scores);
}

Choice SelectByElimination(const Problem& problem, int k, const EliminationOptions& options,
                           ShrinkingModel& model, const Context& context) {
  RecursiveElimination elimination(problem.layout, options, model);
  elimination.ReduceTo(static_cast<size_t>(k), context);
  return elimination.Choose(static_cast<size_t>(k));
}

std::vector<PathSet> SelectEachByElimination(const Problem& problem, std::span<const int> ks,
                                             const EliminationOptions& options,
                                             ShrinkingModel& model, const Context& context) {
  RecursiveElimination elimination(problem.layout, options, model);
  std::vector<PathSet> sets;
  for (size_t i = ks.size(); i-- > 0;) {
    elimination.ReduceTo(static_cast<size_t>(ks[i]), context);
    if (context.ShouldStop()) break;
    sets.insert(sets.begin(), PathSet{ks[i], elimination.Left()});
  }
  return sets;
}

}  // namespace slm
