#include "base/options.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "slm/errors.h"

namespace slm {
namespace {

template <class T>
void AddNumber(std::vector<OptionField>& fields, std::string name, T* value, T min, T max,
               std::string help, OptionField::Kind kind) {
  fields.push_back({std::move(name), std::move(help),
                    FormatNumber(min) + " to " + FormatNumber(max), kind,
                    [value] { return FormatNumber(*value); },
                    [value, min, max](const std::string& text) {
                      T parsed{};
                      if (!ParseNumber(text, &parsed) || !(parsed >= min && parsed <= max)) {
                        return false;
                      }
                      *value = parsed;
                      return true;
                    }});
}

}  // namespace

std::string OptionField::flag() const {
  std::string flag = name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void OptionList::Bool(std::string name, bool* value, std::string help) {
  fields_.push_back({std::move(name), std::move(help), "true, false", OptionField::Kind::kBool,
                     [value] { return std::string(*value ? "true" : "false"); },
                     [value](const std::string& text) {
                       if (text != "true" && text != "false") return false;
                       *value = text == "true";
                       return true;
                     }});
}

void OptionList::Int(std::string name, int* value, int min, int max, std::string help) {
  AddNumber(fields_, std::move(name), value, min, max, std::move(help), OptionField::Kind::kInt);
}

void OptionList::Real(std::string name, double* value, double min, double max, std::string help) {
  AddNumber(fields_, std::move(name), value, min, max, std::move(help), OptionField::Kind::kReal);
}

void OptionList::Text(std::string name, std::string* value, std::string help) {
  fields_.push_back({std::move(name), std::move(help), "", OptionField::Kind::kText,
                     [value] { return *value; },
                     [value](const std::string& text) {
                       *value = text;
                       return true;
                     }});
}

const OptionField* OptionList::Find(std::string_view name) const {
  for (const OptionField& field : fields_) {
    if (field.name == name || field.flag() == name) return &field;
  }
  return nullptr;
}

void OptionList::Set(std::string_view name, const std::string& text) {
  const OptionField* field = Find(name);
  if (field == nullptr) {
    std::vector<std::string> names;
    for (const OptionField& f : fields_) names.push_back(f.flag());
    std::string near = NearestName(name, names);
    throw UsageError("there is no option '" + std::string(name) + "'" +
                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  if (!field->set(text)) {
    throw UsageError("--" + field->flag() + " cannot be '" + text + "'; it takes " +
                     field->allowed);
  }
}

void OptionList::SetAll(std::span<const OptionSetting> settings) {
  for (const OptionField& field : fields_) {
    for (const OptionSetting& setting : settings) {
      if (Find(setting.name) == &field) Set(setting.name, setting.value);
    }
  }
  for (const OptionSetting& setting : settings) {
    if (Find(setting.name) == nullptr) Set(setting.name, setting.value);  // complains
  }
}

Json OptionList::ToJson() const {
  Json json = Json::MakeObject();
  for (const OptionField& field : fields_) {
    std::string text = field.get();
    switch (field.kind) {
      case OptionField::Kind::kBool:
        json.Add(field.name, text == "true");
        break;
      case OptionField::Kind::kInt:
        json.Add(field.name, static_cast<int64_t>(std::stoll(text)));
        break;
      case OptionField::Kind::kReal:
        json.Add(field.name, std::stod(text));
        break;
      case OptionField::Kind::kText:
        json.Add(field.name, text);
        break;
    }
  }
  return json;
}

void OptionList::Validate() const {
  std::string complaints;
  for (const OptionField& field : fields_) {
    std::string text = field.get();
    if (field.set(text)) continue;
    complaints += (complaints.empty() ? "" : "\n") + field.name + " cannot be '" + text +
                  "'; it takes " + field.allowed;
  }
  if (!complaints.empty()) throw UsageError(complaints);
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

std::string NearestName(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // Levenshtein, one row at a time, letters compared without case.
    std::vector<size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < word.size(); ++i) {
      size_t diagonal = std::exchange(row[0], i + 1);
      for (size_t j = 0; j < candidate.size(); ++j) {
        size_t change = ToLower(word[i]) == ToLower(candidate[j]) ? 0 : 1;
        size_t next = std::min({row[j] + 1, row[j + 1] + 1, diagonal + change});
        diagonal = std::exchange(row[j + 1], next);
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace slm
