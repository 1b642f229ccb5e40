#include "jobs/draw_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace slm {
namespace {

using Dimension = SearchDimension;
using Text = std::string_view;

// Three digits: no result hangs on the fourth, and people read these.
std::string ThreeDigits(double value) {
  char text[40];
  auto [end, error] =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::general, 3);
  std::from_chars(text, end, value);
  return FormatNumber(value);
}

std::string Draw(const Dimension& dimension, RandomStream& random) {
  const double low = dimension.low, high = dimension.high;
  auto logarithmic = [&](double a, double b) {
    return std::exp(random.Uniform(std::log(a), std::log(b)));
  };
  auto whole = [&](double value) {
    return FormatNumber(static_cast<int>(std::clamp(std::floor(value), low, high)));
  };
  switch (dimension.scale) {
    case Dimension::Scale::kLinear:
      return ThreeDigits(random.Uniform(low, high));
    case Dimension::Scale::kLog:
      return ThreeDigits(logarithmic(low, high));
    case Dimension::Scale::kWhole:
      return whole(random.Uniform(low, high + 1));
    case Dimension::Scale::kLogWhole:
      return whole(logarithmic(low, high + 1));
    case Dimension::Scale::kChoices:
      break;
  }
  const Text choices = dimension.choices;
  uint64_t skip =
      random.Below(static_cast<uint64_t>(std::count(choices.begin(), choices.end(), ',')) + 1);
  size_t begin = 0;
  for (; skip > 0; --skip) begin = choices.find(',', begin) + 1;
  return std::string(choices.substr(begin, choices.find(',', begin) - begin));
}

bool IsFixed(Text option, std::span<const OptionSetting> fixed) {
  return std::any_of(fixed.begin(), fixed.end(),
                     [&](const OptionSetting& setting) { return setting.name == option; });
}

}  // namespace

SearchSpace SpaceOf(const Selector& selector) {
  SearchSpace space;
  selector.DescribeSearch(space);
  return space;
}

std::vector<OptionSetting> DefaultSettings(const SearchSpace& space, const OptionList& defaults,
                                           std::span<const OptionSetting> fixed) {
  std::vector<OptionSetting> settings;
  for (const Dimension& dimension : space.dimensions) {
    if (IsFixed(dimension.option, fixed)) continue;
    settings.push_back({std::string(dimension.option), defaults.Find(dimension.option)->get()});
  }
  return settings;
}

std::vector<OptionSetting> DrawSettings(const SearchSpace& space, const OptionList& defaults,
                                        std::span<const OptionSetting> fixed,
                                        const RandomStream& random) {
  std::vector<OptionSetting> settings = DefaultSettings(space, defaults, fixed);
  for (OptionSetting& setting : settings) {
    // A stream for each option: fixing one of them leaves the draws of the others alone.
    const auto at =
        std::find_if(space.dimensions.begin(), space.dimensions.end(),
                     [&](const Dimension& dimension) { return dimension.option == setting.name; });
    RandomStream own = random.Substream(static_cast<uint64_t>(at - space.dimensions.begin()));
    if (own.Uniform() >= space.unchanged) setting.value = Draw(*at, own);
  }
  return settings;
}

void ScaleBudget(const SearchSpace& space, double fraction, OptionList& options) {
  if (fraction == 1) return;
  for (Text name : space.budget) {
    double full = 0;
    ParseNumber(options.Find(name)->get(), &full);
    if (full <= 0) continue;  // 0 stands for "not in use"
    options.Set(name, FormatNumber(std::max(1, static_cast<int>(std::lround(full * fraction)))));
  }
}

}  // namespace slm
