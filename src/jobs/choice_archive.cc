#include "jobs/choice_archive.h"

#include <span>

#include "jobs/keep_columns.h"
#include "nn/model_archive.h"

namespace slm {

void Serialize(Archive& archive, Choice& choice, const Problem& problem) {
  const size_t d = problem.layout.features();
  archive.Indices(choice.features, d);
  choice.weights.resize(d);
  choice.scores.resize(d);
  archive.Fixed(std::span(choice.weights));
  archive.Fixed(std::span(choice.scores));
  Serialize(archive, choice.model, {problem.layout.columns(), problem.train.y.outputs()});
}

Choice SelectOrFind(const std::string& name, Selector& selector, const Problem& problem, int k,
                    uint64_t seed, const Context& context) {
  return Checkpointed(
      context, name, [&](Archive& archive, Choice& choice) { Serialize(archive, choice, problem); },
      [&](const Context& own) { return SelectKept(selector, problem, k, seed, own); });
}

}  // namespace slm
