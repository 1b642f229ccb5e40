#pragma once

// Problems of a few dozen rows with every kind of column, for tests that look at each number.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/encoding/value_codes.h"
#include "slm/matrix.h"
#include "slm/problem.h"
#include "tests/data/cells.h"

namespace slm {

enum class SmallTask { kBinary, kManyClasses, kRegression };

inline const char* SmallTaskName(SmallTask task) {
  return task == SmallTask::kBinary        ? "binary"
         : task == SmallTask::kManyClasses ? "many_classes"
                                           : "regression";
}

// Feature by feature: continuous, two values, four values, a text column of three levels (one-hot,
// three encoded columns), continuous, and ten values.
struct SmallProblem {
  static constexpr size_t kFeatures = 6;
  static constexpr size_t kRows = 24;

  Problem problem;
  Matrix raw;  // rows x features: what "equal" means to the pair term

  SmallProblem(SmallTask task, bool weighted, uint64_t seed) : raw(kRows, kFeatures) {
    RandomStream random(seed, 0);
    problem.layout.names = {"a", "b", "c", "text", "e", "f"};
    problem.layout.offsets = {0, 1, 2, 3, 6, 7, 8};
    Dataset& train = problem.train;
    train.x = MakeRows(Matrix(kRows, problem.layout.columns()));
    train.y.task = task == SmallTask::kRegression ? Task::kRegression : Task::kClassification;
    if (task != SmallTask::kRegression) train.y.classes = task == SmallTask::kBinary ? 2 : 4;
    constexpr uint64_t kLevels[kFeatures] = {0, 2, 4, 3, 0, 10};
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t j = 0; j < kFeatures; ++j) {
        const double value =
            kLevels[j] == 0 ? random.Normal() : static_cast<double>(random.Below(kLevels[j]));
        raw(i, j) = static_cast<float>(value);
        const size_t column = static_cast<size_t>(problem.layout.offsets[j]);
        if (j == 3) {
          Cells(train)(i, column + static_cast<size_t>(value)) = 1;
        } else {
          const double centre = 0.5 * static_cast<double>(kLevels[j]);
          Cells(train)(i, column) =
              static_cast<float>((value - centre) / (1 + 0.3 * static_cast<double>(kLevels[j])));
        }
      }
      if (task == SmallTask::kRegression) {
        train.y.value.push_back(static_cast<float>(random.Normal()));
      } else {
        const uint64_t classes = static_cast<uint64_t>(train.y.classes);
        train.y.index.push_back(static_cast<int32_t>(random.Below(classes)));
      }
      if (weighted) train.weight.push_back(static_cast<float>(random.Uniform(0.1, 2.5)));
    }
    problem.valid = train;
    problem.value_codes = [this](int bins) { return BuildValueCodes(raw.view(), bins); };
  }
  SmallProblem(const SmallProblem&) = delete;
};

}  // namespace slm
