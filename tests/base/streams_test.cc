#include "base/streams.h"

#include <gtest/gtest.h>

#include <set>

namespace slm {
namespace {

constexpr StreamOf kAll[] = {
    StreamOf::kRun,        StreamOf::kRefit,       StreamOf::kFinalPredictor, StreamOf::kJudge,
    StreamOf::kWinner,     StreamOf::kTrial,       StreamOf::kShuffle,        StreamOf::kBootstrap,
    StreamOf::kImportance, StreamOf::kSignificance};

TEST(StreamNumber, IsAnotherForEveryPurposeAndIndex) {
  std::set<uint64_t> seen;
  constexpr uint64_t kCount = 20000;
  for (StreamOf purpose : kAll) {
    for (uint64_t i = 0; i < kCount; ++i) {
      ASSERT_TRUE(seen.insert(StreamNumber(purpose, i)).second)
          << "purpose " << static_cast<int>(purpose) << ", index " << i;
    }
    ASSERT_TRUE(seen.insert(StreamNumber(purpose, (uint64_t{1} << 48) - 1)).second);
  }
}

TEST(StreamNumber, OfTheFirstIsWhereResultsOfEarlierVersionsHaveIt) {
  EXPECT_EQ(StreamNumber(StreamOf::kRun, 7), 7u);
  EXPECT_EQ(StreamNumber(StreamOf::kRefit, 1), 1001u);
  EXPECT_EQ(StreamNumber(StreamOf::kFinalPredictor, 3), 2003u);
  EXPECT_EQ(StreamNumber(StreamOf::kTrial, 255), 9255u);
}

TEST(StreamFor, GivesNumbersOfItsOwnBeyondTheFirst) {
  EXPECT_NE(StreamFor(1, StreamOf::kRun, 1000).Bits(), StreamFor(1, StreamOf::kRefit, 0).Bits());
  EXPECT_EQ(StreamFor(1, StreamOf::kRun, 1000).Bits(), StreamFor(1, StreamOf::kRun, 1000).Bits());
}

}  // namespace
}  // namespace slm
