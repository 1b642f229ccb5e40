#pragma once

// What a metric is worth: its interval, the baseline that looks at no column, another metric beside
// it, and how it comes about class by class.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "jobs/prepare.h"
#include "slm/context.h"
#include "slm/selector.h"
#include "targets/metrics.h"

namespace slm {

// A metric on validation and test rows; empty where there are no rows or it is undefined.
struct OnRows {
  std::optional<double> valid, test;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("valid", valid);
    v("test", test);
  }
};

struct NamedOnRows : OnRows {
  std::string name;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    OnRows::VisitFields(v);
  }
};

struct IntervalOnRows {
  std::optional<std::array<double, 2>> valid, test;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("valid", valid);
    v("test", test);
  }
};

struct MetricEvidence {
  std::optional<IntervalOnRows> interval;  // 95 %
  std::optional<NamedOnRows> baseline;     // majority, median or mean
  std::optional<OnRows> all_columns;       // of a predictor with every usable column
  std::optional<NamedOnRows> beside;       // another metric of the same predictions

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v.Optional("interval", interval);
    v.Optional("baseline", baseline);
    v.Optional("all_columns", all_columns);
    v.Optional("beside", beside);
  }
};

// What Preparation::Validate and Test measure, and what stands beside it.
struct Assessment {
  double valid = 0;
  std::optional<double> test;
  MetricEvidence evidence;
};
Assessment Assess(const Preparation& prepared, const Model& model);

struct ClassResult {
  std::string name;
  size_t rows = 0, predicted = 0;
  // Empty where there are no rows to measure on.
  std::optional<double> precision, recall, f1;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("class", name);
    v("rows", rows);
    v("predicted", predicted);
    v("precision", precision);
    v("recall", recall);
    v("f1", f1);
  }
};

// Rows count, not weights.
struct ByClass {
  std::string rows;  // test or validation
  std::vector<ClassResult> classes;
  std::vector<std::vector<size_t>> confusion;  // [true class][predicted class]

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("rows", rows);
    v("classes", classes);
    v("confusion", confusion);
  }
};

// On the test rows, or on the validation rows where there are none. Throws a DataError for values.
ByClass AssessByClass(const Preparation& prepared, const Model& model);

}  // namespace slm
