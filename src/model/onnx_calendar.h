#pragma once

// The calendar as nodes of an ONNX graph, which knows no dates.

#include <string>

#include "model/onnx_graph.h"

namespace slm {

// Values of the graph, whole numbers as in data/encoding/calendar.h.
struct OnnxDate {
  std::string year;
  std::string month;    // from 1, January
  std::string weekday;  // from 0, Sunday
  std::string hour;
  std::string time;  // milliseconds since midnight
};

// Of `days` since 1970-01-01: doubles, none of them missing.
OnnxDate AddDate(OnnxGraph& graph, const std::string& days);

}  // namespace slm
