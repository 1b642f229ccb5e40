#pragma once

// What a search may change in each method, as data: one table, keyed by method and option.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/options.h"
#include "base/random.h"

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
};

struct SearchSpace {
  std::string_view method;
  std::string_view preset;  // the one it belongs to; empty for all others
  // Chance that a trial leaves an option alone. Where defaults are good and options are many, a
  // change of all at once is mostly for the worse.
  double keep = 0;
  std::span<const SearchDimension> dimensions = {};
  // Options that say how long to train, all scaled together by a trial's budget: schedules keep
  // their shape.
  std::span<const std::string_view> budget = {};
  // Set in every trial, since they only cost time there: what they are for is thrown away, and they
  // have no say in which features are chosen.
  std::span<const std::pair<std::string_view, std::string_view>> unjudged = {};
};

// Nothing to search for methods that have nothing to set.
SearchSpace FindSpace(std::string_view method, std::string_view preset);

// Every space of the table, for tests.
std::span<const SearchSpace> SearchSpaces();

// A value of every option of the space but those of `fixed`. `defaults` describes the method as the
// user set it: a trial without `random` has what is there.
std::vector<OptionSetting> DefaultSettings(const SearchSpace& space, const OptionList& defaults,
                                           std::span<const OptionSetting> fixed);
std::vector<OptionSetting> DrawSettings(const SearchSpace& space, const OptionList& defaults,
                                        std::span<const OptionSetting> fixed,
                                        const RandomStream& random);

// Gives the method of `options`, all of its settings made, the share `fraction` of its training.
void ScaleBudget(const SearchSpace& space, double fraction, OptionList& options);

}  // namespace slm
