// slm export: a model for other programs.

#include <string>

#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/model_flags.h"
#include "model/onnx.h"
#include "slm/errors.h"
#include "slm/model.h"

namespace slm {

int RunExport(Arguments arguments) {
  ModelFlags flags;
  std::string onnx;
  OptionList list;
  list.Text("onnx", &onnx, "write the model as ONNX to `FILE`, with all that is done to its cells");
  ArgParser parser({.example = "slm export houses.slm --onnx houses.onnx",
                    .usage = "export MODEL --onnx FILE [flags]",
                    .summary = "Writes a model in a format that other programs run. See "
                               "docs/reference/model-format.md\nfor its inputs and outputs."});
  DescribeModel(&flags, &parser);
  flags.verbosity.Describe(&list);
  parser.Flags("Flags", std::move(list));
  parser.Require("onnx", "name the file to write");
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  CheckOutput(onnx);
  WriteFile(onnx, ModelToOnnx(LoadModel(flags.model).content()));
  return flags.verbosity.Done("wrote " + onnx);
}

}  // namespace slm
