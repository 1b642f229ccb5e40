#pragma once

// What a search for settings may change in a method. Each method describes its own, beside its
// options (Selector::DescribeSearch).

#include <span>
#include <string_view>
#include <utility>

namespace slm {

// The values of one option that are worth trying.
struct SearchDimension {
  enum class Scale {
    kLinear,
    kLog,
    kWhole,     // whole numbers, both ends included
    kLogWhole,  // likewise, small ones as likely as large ones
    kChoices,
  };

  std::string_view option;
  Scale scale;
  double low = 0, high = 0;
  // Between commas; one that stands there twice is drawn twice as often.
  std::string_view choices = {};

  static constexpr SearchDimension Linear(std::string_view option, double low, double high) {
    return {option, Scale::kLinear, low, high};
  }
  static constexpr SearchDimension Log(std::string_view option, double low, double high) {
    return {option, Scale::kLog, low, high};
  }
  static constexpr SearchDimension Whole(std::string_view option, double low, double high) {
    return {option, Scale::kWhole, low, high};
  }
  static constexpr SearchDimension LogWhole(std::string_view option, double low, double high) {
    return {option, Scale::kLogWhole, low, high};
  }
  static constexpr SearchDimension OneOf(std::string_view option, std::string_view choices) {
    return {option, Scale::kChoices, 0, 0, choices};
  }
};

// Made of constants: what it points to outlives every selector.
struct SearchSpace {
  std::span<const SearchDimension> dimensions = {};
  // Chance that a trial leaves an option alone. Where defaults are good and options are many, a
  // change of all at once is mostly for the worse.
  double unchanged = 0;
  // Options that say how long to train, all scaled together by a trial's budget: schedules keep
  // their shape.
  std::span<const std::string_view> budget = {};
  // Set in every trial, since they only cost time there: what they are for is thrown away, and they
  // have no say in which features are chosen.
  std::span<const std::pair<std::string_view, std::string_view>> unjudged = {};
};

}  // namespace slm
