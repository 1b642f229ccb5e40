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
  // Written out rather than by Checkpointed, to keep the way to the training short.
  const Context own = context.Inside(name);
  Choice choice;
  auto serialize = [&](Archive& archive) { Serialize(archive, choice, problem); };
  Checkpoint* checkpoint = own.checkpoint;
  if (checkpoint != nullptr && checkpoint->FindFinished(own.place, serialize)) return choice;
  choice = selector.Select(problem, k, seed, own);
  HoldKept(problem.keep, &choice);
  if (checkpoint != nullptr && !own.ShouldStop()) checkpoint->Finish(own.place, serialize);
  return choice;
}

}  // namespace slm
