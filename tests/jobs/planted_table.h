#pragma once

// Tables whose informative columns are known, and what methods choose of them.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/table.h"
#include "slm/options.h"
#include "slm/problem.h"
#include "slm/selector.h"

namespace slm {

// Numbers x0 ... and a target "y" of two classes, or of values, made of the first three.
inline Table PlantedTable(size_t rows, size_t features, bool classes, uint64_t seed) {
  RandomStream random(seed, 0);
  Table table;
  table.rows = rows;
  for (size_t j = 0; j < features; ++j) {
    Column column;
    column.name = "x" + std::to_string(j);
    for (size_t i = 0; i < rows; ++i) column.numbers.push_back(random.Normal());
    table.columns.push_back(std::move(column));
  }
  Column target;
  target.name = "y";
  for (size_t i = 0; i < rows; ++i) {
    const double sum =
        table.columns[0].numbers[i] - table.columns[1].numbers[i] + table.columns[2].numbers[i];
    target.numbers.push_back(classes ? (sum > 0 ? 1 : 0) : 100 + 5 * sum);
  }
  table.columns.push_back(std::move(target));
  return table;
}

// The k features from a given one on, of equal weight.
inline Choice ChooseFrom(int first, int k, const Problem& problem) {
  Choice choice;
  choice.weights.assign(problem.layout.features(), 0.0f);
  choice.scores = choice.weights;
  for (int j = first; j < first + k; ++j) {
    choice.features.push_back(j);
    choice.weights[static_cast<size_t>(j)] = 1.0f / static_cast<float>(k);
  }
  return choice;
}

// Seconds become tenths of one; every part of the search still runs.
inline SlmOptions SmallSearch() {
  SlmOptions options;
  options.steps = 120;
  options.hidden_units = 16;
  options.learning_rate = 1e-2;
  options.starts = 2;
  options.filter_starts = 1;
  options.final_predictors = 2;
  options.final_units = 16;
  options.final_steps = 100;
  return options;
}

}  // namespace slm
