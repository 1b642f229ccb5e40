#include "selectors/trees/xgboost_library.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/shared_library.h"
#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

SharedLibrary Open() {
  return SharedLibrary({.name = "libxgboost",
                        .variable = "SLM_LIBXGBOOST",
                        .files = {"libxgboost.so", "libxgboost.so.0"},
                        .help =
                            "install Debian's package libxgboost0 (apt-get install libxgboost0), "
                            "or the Python package (pip install xgboost) and set SLM_LIBXGBOOST "
                            "to the path of its lib/libxgboost.so"});
}

}  // namespace

bool XgboostLibrary::Available() { return Open().found(); }

XgboostLibrary XgboostLibrary::Load() {
  const SharedLibrary opened = Open();
  opened.Require("method xgboost needs libxgboost");
  XgboostLibrary library;
  opened.Find("XGDMatrixCreateFromMat", library.matrix_create_);
  opened.Find("XGDMatrixSetFloatInfo", library.matrix_set_);
  opened.Find("XGDMatrixFree", library.matrix_free_);
  opened.Find("XGBoosterCreate", library.model_create_);
  opened.Find("XGBoosterSetParam", library.model_set_);
  opened.Find("XGBoosterUpdateOneIter", library.model_update_);
  opened.Find("XGBoosterEvalOneIter", library.model_evaluate_);
  opened.Find("XGBoosterSlice", library.model_slice_);
  opened.Find("XGBoosterFeatureScore", library.model_score_);
  opened.Find("XGBoosterFree", library.model_free_);
  opened.Find("XGBGetLastError", library.last_error_);
  return library;
}

void XgboostLibrary::Check(int result) const {
  if (result != 0) throw RuntimeFailure("libxgboost failed: " + std::string(last_error_()));
}

XgboostMatrix::XgboostMatrix(const XgboostLibrary& library, const Dataset& data)
    : library_(library) {
  const size_t n = data.rows(), d = data.x->columns();
  const MatrixView<const float> x = data.x->InMemory();
  std::vector<float> cells(n * d), label(n);
  for (size_t i = 0; i < n; ++i) {
    std::copy_n(x.row(i), d, cells.data() + i * d);
    label[i] = data.y.has_classes() ? static_cast<float>(data.y.index[i]) : data.y.value[i];
  }
  library_.Check(library_.matrix_create_(cells.data(), n, d,
                                         std::numeric_limits<float>::quiet_NaN(), &handle_));
  try {
    library_.Check(library_.matrix_set_(handle_, "label", label.data(), n));
    if (!data.weight.empty()) {
      library_.Check(library_.matrix_set_(handle_, "weight", data.weight.data(), n));
    }
  } catch (...) {
    library_.matrix_free_(handle_);
    throw;
  }
}

XgboostModel::XgboostModel(const XgboostLibrary& library, const XgboostMatrix& train)
    : library_(library), train_(train.handle_) {
  library_.Check(library_.model_create_(&train_, 1, &handle_));
}

void XgboostModel::Set(const std::string& name, const std::string& value) {
  library_.Check(library_.model_set_(handle_, name.c_str(), value.c_str()));
}

void XgboostModel::Update(int round) {
  library_.Check(library_.model_update_(handle_, round, train_));
}

double XgboostModel::Evaluate(int round, const XgboostMatrix& data) {
  XgboostLibrary::Handle handle = data.handle_;
  const char* name = "valid";
  const char* text = nullptr;  // "[3]\tvalid-mlogloss:0.25"
  library_.Check(library_.model_evaluate_(handle_, round, &handle, &name, 1, &text));
  const std::string_view line = text;
  double value = 0;
  if (ParseNumber(line.substr(line.rfind(':') + 1), &value)) return value;
  throw RuntimeFailure("XGBoost's evaluation cannot be read: " + std::string(line));
}

void XgboostModel::CutToRounds(int rounds) {
  XgboostLibrary::Handle kept = nullptr;
  library_.Check(library_.model_slice_(handle_, 0, rounds, 1, &kept));
  library_.model_free_(handle_);
  handle_ = kept;
}

std::vector<double> XgboostModel::Score(const std::string& kind, size_t columns) const {
  uint64_t count = 0, dimensions = 0;
  const char** names = nullptr;  // "f12": the column's number
  const uint64_t* shape = nullptr;
  const float* scores = nullptr;
  library_.Check(library_.model_score_(handle_, ("{\"importance_type\": \"" + kind + "\"}").c_str(),
                                       &count, &names, &dimensions, &shape, &scores));
  std::vector<double> out(columns);
  for (uint64_t i = 0; i < count; ++i) {
    out[std::strtoul(names[i] + 1, nullptr, 10)] = double{scores[i]};
  }
  return out;
}

}  // namespace slm
