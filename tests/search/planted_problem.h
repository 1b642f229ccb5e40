#pragma once

// Problems whose informative features are known.

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/encoding/value_codes.h"
#include "slm/problem.h"
#include "tests/data/cells.h"

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
    for (Dataset* data : {&problem.train, &problem.valid, &problem.test}) {
      const size_t n = data == &problem.train ? rows : rows / 3;
      data->x = MakeRows(Matrix(n, features));
      data->y.task = task;
      data->y.classes = task == Task::kClassification ? 2 : 0;
      std::vector<float> row(features);
      for (size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (size_t j = 0; j < features; ++j) {
          row[j] = static_cast<float>(random.Normal());
          if (j < informative) sum += (j % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(row[j]);
        }
        for (size_t j = 0; j < features; ++j) Cells(*data).row(i)[j] = row[order[j]];
        if (task == Task::kClassification) {
          data->y.index.push_back(sum > 0 ? 1 : 0);
        } else {
          data->y.value.push_back(
              static_cast<float>(sum / std::sqrt(static_cast<double>(informative))));
        }
      }
    }
    problem.test.y = {};  // as in the product: the labels are withheld
    problem.value_codes = [this](int bins) {
      return BuildValueCodes(problem.train.x->InMemory(), bins);
    };
  }
  PlantedProblem(const PlantedProblem&) = delete;
};

// Features of several encoded columns: text of three levels, encoded as in the product, and numbers
// in turn. The class depends on kText and kNumber.
struct GroupedProblem {
  static constexpr int kFeatures = 8;
  static constexpr int kText = 2, kNumber = 5;

  Problem problem;
  Matrix raw;  // training rows x features: what "equal" means to the pair term

  GroupedProblem(size_t rows, uint64_t seed) : raw(rows, kFeatures) {
    RandomStream random(seed, 0);
    for (int j = 0; j < kFeatures; ++j) {
      problem.layout.names.push_back("x" + std::to_string(j));
      problem.layout.offsets.push_back(problem.layout.offsets.back() + (IsText(j) ? 3 : 1));
    }
    for (Dataset* data : {&problem.train, &problem.valid, &problem.test}) {
      const size_t n = data == &problem.train ? rows : rows / 3;
      data->x = MakeRows(Matrix(n, problem.layout.columns()));
      data->y.classes = 2;
      for (size_t i = 0; i < n; ++i) {
        double sum = 0.3 * random.Normal();
        for (int j = 0; j < kFeatures; ++j) {
          const size_t level = random.Below(3);
          const double value = IsText(j) ? static_cast<double>(level) : random.Normal();
          float* columns = Cells(*data).row(i) + problem.layout.offsets[static_cast<size_t>(j)];
          for (size_t part = 0; IsText(j) && part < 3; ++part) {
            const double hit = part == level ? 1 : 0;
            columns[part] = static_cast<float>((hit - 1.0 / 3) / std::sqrt(2.0 / 3));
          }
          if (!IsText(j)) columns[0] = static_cast<float>(value);
          if (j == kText) sum += 1.5 * (value - 1);
          if (j == kNumber) sum += value;
          if (data == &problem.train) raw(i, static_cast<size_t>(j)) = static_cast<float>(value);
        }
        data->y.index.push_back(sum > 0 ? 1 : 0);
      }
    }
    problem.value_codes = [this](int bins) { return BuildValueCodes(raw.view(), bins); };
  }
  GroupedProblem(const GroupedProblem&) = delete;

  static bool IsText(int feature) { return feature % 2 == 0; }
};

}  // namespace slm
