// The commands on tables in memory. Options arrive as the words of a command line and are read by
// the parser of the command line, so that names, ranges, defaults and complaints are the same.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "base/text.h"
#include "bindings.h"
#include "cli/args.h"
#include "cli/job.h"
#include "cli/method_flags.h"
#include "cli/method_list.h"
#include "cli/path_flags.h"
#include "cli/selection_job.h"
#include "jobs/compare.h"
#include "jobs/path.h"
#include "jobs/select.h"
#include "jobs/stability.h"
#include "jobs/tune.h"
#include "runner.h"
#include "selectors/catalog.h"
#include "slm/errors.h"

namespace nb = nanobind;

namespace slm {
namespace {

using Words = std::vector<std::string>;

// The parser asks for the name of a file, which tables in memory do not have.
void ParseWords(ArgParser& parser, Words words) {
  words.push_back("-");
  if (!parser.Parse(words)) throw UsageError("there is no help here; see 'slm --help'");
}

// The tables of a call, which it uses up: they are moved out of the Python objects, so that the
// engine holds them once.
Tables TakeTables(Table& data, Table* valid, Table* test) {
  Tables tables{.data = std::exchange(data, {}), .valid = {}, .test = {}};
  if (valid != nullptr) tables.valid = std::exchange(*valid, {});
  if (test != nullptr) tables.test = std::exchange(*test, {});
  return tables;
}

// What every command gives back: the result as JSON, and whether Ctrl-C ended it.
struct Answer {
  std::string json;
  bool interrupted = false;
};

// Runs work(job), whose result has a ToJson, beside Python.
template <class Work>
Answer RunCommand(JobFlags& flags, Tables tables, nb::object on_events, Work work) {
  Answer answer;
  answer.interrupted = RunBesidePython(std::move(on_events), [&](Observer& observer) {
    Job job(flags, std::move(tables), &observer);
    answer.json = RunOn(job, work).ToJson().Dump();
  });
  return answer;
}

// How many columns to choose, where that depends on how many can be chosen: a share of them, at
// least one, or a number unless there are fewer. Nothing of it is asked if both are 0.
struct RelativeK {
  double share = 0;
  int most = 0;

