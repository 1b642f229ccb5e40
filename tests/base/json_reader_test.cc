#include "base/json_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "slm/errors.h"

namespace slm {
namespace {

std::string ErrorOf(const std::string& text) {
  try {
    ParseJson(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JsonReader, WhatWasWrittenIsReadAndWrittenTheSame) {
  Json list = Json::MakeArray();
  for (double x : {0.1, 1.0 / 3, 1e-300, -0.0, 1e22, 5e-324, 1.7976931348623157e308, 3.0}) {
    list.Push(x);
  }
  list.Push(std::numeric_limits<int64_t>::min());
  list.Push(std::numeric_limits<uint64_t>::max());
  list.Push("quote \" slash \\ line \n tab \t bell \x07 größe 𝄞");
  list.Push(true);
  list.Push(nullptr);
  Json object = Json::MakeObject();
  object.Add("list", std::move(list));
  object.Add("empty", Json::MakeObject());
  for (int indent : {0, 2}) {
    const std::string text = object.Dump(indent);
    EXPECT_EQ(ParseJson(text).Dump(indent), text);
  }
}

TEST(JsonReader, NumbersComeBackToTheBit) {
  for (double x : {0.1, 2.0 / 3, 1e-7, 123456.789, 6.02214076e23}) {
    EXPECT_EQ(ParseJson(Json(x).Dump()).number(), x);
  }
  EXPECT_EQ(static_cast<float>(ParseJson(Json(0.1f).Dump()).number()), 0.1f);
  EXPECT_TRUE(std::isnan(ParseJson("null").number()));
}

TEST(JsonReader, EscapesAreUnderstood) {
  EXPECT_EQ(ParseJson(R"("\u00e9\ud834\udd1e\/\r")").text(), "é𝄞/\r");
}

TEST(JsonReader, WhatIsNotJsonIsRefusedWithItsPlace) {
  EXPECT_EQ(ErrorOf("{\"a\": 1,\n \"b\": x}"), "line 2, byte 7: expected a value");
  EXPECT_EQ(ErrorOf("[1, 2"), "line 1, byte 6: expected ']'");
  EXPECT_NE(ErrorOf("[1] 2").find("after the value"), std::string::npos);
  EXPECT_NE(ErrorOf(R"({"a":1,"a":2})").find("twice"), std::string::npos);
  EXPECT_NE(ErrorOf("\"a\xFF\"").find("UTF-8"), std::string::npos);
  EXPECT_NE(ErrorOf("1e999").find("out of range"), std::string::npos);
  const std::vector<std::string> wrong = {
      "",        "01",  "1.", "+1",      ".5",  "nan",         "[1,]",      "{1:2}", "'a'",
      "\"a\n\"", "tru", "-",  "\"\\x\"", "\"a", "\"\\ud834\"", "{\"a\" 1}", "1e"};
  for (const std::string& text : wrong) EXPECT_NE(ErrorOf(text), "") << text;
}

TEST(JsonReader, DepthIsBounded) {
  EXPECT_EQ(ErrorOf(std::string(60, '[') + std::string(60, ']')), "");
  EXPECT_NE(ErrorOf(std::string(100000, '[')).find("levels"), std::string::npos);
}

TEST(JsonReader, AskingForAnotherKindIsAnError) {
  const Json json = ParseJson(R"({"a": "text", "n": 1.5})");
  EXPECT_THROW(json["a"].number(), InputError);
  EXPECT_THROW(json["n"].integer(), InputError);
  EXPECT_THROW(json["n"].text(), InputError);
  EXPECT_THROW(json["absent"], InputError);
  EXPECT_EQ(json.Find("absent"), nullptr);
  EXPECT_THROW(json["a"].Find("x"), InputError);
}

}  // namespace
}  // namespace slm
