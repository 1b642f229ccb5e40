// Requests on tables in memory: a dict of fields in, the result as JSON out. Names, ranges and
// defaults are those of the one description of every request (jobs/requests.h).

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/options.h"
#include "bindings.h"
#include "jobs/execute.h"
#include "jobs/requests.h"
#include "runner.h"
#include "selectors/catalog.h"
#include "slm/errors.h"
#include "targets/target.h"

namespace nb = nanobind;

namespace slm {
namespace {

// What Python holds as JSON: numbers stay numbers, and sequences, NumPy's too, become lists.
Json ToJson(nb::handle value) {
  if (value.is_none()) return nullptr;
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (PyLong_Check(value.ptr())) return nb::cast<int64_t>(value);
  if (PyFloat_Check(value.ptr())) return nb::cast<double>(value);
  if (PyUnicode_Check(value.ptr())) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::dict>(value)) {
    Json object = Json::MakeObject();
    for (auto [key, item] : nb::cast<nb::dict>(value)) {
      object.Add(nb::cast<std::string>(nb::str(key)), ToJson(item));
    }
    return object;
  }
  if (nb::hasattr(value, "tolist")) return ToJson(value.attr("tolist")());
  if (nb::hasattr(value, "__fspath__")) return ToJson(value.attr("__fspath__")());
  if (!nb::hasattr(value, "__iter__")) return nb::cast<std::string>(nb::str(value));
  Json array = Json::MakeArray();
  for (nb::handle item : nb::iter(value)) array.Push(ToJson(item));
  return array;
}

// The tables of a call, which it uses up: they are moved out of the Python objects, so that the
// engine holds them once.
Tables TakeTables(Table& data, Table* valid, Table* test) {
  Tables tables{.data = std::exchange(data, {}), .valid = {}, .test = {}};
  if (valid != nullptr) tables.valid = std::exchange(*valid, {});
  if (test != nullptr) tables.test = std::exchange(*test, {});
  return tables;
}

// What a request gives back: the result as JSON, the model of a selection, and whether Ctrl-C ended
// it.
struct Answer {
  std::string json;
  FittedModel model;
  bool interrupted = false;
};

template <class Request>
Answer RunAs(std::string_view command, const Json& fields, Tables tables, nb::object on_events,
             const FieldStyle& style) {
  Request request;
  FillRequest(fields, &request);
  request.field_style = style;
  Answer answer;
  answer.interrupted = RunBesidePython(std::move(on_events), [&](Observer& observer) {
    request.observer = &observer;
    Job job(command, request, tables);
    const auto result = Execute(request, job);
    answer.json = result.ToJson().Dump();
    if constexpr (std::is_same_v<Request, SelectRequest>) answer.model = result.model;
  });
  return answer;
}

// What a selection would begin with, for searches of Python that are to see what the engine sees:
// rows are counted as the caller has them.
Answer Look(std::string_view, const Json& fields, Tables tables, nb::object on_events,
            const FieldStyle& style) {
  SelectRequest request;
  FillRequest(fields, &request);
  request.field_style = style;
  Answer answer;
  answer.interrupted = RunBesidePython(std::move(on_events), [&](Observer&) {
    const std::vector<size_t> rows =
        RowsWithTarget(tables.data, tables.data.IndexOf(request.target));
    Job job("select", request, tables);
    const Beginning beginning = BeginningOf(request, job);
    Json dropped = Json::MakeArray(), training = Json::MakeArray();
    for (const DroppedColumn& column : beginning.dropped) dropped.Push(column.name);
    for (size_t row : beginning.training_rows) training.Push(rows[row]);
    Json json = Json::MakeObject();
    json.Add("task", NameOf(beginning.task));
    json.Add("k", beginning.k);
    json.Add("dropped", std::move(dropped));
    json.Add("training_rows", std::move(training));
    answer.json = json.Dump();
  });
  return answer;
}

struct Command {
  std::string_view name;
  Answer (*run)(std::string_view, const Json&, Tables, nb::object, const FieldStyle&);
};

constexpr Command kCommands[] = {{"look", Look},
                                 {"select", RunAs<SelectRequest>},
                                 {"compare", RunAs<CompareRequest>},
                                 {"tune", RunAs<TuneRequest>},
                                 {"path", RunAs<PathRequest>},
                                 {"stability", RunAs<StabilityRequest>}};

// `names` are fields that the caller knows by another name. What it returns works without Python.
FieldStyle KeywordsNamed(const nb::dict& names) {
  std::map<std::string, std::string, std::less<>> own;
  for (auto [field, name] : names) {
    own.emplace(nb::cast<std::string>(field), nb::cast<std::string>(name));
  }
  return [own](std::string_view field, std::string_view value) {
    const auto at = own.find(field);
    return KeywordStyle(at == own.end() ? field : at->second, value);
  };
}

std::tuple<std::string, FittedModel, bool> Run(const std::string& command, const nb::dict& request,
                                               Table& data, Table* valid, Table* test,
                                               nb::object on_events, const nb::dict& names) {
  const FieldStyle style = KeywordsNamed(names);
  const auto entry = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const Command& c) { return c.name == command; });
  if (entry == std::end(kCommands)) throw UsageError("there is no request '" + command + "'");
  try {
    Answer answer = entry->run(entry->name, ToJson(request), TakeTables(data, valid, test),
                               std::move(on_events), style);
    return {std::move(answer.json), std::move(answer.model), answer.interrupted};
  } catch (const InputError& error) {
    throw InputError(error.kind(), RenderFields(error.marked(), style));
  } catch (const RuntimeFailure& error) {
    throw RuntimeFailure(RenderFields(error.marked(), style));
  }
}

Json FieldToJson(const OptionField& field) {
  std::string help = RenderFields(field.help);
  std::erase(help, '`');
  Json json = Json::MakeObject();
  json.Add("name", field.name);
  json.Add("type", KindName(field.kind));
  json.Add("default", field.get());
  json.Add("value", field.ToJson());  // the default with its type
  json.Add("allowed", field.allowed);
  json.Add("help", help);
  json.Add("required", !field.missing.empty() && field.unless.empty());
  return json;
}

// The fields of a request, in the order of their description.
std::string Fields(const std::string& command) {
  Json list = Json::MakeArray();
  const OptionList fields = FieldsOf(command);
  for (const OptionField& field : fields.fields()) list.Push(FieldToJson(field));
  return list.Dump();
}

// Methods with their options, as `slm methods --json` lists them.
std::string MethodsToJson() {
  static constexpr const char* kKinds[] = {"supervised", "unsupervised", "reference"};
  Json list = Json::MakeArray();
  for (const MethodEntry& method : Methods()) {
    const std::unique_ptr<Selector> selector = method.make();
    OptionList options;
    selector->DescribeOptions(options);
    Json fields = Json::MakeArray();
    for (const OptionField& field : options.fields()) fields.Push(FieldToJson(field));
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
  m.def("run", &Run, nb::arg("command"), nb::arg("request"), nb::arg("data"),
        nb::arg("valid").none() = nullptr, nb::arg("test").none() = nullptr,
        nb::arg("on_events") = nb::none(), nb::arg("names") = nb::dict(),
        "Carries out a request: the result as JSON, the model of a selection, and whether Ctrl-C "
        "ended it. The tables are used up.");
  m.def("fields", &Fields, nb::arg("command"), "The fields of a request, as JSON.");
  m.def("methods", &MethodsToJson, "The methods with their options, as JSON.");
}

}  // namespace slm
