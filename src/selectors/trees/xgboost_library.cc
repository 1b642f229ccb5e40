#include "selectors/trees/xgboost_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "slm/errors.h"

namespace slm {
namespace {

// The library stays loaded: it has threads of its own that must not lose their code.
void* Open() {
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  if (const char* path = std::getenv("SLM_LIBXGBOOST")) return dlopen(path, kFlags);
  for (const char* name : {"libxgboost.so", "libxgboost.so.0"}) {
    if (void* opened = dlopen(name, kFlags)) return opened;
  }
  return nullptr;
}

constexpr const char* kHelp =
    "; install Debian's package libxgboost0 (apt-get install libxgboost0), or the Python package "
    "(pip install xgboost) and set SLM_LIBXGBOOST to the path of its lib/libxgboost.so";

template <class Function>
void Find(void* opened, const char* name, Function*& out) {
  out = reinterpret_cast<Function*>(dlsym(opened, name));
  if (out == nullptr) {
    throw RuntimeFailure("the libxgboost that was found is too old: it lacks " + std::string(name) +
                         kHelp);
  }
}

}  // namespace

bool XgboostLibrary::Available() { return Open() != nullptr; }

XgboostLibrary XgboostLibrary::Load() {
  void* opened = Open();
  if (opened == nullptr) {
    const char* path = std::getenv("SLM_LIBXGBOOST");
    throw RuntimeFailure("method xgboost needs libxgboost, which " +
                         (path == nullptr
                              ? std::string("was not found")
                              : "could not be loaded from SLM_LIBXGBOOST=" + std::string(path)) +
                         kHelp);
  }
  XgboostLibrary library;
  Find(opened, "XGDMatrixCreateFromMat", library.matrix_create_);
  Find(opened, "XGDMatrixSetFloatInfo", library.matrix_set_);
  Find(opened, "XGDMatrixFree", library.matrix_free_);
  Find(opened, "XGBoosterCreate", library.model_create_);
  Find(opened, "XGBoosterSetParam", library.model_set_);
  Find(opened, "XGBoosterUpdateOneIter", library.model_update_);
  Find(opened, "XGBoosterEvalOneIter", library.model_evaluate_);
  Find(opened, "XGBoosterSlice", library.model_slice_);
  Find(opened, "XGBoosterFeatureScore", library.model_score_);
  Find(opened, "XGBoosterFree", library.model_free_);
  Find(opened, "XGBGetLastError", library.last_error_);
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
  const std::string line = text;
  return std::strtod(line.c_str() + line.rfind(':') + 1, nullptr);
}

void XgboostModel::KeepRounds(int rounds) {
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
