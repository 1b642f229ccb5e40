#include "targets/losses.h"

#include <algorithm>

#include "base/options.h"
#include "slm/errors.h"
#include "targets/target.h"

namespace slm {
namespace {

std::vector<const LossKind*> All() {
#define SLM_LIST_LOSS(name) &name(),
  return {SLM_FOR_EACH_LOSS(SLM_LIST_LOSS)};
#undef SLM_LIST_LOSS
}

}  // namespace

std::span<const LossKind* const> Losses() {
  static const std::vector<const LossKind*> losses = All();
  return losses;
}

const LossKind& FindLoss(std::string_view name, const Labels& labels) {
  std::vector<std::string> names;
  std::string fitting = "auto";
  const LossKind* found = nullptr;
  for (const LossKind* loss : Losses()) {
    const bool fits = loss->task == labels.task;
    if (fits && name == "auto" && loss->by_default) return *loss;
    if (loss->name == name && fits) return *loss;
    names.emplace_back(loss->name);
    if (fits) fitting += ", " + names.back();
    if (loss->name == name) found = loss;
  }
  if (found != nullptr) {
    throw UsageError("the loss '" + std::string(name) + "' is for " +
                     std::string(TargetOf(found->task).name()) + ", and the task is " +
                     std::string(TargetOf(labels.task).name()) + "; take one of: " + fitting);
  }
  const std::string near = NearestName(name, names);
  throw UsageError("there is no loss '" + std::string(name) + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   " For this task there are: " + fitting);
}

const LossKind& SmoothLoss(const Labels& labels) {
  return labels.has_classes() ? CrossEntropyLoss() : SquaredLoss();
}

}  // namespace slm
