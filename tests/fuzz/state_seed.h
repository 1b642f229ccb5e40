#pragma once

// The computation whose state is read by the targets and written into their seeds.

#include <algorithm>
#include <string>
#include <string_view>

#include "base/checkpoint.h"
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

// The file with the checksum that its content should have.
inline std::string WithChecksum(std::string_view bytes) {
  const size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view head = bytes.substr(0, end);
  constexpr std::string_view kKey = "\"checksum\":\"";
  const size_t key = head.find(kKey);
  const size_t close = key == head.npos ? key : head.find('"', key + kKey.size());
  if (close == head.npos || end == bytes.size()) return std::string(bytes);
  const std::string_view content = bytes.substr(end + 1);
  return std::string(head.substr(0, key + kKey.size())) + Checkpoint::ChecksumOf(content) +
         std::string(bytes.substr(close));
}

}  // namespace slm
