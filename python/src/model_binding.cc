// Models: predictions, and the safe file format as the only way in and out.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "bindings.h"
#include "model/content.h"
#include "model/describe_model.h"
#include "model/predict.h"
#include "slm/errors.h"
#include "slm/model.h"

namespace nb = nanobind;

namespace slm {
namespace {

// Hands a buffer over to NumPy without copying it.
template <class T>
nb::object ToNumpy(std::vector<T> values, std::vector<size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(
      nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), std::move(owner)));
}

// What a model makes of a table: (class index or value of each row, probabilities or None).
nb::tuple PredictRows(const FittedModel& model, const Table& table, int threads) {
  Predictions predictions;
  std::vector<float> flat;
  const size_t rows = table.rows;
  {
    nb::gil_scoped_release release;
    ThreadPool pool(threads);
    const ModelContent& content = model.content();
    predictions = PredictionsOf(content, ModelScores(content, table, pool));
    const Matrix& p = predictions.probabilities;
    for (size_t i = 0; i < p.rows(); ++i) flat.insert(flat.end(), p.row(i), p.row(i) + p.cols());
  }
  if (model.classes().empty()) {
    return nb::make_tuple(ToNumpy(std::move(predictions.values), {rows}), nb::none());
  }
  return nb::make_tuple(ToNumpy(std::move(predictions.classes), {rows}),
                        ToNumpy(std::move(flat), {rows, model.classes().size()}));
}

nb::bytes ToBytes(const FittedModel& model) {
  const std::string text = SerializeModel(model);
  return nb::bytes(text.data(), text.size());
}

FittedModel FromBytes(const nb::bytes& bytes) {
  return ParseModel({static_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

void BindModel(nb::module_& m) {
  nb::class_<FittedModel>(m, "Model", "The chosen columns, their encoding and the predictor.")
      .def(
          "__init__",
          [](FittedModel* model, const nb::bytes& bytes) {
            new (model) FittedModel(FromBytes(bytes));
          },
          nb::arg("bytes"), "A model from what to_bytes gave; anything else is a ValueError.")
      .def("predict", &PredictRows, nb::arg("table"), nb::arg("threads") = 0,
           "Class index or value of each row, and the probabilities of the classes or None.")
      .def(
          "like", [](const FittedModel& model) { return TableLike(model.content(), "the model"); },
          "A table without rows whose columns have the types of the training.")
      .def(
          "describe", [](const FittedModel& model) { return ModelToJson(model.content()).Dump(); },
          "The model as JSON, schema slm.model/1.")
      .def(
          "save", [](const FittedModel& model, const std::string& path) { SaveModel(model, path); },
          nb::arg("path"))
      .def("to_bytes", &ToBytes)
      .def_prop_ro("empty", &FittedModel::empty)
      .def_prop_ro(
          "task",
          [](const FittedModel& model) { return std::string(TargetOf(model.task()).name()); })
      .def_prop_ro("target", [](const FittedModel& model) { return model.target(); })
      .def_prop_ro("columns", [](const FittedModel& model) { return model.columns(); })
      .def_prop_ro("classes", [](const FittedModel& model) { return model.classes(); })
      .def_prop_ro("class_values",
                   [](const FittedModel& model) { return model.content().target.class_values; })
      .def_prop_ro(
          "target_type",
          [](const FittedModel& model) { return ColumnTypeName(model.content().target.type); })
      // Every protocol of pickle, and skops, make the model again from the bytes of its file.
      .def("__reduce__",
           [](nb::handle model) {
             return nb::make_tuple(model.type(),
                                   nb::make_tuple(ToBytes(nb::cast<const FittedModel&>(model))));
           })
      .def("__setstate__", [](FittedModel& model, const nb::bytes& bytes) {  // pickles of 0.3
        new (&model) FittedModel(FromBytes(bytes));
      });
  m.def(
      "load_model", [](const std::string& path) { return LoadModel(path); }, nb::arg("path"));
}

}  // namespace slm
