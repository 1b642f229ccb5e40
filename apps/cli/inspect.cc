// slm inspect: what is in a model or in a result.

#include <unistd.h>

#include <string>

#include "base/json_reader.h"
#include "base/output.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "data/readers/bytes.h"
#include "model/describe_model.h"
#include "report/model_table.h"
#include "slm/errors.h"
#include "slm/model.h"

namespace slm {

int RunInspect(Arguments arguments) {
  std::string path;
  bool json = false;
  CommandFlags flags(arguments,
                     {.example = "slm inspect houses.slm",
                      .usage = "inspect FILE [flags]",
                      .summary = "Shows what is in a model, or in a result that was written as "
                                 "JSON."});
  flags.parser().Positional("FILE", &path, "A model, or a result of select.",
                            "name the file to look into");
  flags.own().Bool("json", &json, "JSON instead of a table");
  if (!flags.Parse()) return kDone;
  Json result;
  {
    const FileBytes bytes(path);
    // No model begins so: the length of its header is a multiple of eight.
    if (bytes.view().starts_with("{")) {
      try {
        result = ParseJson(bytes.view());
      } catch (const InputError& error) {
        throw DataError(path + ": " + error.what());
      }
    }
  }
  if (!result.is_object()) result = ModelToJson(LoadModel(path).content());
  WriteStdout(json ? result.Dump(2) + "\n"
                   : RenderResult(result, path, DescribeTerminal(STDOUT_FILENO)));
  return flags.Done("read " + path);
}

}  // namespace slm
