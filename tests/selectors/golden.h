#pragma once

// Reads the files of tests/reference/golden: values of other implementations, each made by a script
// of tests/reference, and turns their arrays into problems.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/encoding/value_codes.h"
#include "slm/problem.h"

namespace slm {

class Golden {
 public:
  // The file golden/NAME.txt.
  explicit Golden(const std::string& name) {
    std::ifstream in(std::string(SLM_GOLDEN_DIR) + "/" + name + ".txt");
    if (!in) throw std::runtime_error("no golden file " + name);
    std::string line;
    std::getline(in, line);  // how it was made
    std::string key;
    size_t rows, columns;
    while (in >> key >> rows >> columns) {
      Array& array = arrays_[key];
      array.columns = columns;
      array.values.resize(rows * columns);
      for (double& x : array.values) in >> x;
    }
    if (!in.eof()) throw std::runtime_error("golden file " + name + " is cut short");
  }

  const std::vector<double>& at(const std::string& key) const { return arrays_.at(key).values; }

  std::vector<int> ints(const std::string& key) const {
    const std::vector<double>& values = at(key);
    return {values.begin(), values.end()};
  }

  Matrix matrix(const std::string& key) const {
    const Array& array = arrays_.at(key);
    Matrix out(array.values.size() / array.columns, array.columns);
    for (size_t i = 0; i < array.values.size(); ++i) {
      out(i / array.columns, i % array.columns) = static_cast<float>(array.values[i]);
    }
    return out;
  }

  // The problem of arrays x and y, all rows for training and the same ones for validation; every
  // column is a feature.
  Problem MakeProblem(Task task, const std::string& x = "x", const std::string& y = "y") const {
    Problem problem;
    problem.train.x = MakeRows(matrix(x));
    problem.train.y.task = task;
    for (double value : at(y)) {
      if (task == Task::kClassification) {
        problem.train.y.index.push_back(static_cast<int32_t>(value));
        problem.train.y.classes = std::max(problem.train.y.classes, static_cast<int>(value) + 1);
      } else {
        problem.train.y.value.push_back(static_cast<float>(value));
      }
    }
    problem.valid = problem.train;
    for (size_t j = 0; j < problem.train.x->columns(); ++j) {
      problem.layout.names.push_back("x" + std::to_string(j));
      problem.layout.offsets.push_back(static_cast<int32_t>(j + 1));
    }
    problem.value_codes = [values = problem.train.x](int bins) {
      return BuildValueCodes(values->InMemory(), bins);
    };
    return problem;
  }

 private:
  struct Array {
    size_t columns = 0;
    std::vector<double> values;
  };
  std::map<std::string, Array> arrays_;
};

}  // namespace slm
