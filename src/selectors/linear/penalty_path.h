#pragma once

// A path of penalties: lambda falls from where no feature is active until exactly k are. Features
// rank by the lambda at which they entered; those that never did, by the lambda at which they
// would, were nothing else to change.

#include <vector>

#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

class OptionList;

// A model with a penalty, solved for one lambda after the other from where the last one ended.
class PenalisedModel {
 public:
  virtual ~PenalisedModel() = default;
  // Ends early when `context` says so.
  virtual void Solve(double lambda, const Context& context) = 0;
  // Of the last solution, for each feature: the norm of its coefficients, 0 if it is not active.
  virtual std::vector<double> Norms() const = 0;
  // The lambda below which it becomes active beside the others as they are; at first, with none.
  virtual std::vector<double> Entries() const = 0;
};

struct PenaltyPathOptions {
  double path_ratio = 0.9;
  double smallest_lambda = 1e-3;
  double tolerance = 1e-6;
};

void DescribeOptions(PenaltyPathOptions& options, OptionList& list);

// The k features that are active first.
Choice ChooseByPath(PenalisedModel& model, const PenaltyPathOptions& options, int k,
                    const Context& context);

}  // namespace slm
