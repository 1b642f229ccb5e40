#pragma once

#include <string>

#include "model/content.h"

namespace slm {

// A model as an ONNX file, with all that is done to its cells.
//
// Inputs are named as the chosen columns, each of shape [rows, 1]: numbers, booleans (0 and 1) and
// dates (days since 1970-01-01) as doubles with NaN for a missing cell, text as strings with "" for
// a missing one. Outputs: "label" [rows] and "probabilities" [rows, classes], or "value" [rows, 1].
//
// Throws a DataError that names the column for what ONNX cannot carry: text that is not UTF-8, and
// an empty text that is not a missing cell.
std::string ModelToOnnx(const ModelContent& content);

}  // namespace slm
