#pragma once

// Requests and options are plain structs with a default on every field. A struct is described once,
// as a list of fields bound to one instance; command-line flags, configuration keys, JSON, Python
// keywords, help, documentation and validation all come from that list.
//
// Help texts are sentences without their capital and their full stop. A word in back-quotes names
// the value ("the `COL` to predict"), and other fields are named by FieldRef (slm/errors.h).

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "slm/setting.h"

namespace slm {

struct OptionField {
  enum class Kind {
    kBool,
    kInt,
    kReal,
    kText,
    kList,    // of texts, each of which is set on its own
    kObject,  // of values by name, in JSON alone
  };

  std::string name;     // as in JSON and Python; the flag is the same with '-' for '_'
  std::string help;     // one sentence
  std::string allowed;  // "1 to 65536", "mi, hsic"; empty for anything
  Kind kind = Kind::kText;
  std::function<std::string()> get;
  std::function<bool(const std::string&)> set;  // false when the text is not allowed

  std::string group = {};    // the heading that it stands under
  std::string missing = {};  // of a field that has to be set: the complaint if it is not
  std::string unless = {};   // the field that may be set in its place
  // Whether it decides what a finished run finds, so that a checkpoint belongs to its value.
  bool decides = true;
  // Whether it names a file or a query, or lets in the network. Only the user may set it, not a
  // configuration file, which can be another's.
  bool reaches_out = false;
  // For values that one text does not say: whole lists, and what depends on the type in JSON.
  std::function<Json()> to_json = {};
  std::function<bool(const Json&)> from_json = {};

  std::string flag() const;
  Json ToJson() const;
  bool FromJson(const Json& value) const;  // false when the value is not allowed
};

// The name of the kind in listings: bool, int, real, text, list, object.
const char* KindName(OptionField::Kind kind);

// "keep cannot be 'x'; it takes a list", the field being marked.
std::string CannotBe(const OptionField& field, const std::string& text);

// A text that is Json's own, or what a flag would say: 3, true, a,b.
std::string FlatText(const Json& value);

// An object with a field for each: numbers and truth values as such, the rest as text.
Json SettingsToJson(std::span<const OptionSetting> settings);

// The way back; the text of a number is the shortest that reads the same. Throws a DataError for
// what is no object of such values.
std::vector<OptionSetting> SettingsFromJson(const Json& json);

class OptionList {
 public:
  explicit OptionList(std::string heading = "") : group_(std::move(heading)) {}

  // The heading of the fields that are added from now on.
  void Group(std::string heading) { group_ = std::move(heading); }

  void Bool(std::string name, bool* value, std::string help);
  void Int(std::string name, int* value, int min, int max, std::string help);
  void Real(std::string name, double* value, double min, double max, std::string help);
  void Text(std::string name, std::string* value, std::string help);
  // A text that names a file to read or to write, or a query; it reaches out.
  void File(std::string name, std::string* value, std::string help);
  // Setting it for the first time replaces what it holds; after that texts are added.
  void List(std::string name, std::vector<std::string>* values, std::string help);
  // A whole number from 0 to 2^63 - 1, which is what readers of JSON can hold.
  void Seed(std::string name, uint64_t* value, std::string help);

  // One of a fixed set of names.
  template <class Enum>
  void Choice(std::string name, Enum* value, std::vector<std::pair<std::string_view, Enum>> names,
              std::string help) {
    std::string allowed;
    for (const auto& [text, e] : names)
      allowed += (allowed.empty() ? "" : ", ") + std::string(text);
    Add({std::move(name), std::move(help), allowed, OptionField::Kind::kText,
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
  void Add(OptionField field);

  // Says of the field added last that it has to be set, that it does not decide, or that it reaches
  // out.
  void Require(std::string missing) { fields_.back().missing = std::move(missing); }
  void NeverDecides() { fields_.back().decides = false; }
  void ReachesOut() { fields_.back().reaches_out = true; }

  const std::vector<OptionField>& fields() const& { return fields_; }
  const std::vector<OptionField>& fields() && = delete;  // a loop over it would outlive the list
  const OptionField* Find(std::string_view name) const;  // by field name or flag; null if unknown

  // Throws a UsageError that names the option, what it got and what it takes.
  void Set(std::string_view name, const std::string& text);

  // Sets several, in the order of their description, so that a preset gives way to what is set
  // beside it. Throws one UsageError with every complaint.
  void SetAll(std::span<const OptionSetting> settings);
  // The same, complaints given back, each one line with marked fields.
  std::vector<std::string> TrySetAll(std::span<const OptionSetting> settings);

  // Sets what the keys of an object name, in the order of their description; null leaves a field
  // as it is. Gives back every complaint: unknown keys, values that are not allowed, and fields
  // that have to be set and are not.
  std::vector<std::string> FromJson(const Json& object);

  // Every field with its present value.
  Json ToJson() const;

  // Throws one UsageError that lists every field whose present value is not allowed. It sets every
  // field to what it holds, so it is not for lists with a preset, which would reset the others.
  void Validate() const;

 private:
  std::string Unknown(std::string_view name) const;

  std::string group_;
  std::vector<OptionField> fields_;
};

// One UsageError of all complaints, one on each line; nothing if there are none.
void ThrowComplaints(const std::vector<std::string>& complaints);

// The candidate nearest to `word` by edit distance, empty if none is near enough to suggest.
std::string NearestName(std::string_view word, const std::vector<std::string>& candidates);

// The parts of `text` between commas.
std::vector<std::string> SplitList(std::string_view text);

}  // namespace slm
