#include "base/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_pool.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

constexpr double kSeldom = 1e6;

Json Identity(int k = 3) {
  Json identity = Json::MakeObject();
  identity.Add("version", "1.2.3");
  identity.Add("k", k);
  return identity;
}

class CheckpointTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }

  std::string OpenError(const Json& identity, bool resume) {
    return DataErrorOf([&] { Checkpoint(path_, identity, resume, kSeldom); });
  }

  // The result of a piece whose work gives `value`, and how often it was done.
  int Compute(const Context& context, const std::string& name, int value) {
    return Checkpointed(
        context, name, [](Archive& archive, int& kept) { archive.Value(kept); },
        [&](const Context&) {
          ++computed_;
          return value;
        });
  }

  TempFile file_{"", ".ckpt"};
  const std::string path_ = file_.path();
  ThreadPool pool_{1};
  int computed_ = 0;
};

TEST_F(CheckpointTest, AFinishedPieceIsComputedOnceOverTwoRuns) {
  for (bool resume : {false, true}) {
    Checkpoint checkpoint(path_, Identity(), resume, kSeldom);
    const Context context{.pool = &pool_, .checkpoint = &checkpoint};
    EXPECT_EQ(Compute(context, "a", 7), 7);
    EXPECT_EQ(Compute(context.Inside("part"), "a", 8), 8);
    checkpoint.Flush();
  }
  EXPECT_EQ(computed_, 2);
}

TEST_F(CheckpointTest, WithoutOneEveryPieceIsComputed) {
  const Context context{.pool = &pool_};
  Compute(context, "a", 7);
  Compute(context, "a", 7);
  EXPECT_EQ(computed_, 2);
  EXPECT_EQ(context.Inside("a").place, "");
}

TEST_F(CheckpointTest, APieceThatWasCutShortIsNotKept) {
  Checkpoint checkpoint(path_, Identity(), false, kSeldom);
  Context context{.pool = &pool_, .checkpoint = &checkpoint};
  context.deadline = Clock::now();
  Compute(context, "a", 1);
  context.deadline.reset();
  EXPECT_EQ(Compute(context, "a", 7), 7);
  EXPECT_EQ(Compute(context, "a", 9), 7);
}

TEST_F(CheckpointTest, TheResultOfAPieceTakesThePlaceOfItsPartsAndSnapshots) {
  Checkpoint checkpoint(path_, Identity(), false, kSeldom);
  int value = 5;
  auto serialize = [&](Archive& archive) { archive.Value(value); };
  for (const char* name : {"a", "a/1", "a/1/2", "ab", "a 1"}) checkpoint.Snapshot(name, serialize);
  EXPECT_FALSE(checkpoint.FindFinished("a", serialize));
  EXPECT_TRUE(checkpoint.FindSnapshot("a", serialize));
  checkpoint.Finish("a", serialize);
  EXPECT_TRUE(checkpoint.FindFinished("a", serialize));
  for (const char* gone : {"a", "a/1", "a/1/2"}) {
    EXPECT_FALSE(checkpoint.FindSnapshot(gone, serialize)) << gone;
  }
  for (const char* stays : {"ab", "a 1"}) {
    EXPECT_TRUE(checkpoint.FindSnapshot(stays, serialize)) << stays;
  }
}

TEST_F(CheckpointTest, IsWrittenByTimeWithoutBeingAsked) {
  Checkpoint checkpoint(path_, Identity(), false, 0.01);
  const std::string before = ContentOf(path_);
  Compute({.pool = &pool_, .checkpoint = &checkpoint}, "a", 7);
  for (int i = 0; i < 1000 && ContentOf(path_) == before; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GT(ContentOf(path_).size(), before.size());
}

TEST_F(CheckpointTest, AFileThatIsThereNeedsResume) {
  { Checkpoint(path_, Identity(), false, kSeldom); }
  EXPECT_NE(OpenError(Identity(), false).find("resume"), std::string::npos);
  EXPECT_EQ(OpenError(Identity(), true), "");
}

TEST_F(CheckpointTest, AnotherRunIsRefusedByField) {
  { Checkpoint(path_, Identity(3), false, kSeldom); }
  const std::string error = OpenError(Identity(5), true);
  EXPECT_NE(error.find("its k is 3, that of this one is 5"), std::string::npos) << error;
}

TEST_F(CheckpointTest, TwoRunsCannotShareOne) {
  Checkpoint checkpoint(path_, Identity(), false, kSeldom);
  EXPECT_NE(OpenError(Identity(), true).find("in use"), std::string::npos);
  Compute({.pool = &pool_, .checkpoint = &checkpoint}, "a", 7);
  checkpoint.Flush();  // another file under the name
  EXPECT_NE(OpenError(Identity(), true).find("in use"), std::string::npos);
}

// Threads stand for processes: the lock is of a descriptor.
TEST_F(CheckpointTest, OfRunsThatBeginAtOnceOneHasTheFile) {
  constexpr size_t kRuns = 8;
  ThreadPool pool(kRuns);
  for (int round = 0; round < 20; ++round) {
    std::filesystem::remove(path_);
    std::vector<std::unique_ptr<Checkpoint>> all(kRuns);
    std::vector<std::string> errors(kRuns);
    pool.ParallelFor(kRuns, [&](size_t i) {
      errors[i] = DataErrorOf([&] {
        all[i] = std::make_unique<Checkpoint>(path_, Identity(), /*resume=*/true, kSeldom);
      });
    });
    EXPECT_EQ(std::count(errors.begin(), errors.end(), ""), 1);
    for (const std::string& error : errors) {
      EXPECT_TRUE(error.empty() || error.find("in use") != error.npos) << error;
    }
  }
}

TEST_F(CheckpointTest, ALinkUnderAnotherNameIsNotFollowed) {
  const TempFile victim("precious");
  const std::string link = path_ + ".part";
  std::filesystem::create_symlink(victim.path(), link);
  Checkpoint checkpoint(path_, Identity(), false, kSeldom);
  Compute({.pool = &pool_, .checkpoint = &checkpoint}, "a", 7);
  checkpoint.Flush();
  EXPECT_EQ(ContentOf(victim.path()), "precious");
  std::filesystem::remove(link);
}

TEST_F(CheckpointTest, WhatAKillLeftBehindGoesWhenTheRunResumes) {
  { Checkpoint(path_, Identity(), false, kSeldom); }
  const std::string left = path_ + ".part-aB3xYz", other = path_ + ".part-notes.txt";
  for (const std::string& name : {left, other}) std::ofstream(name) << "half a checkpoint";
  { Checkpoint(path_, Identity(), true, kSeldom); }
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::remove(other));
}

