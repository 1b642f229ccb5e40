#include "jobs/request_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace slm {
namespace {

constexpr int kUsualFolds = 5;
constexpr int kMostFolds = 1000;
constexpr int kMostFeatures = 1 << 30;
constexpr std::string_view kAutoWord = "auto", kMostPrefix = "max:";

// Cuts "group:" or "time:" off the text; false if it begins with neither.
bool TakeRule(std::string* text, SplitRule::Kind* kind) {
  for (const auto& [prefix, value] :
       {std::pair<std::string, SplitRule::Kind>{"group:", SplitRule::Kind::kGroup},
        {"time:", SplitRule::Kind::kTime}}) {
    if (!text->starts_with(prefix)) continue;
    *kind = value;
    text->erase(0, prefix.size());
    return true;
  }
  return false;
}

// Three shares that make a whole; the part for testing may be empty.
bool ParseShares(const std::vector<std::string>& parts, std::array<double, 3>* shares) {
  std::array<double, 3> read{};
  if (parts.size() != read.size()) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!ParseNumber(parts[i], &read[i]) || !(read[i] >= 0)) return false;
  }
  const bool whole = std::abs(read[0] + read[1] + read[2] - 1) < 1e-6;
  if (!whole || read[0] <= 0 || read[1] <= 0) return false;
  *shares = read;
  return true;
}

// The last `count` parts between commas, and what stands before them.
bool TakeLast(size_t count, std::string* text, std::vector<std::string>* last) {
  std::vector<std::string> parts = SplitList(*text);
  if (parts.size() <= count) return false;
  last->assign(parts.end() - static_cast<ptrdiff_t>(count), parts.end());
  parts.resize(parts.size() - count);
  *text = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) *text += "," + parts[i];
  return true;
}

bool IsShare(double share) { return share > 0 && share <= 1; }

bool ParseCount(const std::string& text, bool or_auto, FeatureCount* k) {
  int number = 0;
  double share = 0;
  if (ParseNumber(text, &number)) {
    if (number < 1 || number > kMostFeatures) return false;
    *k = FeatureCount(number);
  } else if (text == kAutoWord && or_auto) {
    *k = FeatureCount::Auto();
  } else if (text.starts_with(kMostPrefix)) {
    if (!ParseNumber(text.substr(kMostPrefix.size()), &number) || number < 1) return false;
    *k = FeatureCount::AtMost(number);
  } else if (text.ends_with('%')) {
    if (!ParseNumber(text.substr(0, text.size() - 1), &share) || !IsShare(share / 100)) {
      return false;
    }
    *k = FeatureCount::Share(share / 100);
  } else {
    if (!ParseNumber(text, &share) || !IsShare(share)) return false;
    *k = FeatureCount::Share(share);
  }
  return true;
}

std::string CountText(const FeatureCount& k) {
  if (k.best) return std::string(kAutoWord);
  if (k.most > 0) return std::string(kMostPrefix) + FormatNumber(k.most);
  if (!k.given()) return "none";
  if (k.share == 1) return "100%";  // 1 would be a number
  return k.share > 0 ? FormatNumber(k.share) : FormatNumber(k.number);
}

}  // namespace

FeatureCount FeatureCount::Share(double share) {
  FeatureCount k;
  k.share = share;
  return k;
}

FeatureCount FeatureCount::AtMost(int most) {
  FeatureCount k;
  k.most = most;
  return k;
}

FeatureCount FeatureCount::Auto() {
  FeatureCount k;
  k.best = true;
  return k;
}

