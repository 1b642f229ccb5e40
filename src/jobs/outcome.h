#pragma once

#include <string>

#include "base/fields.h"
#include "base/json.h"
#include "base/version.h"
#include "jobs/evidence.h"
#include "jobs/prepare.h"
#include "slm/errors.h"

namespace slm {

// Stopped before there was anything to give back.
class NoResultYet : public RuntimeFailure {
 public:
  using RuntimeFailure::RuntimeFailure;
};

// What the result of every command has beside its own findings.
struct Outcome {
  std::string version = Version();  // of the program that found it
  DataSummary data;                 // where rows are drawn again and again, of the first time
  bool stopped_early = false;       // the deadline or the observer ended it
  double read_seconds = 0, total_seconds = 0;

  // The fields of a result open with schema, version, method (null if it is not about one), task
  // and target ...
  template <class Visitor>
  void VisitHead(Visitor& v, const char* schema, std::string* method, std::string& target) {
    v.Schema(schema);
    v("version", version);
    if (method != nullptr) v("method", *method);
    v("task", data.task);
    v("target", target);
  }
  // ... and end with whether it was stopped, and the seconds.
  template <class Visitor>
  void VisitEnd(Visitor& v) {
    v("stopped_early", stopped_early);
    v.Object("seconds", [&](auto& in) {
      in("read", read_seconds);
      in("total", total_seconds);
    });
  }
};

}  // namespace slm
