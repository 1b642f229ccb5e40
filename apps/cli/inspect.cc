// slm inspect: what is in a model, in a result or in a table.

#include "jobs/inspect.h"

#include <unistd.h>

#include <string>

#include "base/json_reader.h"
#include "base/output.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "data/readers/bytes.h"
#include "data/readers/reader.h"
#include "model/describe_model.h"
#include "report/columns_table.h"
#include "report/model_table.h"
#include "slm/errors.h"
#include "slm/model.h"

namespace slm {
namespace {

bool IsModel(const std::string& path, std::string_view bytes) {
  // The length of a header of JSON comes first.
  return path.ends_with(".slm") || (bytes.size() > 8 && bytes[8] == '{' && bytes[7] == '\0');
}

// A result of this program; null for a table of objects, and for anything else.
Json ResultIn(const std::string& path, std::string_view bytes) {
  if (!bytes.starts_with("{")) return {};
  try {
    Json json = ParseJson(bytes);
    return json.is_object() && json.Find("schema") != nullptr ? json : Json();
  } catch (const InputError& error) {
    if (bytes.substr(0, bytes.find('\n')).find("\"schema\"") == std::string_view::npos &&
        !path.ends_with(".json")) {
      return {};
    }
    throw DataError(path + ": " + error.what());
  }
}

}  // namespace

int RunInspect(Arguments arguments) {
  InspectRequest request;
  std::string path;
  bool json = false;
  CommandFlags flags(
      arguments,
      {.example = "slm inspect houses.csv --target price",
       .usage = "inspect FILE [flags]",
       .summary =
           "Shows how a table is read: the type of each column and why, missing and distinct\n"
           "cells, range, odd cells with their lines, and whether a selection takes it or leaves\n"
           "it out. Remarks name the flags that change this. Of a model, or of a result that was\n"
           "written as JSON, it shows what is in it."});
  flags.parser().Positional(
      "FILE", &path,
      "A table in any format that 'slm select' reads (CSV, .xlsx, JSON, .zip and so "
      "on), a model, or a result of select.",
      "name the file to look into");
  flags.own().Bool("json", &json, "JSON instead of a table");
  flags.own().Text("target", &request.target, "the `COL` that would be predicted; adds its task");
  DescribeOptions(&request.read, &flags.own());
  flags.own().Int("threads", &request.threads, 0, 1024,
                  "0 is one for each core; the result is the same");
  if (!flags.Parse()) return kDone;
  const Terminal terminal = DescribeTerminal(STDOUT_FILENO);
  Json result;
  bool model = false;
  if (path != "-" && path.find_first_of("*?[ ") == std::string::npos) {
    const FileBytes bytes(path);
    model = IsModel(path, bytes.view());
    if (!model) result = ResultIn(path, bytes.view());
  }
  if (model) result = ModelToJson(LoadModel(path).content());
  if (result.is_object()) {
    WriteStdout(json ? result.Dump(2) + "\n" : RenderResult(result, path, terminal));
  } else {
    request.data = {path};
    request.field_style = FlagStyle;
    const TableReport report = Execute(request);
    WriteStdout(json ? report.ToJson().Dump(2) + "\n" : RenderColumns(report, terminal));
  }
  return flags.Done("read " + path);
}

}  // namespace slm
