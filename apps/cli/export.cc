// slm export: a model for other programs.

#include <string>

#include "base/output.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/file_roles.h"
#include "model/onnx.h"
#include "slm/errors.h"
#include "slm/model.h"

namespace slm {

int RunExport(Arguments arguments) {
  std::string model, onnx;
  CommandFlags flags(arguments,
                     {.example = "slm export houses.slm --onnx houses.onnx",
                      .usage = "export MODEL --onnx FILE [flags]",
                      .summary = "Writes a model in a format that other programs run. See "
                                 "docs/reference/model-format.md\nfor its inputs and outputs."});
  flags.own().File("onnx", &onnx,
                   "write the model as ONNX to `FILE`, with the encoding of its cells");
  flags.own().Require("name the file to write");
  DescribeModelArgument(&model, &flags.parser());
  if (!flags.Parse()) return kDone;
  RefuseOverwriting(FilesRead(model, {}), {{"--onnx", onnx}});
  CheckOutput(onnx);
  WriteFile(onnx, ModelToOnnx(LoadModel(model).content()));
  return flags.Done("wrote " + onnx);
}

}  // namespace slm
