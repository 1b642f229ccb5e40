#include "data/encoding/column_groups.h"

#include <gtest/gtest.h>

#include <string>

#include "slm/errors.h"

namespace slm {
namespace {

Table Named(const std::vector<std::string>& names) {
  Table table;
  for (const std::string& name : names) {
    table.columns.push_back({.name = name, .numbers = {}, .codes = {}, .levels = {}});
  }
  return table;
}

const std::vector<size_t> kAllowed = {0, 1, 2, 3, 4, 5};  // all but the target, y

Table Columns() { return Named({"lab_a", "lab_b", "geo_x", "geo_y", "geo", "age", "y"}); }

std::vector<ColumnGroup> Groups(const std::vector<std::string>& written) {
  return ResolveGroups(written, Columns(), kAllowed);
}

std::string Complaint(const std::vector<std::string>& written, InputError::Kind* kind = nullptr) {
  try {
    Groups(written);
  } catch (const InputError& error) {
    if (kind != nullptr) *kind = error.kind();
    return error.what();
  }
  return "";
}

TEST(MatchesPattern, StarIsAnyTextAndQuestionMarkOneByte) {
  EXPECT_TRUE(MatchesPattern("lab_a", "lab_*"));
  EXPECT_TRUE(MatchesPattern("lab_", "lab_*"));
  EXPECT_TRUE(MatchesPattern("abcbc", "a*bc"));
  EXPECT_TRUE(MatchesPattern("x7", "x?"));
  EXPECT_FALSE(MatchesPattern("x17", "x?"));
  EXPECT_FALSE(MatchesPattern("slab_a", "lab_*"));
  EXPECT_FALSE(MatchesPattern("", "?"));
  EXPECT_TRUE(MatchesPattern("", "**"));
}

TEST(ResolveGroups, TakesListsPatternsAndPrefixes) {
  const std::vector<ColumnGroup> listed = Groups({"place=geo,geo_?", "lab_*"});
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].name, "place");
  EXPECT_EQ(listed[0].columns, (std::vector<size_t>{2, 3, 4}));
  EXPECT_EQ(listed[1].name, "lab_*");
  EXPECT_EQ(listed[1].columns, (std::vector<size_t>{0, 1}));
  const std::vector<ColumnGroup> prefixes = Groups({"prefix:_"});
  ASSERT_EQ(prefixes.size(), 2u);
  EXPECT_EQ(prefixes[0].name, "geo_*");
  EXPECT_EQ(prefixes[0].columns, (std::vector<size_t>{2, 3}));
  EXPECT_EQ(prefixes[1].name, "lab_*");
}

TEST(ResolveGroups, PatternsLeaveTheTargetAlone) {
  EXPECT_EQ(Groups({"all=*"})[0].columns, kAllowed);
}

TEST(ResolveGroups, SaysWhatIsWrong) {
  InputError::Kind kind;
  EXPECT_NE(Complaint({"age"}, &kind).find("NAME=A,B"), std::string::npos);
  EXPECT_EQ(kind, InputError::Kind::kUsage);
  EXPECT_NE(Complaint({"prefix:"}, &kind).find("prefix:_"), std::string::npos);
  EXPECT_EQ(kind, InputError::Kind::kUsage);
  EXPECT_NE(Complaint({"g=age,lab_c"}, &kind).find("lab_c"), std::string::npos);
  EXPECT_EQ(kind, InputError::Kind::kData);
  EXPECT_NE(Complaint({"g=age,y"}).find("not a feature"), std::string::npos);
  EXPECT_NE(Complaint({"Lab*"}).find("no column matches 'Lab*'"), std::string::npos);
  EXPECT_NE(Complaint({"g=age,geo", "h=geo_x,geo"}).find("in the groups 'g' and 'h'"),
            std::string::npos);
  EXPECT_NE(Complaint({"g=age", "g=geo"}).find("two groups named"), std::string::npos);
  EXPECT_NE(Complaint({"age=geo_x,geo_y"}).find("name of a column"), std::string::npos);
  EXPECT_NE(Complaint({"prefix:."}).find("no two columns"), std::string::npos);
}

}  // namespace
}  // namespace slm
