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
    {"anova", "F statistic over the classes, or of the correlation with the value",
     "Fisher: Statistical Methods for Research Workers, 1925", MethodKind::kSupervised, MakeAnova},
    {"fisher", "Fisher score: variance between classes over variance inside them; classes only",
     "Duda, Hart, Stork: Pattern Classification, Wiley 2001", MethodKind::kSupervised, MakeFisher},
    {"random", "features drawn by lot: the line that every method has to beat", "",
     MethodKind::kReference, MakeRandom},
    {"omp",
     "orthogonal matching pursuit: the feature that explains most of what is left, each time",
     "Pati, Rezaiifar, Krishnaprasad: Orthogonal Matching Pursuit, Asilomar 1993; Tropp, Gilbert, "
     "Strauss: Algorithms for Simultaneous Sparse Approximation, Signal Processing 2006",
     MethodKind::kSupervised, MakeOmp},
    {"rf", "random forest, mean decrease in impurity",
     "Breiman: Random Forests, Machine Learning 2001", MethodKind::kSupervised, MakeRandomForest},
    {"slm", "sparse learnable masks, trained end to end with the predictor",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks", MethodKind::kSupervised,
     MakeSlm},
    {"variance", "variance of each feature over its range, whatever its unit", "",
     MethodKind::kUnsupervised, MakeVariance},
    {"slm-hsic", "sparse learnable masks with the HSIC objective instead of mutual information",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks, section A.8",
     MethodKind::kSupervised, MakeSlmHsic},
    {"softmax-topk", "SLM with the softmax of the k largest in place of the exact sparse mask",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks, section A.5",
     MethodKind::kSupervised, MakeSoftmaxTopK},
    {"sparsemax-free", "SLM with plain sparsemax, whose number of features is free until the end",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks, section A.5",
     MethodKind::kSupervised, MakeSparsemaxFree},
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
