#include "data/readers/libsvm.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "tests/data/temp_file.h"

namespace slm {
namespace {

using Doubles = std::vector<double>;

Table FromLibsvm(const std::string& text, const ReadOptions& options = {}) {
  ThreadPool pool(2);
  return ReadLibsvm(text, "x.svm", options, pool);
}

TEST(ReadLibsvm, AbsentIndicesAreZero) {
  Table table = FromLibsvm("+1 1:0.5 3:-2\n# a remark\n\n-1 2:7 # more\r\n0\n");
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[0].name, "target");
  EXPECT_EQ(table.columns[0].numbers, (Doubles{1, -1, 0}));
  EXPECT_EQ(table.columns[1].name, "f1");
  EXPECT_EQ(table.columns[1].numbers, (Doubles{0.5, 0, 0}));
  EXPECT_EQ(table.columns[2].numbers, (Doubles{0, 7, 0}));
  EXPECT_EQ(table.columns[3].numbers, (Doubles{-2, 0, 0}));
  EXPECT_EQ(table.Where(1), "x.svm line 4");
}

TEST(ReadLibsvm, IndicesFromZeroAndQueriesAreKept) {
  Table table = FromLibsvm("1 qid:4 0:1 1:2\n2 0:3\n");
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[1].name, "qid");
  EXPECT_EQ(table.columns[1].numbers[0], 4);
  EXPECT_TRUE(IsMissing(table.columns[1], 1));
  EXPECT_EQ(table.columns[2].name, "f0");
  EXPECT_EQ(table.columns[2].numbers, (Doubles{1, 3}));
}

TEST(ReadLibsvm, ValuesMayBeMissing) {
  EXPECT_TRUE(IsMissing(FromLibsvm("1 1:nan\n2 1:3\n").columns[1], 0));
}

TEST(ReadLibsvm, AnotherFileHasAtLeastTheColumnsOfTheFirst) {
  Table first = FromLibsvm("1 5:1\n");
  ReadOptions options;
  options.like = &first;
  Table second = FromLibsvm("1 2:1\n", options);
  ASSERT_EQ(second.columns.size(), first.columns.size());
  EXPECT_EQ(second.columns.back().numbers, (Doubles{0}));
}

TEST(ReadLibsvm, BadLinesAreAnsweredWithPlaceAndFix) {
  struct {
    const char* text;
    const char* message;
  } const kCases[] = {
      {"", "no rows"},
      {"# nothing\n", "no rows"},
      {"1 1:2\nyes 1:2\n", "x.svm line 2: the label 'yes' is not a number"},
      {"1,2 1:2\n", "the label '1,2' is not a number"},
      {"1 2\n", "line 1: '2' is not index:value"},
      {"1 1:x\n", "the value 'x' is not a number"},
      {"1 1:\n", "the value '' is not a number"},
      {"1 -1:2\n", "the index '-1' is not a whole number"},
      {"1 99999999999:2\n", "the index '99999999999' is not a whole number"},
      {"1 2:1 1:1\n", "the index 1 stands after 2"},
      {"1 2:1 2:1\n", "the index 2 stands after 2"},
      {"1 1:inf\n", "line 1, column 'f1' is infinite"},
      {"1 1:1\n1 4000000000:1\n", "2 rows and 4000000001 columns"},
      {"1 20000000:1\n", "1000 times the file"},
  };
  for (const auto& [text, message] : kCases) {
    std::string error = DataErrorOf([&text = text] { FromLibsvm(text); });
    EXPECT_NE(error.find(message), std::string::npos) << message << " | " << error;
    EXPECT_NE(error.find("x.svm"), std::string::npos) << error;
  }
}

TEST(ReadLibsvm, SurvivesRandomText) {
  constexpr char kLetters[] = "01 :#\n\r-.eqidx";
  for (uint64_t i = 0; i < 3000; ++i) {
    std::string text;
    for (uint64_t c = 0; c < 40; ++c) {
      text += kLetters[MixBits(i * 64 + c) % (sizeof(kLetters) - 1)];
    }
    try {
      FromLibsvm(text);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace slm