  bool asked() const { return share > 0 || most > 0; }
  int Resolve(const Tables& tables, SelectionSpec request, ThreadPool& pool) const {
    request.k = std::max(1, static_cast<int>(request.keep.size()));
    const Preparation prepared(tables, request, pool);
    const int usable = static_cast<int>(prepared.problem().layout.features());
    return most > 0 ? std::min(most, usable) : std::max(1, static_cast<int>(share * usable));
  }
};

// A relative k takes the place of -k, which is then not looked at.
std::tuple<std::string, FittedModel, bool> Select(const Words& words, double share, int most,
                                                  Table& data, Table* valid, Table* test,
                                                  nb::object on_events) {
  const RelativeK relative{share, most};
  SelectionJob selection(words);
  ArgParser parser({});
  selection.Describe({}, {}, &parser);
  ParseWords(parser, words);
  selection.Validate(parser);

  JobFlags& flags = selection.flags();
  FittedModel model;
  Answer answer =
      RunCommand(flags, TakeTables(data, valid, test), std::move(on_events), [&](Job& job) {
        if (relative.asked()) {
          flags.request.k = relative.Resolve(job.tables(), flags.request, *job.context(0).pool);
        }
        SelectionResult result = selection.Run(job);
        model = result.model;
        return result;
      });
  return {std::move(answer.json), std::move(model), answer.interrupted};
}

std::pair<std::string, bool> Compare(const Words& words, Table& data, Table* valid, Table* test,
                                     nb::object on_events) {
  JobFlags flags;
  CompareSpec request;
  Words written, set;
  ArgParser parser({});
  OptionList what, run;
  what.Add(ListOption("methods", &written, ""));
  what.Add(ListOption("set", &set, ""));
  run.Int("seeds", &request.seeds, 1, 1000, "");
  run.Int("refits", &request.refits, 1, 100, "");
  DescribeJob(&flags, what, std::move(run), "", &parser);
  flags.free_flags.clear();
  ParseWords(parser, words);
  ValidateJob("compare", parser, &flags);
  written.push_back("random");  // a line to compare with
  request.methods = MethodsByName(written, set);
  request.time_limit = flags.time_limit;
  Answer answer =
      RunCommand(flags, TakeTables(data, valid, test), std::move(on_events), [&](Job& job) {
        request.select = flags.request;
        return CompareMethods(job.tables(), request, job.context(0));
      });
  return {std::move(answer.json), answer.interrupted};
}

std::pair<std::string, bool> TuneMethod(const Words& words, Table& data, Table* valid, Table* test,
                                        nb::object on_events) {
  JobFlags flags;
  TuneSpec request;
  MethodFlags method(words);
  ArgParser parser({});
  OptionList what, run;
  method.DescribeMethod(&what);
  run.Int("trials", &request.trials, 1, 100000, "");
  run.Choice<Strategy>("strategy", &request.strategy,
                       {{"random", Strategy::kRandom}, {"halving", Strategy::kHalving}}, "");
  run.Int("judges", &request.judges, 1, 100, "");
  run.Text("journal", &request.journal, "");
  DescribeJob(&flags, what, std::move(run), "", &parser);
  method.DescribeOptions(&parser);
  // Settings of the search that a checkpoint may outlive; see apps/cli/tune.cc.
  if (FlagValue(words, "--strategy", "random") == "random") flags.free_flags.push_back("trials");
  ParseWords(parser, words);
  ValidateJob("tune", parser, &flags);
  request.resume = flags.resume;
  request.method = method.entry().name;
  request.make = method.entry().make;
  for (const OptionField& field : method.options().fields()) {
    if (parser.Given(field.name)) request.fixed.push_back({field.name, field.get()});
  }
  Answer answer =
      RunCommand(flags, TakeTables(data, valid, test), std::move(on_events), [&](Job& job) {
        request.select = flags.request;
        return Tune(job.tables(), request, job.context(flags.time_limit));
      });
  return {std::move(answer.json), answer.interrupted};
}

std::pair<std::string, bool> Path(const Words& words, std::vector<int> k_list, Table& data,
                                  Table* valid, Table* test, nb::object on_events) {
  JobFlags flags;
  flags.k_flag = KFlag::kNone;
  flags.request.split = {0.875, 0.125, 0};
  MethodFlags method(words);
  PathSpec request;
  request.ks = std::move(k_list);
  ArgParser parser({});
  OptionList what, run;
  method.DescribeMethod(&what);
  what.Int("k_max", &request.k_max, 0, 1 << 30, "");
  DescribePathOptions(&request, "", &what);
  run.Int("refits", &request.refits, 1, 100, "");
  DescribeJob(&flags, what, std::move(run), "", &parser);
  method.DescribeOptions(&parser);
  ParseWords(parser, words);
  ValidateJob("path", parser, &flags);
  // What is no word is part of what a checkpoint belongs to, too.
  if (!flags.checkpoint.empty()) flags.identity.Add("k_list", Json::ArrayOf(request.ks));
  request.method = method.name();
  request.make = [&] { return method.Make(); };
  Answer answer =
      RunCommand(flags, TakeTables(data, valid, test), std::move(on_events), [&](Job& job) {
        request.select = flags.request;
        return FollowPath(job.tables(), request, job.context(flags.time_limit));
      });
  return {std::move(answer.json), answer.interrupted};
}

// A `subsample` of 0 is the bootstrap.
std::pair<std::string, bool> Stability(const Words& words, double subsample, Table& data,
                                       Table* valid, Table* test, nb::object on_events) {
  JobFlags flags;
  flags.request.split = {0.875, 0.125, 0};
  StabilitySpec request;
  request.subsample = subsample > 0 ? std::optional(subsample) : std::nullopt;
  Words written, set;
  ArgParser parser({});
  OptionList what, run;
  what.Add(ListOption("methods", &written, ""));
  what.Add(ListOption("set", &set, ""));
  run.Int("resamples", &request.resamples, 2, 100000, "");
  DescribeJob(&flags, what, std::move(run), "", &parser);
  ParseWords(parser, words);
  ValidateJob("stability", parser, &flags);
  if (!flags.checkpoint.empty()) flags.identity.Add("subsample", subsample);
  request.methods = MethodsByName(written, set);
  Answer answer =
      RunCommand(flags, TakeTables(data, valid, test), std::move(on_events), [&](Job& job) {
        request.select = flags.request;
        return CompareStability(job.tables(), request, job.context(flags.time_limit));
      });
  return {std::move(answer.json), answer.interrupted};
}

const char* KindName(OptionField::Kind kind) {
  static constexpr const char* kNames[] = {"bool", "int", "real", "text"};
  return kNames[static_cast<int>(kind)];
}

// Methods with their options, as `slm methods --json` lists them.
std::string MethodList() {
  static constexpr const char* kKinds[] = {"supervised", "unsupervised", "reference"};
  Json list = Json::MakeArray();
  for (const MethodEntry& method : Methods()) {
    const std::unique_ptr<Selector> selector = method.make();
    OptionList options;
    selector->DescribeOptions(options);
    Json fields = Json::MakeArray();
    for (const OptionField& field : options.fields()) {
      Json option = Json::MakeObject();
      option.Add("name", field.name);
      option.Add("type", KindName(field.kind));
      option.Add("default", field.get());
      option.Add("allowed", field.allowed);
      option.Add("help", field.help);
      fields.Push(std::move(option));
    }
    Json json = Json::MakeObject();
    json.Add("name", method.name);
    json.Add("summary", method.summary);
    json.Add("reference", method.reference);
    json.Add("kind", kKinds[static_cast<int>(method.kind)]);
    json.Add("options", std::move(fields));
    list.Push(std::move(json));
  }
  return list.Dump();
}

}  // namespace

void BindCommands(nb::module_& m) {
  m.def("select", &Select, nb::arg("words"), nb::arg("share"), nb::arg("most"), nb::arg("data"),
        nb::arg("valid").none() = nullptr, nb::arg("test").none() = nullptr,
        nb::arg("on_events") = nb::none(),
        "slm.selection/1, the model, and whether Ctrl-C ended it.");
  m.def("compare", &Compare, nb::arg("words"), nb::arg("data"), nb::arg("valid").none() = nullptr,
        nb::arg("test").none() = nullptr, nb::arg("on_events") = nb::none(), "slm.comparison/1.");
  m.def("tune", &TuneMethod, nb::arg("words"), nb::arg("data"), nb::arg("valid").none() = nullptr,
        nb::arg("test").none() = nullptr, nb::arg("on_events") = nb::none(), "slm.tuning/1.");
  m.def("path", &Path, nb::arg("words"), nb::arg("k_list"), nb::arg("data"),
        nb::arg("valid").none() = nullptr, nb::arg("test").none() = nullptr,
        nb::arg("on_events") = nb::none(), "slm.path/1.");
  m.def("stability", &Stability, nb::arg("words"), nb::arg("subsample"), nb::arg("data"),
        nb::arg("valid").none() = nullptr, nb::arg("test").none() = nullptr,
        nb::arg("on_events") = nb::none(), "slm.stability/1.");
  m.def("methods", &MethodList, "The methods with their options, as JSON.");
}

}  // namespace slm
