#pragma once

// Options are plain structs with a default on every field. A struct is described once, as a list of
// fields bound to one instance; command-line flags, JSON, help, documentation and validation all
// come from that list.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace slm {

struct OptionField {
  enum class Kind { kBool, kInt, kReal, kText };

  std::string name;     // as in JSON and Python; the flag is the same with '-' for '_'
  std::string help;     // one sentence
  std::string allowed;  // "1 to 65536", "mi, hsic"; empty for anything
  Kind kind = Kind::kText;
  std::function<std::string()> get;
  std::function<bool(const std::string&)> set;  // false when the text is not allowed

  std::string flag() const;
};

// An option by name and the text that sets it.
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

// An object with a field for each: numbers and truth values as such, the rest as text.
Json SettingsToJson(std::span<const OptionSetting> settings);

// The way back; the text of a number is the shortest that reads the same. Throws a DataError for
// what is no object of such values.
std::vector<OptionSetting> SettingsFromJson(const Json& json);

class OptionList {
 public:
  void Bool(std::string name, bool* value, std::string help);
  void Int(std::string name, int* value, int min, int max, std::string help);
  void Real(std::string name, double* value, double min, double max, std::string help);
  void Text(std::string name, std::string* value, std::string help);

  // One of a fixed set of names.
  template <class Enum>
  void Choice(std::string name, Enum* value, std::vector<std::pair<std::string_view, Enum>> names,
              std::string help) {
    std::string allowed;
    for (const auto& [text, e] : names)
      allowed += (allowed.empty() ? "" : ", ") + std::string(text);
    fields_.push_back({std::move(name), std::move(help), allowed, OptionField::Kind::kText,
                       [value, names] {
                         for (const auto& [text, e] : names) {
                           if (e == *value) return std::string(text);
                         }
                         return std::string();
                       },
                       [value, names](const std::string& wanted) {
                         for (const auto& [text, e] : names) {
                           if (text == wanted) {
                             *value = e;
                             return true;
                           }
                         }
                         return false;
                       }});
  }

  // A field of the caller's own making: a list, or a preset that sets other fields.
  void Add(OptionField field) { fields_.push_back(std::move(field)); }

  const std::vector<OptionField>& fields() const { return fields_; }
  const OptionField* Find(std::string_view name) const;  // by field name or flag; null if unknown

  // Throws a UsageError that names the option, what it got and what it takes.
  void Set(std::string_view name, const std::string& text);

  // Sets several, in the order of their description, so that a preset gives way to what is set
  // beside it.
  void SetAll(std::span<const OptionSetting> settings);

  // Every field with its present value.
  Json ToJson() const;

  // Throws one UsageError that lists every field whose present value is not allowed. It sets every
  // field to what it holds, so it is not for lists with a preset, which would reset the others.
  void Validate() const;

 private:
  std::vector<OptionField> fields_;
};

// The candidate nearest to `word` by edit distance, empty if none is near enough to suggest.
std::string NearestName(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace slm
