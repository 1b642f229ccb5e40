#include "data/readers/type_rules.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/options.h"
#include "base/stop_check.h"
#include "base/text.h"
#include "data/readers/written_date.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::array<std::string_view, 4> kTypeWords = {"number", "boolean", "date", "text"};

ColumnType TypeOfWord(std::string_view word) {
  if (word == "numeric") return ColumnType::kNumeric;
  const auto at = std::find(kTypeWords.begin(), kTypeWords.end(), word);
  if (at == kTypeWords.end()) {
    throw UsageError(FieldRef("types") + " has no type " + Quoted(word) +
                     "; it takes COL=number, COL=text, COL=date or COL=boolean");
  }
  return static_cast<ColumnType>(at - kTypeWords.begin());
}

// "a=number,b=text" as pairs; a part without a = belongs to the name behind it.
std::vector<std::pair<std::string, ColumnType>> WantedTypes(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, ColumnType>> wanted;
  for (const std::string& text : texts) {
    std::string name;
    for (const std::string& part : SplitList(text)) {
      const size_t equals = part.rfind('=');
      name += (name.empty() ? "" : ",") + part.substr(0, equals);
      if (equals == std::string::npos) continue;
      wanted.emplace_back(name, TypeOfWord(part.substr(equals + 1)));
      name.clear();
    }
    if (!name.empty()) {
      throw UsageError(FieldRef("types") + " names " + Quoted(name) + " without a type; write " +
                       name + "=number, or text, date, boolean");
    }
  }
  return wanted;
}

}  // namespace

std::string TypeWord(ColumnType type) { return std::string(kTypeWords[static_cast<size_t>(type)]); }

TypeRules::TypeRules(const ReadOptions& options, const Table& table) {
  const bool any = options.like != nullptr || !options.target.empty() || !options.types.empty() ||
                   !options.date_format.empty() || options.decimal != ReadOptions::Decimal::kAuto;
  if (!any) return;
  rules_.resize(table.columns.size());
  // The target alone is found without looking at all names twice.
  const auto is_target = [&](const Column& column) { return column.name == options.target; };
  const auto target = std::find_if(table.columns.begin(), table.columns.end(), is_target);
  if (target != table.columns.end()) {
    rules_[static_cast<size_t>(target - table.columns.begin())].is_target = true;
  }
  std::unordered_map<std::string_view, size_t> place;
  if (options.like != nullptr || !options.types.empty() || !options.date_format.empty()) {
    place.reserve(rules_.size());
    for (size_t j = 0; j < rules_.size(); ++j) {
      if (j % 4096 == 0) StopCheck::Ask();
      place.emplace(table.columns[j].name, j);
    }
  }
  auto find = [&](const std::string& name) -> TypeRule* {
    const auto found = place.find(name);
    if (found != place.end()) return &rules_[found->second];
    if (options.like == nullptr) table.IndexOf(name);  // throws, and names the nearest
    return nullptr;
  };
  if (options.like != nullptr) {
    for (const Column& column : options.like->columns) {
      const auto found = place.find(column.name);
      if (found == place.end()) continue;
      rules_[found->second].like = &column;
      rules_[found->second].like_source = options.like->source;
      rules_[found->second].type = column.type;
    }
  }
  if (options.decimal != ReadOptions::Decimal::kAuto) {
    for (TypeRule& rule : rules_) rule.decimal = static_cast<char>(options.decimal);
  }
  for (const std::string& text : options.date_format) {
    const size_t percent = text.find('%'), equals = text.find('=');
    const bool one = equals < percent;
    const std::string pattern = one ? text.substr(equals + 1) : text;
    if (!IsDatePattern(pattern)) {
      throw UsageError(FieldRef("date_format") + " cannot be " + Quoted(text) +
                       "; it takes a pattern such as %d.%m.%Y or COL=%m/%d/%Y %H:%M, of %Y %y %m "
                       "%b %q %d %a %H %I %M %S %p %z");
    }
    if (!one) {
      for (TypeRule& rule : rules_) rule.date = pattern;
    } else if (TypeRule* rule = find(text.substr(0, equals))) {
      rule->date = pattern;
      if (!rule->type) rule->type = ColumnType::kDate;
      rule->by_user = true;
    }
  }
  for (const auto& [name, type] : WantedTypes(options.types)) {
    TypeRule* rule = find(name);
    if (rule == nullptr) continue;
    rule->type = type;
    rule->by_user = true;
  }
}

}  // namespace slm
