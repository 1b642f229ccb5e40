#include "eval/keep_choice.h"

#include <span>

#include "base/text.h"
#include "nn/keep.h"

namespace slm {

void Exchange(Archive& archive, Choice& choice, const Problem& problem) {
  const size_t d = problem.layout.features();
  archive.Indices(choice.features, d);
  choice.weights.resize(d);
  choice.scores.resize(d);
  archive.Fixed(std::span(choice.weights));
  archive.Fixed(std::span(choice.scores));
  Exchange(archive, choice.model, {problem.layout.columns(), problem.train.y.outputs()});
}

void Exchange(Archive& archive, std::vector<SelectedFeature>& selected) {
  archive.List(selected, [&](SelectedFeature& feature) {
    archive.Value(feature.rank);
    archive.Text(feature.name);
    archive.Value(feature.index);
    archive.Value(feature.weight);
  });
}

FitResult FitOrFind(const std::string& name, const Problem& problem,
                    std::span<const int32_t> columns, const FitOptions& options,
                    RandomStream random, const Context& context) {
  // A selection that ran out of time may come to other columns when it is done again.
  uint64_t hash = MixBits(columns.size());
  for (int32_t column : columns) hash = MixBits(hash + static_cast<uint64_t>(column) + 1);
  const ModelBounds bounds{problem.layout.columns(), problem.train.y.outputs()};
  return Piece(
      context, name + " on " + FormatHex(hash),
      [&](Archive& archive, FitResult& result) { Exchange(archive, result, bounds); },
      [&](const Context& own) {
        return Fit(problem.train, problem.valid, columns, options, random, own);
      });
}

Choice SelectOrFind(const std::string& name, Selector& selector, const Problem& problem, int k,
                    uint64_t seed, const Context& context) {
  return Piece(
      context, name, [&](Archive& archive, Choice& choice) { Exchange(archive, choice, problem); },
      [&](const Context& own) { return selector.Select(problem, k, seed, own); });
}

}  // namespace slm
