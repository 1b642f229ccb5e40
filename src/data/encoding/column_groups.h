#pragma once

// Columns that are chosen together or not at all, as the user names them.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace slm {

struct ColumnGroup {
  std::string name;
  std::vector<size_t> columns;  // of the table, ascending
};

// Whether `text` is like `pattern`, in which * stands for any text and ? for one byte.
bool MatchesPattern(std::string_view text, std::string_view pattern);

// Each text of `written` is one of
//   NAME=ITEM,ITEM  a group of columns, each item a column or a pattern
//   PATTERN         a group of all columns like it, of that name
//   prefix:SEP      a group, named PRE + SEP + "*", for every PRE that at least two columns have
//                   before their first SEP
// Only `allowed` columns of the table are found by patterns and prefixes. Throws a UsageError for
// what is none of these, and a DataError for a column that is not there or not allowed, for a
// pattern that finds nothing, for a column in two groups, and for a group with the name of another
// or of a column.
std::vector<ColumnGroup> ResolveGroups(std::span<const std::string> written, const Table& table,
                                       std::span<const size_t> allowed);

}  // namespace slm
