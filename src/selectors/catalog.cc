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
    {"mi", "mutual information with the label, from distances to nearest neighbours",
     "Kraskov, Stoegbauer, Grassberger: Estimating mutual information, Phys. Rev. E 2004; Ross: "
     "Mutual Information between Discrete and Continuous Data Sets, PLoS ONE 2014",
     MethodKind::kSupervised, MakeMi},
    {"random", "features drawn by lot: the line that every method has to beat", "",
     MethodKind::kReference, MakeRandom},
    {"slm", "sparse learnable masks, trained end to end with the predictor",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks", MethodKind::kSupervised,
     MakeSlm},
    {"variance", "variance of each feature over its range, whatever its unit", "",
     MethodKind::kUnsupervised, MakeVariance},
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
