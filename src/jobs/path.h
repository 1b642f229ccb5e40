#pragma once

// Quality against the number of features, with its error over folds, and the k that follows from
// it. The rows that are not for testing are cut into folds; each is held out once, and all that is
// learned (encoding, selection, predictors) is learned without it.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "jobs/outcome.h"
#include "jobs/prepare.h"
#include "jobs/spread.h"
#include "slm/context.h"
#include "slm/selector.h"

namespace slm {

struct PathSpec {
  SelectionSpec select;  // its k is not used
  std::string method;
  std::function<std::unique_ptr<Selector>()> make;
  std::vector<int> ks;  // to try, in any order; empty for a geometric grid from 1 to k_max
  int k_max = 0;        // 0 for every feature, but at most 1000
  int folds = 5;
  int refits = 1;  // perceptrons tried on each set of columns
  // How far below the best the chosen k may fall, in the unit of the metric; empty for one standard
  // error of the best.
  std::optional<double> tolerance;
};

struct PathPoint {
  int k = 0;
  // On the rows held out, one for each finished fold.
  std::vector<double> method, random;

  Spread Method() const { return SpreadOf(method); }
  Spread Random() const { return SpreadOf(random); }

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("k", k);
    VisitLine(v, "method", method);
    VisitLine(v, "random", random);
  }

 private:
  template <class Visitor>
  static void VisitLine(Visitor& v, const char* name, std::vector<double>& folds) {
    v.Object(name, [&](auto& in) {
      in.Derived("mean", [&] { return SpreadOf(folds).mean; });
      in.Derived("error", [&] { return SpreadOf(folds).Error(); });
      in("folds", folds);
    });
  }
};

// The test rows of its data are those held out in the first fold.
struct PathResult : Outcome {
  PathSpec request;
  std::string metric;
  bool larger_is_better = true;
  std::vector<PathPoint> points;  // by k, ascending
  int folds = 0;                  // that were finished
  bool hurried = false;           // the time limit cut their selections or predictors short
  int best_k = 0;                 // of the best mean
  int chosen_k = 0;               // the smallest that is good enough

  // What a mean has to reach to be good enough.
  double Bar() const;
  template <class Visitor>
  void VisitFields(Visitor& v) {
    VisitHead(v, "slm.path/1", &request.method, request.select.target);
    v("seed", request.select.seed);
    v("folds", folds);
    v.Optional("hurried", hurried);
    v("refits", request.refits);
    v("tolerance", request.tolerance);
    v("data", data);
    v("metric", metric);
    v("larger_is_better", larger_is_better);
    v("points", points);
    v("best_k", best_k);
    v("k", chosen_k);
    VisitEnd(v);
  }
  Json ToJson() const;
  // A result that was written. Throws a DataError that names the field.
  static PathResult FromJson(const Json& json);
};

// From 1 to `largest` in factors of about one and a half.
std::vector<int> GeometricGrid(int largest);

// The k to try: those that were asked for, as far as there are features. Throws a DataError for one
// that is out of range.
std::vector<int> ChooseGrid(const PathSpec& request, const Problem& problem);

// Throws InputError for what the user can fix, and NoResultYet if it was stopped before the first
// fold was finished. Holds the encoded tables of as many folds as there are threads.
PathResult FollowPath(const Tables& tables, const PathSpec& request, const Context& context);

}  // namespace slm
