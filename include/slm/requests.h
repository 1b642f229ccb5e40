#pragma once

// What can be asked for: one struct for each command, a default on every field.
//
//   slm::SelectRequest request;
//   request.data = {"houses.csv"};
//   request.target = "price";
//   request.k = 10;
//   slm::SelectResult result = slm::Select(request);
//
// Each struct is described once (src/jobs/requests.cc): command-line flags, configuration keys,
// JSON, Python keywords and the reference in docs/ come from that description, under the names the
// fields have here. docs/reference/requests.md has every field with its range and default.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slm/context.h"
#include "slm/errors.h"
#include "slm/setting.h"
#include "slm/table.h"

namespace slm {

class Selector;

enum class TaskChoice { kAuto, kClassification, kRegression };

// What becomes of rows whose target is missing.
enum class MissingTarget { kDrop, kError };

// What becomes of columns that give the target away.
enum class LeakPolicy { kWarn, kDrop, kIgnore };

// How it is asked whether columns are real, or luck (docs/guide/significance.md).
enum class SignificanceTest {
  kAuto,  // none without a level; with one, knockoffs, or shadows where columns are few
  kNone,
  kKnockoffs,      // the method beside model-X knockoffs of all columns
  kShadows,        // the method beside copies whose rows have changed places, again and again
  kRandomisation,  // of the chosen columns: distilled conditional randomisation
};

// How rows are cut into parts and folds.
struct SplitRule {
  enum class Kind { kRandom, kGroup, kTime };
  Kind kind = Kind::kRandom;
  std::string column;  // of the group, or of the time; empty at random

  // "group:COL" or "time:COL"; empty at random.
  std::string Text() const;
};

// k: how many features to choose. Only a plain number is known before the data are.
struct FeatureCount {
  int number = 0;     // exactly so many; 0 if one of the others is set, or none
  double share = 0;   // of the features that can be chosen, rounded down, at least one
  int most = 0;       // so many, or all where there are fewer
  bool best = false;  // "auto": as few as do as well as the best, by cross-validation

  FeatureCount() = default;
  FeatureCount(int exactly) : number(exactly) {}
  static FeatureCount Share(double share);
  static FeatureCount AtMost(int most);
  static FeatureCount Auto();

  bool given() const { return number != 0 || share != 0 || most != 0 || best; }
};

// The data of a request, which rows serve for what, and which columns may be chosen.
struct DataRequest {
  std::vector<std::string> data;  // files that make one table; none for tables in memory
  std::string valid, test;        // files with the rows for validation and testing
  ReadOptions read;
  std::string target;
  TaskChoice task = TaskChoice::kAuto;
  std::string metric = "auto";  // accuracy or mae when auto; auc where a class is rare
  std::array<double, 3> split = {0.7, 0.1, 0.2};  // shares of training, validation, test rows
  SplitRule split_by = {};                        // how they are cut
  std::vector<std::string> drop = {};             // columns that must not be chosen
  std::vector<std::string> ignore = {};           // likewise: columns that are not features
  std::vector<std::string> keep = {};             // columns and groups that are in every choice
  std::vector<std::string> groups = {};  // of columns that count as one: "lab=a,b", "lab_*"
  std::string weights;                   // column of sample weights; empty for none
  bool balanced = false;                 // class_weight balanced: all classes count the same
  uint64_t seed = 0;
  MissingTarget missing_target = MissingTarget::kDrop;
  LeakPolicy leaks = LeakPolicy::kWarn;
  bool strict = false;  // a warning about the data is an error
};

// How a request is carried out. None of it decides what a finished run finds.
struct RunControl {
  int threads = 0;        // 0 for one for each core
  double time_limit = 0;  // seconds; 0 for none
  std::string checkpoint;
  double checkpoint_every = 10;  // seconds
  bool resume = false;
  Observer* observer = nullptr;  // progress and early end; may be null
  FieldStyle field_style = {};   // how remarks and warnings name fields; empty for keywords
};

// A method by name with its options, or one of your own.
struct MethodChoice {
  std::string method = "slm";  // one of those that MethodNames() gives
  std::vector<OptionSetting> options;
  // If set, makes the selector, and `method` is only its name in results.
  std::function<std::unique_ptr<Selector>()> make_selector;
};

struct SelectRequest : DataRequest, RunControl, MethodChoice {
  FeatureCount k;
  // The false discovery rate at which columns are significant. Without k, those columns are chosen,
  // as many or few as there are; with it, k are chosen and those of them are marked.
  std::optional<double> fdr;
  SignificanceTest significance = SignificanceTest::kAuto;
  int significance_rounds = 0;  // of shadows or randomisation; 0 for as many as the level needs
  int ensemble = 1;             // selections, from the seed on, whose mean weights choose
  int cv = 0;                   // also select without each of so many folds and evaluate on it
  int null = 0;                 // repeat everything so often with shuffled labels
  bool all_columns = false;     // also fit a predictor on every usable column, to compare with
  bool by_class = false;        // also precision and recall of each class, and the confusion matrix
  // For k auto: folds, and how far below the best is good enough; empty for one standard error.
  int folds = 5;
  std::optional<double> tolerance;
};

// An option of one of several methods.
struct MethodSetting {
  std::string method, option, value;
};

// Methods by name, or "all".
struct MethodList {
  std::vector<std::string> methods;
  std::vector<MethodSetting> set;
};

struct CompareRequest : DataRequest, RunControl, MethodList {
  CompareRequest() { methods = {"all"}; }
  FeatureCount k;
  int seeds = 3;               // splits, from the seed on
  int refits = 4;              // predictors tried on each set of columns
  double selection_limit = 0;  // seconds for each selection; 0 for none
};

enum class Strategy {
  kRandom,
  // Successive halving, by thirds: all trials train for a ninth of their steps, on schedules of the
  // same shape; the best third and trial 0 for a third of them, the best third of those to the end.
  kHalving,
};

struct TuneRequest : DataRequest, RunControl, MethodChoice {
  FeatureCount k;
  int trials = 30;
  Strategy strategy = Strategy::kRandom;
  int judges = 4;       // predictors fitted on the columns of a trial; the best counts
  std::string journal;  // file to append finished trials to; empty for none
};

struct PathRequest : DataRequest, RunControl, MethodChoice {
  PathRequest() { split = {0.875, 0.125, 0}; }
  int k_max = 0;            // 0 for every feature, but at most 1000
  std::vector<int> k_list;  // to try, in any order; empty for a geometric grid from 1 to k_max
  int folds = 5;
  std::optional<double> tolerance;  // as in SelectRequest
  int refits = 1;                   // predictors tried on each set of columns
};

struct StabilityRequest : DataRequest, RunControl, MethodList {
  StabilityRequest() {
    split = {0.875, 0.125, 0};
    methods = {"slm"};
  }
  FeatureCount k;
  int resamples = 20;
  std::optional<double> subsample = 0.5;  // share of the rows in each; empty for the bootstrap
};

// New data for a model.
struct ModelRequest {
  std::string model;              // file
  std::vector<std::string> data;  // files that make one table; none for a table in memory
  ReadOptions read;
  int threads = 0;
  FieldStyle field_style = {};  // how remarks name fields; empty for keywords
};

struct PredictRequest : ModelRequest {
  bool probabilities = false;  // also the probability of each class
};

struct ApplyRequest : ModelRequest {};

}  // namespace slm
