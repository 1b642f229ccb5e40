#pragma once

// What a column of texts is. All its cells are looked at, by their distinct texts: how many are
// numbers, in which format, how many are dates. A type is given to a column of which nearly all
// cells are of it; the odd ones become missing, and the column says so. What one column leaves open
// (is 1,234 a thousand? is 01/02 in January?) is decided by the others of the file, or guessed and
// announced.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "data/table.h"

namespace slm {

// Words that stand for a missing cell in a column of numbers or dates, and are texts like any other
// in a column of texts: -, unknown, #DIV/0!. IsMissingText has those that are missing everywhere.
bool IsMissingAmongValues(std::string_view text);

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

enum class TextKind {
  kUntyped,  // cells of a text file: anything
  kTyped,    // texts of a format that has numbers as well, so that a text of digits is meant as one
};

// Gives the text columns `columns` of the table their types. They have codes and sorted levels.
// `comma_likely`: where nothing else decides, a comma is a decimal sign. Throws a DataError for a
// column most of whose cells are not of the type that a rule asks for. `pool` may be null.
void TypeTexts(const std::vector<size_t>& columns, const TypeRules& rules, TextKind kind,
               bool comma_likely, ThreadPool* pool, Table* table);

// How the cells of a column of texts, with codes and levels, write the values that they mean; the
// most frequent way where there are several. `values`: of each level, NaN for none.
std::vector<Spelling> SpellingsOf(const Column& column, ColumnType type,
                                  const std::vector<double>& values);

// Whether some column of the table is written with a decimal comma.
bool HasDecimalComma(const Table& table);

// Turns a numeric column whose every cell is a date such as 20120131 into one of dates.
void TypeDigitDates(const TypeRule& rule, Column* column);

// What the reader of a result should know about a column: cells that count as missing, guesses.
std::vector<std::string> RemarksOn(const Table& table, const Column& column);

}  // namespace slm
