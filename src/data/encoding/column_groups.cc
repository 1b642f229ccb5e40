#include "data/encoding/column_groups.h"

#include <algorithm>
#include <map>
#include <set>

#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kPrefix = "prefix:";

bool IsPattern(std::string_view text) { return text.find_first_of("*?") != text.npos; }

class Resolver {
 public:
  Resolver(const Table& table, std::span<const size_t> allowed)
      : table_(table), allowed_(allowed) {}

  void Add(const std::string& text) {
    const size_t equals = text.find('=');
    if (text.starts_with(kPrefix)) {
      AddPrefixes(text.substr(kPrefix.size()));
    } else if (equals != text.npos && equals > 0 && equals + 1 < text.size()) {
      ColumnGroup group{text.substr(0, equals), {}};
      for (const std::string& item : Items(text.substr(equals + 1))) AddItem(item, &group.columns);
      Finish(std::move(group));
    } else if (IsPattern(text)) {
      ColumnGroup group{text, {}};
      AddItem(text, &group.columns);
      Finish(std::move(group));
    } else {
      throw UsageError(FieldRef("groups") + " cannot be '" + text +
                       "'; write NAME=A,B for columns, 'lab_*' for a pattern, or prefix:_ for all "
                       "with the same prefix");
    }
  }

  std::vector<ColumnGroup> Done() { return std::move(groups_); }

 private:
  static std::vector<std::string> Items(std::string_view text) {
    std::vector<std::string> items;
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      if (end > begin) items.emplace_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return items;
  }

  void AddItem(const std::string& item, std::vector<size_t>* columns) const {
    const bool exact = std::any_of(table_.columns.begin(), table_.columns.end(),
                                   [&](const Column& column) { return column.name == item; });
    if (exact || !IsPattern(item)) {
      const size_t column = table_.IndexOf(item);
      if (std::find(allowed_.begin(), allowed_.end(), column) == allowed_.end()) {
        throw DataError(FieldRef("groups") + " names '" + item +
                        "', which is not a feature: it is the target, the weights, what splits the "
                        "rows, or dropped; leave it out of the group");
      }
      columns->push_back(column);
      return;
    }
    const size_t before = columns->size();
    for (size_t column : allowed_) {
      if (MatchesPattern(table_.columns[column].name, item)) columns->push_back(column);
    }
    if (columns->size() == before) {
      throw DataError("no column matches '" + item + "' of " + FieldRef("groups") +
                      "; names are case-sensitive");
    }
  }

  void AddPrefixes(const std::string& separator) {
    if (separator.empty()) {
      throw UsageError(
          FieldRef("groups") +
          " prefix: needs the separator that ends a prefix; write prefix:_ or prefix:.");
    }
    std::map<std::string, std::vector<size_t>> by_prefix;
    for (size_t column : allowed_) {
      const std::string& name = table_.columns[column].name;
      const size_t at = name.find(separator);
      if (at != name.npos && at > 0) by_prefix[name.substr(0, at)].push_back(column);
    }
    const size_t before = groups_.size();
    for (auto& [prefix, columns] : by_prefix) {
      if (columns.size() > 1) Finish({prefix + separator + "*", std::move(columns)});
    }
    if (groups_.size() == before) {
      throw DataError("no two columns share a prefix before '" + separator + "', so " +
                      FieldRef("groups") + " prefix:" + separator + " makes no group");
    }
  }

  void Finish(ColumnGroup group) {
    std::sort(group.columns.begin(), group.columns.end());
    group.columns.erase(std::unique(group.columns.begin(), group.columns.end()),
                        group.columns.end());
    if (!names_.insert(group.name).second) {
      throw DataError(FieldRef("groups") + " defines two groups named '" + group.name +
                      "'; rename one");
    }
    for (size_t c = 0; c < table_.columns.size(); ++c) {
      const bool inside = std::binary_search(group.columns.begin(), group.columns.end(), c);
      if (inside && !taken_.emplace(c, group.name).second) {
        throw DataError("column '" + table_.columns[c].name + "' is in the groups '" + taken_[c] +
                        "' and '" + group.name + "'; leave it in one of them");
      }
      if (!inside && table_.columns[c].name == group.name) {
        throw DataError("the group '" + group.name +
                        "' has the name of a column that is not in it; rename the group");
      }
    }
    groups_.push_back(std::move(group));
  }

  const Table& table_;
  const std::span<const size_t> allowed_;
  std::vector<ColumnGroup> groups_;
  std::set<std::string> names_;
  std::map<size_t, std::string> taken_;  // by which group
};

}  // namespace

// Where a later part fails, only the latest * has to take more: O(text * pattern).
bool MatchesPattern(std::string_view text, std::string_view pattern) {
  size_t t = 0, p = 0, star = pattern.npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<ColumnGroup> ResolveGroups(std::span<const std::string> written, const Table& table,
                                       std::span<const size_t> allowed) {
  Resolver resolver(table, allowed);
  for (const std::string& text : written) resolver.Add(text);
  return resolver.Done();
}

}  // namespace slm
