#pragma once

// The settings of a trial, drawn from what its method lets a search change.

#include <span>
#include <vector>

#include "base/options.h"
#include "base/random.h"
#include "selectors/search_space.h"
#include "slm/selector.h"

namespace slm {

// Of the method as it is set: a preset may have a space of its own.
SearchSpace SpaceOf(const Selector& selector);

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
