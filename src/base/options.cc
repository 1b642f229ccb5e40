#include "base/options.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

template <class T>
OptionField NumberField(std::string name, T* value, T min, T max, std::string help,
                        OptionField::Kind kind) {
  return {std::move(name),
          std::move(help),
          FormatNumber(min) + " to " + FormatNumber(max),
          kind,
          [value] { return FormatNumber(*value); },
          [value, min, max](const std::string& text) {
            T parsed{};
            if (!ParseNumber(text, &parsed) || !(parsed >= min && parsed <= max)) return false;
            *value = parsed;
            return true;
          }};
}

// Of a text that a field has written.
template <class T>
T Parsed(const std::string& text) {
  T value{};
  ParseNumber(text, &value);
  return value;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

}  // namespace

std::string OptionField::flag() const {
  std::string flag = name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Json OptionField::ToJson() const {
  if (to_json) return to_json();
  const std::string text = get();
  switch (kind) {
    case Kind::kBool:
      return text == "true";
    case Kind::kInt:
      return Parsed<int64_t>(text);
    case Kind::kReal:
      return Parsed<double>(text);
    case Kind::kText:
    case Kind::kList:
    case Kind::kObject:
      break;
  }
  return text;
}

bool OptionField::FromJson(const Json& value) const {
  if (from_json) return from_json(value);
  return !value.is_object() && set(FlatText(value));
}

const char* KindName(OptionField::Kind kind) {
  static constexpr const char* kNames[] = {"bool", "int", "real", "text", "list", "object"};
  return kNames[static_cast<int>(kind)];
}

std::string CannotBe(const OptionField& field, const std::string& text) {
  return FieldRef(field.name) + " cannot be '" + text + "'" +
         (field.allowed.empty() ? "" : "; it takes " + field.allowed);
}

std::string FlatText(const Json& value) {
  if (value.is_text()) return value.text();
  if (!value.is_array()) return value.Dump();
  std::vector<std::string> parts;
  for (const Json& part : value.array()) parts.push_back(FlatText(part));
  return Joined(parts);
}

void OptionList::Add(OptionField field) {
  if (field.group.empty()) field.group = group_;
  fields_.push_back(std::move(field));
}

void OptionList::Bool(std::string name, bool* value, std::string help) {
  Add({std::move(name), std::move(help), "true, false", OptionField::Kind::kBool,
       [value] { return std::string(*value ? "true" : "false"); },
       [value](const std::string& text) {
         if (text != "true" && text != "false") return false;
         *value = text == "true";
         return true;
       }});
}

void OptionList::Int(std::string name, int* value, int min, int max, std::string help) {
  Add(NumberField(std::move(name), value, min, max, std::move(help), OptionField::Kind::kInt));
}

void OptionList::Real(std::string name, double* value, double min, double max, std::string help) {
  Add(NumberField(std::move(name), value, min, max, std::move(help), OptionField::Kind::kReal));
}

void OptionList::Text(std::string name, std::string* value, std::string help) {
  Add({std::move(name), std::move(help), "", OptionField::Kind::kText, [value] { return *value; },
       [value](const std::string& text) {
         *value = text;
         return true;
       }});
}

void OptionList::File(std::string name, std::string* value, std::string help) {
  Text(std::move(name), value, std::move(help));
  ReachesOut();
}

void OptionList::List(std::string name, std::vector<std::string>* values, std::string help) {
  auto first = std::make_shared<bool>(true);
  OptionField field{std::move(name),
                    std::move(help),
                    "",
                    OptionField::Kind::kList,
                    [values] { return Joined(*values); },
                    [values, first](const std::string& text) {
                      if (std::exchange(*first, false)) values->clear();
                      values->push_back(text);
                      return true;
                    }};
  field.to_json = [values] { return Json::ArrayOf(*values); };
  field.from_json = [values](const Json& value) {
    if (value.is_object()) return false;
    values->clear();
    if (!value.is_array()) {
      values->push_back(FlatText(value));
      return true;
    }
    for (const Json& part : value.array()) values->push_back(FlatText(part));
    return true;
  };
  Add(std::move(field));
}

void OptionList::Seed(std::string name, uint64_t* value, std::string help) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  Add({std::move(name), std::move(help), "a whole number from 0", OptionField::Kind::kInt,
       [value] { return std::to_string(*value); },
       [value](const std::string& text) {
         uint64_t parsed = 0;
         if (!ParseNumber(text, &parsed) || parsed > kMax) return false;
         *value = parsed;
         return true;
       }});
}

