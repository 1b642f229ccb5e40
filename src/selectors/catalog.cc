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
    {"concrete-ae", "concrete autoencoder: the features from which all others are rebuilt best",
     "Balin, Abid, Zou: Concrete Autoencoders: Differentiable Feature Selection and "
     "Reconstruction, ICML 2019",
     MethodKind::kUnsupervised, MakeConcreteAutoencoder},
    {"fsnet", "concrete selector with predicted weights, for few rows and very many columns",
     "Singh, Climente-Gonzalez, Petrovich, Kawakami, Yamada: FsNet: Feature Selection Network on "
     "High-dimensional Biological Data, arXiv 2001.08322, 2020",
     MethodKind::kSupervised, MakeFsNet},
    {"seq-attention", "sequential attention: one feature after the other inside one training run",
     "Yasuda, Bateni, Chen, Fahrbach, Fu, Mirrokni: Sequential Attention for Feature Selection, "
     "ICLR 2023",
     MethodKind::kSupervised, MakeSequentialAttention},
    {"slm", "sparse learnable masks, trained end to end with the predictor",
     "SLM: End-to-end Feature Selection via Sparse Learnable Masks", MethodKind::kSupervised,
     MakeSlm},
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
