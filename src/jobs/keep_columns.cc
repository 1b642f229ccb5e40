#include "jobs/keep_columns.h"

#include <set>
#include <string>

#include "selectors/choose.h"
#include "slm/errors.h"

namespace slm {

void RequireExactly(std::span<const int> features, int k) {
  const std::set<int> distinct(features.begin(), features.end());
  if (features.size() == static_cast<size_t>(k) && distinct.size() == features.size()) return;
  throw RuntimeFailure("the method chose " + std::to_string(distinct.size()) +
                       " columns instead of " + std::to_string(k) +
                       "; this is a defect of the method, choose another");
}

Choice SelectKept(Selector& selector, const Problem& problem, int k, uint64_t seed,
                  const Context& context) {
  Choice choice = selector.Select(problem, k, seed, context);
  HoldKept(problem.keep, &choice);
  RequireExactly(choice.features, k);
  return choice;
}

std::vector<PathSet> SelectEachKept(Selector& selector, const Problem& problem,
                                    std::span<const int> ks, uint64_t seed,
                                    const Context& context) {
  std::vector<PathSet> sets = selector.SelectEach(problem, ks, seed, context);
  for (PathSet& set : sets) {
    HoldKept(problem.keep, &set.features);
    RequireExactly(set.features, set.k);
  }
  return sets;
}

}  // namespace slm
