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
    {"adversarial", "adversarial validation: drops what tells training from test rows, then ranks",
     "Pan, Pham, Dorairaj, Chen, Lee: Adversarial Validation Approach to Concept Drift Problem in "
     "User Targeting Automation Systems at Uber, AdKDD 2020",
     MethodKind::kSupervised, MakeAdversarial},
    {"hsic-lasso", "block HSIC Lasso: non-negative lasso on kernels of features and label",
     "Climente-Gonzalez, Azencott, Kaski, Yamada: Block HSIC Lasso: Model-Free Biomarker Detection "
     "for Ultra-High Dimensional Data, Bioinformatics 2019",
     MethodKind::kSupervised, MakeHsicLasso},
    {"pfa", "principal feature analysis: one feature of each cluster of like loadings",
     "Lu, Cohen, Zhou, Tian: Feature Selection Using Principal Feature Analysis, ACM Multimedia "
     "2007",
     MethodKind::kUnsupervised, MakePfa},
    {"rf", "random forest, mean decrease in impurity",
     "Breiman: Random Forests, Machine Learning 2001", MethodKind::kSupervised, MakeRandomForest},
    {"slm", "sparse learnable masks, trained end to end with the predictor",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks", MethodKind::kSupervised,
     MakeSlm},
    {"xgboost", "gradient boosted trees, gain of the splits; needs libxgboost",
     "Chen, Guestrin: XGBoost: A Scalable Tree Boosting System, KDD 2016", MethodKind::kSupervised,
     MakeXgboost},
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
