#pragma once

// What a column of texts is. All its cells are looked at, by their distinct texts: how many are
// numbers, in which format, how many are dates. A type is given to a column of which nearly all
// cells are of it; the odd ones become missing, and the column says so. What one column leaves open
// (is 1,234 a thousand? is 01/02 in January?) is decided by the others of the file, or guessed and
// announced.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "data/readers/type_rules.h"
#include "data/table.h"

namespace slm {

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

// Whether a text column is of its likely type as far as these rows go.
bool FitsLikelyType(const Column& column, std::span<const size_t> rows);

// Makes a text column one of that type; cells that are not of it become missing and odd.
void TakeType(const LikelyType& likely, const std::string& why, Column* column);

// Whether some column of the table is written with a decimal comma.
bool HasDecimalComma(const Table& table);

// Turns a numeric column whose every cell is a date such as 20120131 into one of dates.
void TypeDigitDates(const TypeRule& rule, Column* column);

// "line 17", with the file where a table has several.
std::string PlaceOf(const Table& table, size_t row);

// The same of the first row whose cell is the text, one of the levels of the column.
std::string PlaceOfText(const Table& table, const Column& column, std::string_view text);

// What the reader of a result should know about a column: cells that count as missing, guesses.
std::vector<std::string> RemarksOn(const Table& table, const Column& column);

}  // namespace slm
