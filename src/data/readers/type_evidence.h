#pragma once

// What the cells of a column of texts could be, by their distinct texts.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace slm {

// Words that stand for a missing cell in a column of numbers or dates, and are texts like any other
// in a column of texts: -, unknown, #DIV/0!. IsMissingText has those that are missing everywhere.
bool IsMissingAmongValues(std::string_view text);

// Cells that are numbers, by what their decimal sign can be.
struct NumberCounts {
  size_t either = 0;   // it does not matter: 12
  size_t point = 0;    // 1.5; 1,234.5
  size_t comma = 0;    // 1,5; 0,123
  size_t unclear = 0;  // 1,234

  size_t With(char decimal) const { return either + unclear + (decimal == ',' ? comma : point); }
};

struct NumberEvidence {
  std::map<std::string, NumberCounts, std::less<>> by_unit;
  std::string_view unclear;  // one of those

  NumberCounts Total() const;
  void Add(std::string_view text, size_t cells);
  // The unit of most cells that have one; cells without are of any.
  std::string Unit(char decimal) const;
};

struct DateEvidence {
  std::string pattern;
  size_t cells = 0;      // that it reads
  bool unclear = false;  // the pattern with day and month swapped reads as many
  bool seasons = false;  // all are like 2010-11: a year and the next one, or months by chance
};

struct Evidence {
  std::vector<size_t> cells;  // of each level
  size_t present = 0;         // without words for missing cells
  bool boolean = false;
  NumberEvidence numbers;
  DateEvidence date;

  // '.' or ',' where the cells say it themselves.
  std::optional<char> Decimal() const;
};

// What the columns of a file say about each other.
struct FileHints {
  bool comma = false;
  int day_first = 0;  // columns that have the day first, less those that have the month
};

Evidence Gather(const Column& column);
FileHints GatherHints(const std::vector<Evidence>& columns);

// What the text means in a column of that type and format; false if it is no such value.
bool ValueOf(ColumnType type, const CellFormat& format, std::string_view text, double* value);

// How many cells are values of that type and format.
size_t CellsThatFit(const Column& column, const Evidence& evidence, ColumnType type,
                    const CellFormat& format);

// So many that the column is of the type.
bool Nearly(size_t cells, size_t all);

}  // namespace slm