OptionField CountField(FeatureCount* k, bool or_auto) {
  OptionField field{
      "k",
      std::string("how many columns to choose: exactly `N`, a share of those that can be chosen "
                  "(0.3 or 30%), max:N for as many as there are up to N") +
          (or_auto ? ", or auto: the fewest that do as well as the best" : ""),
      std::string("1 to 1073741824, a share such as 0.3 or 30%, max:N") + (or_auto ? ", auto" : ""),
      OptionField::Kind::kText,
      [k] { return CountText(*k); },
      [k, or_auto](const std::string& text) { return ParseCount(text, or_auto, k); }};
  field.missing = std::string("say how many columns to choose") + (or_auto ? ", or -k auto" : "");
  field.to_json = [k] {
    if (k->number != 0) return Json(k->number);
    if (!k->given()) return Json(nullptr);
    return k->share > 0 && k->share < 1 ? Json(k->share) : Json(CountText(*k));
  };
  field.from_json = [k, or_auto](const Json& value) {
    if (value.is_null()) {
      *k = {};
      return true;
    }
    if (value.is_real()) {
      if (!IsShare(value.number())) return false;
      *k = FeatureCount::Share(value.number());
      return true;
    }
    return (value.is_text() || value.is_integer()) && ParseCount(FlatText(value), or_auto, k);
  };
  return field;
}

OptionField SplitField(std::array<double, 3>* shares, SplitRule* rule) {
  OptionField field{
      "split",
      "shares `A,B,C` of the rows for training, validation and testing; group:COL keeps equal "
      "COL together, time:COL trains on the past (either may end in ,A,B,C)",
      "three shares from 0 to 1 whose sum is 1, the first two above 0, or group:COL, time:COL",
      OptionField::Kind::kText,
      [shares, rule] {
        const std::string by = rule->Text();
        return (by.empty() ? "" : by + ",") + FormatNumber((*shares)[0]) + "," +
               FormatNumber((*shares)[1]) + "," + FormatNumber((*shares)[2]);
      },
      [shares, rule](const std::string& text) {
        SplitRule read;
        std::string rest = text;
        if (!TakeRule(&rest, &read.kind)) {
          if (!ParseShares(SplitList(text), shares)) return false;
          *rule = {};
          return true;
        }
        std::string column = rest;
        std::vector<std::string> last;
        if (TakeLast(3, &column, &last) && ParseShares(last, shares)) rest = column;
        read.column = rest;
        *rule = read;
        return !rest.empty();
      }};
  field.to_json = [shares, rule, get = field.get] {
    return rule->Text().empty() ? Json::ArrayOf(*shares) : Json(get());
  };
  return field;
}

OptionField FoldsField(int* folds, SplitRule* rule) {
  OptionField field{
      "cv",
      "also select without each of `N` folds and evaluate on it; group:COL keeps equal COL in one "
      "fold, time:COL learns from the past (either may end in ,N)",
      "a number of folds from 2 to 1000, or group:COL, time:COL",
      OptionField::Kind::kText,
      [folds, rule] {
        if (*folds == 0) return std::string("none");
        const std::string by = rule->Text();
        return (by.empty() ? "" : by + ",") + std::to_string(*folds);
      },
      [folds, rule](const std::string& text) {
        auto count = [](const std::string& written, int* number) {
          return ParseNumber(written, number) && *number >= 2 && *number <= kMostFolds;
        };
        SplitRule read;
        std::string rest = text;
        int number = kUsualFolds;
        if (!TakeRule(&rest, &read.kind)) {
          if (!count(text, &number)) return false;
          *folds = number;
          return true;
        }
        std::string column = rest;
        std::vector<std::string> last;
        if (TakeLast(1, &column, &last) && ParseNumber(last[0], &number)) {
          if (!count(last[0], &number)) return false;
          rest = column;
        }
        read.column = rest;
        *rule = read;
        *folds = number;
        return !rest.empty();
      }};
  field.to_json = [folds, rule, get = field.get] {
    if (*folds == 0) return Json(nullptr);
    return rule->Text().empty() ? Json(*folds) : Json(get());
  };
  field.from_json = [folds, set = field.set](const Json& value) {
    if (!value.is_null()) return !value.is_object() && set(FlatText(value));
    *folds = 0;
    return true;
  };
  return field;
}

