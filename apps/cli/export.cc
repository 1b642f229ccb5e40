// slm export: a model for other programs.

#include <string>

#include "base/output.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/verbosity.h"
#include "model/onnx.h"
#include "slm/errors.h"
#include "slm/model.h"

namespace slm {

int RunExport(Arguments arguments) {
  std::string model, onnx;
  OptionList list("Flags");
  list.Text("onnx", &onnx, "write the model as ONNX to `FILE`, with the encoding of its cells");
  list.Require("name the file to write");
  ArgParser parser({.example = "slm export houses.slm --onnx houses.onnx",
                    .usage = "export MODEL --onnx FILE [flags]",
                    .summary = "Writes a model in a format that other programs run. See "
                               "docs/reference/model-format.md\nfor its inputs and outputs."});
  DescribeModelArgument(&model, &parser);
  Verbosity verbosity;
  verbosity.Describe(&list);
  parser.Flags(list);
  if (!parser.Parse(arguments)) {
    WriteStdout(parser.Help());
    return kDone;
  }
  CheckOutput(onnx);
  WriteFile(onnx, ModelToOnnx(LoadModel(model).content()));
  return verbosity.Done("wrote " + onnx);
}

}  // namespace slm