TEST_F(CheckpointTest, ALinkToNothingIsRefused) {
  std::filesystem::create_symlink(path_ + ".absent", path_);
  EXPECT_NE(OpenError(Identity(), false).find("a link to a file that is not there"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
}

TEST_F(CheckpointTest, WhatAPieceDoesNotExpectIsNamed) {
  Checkpoint checkpoint(path_, Identity(), false, kSeldom);
  checkpoint.Finish("a", [](Archive& archive) {
    int value = 7;
    archive.Value(value);
  });
  try {
    checkpoint.FindFinished("a", [](Archive& archive) {
      int value = 0;
      archive.Value(value);
      archive.Require(value == 8, "is not eight");
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const UnfitCheckpoint& error) {
    EXPECT_NE(std::string(error.what()).find("'a' in it is not eight"), std::string::npos)
        << error.what();
  }
}

TEST_F(CheckpointTest, EveryDamageIsFound) {
  {
    Checkpoint checkpoint(path_, Identity(), false, kSeldom);
    Compute({.pool = &pool_, .checkpoint = &checkpoint}, "a", 7);
    checkpoint.Flush();
  }
  const std::string whole = ContentOf(path_);
  for (size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(path_, std::ios::trunc) << whole.substr(0, length);
    EXPECT_NE(OpenError(Identity(), true), "") << length;
  }
  for (size_t at = whole.find('\n'); at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    std::ofstream(path_, std::ios::trunc) << damaged;
    EXPECT_NE(OpenError(Identity(), true), "") << at;
  }
  std::ofstream(path_, std::ios::trunc) << whole;
  EXPECT_EQ(OpenError(Identity(), true), "");
}

TEST_F(CheckpointTest, WhatDoesNotFitEndsTheRun) {
  Checkpoint checkpoint(path_, Identity(), false, kSeldom);
  int value = 5;
  checkpoint.Finish("a", [&](Archive& archive) { archive.Value(value); });
  double wide = 0;
  EXPECT_THROW(checkpoint.FindFinished("a", [&](Archive& archive) { archive.Value(wide); }),
               CheckpointFailure);
  char narrow = 0;
  EXPECT_THROW(checkpoint.FindFinished("a", [&](Archive& archive) { archive.Value(narrow); }),
               CheckpointFailure);
}

TEST_F(CheckpointTest, ALostDirectoryIsAFailureAtTheNextPiece) {
  const std::string directory = path_ + ".d";
  std::filesystem::create_directory(directory);
  Checkpoint checkpoint(directory + "/c", Identity(), false, 0.01);
  std::filesystem::remove_all(directory);
  auto keep = [&] {
    for (int i = 0; i < 1000; ++i) {
      Compute({.pool = &pool_, .checkpoint = &checkpoint}, std::to_string(i), i);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  };
  EXPECT_THROW(keep(), CheckpointFailure);
  EXPECT_THROW(checkpoint.Flush(), CheckpointFailure);
}

TEST(Archive, RefusesWhatMemorySafetyHangsOn) {
  Archive writer;
  std::vector<int32_t> indices = {0, 5, 2};
  writer.Any(indices);
  const std::string bytes = writer.Take();
  std::vector<int32_t> read;
  EXPECT_NO_THROW(Archive(bytes).Indices(read, 6));
  EXPECT_EQ(read, indices);
  EXPECT_THROW(Archive(bytes).Indices(read, 5), InputError);
  std::vector<int32_t> two(2);
  EXPECT_THROW(Archive(bytes).Fixed(std::span(two)), InputError);
  std::string huge = bytes;
  huge[6] = 1;  // 2^48 items more
  EXPECT_THROW(Archive(huge).Any(read), InputError);
  std::vector<int32_t> negative = {-1};
  Archive other;
  other.Any(negative);
  const std::string below = other.Take();
  EXPECT_THROW(Archive(below).Indices(read, 5), InputError);
}

}  // namespace
}  // namespace slm
