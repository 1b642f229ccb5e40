#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/machine.h"
#include "base/stop_check.h"

namespace slm {
namespace {

TEST(ThreadPool, RunsEveryIndexOnceAtAnyNumberOfThreads) {
  for (int threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (size_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> runs(count);
      pool.ParallelFor(count, [&](size_t i) { ++runs[i]; });
      for (const std::atomic<int>& run : runs) EXPECT_EQ(run, 1);
    }
  }
}

TEST(ThreadPool, ZeroThreadsMeansOneForEachCore) {
  EXPECT_EQ(ThreadPool(0).threads(), UsableCores());
}

TEST(ThreadPool, ALoopInsideALoopRunsInLine) {
  ThreadPool pool(4);
  std::vector<std::atomic<int>> runs(64);
  pool.ParallelFor(8, [&](size_t i) { pool.ParallelFor(8, [&](size_t j) { ++runs[i * 8 + j]; }); });
  for (const std::atomic<int>& run : runs) EXPECT_EQ(run, 1);
}

TEST(ThreadPool, RethrowsTheExceptionOfTheLowestIndexAfterTheRestHasRun) {
  ThreadPool pool(4);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> runs = 0;
    try {
      pool.ParallelFor(100, [&](size_t i) {
        ++runs;
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
    EXPECT_EQ(runs, 100);
  }
}

TEST(ThreadPool, WorksAgainAfterAnException) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.ParallelFor(4, [](size_t) { throw std::runtime_error(""); }),
               std::runtime_error);
  std::atomic<int> runs = 0;
  pool.ParallelFor(4, [&](size_t) { ++runs; });
  EXPECT_EQ(runs, 4);
}

TEST(ThreadPool, WorkThatIsGivenUpEndsSoonAndThrowsWhatTheCheckThrows) {
  for (int threads : {1, 4}) {
    ThreadPool pool(threads);
    std::atomic<int> runs = 0;
    {
      const StopCheck check([&] {
        if (runs >= 10) throw std::runtime_error("given up");
      });
      EXPECT_THROW(pool.ParallelFor(100000, [&](size_t) { ++runs; }), std::runtime_error);
    }
    EXPECT_LE(runs, 10 + threads);
    pool.ParallelFor(100, [&](size_t) { ++runs; });  // without the check again
    EXPECT_GE(runs, 110);
  }
}

TEST(ThreadPool, ALoopInsideALoopIsGivenUpToo) {
  ThreadPool pool(4);
  std::atomic<int> runs = 0;
  const StopCheck check([&] {
    if (runs >= 10) throw std::runtime_error("given up");
  });
  auto inner = [&](size_t) { pool.ParallelFor(100000, [&](size_t) { ++runs; }); };
  EXPECT_THROW(pool.ParallelFor(4, inner), std::runtime_error);
  EXPECT_LE(runs, 14);
}

}  // namespace
}  // namespace slm
