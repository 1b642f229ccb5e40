#include "jobs/search_space.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "selectors/catalog.h"

namespace slm {
namespace {

struct Method {
  std::unique_ptr<Selector> selector;
  OptionList options;

  explicit Method(std::string_view name) : selector(FindMethod(name).make()) {
    selector->DescribeOptions(options);
  }
};

TEST(SearchSpace, EverySpaceDrawsOnlyWhatItsMethodTakes) {
  for (const SearchSpace& space : SearchSpaces()) {
    Method method(space.method);
    if (!space.preset.empty()) method.options.Set("preset", std::string(space.preset));
    const SearchSpace found = FindSpace(space.method, space.preset);
    ASSERT_EQ(found.dimensions.data(), space.dimensions.data()) << space.method;
    for (const auto& [name, value] : space.unjudged) {
      method.options.Set(name, std::string(value));
    }
    for (uint64_t i = 0; i < 300; ++i) {
      const auto settings = DrawSettings(space, method.options, {}, RandomStream(1, i));
      ASSERT_EQ(settings.size(), space.dimensions.size());
      Method drawn(space.method);
      drawn.options.SetAll(settings);
      ScaleBudget(space, 1.0 / 9, drawn.options);
    }
  }
}

TEST(SearchSpace, EveryMethodWithOptionsHasOne) {
  for (const MethodEntry& entry : Methods()) {
    const bool has_options = !Method(entry.name).options.fields().empty();
    EXPECT_EQ(!FindSpace(entry.name, "").dimensions.empty(), has_options) << entry.name;
  }
}

TEST(SearchSpace, DrawsAreAddressedAndDiffer) {
  Method method("slm");
  const SearchSpace space = FindSpace("slm", "auto");
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
  for (const OptionSetting& setting :
       DefaultSettings(FindSpace("slm", "auto"), method.options, {})) {
    EXPECT_EQ(setting.value, method.options.Find(setting.name)->get());
  }
}

TEST(SearchSpace, WhatTheUserFixesIsNotDrawnAndLeavesOtherDrawsAlone) {
  Method method("rf");
  const SearchSpace space = FindSpace("rf", "");
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
    const auto settings = DrawSettings(FindSpace("mi", ""), method.options, {}, RandomStream(0, i));
    seen.insert(std::stoi(settings[0].value));
  }
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_EQ(*seen.begin(), 1);
  EXPECT_EQ(*seen.rbegin(), 20);
}

TEST(SearchSpace, BudgetsScaleStepsAndDecayTogether) {
  Method method("slm");
  const SearchSpace space = FindSpace("slm", "auto");
  method.options.Set("steps", "900");
  method.options.Set("decay_steps", "300");
  ScaleBudget(space, 1.0 / 3, method.options);
  EXPECT_EQ(method.options.Find("steps")->get(), "300");
  EXPECT_EQ(method.options.Find("decay_steps")->get(), "100");
  EXPECT_EQ(method.options.Find("epochs")->get(), "0");
}

}  // namespace
}  // namespace slm
