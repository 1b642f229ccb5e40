#pragma once

// Problems whose informative features are known.

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/value_codes.h"
#include "slm/problem.h"

namespace slm {

// Standard normal columns; the label depends on the first `informative` of them, added up with
// alternating signs. A permutation may put the columns elsewhere: column j of the problem is column
// order[j] of the plain one.
struct PlantedProblem {
  Problem problem;

  PlantedProblem(Task task, size_t rows, size_t features, size_t informative, uint64_t seed,
                 std::vector<size_t> order = {}) {
    RandomStream random(seed, 0);
    if (order.empty()) {
      order.resize(features);
      std::iota(order.begin(), order.end(), size_t{0});
    }
    for (size_t j = 0; j < features; ++j) {
      problem.layout.names.push_back("x" + std::to_string(order[j]));
      problem.layout.offsets.push_back(static_cast<int32_t>(j + 1));
    }
    for (Dataset* data : {&problem.train, &problem.valid}) {
      const size_t n = data == &problem.train ? rows : rows / 3;
      data->x = Matrix(n, features);
      data->y.task = task;
      data->y.classes = task == Task::kClassification ? 2 : 0;
      std::vector<float> row(features);
      for (size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (size_t j = 0; j < features; ++j) {
          row[j] = static_cast<float>(random.Normal());
          if (j < informative) sum += (j % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(row[j]);
        }
        for (size_t j = 0; j < features; ++j) data->x(i, j) = row[order[j]];
        if (task == Task::kClassification) {
          data->y.index.push_back(sum > 0 ? 1 : 0);
        } else {
          data->y.value.push_back(
              static_cast<float>(sum / std::sqrt(static_cast<double>(informative))));
        }
      }
    }
    problem.value_codes = [this](int bins) {
      return BuildValueCodes(problem.train.x.view(), bins);
    };
  }
  PlantedProblem(const PlantedProblem&) = delete;
};

}  // namespace slm
