#include "base/fields.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/archive.h"
#include "base/json_reader.h"
#include "slm/errors.h"

namespace slm {

enum class Shade { kLight, kDark };
inline constexpr std::pair<std::string_view, Shade> kShadeNames[] = {{"light", Shade::kLight},
                                                                     {"dark", Shade::kDark}};
static EnumNames<Shade> NamesOf(Shade) { return kShadeNames; }

namespace {

struct Part {
  std::string name;
  std::vector<double> values;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("values", values);
  }
};

// A field of every kind.
struct Whole {
  bool flag = false;
  int count = 0;
  size_t size = 0;
  uint64_t seed = 0;
  float weight = 0;
  double metric = 0;
  std::string text;
  Shade shade = Shade::kLight;
  std::optional<double> maybe;
  std::array<double, 2> interval = {};
  std::vector<Part> parts;
  std::vector<std::vector<int>> sets;
  std::vector<OptionSetting> settings;
  bool kept = false;
  int ensemble = 1;
  std::string rule;
  double seconds = 0;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("flag", flag);
    v("count", count);
    v("size", size);
    v("seed", seed);
    v("weight", weight);
    v("metric", metric);
    v("text", text);
    v("shade", shade);
    v("maybe", maybe);
    v("interval", interval);
    v.List("parts", parts, [](auto& in, Part& part) { part.VisitFields(in); });
    v("sets", sets);
    v("settings", settings);
    v.Optional("kept", kept);
    v.Optional("ensemble", ensemble, 1);
    v.OrWord("rule", rule, "random");
    v.Derived("twice", [&] { return 2 * count; });
    v.Object("seconds", [&](auto& in) { in("total", seconds); });
  }
};

Whole Filled() {
  Whole whole;
  whole.flag = true;
  whole.count = -3;
  whole.size = 7;
  whole.seed = std::numeric_limits<uint64_t>::max();
  whole.weight = 0.1f;
  whole.metric = 1.0 / 3;
  whole.text = "a \"text\"\n";
  whole.shade = Shade::kDark;
  whole.maybe = 0.5;
  whole.interval = {-1, 2};
  whole.parts = {{"first", {1, 2.5}}, {"second", {}}};
  whole.sets = {{1, 2}, {}};
  whole.settings = {{"steps", "100"}, {"rate", "0.001"}, {"deep", "true"}, {"form", "quotient"}};
  whole.kept = true;
  whole.ensemble = 5;
  whole.rule = "group:site";
  whole.seconds = 1.5;
  return whole;
}

std::string Text(const Whole& whole) { return WriteFields(whole).Dump(); }

std::string Complaint(const std::string& json) {
  try {
    ReadFields<Whole>(ParseJson(json));
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kData);
    return error.what();
  }
  return "";
}

std::string Replaced(const std::string& from, const std::string& to) {
  std::string text = Text(Filled());
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Fields, JsonHasThemInTheOrderOfTheList) {
  EXPECT_EQ(Text(Filled()),
            R"({"flag":true,"count":-3,"size":7,"seed":18446744073709551615,"weight":0.1,)"
            R"("metric":0.3333333333333333,"text":"a \"text\"\n","shade":"dark","maybe":0.5,)"
            R"("interval":[-1,2],"parts":[{"name":"first","values":[1,2.5]},)"
            R"({"name":"second","values":[]}],"sets":[[1,2],[]],"settings":{"steps":100,)"
            R"("rate":0.001,"deep":true,"form":"quotient"},"kept":true,"ensemble":5,)"
            R"("rule":"group:site","twice":-6,"seconds":{"total":1.5}})");
}

TEST(Fields, WhatMayBeLeftOutIs) {
  const std::string text = Text(Whole{});
  EXPECT_EQ(text.find("kept"), std::string::npos);
  EXPECT_EQ(text.find("ensemble"), std::string::npos);
  EXPECT_NE(text.find(R"("rule":"random")"), std::string::npos);
  EXPECT_NE(text.find(R"("maybe":null)"), std::string::npos);
}

TEST(Fields, JsonThatIsReadIsWrittenTheSame) {
  Whole odd = Filled();
  odd.metric = std::numeric_limits<double>::quiet_NaN();
  odd.maybe.reset();
  odd.settings = {{"limit", "inf"}};
  for (const Whole& whole : {Filled(), Whole{}, odd}) {
    const std::string text = Text(whole);
    EXPECT_EQ(Text(ReadFields<Whole>(ParseJson(text))), text);
  }
}

TEST(Fields, ReadingForgetsWhatWasThereBefore) {
  Whole whole = Filled();
  FieldReader::FromJson(ParseJson(Text(Whole{})), whole);
  EXPECT_EQ(Text(whole), Text(Whole{}));
}

TEST(Fields, BytesThatAreReadAreTheSameStruct) {
  for (Whole whole : {Filled(), Whole{}}) {
    Archive writer;
    Serialize(writer, whole);
    const std::string bytes = writer.Take();
    Archive reader(bytes);
    Whole found = Filled();
    Serialize(reader, found);
    reader.End();
    EXPECT_EQ(Text(found), Text(whole));
  }
}

TEST(Fields, BytesThatEndEarlyAreRefused) {
  Whole whole = Filled();
  Archive writer;
  Serialize(writer, whole);
  const std::string bytes = writer.Take();
  for (size_t length = 0; length < bytes.size(); ++length) {
    Archive reader(std::string_view(bytes).substr(0, length));
    Whole found;
    EXPECT_THROW(Serialize(reader, found), InputError) << length;
  }
}

TEST(Fields, AValueOfAnotherTypeIsNamedByItsPlace) {
  EXPECT_EQ(Complaint(Replaced("2.5", "\"x\"")),
            "its parts[0].values[1]: expected a number and found \"x\"");
  EXPECT_EQ(Complaint(Replaced("[1,2]", "[1,{}]")),
            "its sets[0][1]: expected a whole number and found {}");
  EXPECT_EQ(Complaint(Replaced("\"total\":1.5", "\"total\":true")),
            "its seconds.total: expected a number and found true");
  EXPECT_EQ(Complaint(Replaced("[-1,2]", "[1]")), "its interval: expected 2 items and found 1");
  EXPECT_EQ(Complaint(Replaced("\"size\":7", "\"size\":-7")),
            "its size: expected a whole number from 0 on and found -7");
  EXPECT_EQ(Complaint(Replaced("\"count\":-3", "\"count\":3000000000")),
            "its count: it is too large");
  EXPECT_EQ(Complaint(Replaced("\"dark\"", "\"red\"")),
            "its shade: expected light or dark and found 'red'");
  EXPECT_EQ(Complaint(Replaced("\"rate\":0.001", "\"rate\":[]")),
            "its settings: expected a number, a text or a truth value for 'rate'");
  EXPECT_NE(Complaint("[]"), "");
}

TEST(Fields, AMissingFieldIsNamed) {
  EXPECT_NE(Complaint(Replaced("\"count\"", "\"counts\"")).find("count"), std::string::npos);
  EXPECT_NE(Complaint(Replaced("\"values\"", "\"valued\"")).find("parts[0]"), std::string::npos);
}

}  // namespace
}  // namespace slm
