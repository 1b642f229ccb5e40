#pragma once

// The computation whose state is read by the targets and written into their seeds.

#include "base/json.h"
#include "slm/problem.h"
#include "tests/mask/small_problem.h"

namespace slm {

inline constexpr int kPieces = 6;     // kinds of pieces in a checkpoint
inline constexpr int kSeedCount = 2;  // features of a choice in one

inline const Problem& SeedProblem() {
  static const SmallProblem small(SmallTask::kManyClasses, /*weighted=*/false, 7);
  return small.problem;
}

inline Json SeedIdentity() {
  Json identity = Json::MakeObject();
  identity.Add("command", "select");
  identity.Add("k", 3);
  return identity;
}

}  // namespace slm
