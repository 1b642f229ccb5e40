#pragma once

// Which random numbers belong to whom. Parts of one computation share its seed and differ by their
// stream, so no two parts may have the same one, however many there are of each kind.

#include <cstdint>

#include "base/random.h"

namespace slm {

enum class StreamOf : uint8_t {
  kRun,             // a run of the mask
  kRefit,           // a predictor that judges the columns of a run
  kFinalPredictor,  // a member of the predictor that stays
  kJudge,           // a predictor that judges a finished selection
  kWinner,          // a member of the winner's predictor in a search over options
  kTrial,           // the options of a trial in such a search
  kShuffle,         // the labels of a null run
  kBootstrap,       // the rows of a resample
  kImportance,      // what the importance of a column is measured with
  kSignificance,    // the copies of columns that tests of significance compare with
};

// Streams below this index have the small numbers that results of earlier versions were found with;
// those from it on have numbers that say whose they are. Refits of no sensible search are as many.
inline constexpr uint64_t kNearStreams = 256;

// The number of stream `index` of a purpose: another one for every pair. The index is below 2^48.
constexpr uint64_t StreamNumber(StreamOf purpose, uint64_t index) {
  constexpr uint64_t kFirst[] = {0, 1000, 2000, 7000, 8000, 9000, 1460, 45063, 46000, 47000};
  const uint64_t kind = static_cast<uint64_t>(purpose);
  return index < kNearStreams ? kFirst[kind] + index : (kind + 1) << 48 | index;
}

inline RandomStream StreamFor(uint64_t seed, StreamOf purpose, uint64_t index) {
  return RandomStream(seed, StreamNumber(purpose, index));
}

}  // namespace slm
