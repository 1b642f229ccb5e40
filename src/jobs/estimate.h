#pragma once

// How long a selection would take, told from about a second of it.
//
// A method that knows (SLM) is asked. One whose training is counted in steps, trees or rounds runs
// for a 64th of them, a 16th, a quarter, as far as time allows, and is extended in proportion. Any
// other one works on a 64th of the rows, a 16th, a quarter, and is extended by the power of the
// rows that the last two tell, the first power at least. What is done to the end on the way is no
// estimate but a measurement.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

// Of Select for one k, of SelectEach for several, on the threads of the context. Nothing if even
// the smallest piece took too long, or the method cannot do it.
std::optional<TimeNeed> EstimateTime(const std::function<std::unique_ptr<Selector>()>& make,
                                     const Problem& problem, std::span<const int> ks, uint64_t seed,
                                     const Context& context);

// The same for selections each of which has one thread, so many of them side by side on the threads
// of the context, since they share caches and memory when it counts, too; the mean of them.
std::optional<TimeNeed> EstimateTimeBeside(size_t beside,
                                           const std::function<std::unique_ptr<Selector>()>& make,
                                           const Problem& problem, std::span<const int> ks,
                                           uint64_t seed, const Context& context);

// A share of the rows of every part, evenly drawn; without value codes.
Problem ShareOfRows(const Problem& problem, double share);

// The exponent of rows between two measurements, within what algorithms have: 1 to 3.
double GrowthOf(double fewer_rows, double fewer_seconds, double rows, double seconds);

}  // namespace slm
