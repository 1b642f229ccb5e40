// Models, and the checksum that stands between a fuzzer and what is done with them.

#include <zlib.h>

#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "model/describe_model.h"
#include "model/model_file.h"
#include "model/onnx.h"
#include "model/predict.h"
#include "model/tensor_file.h"
#include "slm/errors.h"
#include "tests/fuzz/targets.h"
#include "tests/model/small_model.h"

namespace slm {
namespace {

// Three rows: cells of each kind, missing ones, and texts that no model knows.
Table RowsFor(const ModelContent& content) {
  Table table = TableLike(content, "the model");
  table.rows = 3;
  for (Column& column : table.columns) {
    if (column.type == ColumnType::kText) {
      column.levels = {"", "blue", "unseen"};
      column.codes = {2, -1, 1};
    } else {
      column.numbers = {0.5, std::numeric_limits<double>::quiet_NaN(), -1e300};
    }
  }
  return table;
}

void Use(const ModelContent& content) {
  static ThreadPool pool(1);
  ModelToJson(content).Dump();
  const Matrix scores = ModelScores(content, RowsFor(content), pool);
  PredictionsOf(content, scores);
  try {
    ModelToOnnx(content);
  } catch (const InputError&) {  // what ONNX does not support
  }
  // Whatever could be read can be written, and is the same when it is read again.
  const std::string bytes = WriteModel(content);
  if (WriteModel(ReadModel(bytes)) != bytes) ReportFinding("a model that changes when it is read");
}

std::string ChecksumOf(std::string_view description, std::string_view data) {
  uLong crc = 0;
  for (std::string_view part : {description, data}) {
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
  }
  char text[16];
  std::snprintf(text, sizeof(text), "%08lx", crc);
  return text;
}

// The file with the checksum that its content should have.
std::string WithChecksum(std::string_view bytes) {
  std::string fixed(bytes);
  const TensorReader file(bytes);
  const std::string* description = file.FindText("slm");
  const std::string* checksum = file.FindText("crc32");
  if (description == nullptr || checksum == nullptr || checksum->size() != 8) return fixed;
  const size_t at = fixed.find(*checksum);
  if (at == std::string::npos) return fixed;
  return fixed.replace(at, 8, ChecksumOf(*description, file.data()));
}

// A model of that description with the arrays of a small one.
std::string WithDescription(std::string_view description) {
  static const std::string kClasses = WriteModel(SmallModel(Task::kClassification));
  static const std::string kValues = WriteModel(SmallModel(Task::kRegression, {}));
  const bool regression = description.find("regression") != std::string_view::npos;
  TensorReader arrays(regression ? kValues : kClasses);
  TensorWriter file;
  for (const char* name : {"weights", "mask", "layers.0.weight", "layers.0.bias", "layers.1.weight",
                           "layers.1.bias"}) {
    if (!arrays.Has(name)) continue;
    const TensorReader::Tensor tensor =
        arrays.Take(name, std::string_view(name).ends_with(".weight") ? 2 : 1);
    std::vector<float> values;
    for (size_t i = 0; i < tensor.size(); ++i) values.push_back(tensor[i]);
    file.Add(name, tensor.shape, values.data(), tensor.shape.back());
  }
  file.AddText("format", "slm.model");
  file.AddText("version", std::to_string(kModelFormat));
  file.AddText("crc32", ChecksumOf(description, file.data()));
  file.AddText("slm", std::string(description));
  return file.Finish();
}

}  // namespace

void FuzzModel(std::string_view bytes) { Use(ReadModel(WithChecksum(bytes))); }

// The description of a model is a text inside a header whose length precedes it, where a
// fuzzer that changes bytes hardly gets; here it is the whole input.
void FuzzDescription(std::string_view bytes) { Use(ReadModel(WithDescription(bytes))); }

}  // namespace slm
