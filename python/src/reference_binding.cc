// The engine's mask and objective on a single batch, for tests that hold slm.torch to them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "base/options.h"
#include "bindings.h"
#include "data/value_codes.h"
#include "slm/describe.h"
#include "slm/mask.h"
#include "slm/objective.h"
#include "slm/problem.h"

namespace nb = nanobind;

namespace slm {
namespace {

using Floats = std::vector<float>;
using Rows = std::vector<Floats>;
using Settings = std::vector<std::tuple<std::string, std::string>>;

SlmOptions OptionsOf(const Settings& settings) {
  SlmOptions options;
  OptionList list;
  DescribeOptions(options, list);
  for (const auto& [name, value] : settings) list.Set(name, value);
  return options;
}

Mask MaskOf(const Floats& argument, size_t count, const SlmOptions& options) {
  Mask mask(argument.size(), options.mask_scale, options.mask_gradient);
  std::copy(argument.begin(), argument.end(), mask.argument().begin());
  mask.ArgumentReplaced();
  mask.Update(count);
  return mask;
}

Matrix MatrixOf(const Rows& rows) {
  Matrix matrix(rows.size(), rows.at(0).size());
  for (size_t i = 0; i < rows.size(); ++i) {
    std::copy(rows[i].begin(), rows[i].end(), matrix.row(i));
  }
  return matrix;
}

// Weights and gradient by the argument, dense, where d_weights is dense too.
std::tuple<Floats, Floats> MaskWeights(const Floats& argument, size_t count,
                                       const Floats& d_weights, const Settings& settings) {
  const Mask mask = MaskOf(argument, count, OptionsOf(settings));
  Floats p(argument.size()), d_argument(argument.size()), inside, d_support(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t j = static_cast<size_t>(mask.support()[i]);
    p[j] = mask.weights()[i];
    inside.push_back(d_weights[j]);
  }
  float d_reference = 0;
  mask.Backward(inside, d_support, &d_reference);
  for (size_t i = 0; i < count; ++i) {
    d_argument[static_cast<size_t>(mask.support()[i])] = d_support[i];
  }
  if (mask.reference() >= 0) d_argument[static_cast<size_t>(mask.reference())] += d_reference;
  return {p, d_argument};
}

// The loss of a batch, task included, and its gradients by scores, weights (dense) and argument.
std::tuple<double, Rows, Floats, Floats> BatchLossOf(const Rows& x,
                                                     const std::vector<int32_t>& classes,
                                                     const Floats& values, const Rows& scores,
                                                     const Floats& argument, size_t count,
                                                     const Settings& settings) {
  const SlmOptions options = OptionsOf(settings);
  Problem problem;
  for (size_t j = 0; j < argument.size(); ++j) {
    problem.layout.names.push_back("f" + std::to_string(j));
    problem.layout.offsets.push_back(static_cast<int32_t>(j) + 1);
  }
  problem.train.x = MatrixOf(x);
  problem.train.y.task = values.empty() ? Task::kClassification : Task::kRegression;
  problem.train.y.index = classes;
  problem.train.y.classes = static_cast<int>(scores.at(0).size());
  problem.train.y.value = values;
  const std::vector<ValueCodes> codes = BuildValueCodes(problem.train.x.view(), 0);
  const Mask mask = MaskOf(argument, count, options);
  std::vector<int32_t> rows;
  for (size_t i = 0; i < x.size(); ++i) rows.push_back(static_cast<int32_t>(i));

  BatchObjective objective(problem, codes, options);
  const Matrix given = MatrixOf(scores);
  Matrix d_scores(given.rows(), given.cols());
  Floats d_active(count), d_weights(argument.size());
  const double loss = objective.Compute(rows, given.view(), mask, d_scores.view(), d_active);
  for (size_t i = 0; i < count; ++i) {
    d_weights[static_cast<size_t>(mask.support()[i])] = d_active[i];
  }
  Rows d_rows;
  for (size_t i = 0; i < d_scores.rows(); ++i) {
    d_rows.emplace_back(d_scores.row(i), d_scores.row(i) + d_scores.cols());
  }
  const auto d_argument = objective.d_argument();
  return {loss, d_rows, d_weights, Floats(d_argument.begin(), d_argument.end())};
}

}  // namespace

void BindReference(nb::module_& m) {
  m.def("mask_weights", &MaskWeights, nb::arg("argument"), nb::arg("count"), nb::arg("d_weights"),
        nb::arg("settings"));
  m.def("batch_loss", &BatchLossOf, nb::arg("x"), nb::arg("classes"), nb::arg("values"),
        nb::arg("scores"), nb::arg("argument"), nb::arg("count"), nb::arg("settings"));
}

}  // namespace slm
