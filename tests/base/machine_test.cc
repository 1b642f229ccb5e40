#include "base/machine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

#include <filesystem>
#include <fstream>
#include <string>

namespace slm {
namespace {

namespace fs = std::filesystem;

constexpr double kNone = GroupLimits::kNone;

// The files of control groups, as a container or a batch system would have them.
class ReadGroupLimitsTest : public testing::Test {
 protected:
  ReadGroupLimitsTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() /
            (std::string("slm_groups_") + info->name() + "_" + std::to_string(getpid()));
    fs::create_directories(root_);
  }
  ~ReadGroupLimitsTest() override { fs::remove_all(root_); }

  void Write(const std::string& name, const std::string& content) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << content;
  }

  GroupLimits Read(const std::string& groups) {
    Write("groups", groups);
    return ReadGroupLimits((root_ / "groups").string(), (root_ / "mount").string());
  }

 private:
  fs::path root_;
};

TEST_F(ReadGroupLimitsTest, NoFilesAreNoLimits) {
  for (const GroupLimits& limits :
       {ReadGroupLimits("/nowhere", "/nowhere"), Read(""), Read("0::/\n"), Read("no colon")}) {
    EXPECT_EQ(limits.cores, kNone);
    EXPECT_EQ(limits.memory, kNone);
    EXPECT_EQ(limits.memory_left, kNone);
  }
}

TEST_F(ReadGroupLimitsTest, MaxIsNoLimit) {
  Write("mount/cpu.max", "max 100000\n");
  Write("mount/memory.max", "max\n");
  Write("mount/memory.current", "1000\n");
  const GroupLimits limits = Read("0::/\n");
  EXPECT_EQ(limits.cores, kNone);
  EXPECT_EQ(limits.memory, kNone);
  EXPECT_EQ(limits.memory_left, kNone);
}

TEST_F(ReadGroupLimitsTest, AContainerOfVersion2IsItsOwnRoot) {
  Write("mount/cpu.max", "150000 100000\n");
  Write("mount/memory.max", "1000000\n");
  Write("mount/memory.current", "700000\n");
  Write("mount/memory.stat", "anon 300000\ninactive_file 100000\nactive_file 300000\n");
  for (const char* path : {"0::/\n", "0::/../other\n", "0::/docker/of/the/host\n"}) {
    const GroupLimits limits = Read(path);
    EXPECT_EQ(limits.cores, 1.5);
    EXPECT_EQ(limits.memory, 1000000);
    EXPECT_EQ(limits.memory_left, 400000);
  }
}

TEST_F(ReadGroupLimitsTest, TheTightestOfAllGroupsAroundCounts) {
  Write("mount/user.slice/cpu.max", "400000 100000\n");
  Write("mount/user.slice/memory.max", "5000\n");
  Write("mount/user.slice/memory.current", "4000\n");
  Write("mount/user.slice/job/cpu.max", "800000 100000\n");
  Write("mount/user.slice/job/memory.max", "2000\n");
  Write("mount/user.slice/job/memory.current", "500\n");
  const GroupLimits limits = Read("0::/user.slice/job\n");
  EXPECT_EQ(limits.cores, 4);
  EXPECT_EQ(limits.memory, 2000);
  EXPECT_EQ(limits.memory_left, 1000);
}

TEST_F(ReadGroupLimitsTest, Version1HasADirectoryForEachController) {
  Write("mount/cpu/job/cpu.cfs_quota_us", "200000\n");
  Write("mount/cpu/job/cpu.cfs_period_us", "100000\n");
  Write("mount/cpu/cpu.cfs_quota_us", "-1\n");
  Write("mount/cpu/cpu.cfs_period_us", "100000\n");
  Write("mount/memory/memory.limit_in_bytes", "3000\n");
  Write("mount/memory/memory.usage_in_bytes", "5000\n");
  Write("mount/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 1500\n");
  const GroupLimits limits = Read("5:cpuacct,cpu:/job\n4:memory:/elsewhere\n0::/\n");
  EXPECT_EQ(limits.cores, 2);
  EXPECT_EQ(limits.memory, 3000);
  EXPECT_EQ(limits.memory_left, 0);
}

TEST(Machine, SomethingIsUsable) {
  EXPECT_GE(UsableCores(), 1);
  EXPECT_GT(UsableMemory(), 0);
  EXPECT_GT(AvailableMemory(), 0);
  EXPECT_LE(AvailableMemory(), UsableMemory());
}

#ifdef __linux__
TEST(Machine, CoresThatAreNotAllowedDoNotCount) {
  const int cores = UsableCores();
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_LE(cores, CPU_COUNT(&before));
  CPU_ZERO(&one);
  size_t first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(UsableCores(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(UsableCores(), cores);
}
#endif

}  // namespace
}  // namespace slm
