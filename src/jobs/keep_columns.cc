#include "jobs/keep_columns.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "slm/errors.h"

namespace slm {

bool HoldKept(std::span<const int32_t> keep, std::vector<int>* features) {
  std::vector<int> missing;
  for (int32_t j : keep) {
    if (std::find(features->begin(), features->end(), j) == features->end()) missing.push_back(j);
  }
  for (size_t i = features->size(); i-- > 0 && !missing.empty();) {
    if (std::binary_search(keep.begin(), keep.end(), (*features)[i])) continue;
    (*features)[i] = missing.back();
    missing.pop_back();
    if (missing.empty()) return true;
  }
  return false;
}

void HoldKept(std::span<const int32_t> keep, Choice* choice) {
  const std::vector<int> chosen = choice->features;
  if (!HoldKept(keep, &choice->features)) return;
  choice->model = {};
  for (size_t i = 0; i < chosen.size(); ++i) {
    const int now = choice->features[i];
    if (now == chosen[i]) continue;
    choice->weights[static_cast<size_t>(chosen[i])] = 0;
    choice->weights[static_cast<size_t>(now)] = std::numeric_limits<float>::quiet_NaN();
  }
}

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
