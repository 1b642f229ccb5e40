#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "slm/errors.h"

namespace slm {
namespace {

TEST(Json, WritesScalars) {
  EXPECT_EQ(Json().Dump(), "null");
  EXPECT_EQ(Json(true).Dump(), "true");
  EXPECT_EQ(Json(-7).Dump(), "-7");
  EXPECT_EQ(Json(int64_t{1} << 62).Dump(), "4611686018427387904");
  EXPECT_EQ(Json("text").Dump(), "\"text\"");
}

TEST(Json, RealsAreTheShortestTextThatReadsBack) {
  EXPECT_EQ(Json(0.1).Dump(), "0.1");
  EXPECT_EQ(Json(0.1f).Dump(), "0.1");
  EXPECT_EQ(std::stod(Json(1.0 / 3).Dump()), 1.0 / 3);
}

TEST(Json, InfinitiesAndNanBecomeNull) {
  EXPECT_EQ(Json(std::nan("")).Dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<float>::infinity()).Dump(), "null");
}

TEST(Json, KeepsTheOrderOfKeysAndItems) {
  Json object = Json::MakeObject();
  object.Add("z", 1);
  Json list = Json::MakeArray();
  list.Push("b");
  list.Push("a");
  object.Add("a", std::move(list));
  EXPECT_EQ(object.Dump(), R"({"z":1,"a":["b","a"]})");
  EXPECT_EQ(object.Dump(2), "{\n  \"z\": 1,\n  \"a\": [\n    \"b\",\n    \"a\"\n  ]\n}");
}

TEST(Json, EmptyContainersStayOnOneLine) {
  EXPECT_EQ(Json::MakeObject().Dump(2), "{}");
  EXPECT_EQ(Json::MakeArray().Dump(2), "[]");
}

TEST(Json, EscapesWhatStringsMayNotHold) {
  EXPECT_EQ(Json("a\"b\\c\nd\te\x01").Dump(), R"("a\"b\\c\nd\te\u0001")");
  // DEL and U+009B, which begins a command of terminals; U+00A0 is a blank.
  EXPECT_EQ(Json("a\x7f\xC2\x9B\xC2\xA0").Dump(), "\"a\\u007f\\u009b\xC2\xA0\"");
  EXPECT_EQ(Json("größe").Dump(), "\"größe\"");
}

TEST(Json, BytesThatAreNotUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(Json("a\xFFz").Dump(), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(Json("cut \xC3").Dump(), "\"cut \xEF\xBF\xBD\"");
}

TEST(Json, KeysAreEscapedToo) {
  Json object = Json::MakeObject();
  object.Add("a\"b", nullptr);
  EXPECT_EQ(object.Dump(), R"({"a\"b":null})");
}

TEST(Json, GivesBackWholeNumbersOfEitherSign) {
  EXPECT_EQ(Json(uint64_t{84}).integer(), 84);
  EXPECT_EQ(Json(int64_t{-84}).integer(), -84);
  EXPECT_THROW(Json(~uint64_t{0}).integer(), InputError);
  EXPECT_THROW(Json(0.5).integer(), InputError);
}

}  // namespace
}  // namespace slm