OptionField NumbersField(std::string name, std::vector<int>* values, std::string help) {
  OptionField field{std::move(name),
                    std::move(help),
                    "whole numbers from 1 on, between commas",
                    OptionField::Kind::kText,
                    [values] {
                      std::string text;
                      for (int value : *values) {
                        text += (text.empty() ? "" : ",") + FormatNumber(value);
                      }
                      return text;
                    },
                    [values](const std::string& text) {
                      std::vector<int> numbers;
                      for (const std::string& part : SplitList(text)) {
                        int number = 0;
                        if (!ParseNumber(part, &number) || number < 1) return false;
                        numbers.push_back(number);
                      }
                      *values = std::move(numbers);
                      return true;
                    }};
  field.to_json = [values] { return Json::ArrayOf(*values); };
  field.from_json = [values, set = field.set](const Json& value) {
    if (value.is_object()) return false;
    if (!value.is_array() || !value.array().empty()) return set(FlatText(value));
    values->clear();
    return true;
  };
  return field;
}

OptionField NumberOrWordField(std::string name, std::optional<double>* value,
                              const std::string& word, bool (*fits)(double), std::string allowed,
                              std::string help) {
  OptionField field{std::move(name),
                    std::move(help),
                    std::move(allowed),
                    OptionField::Kind::kText,
                    [value, word] { return *value ? FormatNumber(**value) : word; },
                    [value, word, fits](const std::string& text) {
                      double number = 0;
                      const bool fitting = ParseNumber(text, &number) && fits(number);
                      if (!fitting && text != word) return false;
                      *value = fitting ? std::optional(number) : std::nullopt;
                      return true;
                    }};
  field.to_json = [value, word] { return *value ? Json(**value) : Json(word); };
  return field;
}

OptionField SettingsField(std::string name, std::vector<MethodSetting>* settings,
                          std::string help) {
  OptionField field{
      std::move(name),
      std::move(help),
      "METHOD.OPTION=VALUE, as in stg.epochs=50",
      OptionField::Kind::kList,
      [settings] {
        std::string text;
        for (const MethodSetting& one : *settings) {
          text += (text.empty() ? "" : ",") + one.method + "." + one.option + "=" + one.value;
        }
        return text;
      },
      [settings](const std::string& text) {
        const size_t dot = text.find('.'), equals = text.find('=');
        if (dot == text.npos || equals == text.npos || equals < dot) return false;
        settings->push_back(
            {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)});
        return true;
      }};
  field.to_json = [settings] {
    Json::Object methods;
    for (const MethodSetting& one : *settings) {
      auto known = std::find_if(methods.begin(), methods.end(),
                                [&](const auto& entry) { return entry.first == one.method; });
      if (known == methods.end()) {
        methods.emplace_back(one.method, Json::MakeObject());
        known = methods.end() - 1;
      }
      known->second.Add(one.option, one.value);
    }
    return Json(std::move(methods));
  };
  field.from_json = [settings, set = field.set](const Json& value) {
    settings->clear();
    if (!value.is_object()) {
      if (!value.is_array()) return value.is_text() && set(value.text());
      for (const Json& text : value.array()) {
        if (!text.is_text() || !set(text.text())) return false;
      }
      return true;
    }
    for (const auto& [method, options] : value.object()) {
      if (!options.is_object()) return false;
      for (const auto& [option, text] : options.object()) {
        settings->push_back({method, option, FlatText(text)});
      }
    }
    return true;
  };
  return field;
}

OptionField OptionsField(std::string name, std::vector<OptionSetting>* options, std::string help) {
  OptionField field{std::move(name),
                    std::move(help),
                    "an object of options by name",
                    OptionField::Kind::kObject,
                    [options] {
                      // In one order, whatever the order in which they were set.
                      std::vector<std::string> parts;
                      for (const OptionSetting& one : *options) {
                        parts.push_back(one.name + "=" + one.value);
                      }
                      std::sort(parts.begin(), parts.end());
                      std::string text;
                      for (const std::string& part : parts)
                        text += (text.empty() ? "" : ",") + part;
                      return text;
                    },
                    [](const std::string&) { return false; }};
  field.to_json = [options] {
    Json object = Json::MakeObject();
    for (const OptionSetting& one : *options) object.Add(one.name, one.value);
    return object;
  };
  field.from_json = [options](const Json& value) {
    if (!value.is_object()) return false;
    options->clear();
    for (const auto& [option, text] : value.object()) {
      if (!text.is_null()) options->push_back({option, FlatText(text)});
    }
    return true;
  };
  return field;
}

}  // namespace slm
