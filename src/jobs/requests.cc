#include "jobs/requests.h"

#include <algorithm>
#include <utility>

#include "data/readers/reader.h"
#include "jobs/methods.h"
#include "jobs/request_fields.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace slm {
namespace {

using Complaint = std::vector<std::string>;

void Begin(std::string_view group, OptionList* list) { list->Group(std::string(group)); }

void DescribeFiles(std::vector<std::string>* data, OptionList* list) {
  list->Group("");  // an argument of the command line, not a flag
  list->List("data", data, "files that make one table");
  list->ReachesOut();
  list->NeverDecides();
}

void DescribeTarget(DataRequest* request, OptionList* list) {
  Begin(kWhatGroup, list);
  list->Text("target", &request->target, "the `COL` to predict");
  list->Require("name the column to predict");
}

void DescribeMethod(MethodChoice* choice, OptionList* list) {
  std::string names;
  for (const MethodEntry& method : Methods()) {
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  list->Add({"method", "how to choose: the `NAME` of a method, see 'slm methods'", names,
             OptionField::Kind::kText, [choice] { return choice->method; },
             [choice](const std::string& text) {
               choice->method = text;
               return true;
             }});
  OptionField options = OptionsField("options", &choice->options, "options of the method by name");
  list->Add(std::move(options));
}

void DescribeMethods(MethodList* choice, std::string_view all, OptionList* list) {
  list->List("methods", &choice->methods, "`A,B` of 'slm methods', or all" + std::string(all));
  list->Add(SettingsField("set", &choice->set, "`METHOD.OPTION=VALUE` for one method"));
}

void DescribePath(int* folds, std::optional<double>* tolerance, const std::string& lead,
                  OptionList* list) {
  list->Int("folds", folds, 2, 100, lead + "parts of the rows, each held out in turn");
  list->Add(NumberOrWordField(
      "tolerance", tolerance, "se", [](double x) { return x >= 0; },
      "a number that is not negative, or se",
      lead + "how far from the best is good enough: `X`, or se, its standard error"));
}

// The last of what to choose, then rows and columns.
void DescribeData(DataRequest* request, OptionList* list) {
  list->Choice<TaskChoice>("task", &request->task,
                           {{"auto", TaskChoice::kAuto},
                            {"classification", TaskChoice::kClassification},
                            {"regression", TaskChoice::kRegression}},
                           "`KIND` of target: auto, classification or regression");
  list->Text("metric", &request->metric, "what to measure: `NAME`, or auto for the task's own");

  Begin(kRowsGroup, list);
  list->Add(SplitField(&request->split, &request->split_by));
  list->File("valid", &request->valid, "`FILE` with the rows for validation");
  list->NeverDecides();  // their content counts, not their names
  list->File("test", &request->test, "`FILE` with the rows for testing");
  list->NeverDecides();
  list->Choice<MissingTarget>(
      "missing_target", &request->missing_target,
      {{"drop", MissingTarget::kDrop}, {"error", MissingTarget::kError}},
      "rows without a target: drop leaves them out and counts them, error refuses the table");
  list->NeverDecides();  // it is an error, or the rows that are left decide
  list->List("drop", &request->drop, "columns that must not be chosen: `A,B`");
  list->List("ignore", &request->ignore,
             "the same as " + FieldRef("drop") +
                 ", for columns that are not features: `A,B`; columns that look like identifiers "
                 "are ignored unless this is none");
  list->List("keep", &request->keep, "columns or groups that are always chosen, and count: `A,B`");
  list->List("groups", &request->groups,
             "columns that count as one: `NAME=A,B`, a pattern such as 'lab_*', or prefix:_ for "
             "all with the same prefix");
  list->Text("weights", &request->weights, "`COL` with the weight of each row");
  list->Choice<bool>("class_weight", &request->balanced, {{"none", false}, {"balanced", true}},
                     "`HOW` classes are weighted: none, or balanced for equal totals");
  list->Choice<LeakPolicy>(
      "leaks", &request->leaks,
      {{"warn", LeakPolicy::kWarn}, {"drop", LeakPolicy::kDrop}, {"ignore", LeakPolicy::kIgnore}},
      "columns that give the target away: warn of them, drop them, or ignore that they do");
  list->Bool("strict", &request->strict, "a warning about the data is an error");
  list->NeverDecides();
  DescribeOptions(&request->read, list);
}

void DescribeRun(DataRequest* request, RunControl* run, std::string time_limit, OptionList* list) {
  list->Seed("seed", &request->seed, "the same seed gives the same result");
  list->Int("threads", &run->threads, 0, 1024, "0 is one for each core; the result is the same");
  list->NeverDecides();
  list->Real("time_limit", &run->time_limit, 0, 1e9, std::move(time_limit));
  list->NeverDecides();
  list->File("checkpoint", &run->checkpoint, "keep in `FILE` what a killed run resumes from");
  list->NeverDecides();
  list->Real("checkpoint_every", &run->checkpoint_every, 0.01, 1e9,
             "save progress every `SECONDS`");
  list->NeverDecides();
  list->Bool("resume", &run->resume, "resume from the checkpoint, if it exists");
  list->NeverDecides();
}

void DescribeModelData(ModelRequest* request, OptionList* list) {
  list->Group("");
  list->File("model", &request->model, "the file of the model");
  list->List("data", &request->data, "files that make one table");
  list->ReachesOut();
  list->Group("Flags");
}

void DescribeReading(ModelRequest* request, OptionList* list) {
  DescribeOptions(&request->read, list);
  list->Int("threads", &request->threads, 0, 1024,
            "0 is one for each core; the result is the same");
}

void AddComplaints(const DataRequest& request, Complaint* complaints) {
  if (request.target.empty()) {
    complaints->push_back(FieldRef("target") + " is missing: name the column to predict");
  }
}

void AddComplaints(const RunControl& run, bool has_journal, bool journal, Complaint* complaints) {
  if (run.checkpoint == "-") {
    complaints->push_back(FieldRef("checkpoint") + " needs the name of a file");
  }
  if (run.checkpoint.empty() && run.checkpoint_every != RunControl().checkpoint_every) {
    complaints->push_back(FieldRef("checkpoint_every") + " needs a " + FieldRef("checkpoint") +
                          " to write so often");
  }
  if (!run.resume || !run.checkpoint.empty() || journal) return;
  complaints->push_back(FieldRef("resume") + " needs the " + FieldRef("checkpoint") + " " +
                        (has_journal ? "or the " + FieldRef("journal") + " " : "") +
                        "to resume from");
}

template <class Request>
Complaint CommonComplaints(const Request& request, bool has_journal = false, bool journal = false) {
  Complaint complaints;
  AddComplaints(request, &complaints);
  AddComplaints(request, has_journal, journal, &complaints);
  AddMethodComplaints(request, &complaints);
  return complaints;
}

// Whether it is a method of the catalog that learns from the inputs alone, or from nothing.
bool KnownWithoutTarget(const std::string& name) {
  return std::any_of(Methods().begin(), Methods().end(), [&](const MethodEntry& method) {
    return method.name == name && method.kind != MethodKind::kSupervised;
  });
}

}  // namespace

void Describe(SelectRequest* request, OptionList* list) {
  DescribeFiles(&request->data, list);
  DescribeTarget(request, list);
  OptionField k = CountField(&request->k, true);
  k.missing += ", or choose what is significant by " + FieldRef("fdr") + " 0.1";
  k.unless = "fdr";
  list->Add(std::move(k));
  list->Add(NumberOrWordField(
      "fdr", &request->fdr, "none", [](double q) { return q > 0 && q < 1; },
      "a number above 0 and below 1, or none",
      "the false discovery rate `Q` at which columns are significant: those are chosen, or marked "
      "where " +
          FieldRef("k") + " says how many"));
  list->Choice<SignificanceTest>(
      "significance", &request->significance,
      {{"auto", SignificanceTest::kAuto},
       {"none", SignificanceTest::kNone},
       {"knockoffs", SignificanceTest::kKnockoffs},
       {"shadows", SignificanceTest::kShadows},
       {"randomisation", SignificanceTest::kRandomisation}},
      "the `TEST` that tells real columns from luck: knockoffs, shadows, randomisation of the "
      "chosen ones, or none; auto tests where there is a level");
  list->Int("significance_rounds", &request->significance_rounds, 0, 1000000,
            "rounds of shadows, or draws of randomisation: `N`; 0 for as many as the level needs");
  DescribeMethod(request, list);
  list->Int("ensemble", &request->ensemble, 1, 1000,
            "choose by the mean weights of `N` selections, from " + FieldRef("seed") + " on");
  list->Add(FoldsField(&request->cv, &request->split_by));
  list->Int("null", &request->null, 0, 100000,
            "repeat everything `N` times with shuffled labels, to see what chance gives");
  list->Bool("all_columns", &request->all_columns,
             "also fit the predictor on every usable column, to see what the choice costs");
  list->NeverDecides();
  list->Bool("by_class", &request->by_class,
             "also precision, recall and F1 of each class, and the confusion matrix");
  list->NeverDecides();
  DescribePath(&request->folds, &request->tolerance, "for " + FieldRef("k") + " auto: ", list);
  DescribeData(request, list);
  Begin(kRunGroup, list);
  DescribeRun(request, request, "end after `SECONDS` with the best so far; 0 for no limit", list);
}

void Describe(CompareRequest* request, OptionList* list) {
  DescribeFiles(&request->data, list);
  DescribeTarget(request, list);
  list->Add(CountField(&request->k, false));
  DescribeMethods(request, ", the default", list);
  DescribeData(request, list);
  Begin(kRunGroup, list);
  list->Int("seeds", &request->seeds, 1, 1000, "how many splits, from " + FieldRef("seed") + " on");
  list->Int("refits", &request->refits, 1, 100, "predictors tried on each set; validation chooses");
  // What is late is not what it would have been.
  list->Real("selection_limit", &request->selection_limit, 0, 1e9,
             "for each selection `SECONDS`, then it ends with its best and is marked late; 0 for "
             "no limit");
  DescribeRun(request, request,
              "end after `SECONDS`, which the methods divide, with the best of each so far; 0 for "
              "no limit",
              list);
}

void Describe(TuneRequest* request, OptionList* list) {
  DescribeFiles(&request->data, list);
  DescribeTarget(request, list);
  list->Add(CountField(&request->k, false));
  DescribeMethod(request, list);
  DescribeData(request, list);
  Begin(kRunGroup, list);
  list->Int("trials", &request->trials, 1, 100000, "how many settings to try");
  // A random search may be made longer; in halving the number decides which trials are continued.
  if (request->strategy == Strategy::kRandom) list->NeverDecides();
  list->Choice<Strategy>("strategy", &request->strategy,
                         {{"random", Strategy::kRandom}, {"halving", Strategy::kHalving}},
                         "random runs all trials to the end, halving the best of short ones");
  list->Int(
      "judges", &request->judges, 1, 100,
      "predictors fitted on the columns of a trial, the best of which counts; twice as many larger "
      "ones for the winner");
  list->File("journal", &request->journal, "append every finished trial to `FILE` at once");
  list->NeverDecides();
  DescribeRun(request, request,
              "end the search after `SECONDS` with the best so far; 0 for no limit", list);
}

void Describe(PathRequest* request, OptionList* list) {
  DescribeFiles(&request->data, list);
  DescribeTarget(request, list);
  DescribeMethod(request, list);
  list->Int("k_max", &request->k_max, 0, 1 << 30,
            "the most columns to try: `N`; 0: all, up to 1000");
  list->Add(NumbersField("k_list", &request->k_list, "just these: `A,B,C`"));
  DescribePath(&request->folds, &request->tolerance, "", list);
  DescribeData(request, list);
  Begin(kRunGroup, list);
  list->Int("refits", &request->refits, 1, 100, "predictors tried on each set; validation chooses");
  DescribeRun(request, request,
              "end after `SECONDS` with the folds finished by then, one at least; 0 for no limit",
              list);
}

void Describe(StabilityRequest* request, OptionList* list) {
  DescribeFiles(&request->data, list);
  DescribeTarget(request, list);
  list->Add(CountField(&request->k, false));
  DescribeMethods(request, "; slm is the default", list);
  DescribeData(request, list);
  Begin(kRunGroup, list);
  list->Int("resamples", &request->resamples, 2, 100000, "how many selections of each method");
  list->Add(NumberOrWordField(
      "subsample", &request->subsample, "bootstrap", [](double x) { return x > 0 && x <= 1; },
      "a share above 0 and at most 1, or bootstrap",
      "`SHARE` of the rows in each resample, or bootstrap for as many with replacement"));
  DescribeRun(request, request,
              "end after `SECONDS` with the selections finished by then; 0 for no limit", list);
}

void Describe(PredictRequest* request, OptionList* list) {
  DescribeModelData(request, list);
  list->Bool("probabilities", &request->probabilities, "also the probability of each class");
  DescribeReading(request, list);
}

void Describe(ApplyRequest* request, OptionList* list) {
  DescribeModelData(request, list);
  DescribeReading(request, list);
}

namespace {

void AddSignificanceComplaints(const SelectRequest& request, Complaint* complaints) {
  const bool by_level = !request.k.given() && request.fdr;
  if (!request.k.given() && !request.fdr) {
    complaints->push_back(FieldRef("k") +
                          " is missing: say how many columns to choose, or choose what is "
                          "significant by " +
                          FieldRef("fdr") + " 0.1");
  }
  const bool tests = request.significance != SignificanceTest::kNone &&
                     (request.fdr || request.significance != SignificanceTest::kAuto);
  if (request.fdr && !tests) {
    complaints->push_back(FieldRef("fdr") + " is the level of a test, and " +
                          FieldRef("significance") + " is none; leave one of them out");
  }
  if (request.significance_rounds > 0 && !tests) {
    complaints->push_back(FieldRef("significance_rounds") + " needs a test by " +
                          FieldRef("significance") + " or " + FieldRef("fdr"));
  }
  if (by_level && request.significance == SignificanceTest::kRandomisation) {
    complaints->push_back(FieldRef("significance") +
                          " randomisation tests the columns that were "
                          "chosen, so say how many by " +
                          FieldRef("k"));
  }
  if (tests && request.significance == SignificanceTest::kRandomisation &&
      (!request.weights.empty() || request.balanced)) {
    complaints->push_back(FieldRef("significance", "randomisation") +
                          " counts all rows the same, so it is not for rows with weights; test by "
                          "shadows or knockoffs, or leave out the weights");
  }
  if (tests && request.split_by.kind == SplitRule::Kind::kGroup) {
    complaints->push_back("rows of one " + Quoted(request.split_by.column) +
                          " are alike, and a test of significance that takes rows for independent "
                          "would find luck in them; keep one row of each, or leave out the test");
  }
  const bool looks_at_target = request.make_selector || !KnownWithoutTarget(request.method);
  if (tests && !looks_at_target) {
    complaints->push_back(FieldRef("significance") +
                          " asks what columns say of the target, at "
                          "which method " +
                          request.method + " does not look; choose another");
  }
  if (!by_level) return;
  const std::pair<const char*, bool> kNeedK[] = {{"cv", request.cv > 0},
                                                 {"null", request.null > 0},
                                                 {"ensemble", request.ensemble > 1},
                                                 {"keep", !request.keep.empty()}};
  for (const auto& [name, given] : kNeedK) {
    if (!given) continue;
    complaints->push_back(FieldRef(name) + " needs a number of columns: give " + FieldRef("k") +
                          " beside " + FieldRef("fdr"));
  }
}

}  // namespace

Complaint Complaints(const SelectRequest& request) {
  Complaint complaints = CommonComplaints(request);
  AddSignificanceComplaints(request, &complaints);
  const bool folds = request.folds != SelectRequest().folds;
  if (!request.k.best && (folds || request.tolerance)) {
    complaints.push_back(FieldRef(folds ? "folds" : "tolerance") + " is for " + FieldRef("k") +
                         " auto, which this is not; leave it out" +
                         (folds ? ", or evaluate by folds with " + FieldRef("cv") : ""));
  }
  if (request.cv > 0 && request.k.best) {
    complaints.push_back(FieldRef("cv") + " evaluates one k, and " + FieldRef("k") +
                         " auto would choose it by the rows that evaluate; give " + FieldRef("k") +
                         " a number, such as the one that 'slm path' finds");
  }
  return complaints;
}

Complaint Complaints(const CompareRequest& request) { return CommonComplaints(request); }

Complaint Complaints(const TuneRequest& request) {
  return CommonComplaints(request, true, !request.journal.empty());
}

Complaint Complaints(const PathRequest& request) { return CommonComplaints(request); }

Complaint Complaints(const StabilityRequest& request) { return CommonComplaints(request); }

namespace {

template <class Request>
OptionList FieldsWithDefaults() {
  // The list is read after this returns, so what it is bound to has to stay.
  static Request* const defaults = new Request();
  OptionList list;
  Describe(defaults, &list);
  return list;
}

}  // namespace

OptionList FieldsOf(std::string_view command) {
  static constexpr std::pair<std::string_view, OptionList (*)()> kCommands[] = {
      {"select", FieldsWithDefaults<SelectRequest>},
      {"compare", FieldsWithDefaults<CompareRequest>},
      {"tune", FieldsWithDefaults<TuneRequest>},
      {"path", FieldsWithDefaults<PathRequest>},
      {"stability", FieldsWithDefaults<StabilityRequest>},
      {"predict", FieldsWithDefaults<PredictRequest>},
      {"apply", FieldsWithDefaults<ApplyRequest>}};
  for (const auto& [name, fields] : kCommands) {
    if (name == command) return fields();
  }
  throw UsageError("there is no request '" + std::string(command) + "'");
}

}  // namespace slm