const OptionField* OptionList::Find(std::string_view name) const {
  for (const OptionField& field : fields_) {
    if (field.name == name || field.flag() == name) return &field;
  }
  return nullptr;
}

std::string OptionList::Unknown(std::string_view name) const {
  std::vector<std::string> names;
  for (const OptionField& field : fields_) names.push_back(field.name);
  const std::string near = NearestName(name, names);
  return "there is no option '" + std::string(name) + "'" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

void OptionList::Set(std::string_view name, const std::string& text) {
  const OptionField* field = Find(name);
  if (field == nullptr) throw UsageError(Unknown(name));
  if (!field->set(text)) throw UsageError(CannotBe(*field, text));
}

std::vector<std::string> OptionList::TrySetAll(std::span<const OptionSetting> settings) {
  std::vector<std::string> complaints;
  for (const OptionField& field : fields_) {
    for (const OptionSetting& setting : settings) {
      if (Find(setting.name) != &field || field.set(setting.value)) continue;
      complaints.push_back(CannotBe(field, setting.value));
    }
  }
  for (const OptionSetting& setting : settings) {
    if (Find(setting.name) == nullptr) complaints.push_back(Unknown(setting.name));
  }
  return complaints;
}

void OptionList::SetAll(std::span<const OptionSetting> settings) {
  ThrowComplaints(TrySetAll(settings));
}

std::vector<std::string> OptionList::FromJson(const Json& object) {
  std::vector<std::string> complaints;
  for (const auto& [key, value] : object.object()) {
    if (Find(key) == nullptr) complaints.push_back(Unknown(key));
  }
  for (const OptionField& field : fields_) {
    bool given = false;
    for (const auto& [key, value] : object.object()) {
      if (Find(key) != &field || value.is_null()) continue;
      given = true;
      if (!field.FromJson(value)) complaints.push_back(CannotBe(field, FlatText(value)));
    }
    const Json* instead = field.unless.empty() ? nullptr : object.Find(field.unless);
    given |= instead != nullptr && !instead->is_null();
    if (!given && !field.missing.empty()) {
      complaints.push_back(FieldRef(field.name) + " is missing: " + field.missing);
    }
  }
  return complaints;
}

Json OptionList::ToJson() const {
  Json json = Json::MakeObject();
  for (const OptionField& field : fields_) json.Add(field.name, field.ToJson());
  return json;
}

void OptionList::Validate() const {
  std::vector<std::string> complaints;
  for (const OptionField& field : fields_) {
    const std::string text = field.get();
    if (!field.set(text)) complaints.push_back(CannotBe(field, text));
  }
  ThrowComplaints(complaints);
}

void ThrowComplaints(const std::vector<std::string>& complaints) {
  std::string message;
  for (const std::string& complaint : complaints) {
    message += (message.empty() ? "" : "\n") + complaint;
  }
  if (!message.empty()) throw UsageError(message);
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

Json SettingsToJson(std::span<const OptionSetting> settings) {
  Json json = Json::MakeObject();
  for (const OptionSetting& setting : settings) {
    const std::string& text = setting.value;
    int64_t integer;
    double real;
    if (text == "true" || text == "false") {
      json.Add(setting.name, text == "true");
    } else if (ParseNumber(text, &integer)) {
      json.Add(setting.name, integer);
    } else if (ParseNumber(text, &real)) {
      json.Add(setting.name, real);
    } else {
      json.Add(setting.name, text);
    }
  }
  return json;
}

std::vector<OptionSetting> SettingsFromJson(const Json& json) {
  std::vector<OptionSetting> settings;
  for (const auto& [name, value] : json.object()) {
    if (value.is_object() || value.is_array()) {
      throw DataError("expected a number, a text or a truth value for '" + name + "'");
    }
    settings.push_back({name, value.is_text()   ? value.text()
                              : value.is_null() ? "nan"  // which JSON cannot write
                                                : value.Dump()});
  }
  return settings;
}

namespace {

// Letters to insert, delete, replace or swap with their neighbour, without regard to case; each
// letter is edited once (optimal string alignment).
size_t EditDistance(std::string_view a, std::string_view b) {
  auto same = [&](size_t i, size_t j) { return ToLower(a[i]) == ToLower(b[j]); };
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({row[j] + 1, last[j + 1] + 1, last[j] + (same(i, j) ? 0 : 1)});
      const bool swapped = i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j);
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

}  // namespace

std::string NearestName(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace slm
