#pragma once

// A file that exists as long as the test needs it, and what a bad one is answered with.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/thread_pool.h"
#include "data/readers/reader.h"
#include "slm/errors.h"

namespace slm {

class TempFile {
 public:
  explicit TempFile(const std::string& content, const std::string& suffix = ".csv") {
    static int count = 0;
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = (std::filesystem::temp_directory_path() /
             (std::string("slm_") + info->test_suite_name() + "_" + info->name() + "_" +
              std::to_string(getpid()) + "_" + std::to_string(count++) + suffix))
                .string();
    std::ofstream(path_, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string ContentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

inline Table ReadText(const std::string& content, const ReadOptions& options = {},
                      int threads = 2) {
  TempFile file(content);
  ThreadPool pool(threads);
  return ReadTable(file.path(), options, pool);
}

// The message of the DataError that `work` throws; empty if it throws none.
template <class Work>
std::string DataErrorOf(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kData);
    return error.what();
  }
  return "";
}

}  // namespace slm
