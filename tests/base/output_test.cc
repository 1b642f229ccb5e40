#include "base/output.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "slm/errors.h"

namespace slm {
namespace {

class OutputTest : public testing::Test {
 protected:
  OutputTest() {
    std::string pattern = testing::TempDir() + "slm-output-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~OutputTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  static std::string Contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  long FilesLeft() const {
    return std::distance(std::filesystem::directory_iterator(directory_), {});
  }

  std::filesystem::path directory_;
};

TEST_F(OutputTest, WritesTheWholeText) {
  std::string text(3'000'000, 'x');
  WriteFile(Path("a"), text);
  EXPECT_EQ(Contents(Path("a")), text);
  EXPECT_EQ(FilesLeft(), 1);
}

TEST_F(OutputTest, ReplacesAFileAndKeepsItsMode) {
  WriteFile(Path("a"), "old");
  ::chmod(Path("a").c_str(), 0640);
  WriteFile(Path("a"), "new");
  EXPECT_EQ(Contents(Path("a")), "new");
  EXPECT_EQ(std::filesystem::status(Path("a")).permissions(), std::filesystem::perms(0640));
}

TEST_F(OutputTest, WithoutCommitTheOldFileStays) {
  WriteFile(Path("a"), "old");
  {
    OutputFile file(Path("a"));
    file.Write("new");
  }
  EXPECT_EQ(Contents(Path("a")), "old");
  EXPECT_EQ(FilesLeft(), 1);
}

TEST_F(OutputTest, ALinkStaysALink) {
  WriteFile(Path("a"), "old");
  std::filesystem::create_symlink("a", Path("link"));
  WriteFile(Path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Contents(Path("a")), "new");
}

TEST_F(OutputTest, AFullDiskLeavesNothing) {
  // A limit on file sizes is a disk that is full after so many bytes.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(WriteFile(Path("a"), std::string(5000, 'x')), RuntimeFailure);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(FilesLeft(), 0);
}

TEST_F(OutputTest, AFullDeviceIsAFailureAndStaysADevice) {
  EXPECT_THROW(WriteFile("/dev/full", "text"), RuntimeFailure);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  WriteFile("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(OutputTest, DirectoriesAreRefusedBeforeAnythingIsWritten) {
  EXPECT_THROW(CheckOutput(directory_.string()), RuntimeFailure);
  EXPECT_THROW(CheckOutput(Path("absent/file")), RuntimeFailure);
  EXPECT_THROW(OutputFile(Path("absent/file")), RuntimeFailure);
  CheckOutput(Path("file"));
  EXPECT_EQ(FilesLeft(), 0);
}

}  // namespace
}  // namespace slm
