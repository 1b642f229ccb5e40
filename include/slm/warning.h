#pragma once

// What looks wrong with the data, found before anything is trained.

#include <string>
#include <vector>

namespace slm {

struct Warning {
  // leak, duplicates, time, drift, tiny_split, rare_class or near_unique_text.
  std::string kind;
  std::vector<std::string> columns;  // it is about; none if it is about rows
  double figure = 0;                 // the measured value that made it a warning
  std::string text;                  // a sentence that says what was measured
  std::string flag;  // field of the request that answers it, as the caller writes it

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("kind", kind);
    v("columns", columns);
    v("figure", figure);
    v("text", text);
    v("flag", flag);
  }
};

}  // namespace slm
