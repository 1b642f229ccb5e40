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
    {"lasso", "L1 penalty, lowered until k features are active",
     "Tibshirani: Regression Shrinkage and Selection via the Lasso, JRSS B 1996",
     MethodKind::kSupervised, MakeLasso},
    {"linear", "size of the coefficients of logistic or ridge regression",
     "Hoerl, Kennard: Ridge Regression: Biased Estimation for Nonorthogonal Problems, "
     "Technometrics 1970; le Cessie, van Houwelingen: Ridge Estimators in Logistic Regression, "
     "Applied Statistics 1992",
     MethodKind::kSupervised, MakeLinear},
    {"omp",
     "orthogonal matching pursuit: the feature that explains most of what is left, each time",
     "Pati, Rezaiifar, Krishnaprasad: Orthogonal Matching Pursuit, Asilomar 1993; Tropp, Gilbert, "
     "Strauss: Algorithms for Simultaneous Sparse Approximation, Signal Processing 2006",
     MethodKind::kSupervised, MakeOmp},
    {"slm", "sparse learnable masks, trained end to end with the predictor",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks", MethodKind::kSupervised,
     MakeSlm},
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
