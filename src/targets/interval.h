#pragma once

// How far a metric can be trusted: what other rows of the same kind might have given.

#include <array>
#include <optional>

#include "slm/matrix.h"
#include "slm/problem.h"
#include "targets/metrics.h"

namespace slm {

// A 95 % interval of the metric on these rows, `value` being what all of them give. The error comes
// from leaving out a twentieth of the rows in turn (a jackknife by groups, Student's t with one
// degree of freedom less than there are groups); of metrics between 0 and 1 it then gives the rows
// that a share with this error has, and those give Wilson's interval, which keeps its width where
// everything is right. Empty where the metric is undefined, there are fewer than two rows, or so
// many rows and classes that this would take long.
std::optional<std::array<double, 2>> IntervalOf(const Metric& metric, double value,
                                                const Matrix& scores, const Dataset& data,
                                                double unit);

}  // namespace slm
