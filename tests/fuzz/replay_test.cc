// Every file of the corpora through its target. Files whose names begin with "good" are read, and
// every target has one: a reader that refuses everything would pass all else. The others, among
// them each input that was a finding once, are read or refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "slm/errors.h"
#include "tests/fuzz/targets.h"

namespace slm {
namespace {

namespace fs = std::filesystem;

class Corpus : public testing::TestWithParam<FuzzTarget> {};

std::vector<fs::path> FilesOf(const FuzzTarget& target) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(SLM_CORPUS_DIR) / target.name)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_P(Corpus, IsReadOrRefused) {
  int good = 0;
  for (const fs::path& path : FilesOf(GetParam())) {
    SCOPED_TRACE(path.string());
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_LE(bytes.size(), kLongestInput);
    std::string refusal;
    try {
      GetParam().run(bytes);
    } catch (const InputError& error) {
      refusal = error.what();
      EXPECT_NE(refusal, "");
    }
    if (!path.filename().string().starts_with("good")) continue;
    ++good;
    EXPECT_EQ(refusal, "");
  }
  EXPECT_GT(good, 0);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(FuzzTargets()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace slm
