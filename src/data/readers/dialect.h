#pragma once

// The grammar of delimited text: where cells and rows end, and which delimiter and header a file
// has.
//
// A quote opens a quoted cell only as the first character of the cell (after blanks); inside, a
// doubled quote is a quote, and delimiters and line ends are text. Blanks around an unquoted cell
// do not count. Lines without any cell are skipped.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace slm {

struct Dialect {
  char delimiter = ',';  // ' ' stands for any run of blanks and tabs
  bool quotes = true;    // false if the text has none: rows then end at every line end
  char comment = 0;      // lines that begin with it hold no row; 0 for none
};

struct Cell {
  std::string_view text;  // without the quotes around it
  bool escaped = false;   // quotes inside are doubled
  bool last = false;      // of its row

  std::string Text() const;  // with doubled quotes undone
};

// What makes a quoted cell unreadable, and where.
struct QuoteError {
  const char* at;
  const char* problem;
};

// Reads the cell at p and returns where the next cell or row starts. The text must end with a line
// end. Throws QuoteError.
const char* ReadCell(const Dialect& dialect, const char* p, const char* end, Cell* cell);

// Where the row after the one at p starts. Never throws: an unclosed quote runs to the end.
const char* NextRow(const Dialect& dialect, const char* p, const char* end);

// True when the row at p holds no cell: an empty line, blanks where blanks delimit, or a comment.
bool IsBlankRow(const Dialect& dialect, const char* p, const char* row_end);

// The first row from p on that is not blank, or the end.
const char* SkipBlankRows(const Dialect& dialect, const char* p, const char* end);

// How many cells the first row that is not blank seems to have, without taking memory for them.
size_t CellsOfFirstRow(const Dialect& dialect, std::string_view text);

// The first rows that are not blank, cell by cell; at most max_rows, and no more after max_bytes.
// Of each row, no more than so many bytes.
std::vector<std::vector<std::string>> SampleRows(const Dialect& dialect, std::string_view text,
                                                 size_t max_rows, size_t max_bytes,
                                                 size_t max_row_bytes = std::string_view::npos);

// How many of the sampled rows are titles above a header: they come first, and all rows below have
// one number of cells, the first of them names and some of the others numbers.
size_t TitleRows(const std::vector<std::vector<std::string>>& rows);

// Whether all rows but the first have one cell more than that, and begin with a name of the row: R
// writes them so, without a name above them. They all differ, and numbers among them ascend; of the
// other cells some are numbers.
bool HasRowNames(const std::vector<std::vector<std::string>>& rows);

// The delimiter that cuts every sampled row into the same number of cells, at least two, names of
// rows aside; of tab, comma, semicolon, pipe and blanks, in this order. Between commas and
// semicolons that both do, the one that leaves more numbers: 1,5;2,5 is two numbers. If none does,
// the one that does so below the fewest titles.
char DetectDelimiter(std::string_view text, char comment = 0);

// Whether the first of the sampled rows names the columns: it holds no number, or years in
// ascending order and a text, and below it stand either numbers or texts other than itself.
bool DetectHeader(const std::vector<std::vector<std::string>>& rows);

// Cells that mean "missing" in every column: empty, ?, and the words that pandas takes for missing
// (NA, N/A, NaN, null, None, <NA>, #N/A, -1.#IND and so on), all but None in upper or lower case.
bool IsMissingText(std::string_view text);

// "inf", "infinity" with an optional sign, in upper or lower case.
bool IsInfinityText(std::string_view text);

// True and *value set if the whole text is a number.
bool NumberFromText(std::string_view text, double* value);

}  // namespace slm
