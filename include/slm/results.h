#pragma once

// What requests give back. Each result is cheap to copy, never changes, and has the whole of what
// the command line prints with --json.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slm/model.h"
#include "slm/selector.h"
#include "slm/setting.h"
#include "slm/table.h"
#include "slm/warning.h"

namespace slm {

struct SelectionResult;
struct ComparisonResult;
struct TuningResult;
struct PathResult;
struct StabilityResult;

struct RankedFeature {
  std::string name;
  int index = 0;  // position of the column in the table, from 0; of a group, of its first
  std::optional<float> weight = {};  // empty for a kept column that the method did not weigh
  // What the metric loses when the column is left out, measured on rows that did not train, and
  // the standard error of that; empty if the work was stopped before.
  std::optional<double> importance = {}, importance_sd = {};
  bool kept = false;  // the request asked for it
  // Of the test of significance, if there was one, and whether it is significant at the level.
  std::optional<double> p_value = {}, q_value = {};
  std::optional<bool> significant = {};
  std::vector<std::string> columns = {};  // of a group
};

class SelectResult {
 public:
  explicit SelectResult(std::shared_ptr<const SelectionResult> found) : found_(std::move(found)) {}

  // Exactly k, the most important first; without k as many as are significant, which may be none.
  std::vector<RankedFeature> features() const;
  // Every column that was tested for significance, the most significant first; empty if none was.
  struct Tested {
    std::string name;
    int index = 0;  // as of features
    std::optional<double> statistic, p_value;
    double q_value = 1;        // the least level at which it is significant
    bool significant = false;  // at the level of the request
  };
  std::vector<Tested> tested() const;
  // The sets that the method weighed against each other, as `auto` does; empty for the others.
  const std::vector<TriedSet>& tried() const;
  const std::string& metric() const;   // by which the rest is measured
  double valid() const;                // on validation rows
  std::optional<double> test() const;  // on test rows; empty if there are none
  // What the test rows, or the validation rows where there are none, say about the metric; a value
  // is empty where it is undefined or was not measured.
  struct Evidence {
    std::optional<double> low, high;    // 95 % interval of the metric
    std::optional<double> baseline;     // of the majority class, or of the median or mean value
    std::optional<double> all_columns;  // of a predictor with every usable column
  };
  Evidence evidence() const;
  const std::vector<Warning>& warnings() const;   // about the data
  std::optional<double> cross_validated() const;  // mean over the folds of `cv`
  std::optional<double> p_value() const;          // of the `null` runs
  bool stopped_early() const;  // the time limit or the observer ended it: the best so far
  // The trained predictor, to predict with or to save; empty if it is your own.
  const FittedModel& model() const;
  std::string ToJson() const;  // schema slm.selection/1

 private:
  std::shared_ptr<const SelectionResult> found_;
};

class CompareResult {
 public:
  explicit CompareResult(std::shared_ptr<const ComparisonResult> found)
      : found_(std::move(found)) {}

  struct Row {
    std::string method;
    double mean = 0, sd = 0;  // of the metric over the splits; NaN if no run was finished
    std::string failure;      // why a run has no result; empty if all have
  };
  std::vector<Row> rows() const;  // best first
  const std::string& metric() const;
  bool stopped_early() const;
  std::string ToJson() const;  // schema slm.comparison/1

 private:
  std::shared_ptr<const ComparisonResult> found_;
};

class TuneResult {
 public:
  explicit TuneResult(std::shared_ptr<const TuningResult> found) : found_(std::move(found)) {}

  const std::vector<OptionSetting>& best() const;  // settings of the winner that were searched
  const std::string& metric() const;
  double valid() const;
  std::optional<double> test() const;
  bool stopped_early() const;
  std::string ToJson() const;  // schema slm.tuning/1

 private:
  std::shared_ptr<const TuningResult> found_;
};

class KPath {
 public:
  explicit KPath(std::shared_ptr<const PathResult> found) : found_(std::move(found)) {}

  struct Point {
    int k = 0;
    double mean = 0, random = 0;  // of the metric over folds: the method, and random columns
  };
  std::vector<Point> points() const;  // by k, ascending
  int k() const;                      // the smallest that is good enough
  const std::string& metric() const;
  bool stopped_early() const;
  std::string ToJson() const;  // schema slm.path/1

 private:
  std::shared_ptr<const PathResult> found_;
};

class StabilityReport {
 public:
  explicit StabilityReport(std::shared_ptr<const StabilityResult> found)
      : found_(std::move(found)) {}

  struct Row {
    std::string method;
    double index = 0, low = 0, high = 0;  // with its 95 % interval
    std::string failure;                  // why there is no result
  };
  std::vector<Row> rows() const;  // most stable first
  bool stopped_early() const;
  std::string ToJson() const;  // schema slm.stability/1

 private:
  std::shared_ptr<const StabilityResult> found_;
};

}  // namespace slm
