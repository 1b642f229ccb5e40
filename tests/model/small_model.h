#pragma once

// A small model with a column of each kind, and a table for it.

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/table.h"
#include "model/content.h"

namespace slm {

inline Matrix RandomMatrix(size_t rows, size_t cols, RandomStream& random) {
  Matrix matrix(rows, cols);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) matrix(i, j) = static_cast<float>(random.Normal());
  }
  return matrix;
}

// Columns of the table: amount (long tails), day (a date, at times missing) and color (text with
// rare levels, at times missing). Widths are those between the layers.
inline ModelContent SmallModel(Task task, const std::vector<size_t>& widths = {4}) {
  ModelContent content;
  content.origin = {.version = "0.0.1",
                    .method = "slm",
                    .seed = 7,
                    .train_rows = 100,
                    .metric = task == Task::kClassification ? "accuracy" : "mae",
                    .valid_metric = 0.75,
                    .test_metric = std::nullopt,
                    .weighting = {"w", {}, 0.5}};
  FeatureEncoding amount;
  amount.name = "amount";
  amount.median = 10.1;
  amount.squash = 0.3;
  amount.mean = 0.1;
  amount.scale = 1.7;
  FeatureEncoding day;
  day.name = "day";
  day.type = ColumnType::kDate;
  day.source_column = 2;
  day.mean = 19000.25;
  day.scale = 0.01;
  day.missing_share = 0.2;
  day.missing_scale = 2.5;
  FeatureEncoding color;
  color.name = "color";
  color.type = ColumnType::kText;
  color.source_column = 5;
  color.levels = {"blue", "gr\xC3\xBCn", "\xE9t\xE9"};  // the last is not UTF-8
  color.has_other = color.has_missing = true;
  color.shares = {0.5, 0.2, 0.1, 0.1, 0.1};
  color.level_scale = 1.2;
  content.features = {{amount, 2, 0.25f}, {day, 3, 0.125f}, {color, 1, 0.625f}};
  content.target.name = "kind";
  content.target.task = task;
  if (task == Task::kClassification) {
    content.target.type = ColumnType::kText;
    content.target.classes = {"high", "low", "odd"};
  } else {
    content.target.mean = 100;
    content.target.sd = 12.5;
  }
  RandomStream random(3, 0);
  content.mask = {1, 0.5f, 0.5f, 2, 2, 2, 2, 2};
  size_t inputs = content.mask.size();
  std::vector<size_t> outputs = widths;
  outputs.push_back(task == Task::kClassification ? 3 : 1);
  for (size_t width : outputs) {
    Matrix w = RandomMatrix(inputs, width, random), bias = RandomMatrix(1, width, random);
    content.layers.push_back({std::move(w), std::move(bias)});
    inputs = width;
  }
  return content;
}

// Cells that are usual, far out, missing and unseen.
inline Table SmallTable() {
  Table table;
  table.rows = 5;
  table.columns = {
      {"amount", ColumnType::kNumeric, {10, 1e9, -1e300, kMissing, 3.5}, {}, {}},
      {"unused", ColumnType::kNumeric, {1, 2, 3, 4, 5}, {}, {}},
      {"day", ColumnType::kDate, {19000, kMissing, 0, 20000, 19001}, {}, {}},
      {"color", ColumnType::kText, {}, {0, 1, 2, -1, 0}, {"blue", "red", "\xE9t\xE9"}}};
  return table;
}

}  // namespace slm
