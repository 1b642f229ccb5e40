#pragma once

// Models as bytes: a safetensors file (model/tensor_file.h) whose metadata describe the columns and
// the target. docs/reference/model-format.md has every field.

#include <string>
#include <string_view>

#include "model/content.h"

namespace slm {

inline constexpr int kModelFormat = 3;  // the last version that is read

// What the content is written as: the first version whose readers know all that it holds.
int ModelVersion(const ModelContent& content);

std::string WriteModel(const ModelContent& content);

// Throws a ModelError that says what is wrong.
ModelContent ReadModel(std::string_view bytes);

}  // namespace slm
