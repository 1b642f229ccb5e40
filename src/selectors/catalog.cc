#include "selectors/catalog.h"

#include <string>
#include <vector>

#include "base/options.h"
#include "selectors/methods.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Sorted by name.
constexpr MethodEntry kMethods[] = {
    {"group-lasso-nn", "network with a group lasso on the input weights of each feature",
     "Feng, Simon: Sparse-Input Neural Networks for High-dimensional Nonparametric Regression and "
     "Classification, 2017",
     MethodKind::kSupervised, MakeGroupLassoNetwork},
    {"lassonet", "network with a skip connection, features leave as its penalty grows",
     "Lemhadri, Ruan, Abraham, Tibshirani: LassoNet: A Neural Network with Feature Sparsity, JMLR "
     "2021",
     MethodKind::kSupervised, MakeLassoNet},
    {"slm", "sparse learnable masks, trained end to end with the predictor",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks", MethodKind::kSupervised,
     MakeSlm},
    {"stg", "network behind stochastic gates, one for each feature, that a penalty closes",
     "Yamada, Lindenbaum, Negahban, Kluger: Feature Selection using Stochastic Gates, ICML 2020",
     MethodKind::kSupervised, MakeStg},
};

}  // namespace

std::span<const MethodEntry> Methods() { return kMethods; }

const MethodEntry& FindMethod(std::string_view name) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : kMethods) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  std::string near = NearestName(name, names);
  throw UsageError("there is no method '" + std::string(name) + "'; " +
                   (near.empty() ? "'slm methods' lists them" : "did you mean '" + near + "'?"));
}

}  // namespace slm
