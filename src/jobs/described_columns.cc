#include "jobs/described_columns.h"

#include <set>
#include <vector>

#include "slm/errors.h"

namespace slm {
namespace {

bool SameColumn(const SelectedFeature& a, const SelectedFeature& b) {
  return a.rank == b.rank && a.name == b.name && a.index == b.index && a.kept == b.kept &&
         a.columns == b.columns;
}

}  // namespace

std::string WrongWith(std::span<const SelectedFeature> selected, size_t count,
                      const Preparation& prepared) {
  if (selected.size() != count) {
    return "has " + std::to_string(selected.size()) + " columns instead of " +
           std::to_string(count);
  }
  Choice choice;
  try {
    choice.features = prepared.FeaturesOf(selected);
  } catch (const InputError&) {
    return "has a column that cannot be chosen";
  }
  const std::set<int> distinct(choice.features.begin(), choice.features.end());
  if (distinct.size() != count) return "has a column twice";
  for (int32_t kept : prepared.problem().keep) {
    if (!distinct.contains(kept)) return "lacks a column that is kept";
  }
  choice.weights.resize(prepared.problem().layout.features());
  const std::vector<SelectedFeature> expected = prepared.Describe(choice);
  for (size_t i = 0; i < count; ++i) {
    if (!SameColumn(selected[i], expected[i])) return "describes a column wrongly";
  }
  return "";
}

}  // namespace slm
