#pragma once

// A table through a model, judged where the target is known.

#include <optional>
#include <string>

#include "base/json.h"
#include "base/thread_pool.h"
#include "data/table.h"
#include "model/content.h"
#include "slm/model.h"

namespace slm {

struct PredictionResult {
  FittedModel model;
  size_t rows = 0;
  bool with_probabilities = false;
  Predictions predictions;
  // By the metric of the model, rows weighing as in its selection; empty if the target of a row is
  // not known.
  std::optional<double> metric;
  std::string remark;  // on that metric, or on why there is none; empty without a target

  Json ToJson() const;  // schema slm.predictions/1
};

PredictionResult PredictTable(const FittedModel& model, const Table& table, bool with_probabilities,
                              ThreadPool& pool);

}  // namespace slm
