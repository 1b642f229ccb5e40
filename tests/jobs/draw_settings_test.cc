#include "jobs/draw_settings.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "selectors/catalog.h"

namespace slm {
namespace {

struct Method {
  std::unique_ptr<Selector> selector;
  OptionList options;

  explicit Method(std::string_view name, const std::string& preset = "")
      : selector(FindMethod(name).make()) {
    selector->DescribeOptions(options);
    if (!preset.empty()) options.Set("preset", preset);
  }
  SearchSpace space() const { return SpaceOf(*selector); }
};

void ExpectDrawsAreTaken(std::string_view name, const std::string& preset) {
  Method method(name, preset);
  const SearchSpace space = method.space();
  for (const auto& [option, value] : space.unjudged) {
    method.options.Set(option, std::string(value));
  }
  for (uint64_t i = 0; i < 300; ++i) {
    const auto settings = DrawSettings(space, method.options, {}, RandomStream(1, i));
    ASSERT_EQ(settings.size(), space.dimensions.size());
    Method drawn(name, preset);
    drawn.options.SetAll(settings);
    ScaleBudget(space, 1.0 / 9, drawn.options);
  }
}

TEST(SearchSpace, EverySpaceDrawsOnlyWhatItsMethodTakes) {
  for (const MethodEntry& entry : Methods()) {
    SCOPED_TRACE(entry.name);
    ExpectDrawsAreTaken(entry.name, "");
    if (Method(entry.name).options.Find("preset") != nullptr) {
      ExpectDrawsAreTaken(entry.name, "paper");
    }
  }
}

TEST(SearchSpace, APresetHasASpaceOfItsOwn) {
  EXPECT_NE(Method("slm", "paper").space().dimensions.data(),
            Method("slm").space().dimensions.data());
}

TEST(SearchSpace, EveryMethodWithOptionsHasOne) {
  for (const MethodEntry& entry : Methods()) {
    const Method method(entry.name);
    const bool has_options = !method.options.fields().empty();
    EXPECT_EQ(!Method(entry.name).space().dimensions.empty(), has_options) << entry.name;
  }
}

TEST(SearchSpace, DrawsAreAddressedAndDiffer) {
  Method method("slm");
  const SearchSpace space = method.space();
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 50; ++i) {
    const auto settings = DrawSettings(space, method.options, {}, RandomStream(3, i));
    EXPECT_EQ(settings, DrawSettings(space, method.options, {}, RandomStream(3, i)));
    std::string all;
    for (const OptionSetting& setting : settings) all += setting.name + "=" + setting.value + " ";
    seen.insert(all);
  }
  EXPECT_EQ(seen.size(), 50u);
}

TEST(SearchSpace, DefaultsAreWhatTheMethodHolds) {
  Method method("slm");
  method.options.Set("hidden_units", "77");
  for (const OptionSetting& setting : DefaultSettings(method.space(), method.options, {})) {
    EXPECT_EQ(setting.value, method.options.Find(setting.name)->get());
  }
}

TEST(SearchSpace, WhatTheUserFixesIsNotDrawnAndLeavesOtherDrawsAlone) {
  Method method("rf");
  const SearchSpace space = method.space();
  const std::vector<OptionSetting> fixed = {{"trees", "20"}};
  auto all = DrawSettings(space, method.options, {}, RandomStream(5, 2));
  const auto rest = DrawSettings(space, method.options, fixed, RandomStream(5, 2));
  std::erase_if(all, [](const OptionSetting& setting) { return setting.name == "trees"; });
  EXPECT_EQ(rest, all);
}

TEST(SearchSpace, RangesAreCoveredAndKept) {
  Method method("mi");
  std::set<int> seen;
  for (uint64_t i = 0; i < 500; ++i) {
    const auto settings = DrawSettings(method.space(), method.options, {}, RandomStream(0, i));
    seen.insert(std::stoi(settings[0].value));
  }
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_EQ(*seen.begin(), 1);
  EXPECT_EQ(*seen.rbegin(), 20);
}

TEST(SearchSpace, BudgetsScaleStepsAndDecayTogether) {
  Method method("slm");
  const SearchSpace space = method.space();
  method.options.Set("steps", "900");
  method.options.Set("decay_steps", "300");
  ScaleBudget(space, 1.0 / 3, method.options);
  EXPECT_EQ(method.options.Find("steps")->get(), "300");
  EXPECT_EQ(method.options.Find("decay_steps")->get(), "100");
  EXPECT_EQ(method.options.Find("epochs")->get(), "0");
}

}  // namespace
}  // namespace slm
