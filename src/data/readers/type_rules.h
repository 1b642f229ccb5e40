#pragma once

// What a request says about the types and formats of columns.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace slm {

// What is said about a column from outside.
struct TypeRule {
  std::optional<ColumnType> type;  // by the user, or by `like`
  const Column* like = nullptr;    // of the table whose types and formats count
  std::string_view like_source;    // that table
  std::optional<char> decimal;
  std::string date;        // pattern
  bool by_user = false;    // the type
  bool is_target = false;  // spellings are wanted; predictions do without it, so it may differ
};

// Resolves the words of the request for each column of a table; throws a UsageError for a column
// that is not there, an unknown type or a pattern that is none.
class TypeRules {
 public:
  TypeRules(const ReadOptions& options, const Table& table);
  const TypeRule& of(size_t column) const { return rules_.empty() ? none_ : rules_[column]; }

 private:
  TypeRule none_;
  std::vector<TypeRule> rules_;  // of each column; empty if nothing is said of any
};

// As `types` has it: "number".
std::string TypeWord(ColumnType type);

}  // namespace slm
