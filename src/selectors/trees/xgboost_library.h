#pragma once

// libxgboost, found at run time: the few functions of its C interface that are used, with errors
// turned into exceptions. No header of it is needed to build.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// Tried in this order: the path in the environment variable SLM_LIBXGBOOST, and nothing else if it
// is set; libxgboost.so; libxgboost.so.0, the name of Debian's.
class XgboostLibrary {
 public:
  // Throws a RuntimeFailure that says how to install it.
  static XgboostLibrary Load();
  static bool Available();

 private:
  friend class XgboostMatrix;
  friend class XgboostModel;
  using Handle = void*;

  void Check(int result) const;

  int (*matrix_create_)(const float*, uint64_t, uint64_t, float, Handle*) = nullptr;
  int (*matrix_set_)(Handle, const char*, const float*, uint64_t) = nullptr;
  int (*matrix_free_)(Handle) = nullptr;
  int (*model_create_)(const Handle*, uint64_t, Handle*) = nullptr;
  int (*model_set_)(Handle, const char*, const char*) = nullptr;
  int (*model_update_)(Handle, int, Handle) = nullptr;
  int (*model_evaluate_)(Handle, int, Handle*, const char**, uint64_t, const char**) = nullptr;
  int (*model_slice_)(Handle, int, int, int, Handle*) = nullptr;
  int (*model_score_)(Handle, const char*, uint64_t*, const char***, uint64_t*, const uint64_t**,
                      const float**) = nullptr;
  int (*model_free_)(Handle) = nullptr;
  const char* (*last_error_)() = nullptr;
};

// A data set in the library's own form: a copy.
class XgboostMatrix {
 public:
  XgboostMatrix(const XgboostLibrary& library, const Dataset& data);
  ~XgboostMatrix() { library_.matrix_free_(handle_); }
  XgboostMatrix(const XgboostMatrix&) = delete;
  XgboostMatrix& operator=(const XgboostMatrix&) = delete;

 private:
  friend class XgboostModel;
  const XgboostLibrary& library_;
  XgboostLibrary::Handle handle_ = nullptr;
};

class XgboostModel {
 public:
  XgboostModel(const XgboostLibrary& library, const XgboostMatrix& train);
  ~XgboostModel() { library_.model_free_(handle_); }
  XgboostModel(const XgboostModel&) = delete;
  XgboostModel& operator=(const XgboostModel&) = delete;

  void Set(const std::string& name, const std::string& value);
  // One more round on the training rows.
  void Update(int round);
  // The metric of the latest rounds on other rows.
  double Evaluate(int round, const XgboostMatrix& data);
  // Forgets all rounds but the first so many.
  void CutToRounds(int rounds);
  // "weight", "total_gain" or "total_cover" of each of so many columns; 0 for those without a
  // split.
  std::vector<double> Score(const std::string& kind, size_t columns) const;

 private:
  const XgboostLibrary& library_;
  XgboostLibrary::Handle train_;
  XgboostLibrary::Handle handle_ = nullptr;
};

}  // namespace slm
