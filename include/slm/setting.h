#pragma once

#include <string>

namespace slm {

// An option of a method by name, and the text that sets it: {"steps", "500"}.
struct OptionSetting {
  std::string name;
  std::string value;

  bool operator==(const OptionSetting&) const = default;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("value", value);
  }
};

}  // namespace slm
