#include "data/readers/joined_files.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include "base/system.h"
#include "base/text.h"
#include "data/readers/finish_table.h"
#include "data/readers/typing.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

bool HasGeneratedNames(const Table& table) {
  for (size_t j = 0; j < table.columns.size(); ++j) {
    if (table.columns[j].name != GeneratedName(j)) return false;
  }
  return true;
}

bool IsEmpty(const Column& column) {
  return column.levels.empty() && std::all_of(column.numbers.begin(), column.numbers.end(),
                                              [](double x) { return std::isnan(x); });
}

void CheckSameColumns(const Table& first, const Table& other) {
  const size_t columns = std::max(first.columns.size(), other.columns.size());
  for (size_t j = 0; j < columns; ++j) {
    const bool in_first = j < first.columns.size(), in_other = j < other.columns.size();
    if (in_first && in_other && first.columns[j].name == other.columns[j].name) continue;
    throw DataError("the files do not form one table: column " + std::to_string(j + 1) + " is " +
                    (in_first ? Quoted(first.columns[j].name) : "absent") + " in " + first.source +
                    " and " + (in_other ? Quoted(other.columns[j].name) : "absent") + " in " +
                    other.source + "; give files of the same columns");
  }
}

// Reads again the parts whose columns others go beyond.
void PadToWidest(const std::vector<std::string>& files, const ReadOptions& options,
                 const ReadOneFile& read, std::vector<Table>* parts) {
  Table widest;  // columns of all parts, in no order
  std::set<std::string> names;
  for (const Table& part : *parts) {
    if (!part.open_ended) return;
    for (const Column& column : part.columns) {
      if (names.insert(column.name).second) widest.columns.emplace_back().name = column.name;
    }
  }
  ReadOptions padded = options;
  padded.like = &widest;
  for (size_t f = 0; f < files.size(); ++f) {
    if ((*parts)[f].columns.size() < names.size()) (*parts)[f] = read(files[f], padded);
  }
}

// The types and formats of the columns in all parts. Where they do not agree it is text, whose
// index goes to `open`.
Table JointTypes(const std::string& source, const std::vector<Table>& parts,
                 std::vector<size_t>* open) {
  Table joint;
  joint.source = source;
  for (size_t j = 0; j < parts[0].columns.size(); ++j) {
    const Column* first = nullptr;  // that has a cell
    bool agree = true;
    for (const Table& part : parts) {
      const Column& column = part.columns[j];
      if (IsEmpty(column)) continue;
      if (first == nullptr) first = &column;
      agree &= column.type == first->type && column.format == first->format;
    }
    Column& column = joint.columns.emplace_back();
    column.name = parts[0].columns[j].name;
    if (!agree) {
      column.type = ColumnType::kText;
      open->push_back(j);
    } else if (first != nullptr) {
      column.type = first->type;
      column.format = first->format;
    }
  }
  return joint;
}

// Odd cells of all parts, by their rows in the joint table; the reasons of the first that has some.
void JoinReadings(size_t j, const std::vector<Table>& parts, Column* joint) {
  constexpr size_t kShown = 5;
  size_t first_row = 0;
  for (const Table& part : parts) {
    const Column& column = part.columns[j];
    const ColumnReading& reading = *column.reading;
    ColumnReading& own = joint->reading.Edit();
    for (const OddCell& odd : reading.odd) {
      if (own.odd.size() == kShown) break;
      own.odd.push_back({first_row + odd.row, odd.text});
    }
    own.odd_cells += reading.odd_cells;
    if (own.why.empty()) own.why = reading.why;
    if (own.remarks.empty()) own.remarks = reading.remarks;
    for (const Spelling& spelling : reading.spellings) {
      auto at = std::lower_bound(own.spellings.begin(), own.spellings.end(), spelling.value,
                                 [](const Spelling& a, double b) { return a.value < b; });
      const bool known = at != own.spellings.end() && at->value == spelling.value;
      if (!known) own.spellings.insert(at, spelling);
    }
    first_row += part.rows;
  }
}

bool Fits(const Table& part, const Table& joint) {
  for (size_t j = 0; j < part.columns.size(); ++j) {
    const Column& column = part.columns[j];
    if (column.type != joint.columns[j].type && !IsEmpty(column)) return false;
  }
  return true;
}

void AppendNumbers(const Column& part, size_t rows, Column* joint) {
  if (part.type == ColumnType::kText) {  // of missing cells
    joint->numbers.insert(joint->numbers.end(), rows, kMissing);
  } else {
    joint->numbers.insert(joint->numbers.end(), part.numbers.begin(), part.numbers.end());
  }
}

void JoinTexts(size_t j, const std::vector<Table>& parts, Column* joint) {
  for (const Table& part : parts) {
    const std::vector<std::string>& levels = part.columns[j].levels;
    joint->levels.insert(joint->levels.end(), levels.begin(), levels.end());
  }
  std::sort(joint->levels.begin(), joint->levels.end());
  joint->levels.erase(std::unique(joint->levels.begin(), joint->levels.end()), joint->levels.end());
  for (const Table& part : parts) {
    const Column& column = part.columns[j];
    std::vector<int32_t> to_level;
    for (const std::string& level : column.levels) {
      to_level.push_back(
          static_cast<int32_t>(std::lower_bound(joint->levels.begin(), joint->levels.end(), level) -
                               joint->levels.begin()));
    }
    for (size_t i = 0; i < part.rows; ++i) {
      const int32_t code = column.codes.empty() ? -1 : column.codes[i];
      joint->codes.push_back(code < 0 ? -1 : to_level[static_cast<size_t>(code)]);
    }
  }
}

}  // namespace

std::vector<std::string> MatchingFiles(const std::string& path) {
  struct stat status;
  if (path.find_first_of("*?[") == std::string::npos || stat(path.c_str(), &status) == 0) {
    return {path};
  }
  std::vector<std::string> files = FilesMatching(path);
  if (files.empty()) {
    throw DataError("no file matches " + Quoted(path) + "; check the pattern and its directory");
  }
  std::sort(files.begin(), files.end());
  return files;
}

Table JoinFiles(const std::string& source, const std::vector<std::string>& files,
                const ReadOptions& options, const ReadOneFile& read) {
  std::vector<Table> parts;
  ReadOptions rest = options;
  for (const std::string& file : files) {
    parts.push_back(read(file, parts.empty() ? options : rest));
    if (parts.size() == 1 && options.header == ReadOptions::Header::kAuto &&
        !HasGeneratedNames(parts[0])) {
      rest.header = ReadOptions::Header::kYes;
    }
    if (!parts[0].open_ended) CheckSameColumns(parts[0], parts.back());
  }
  PadToWidest(files, options, read, &parts);
  for (const Table& part : parts) CheckSameColumns(parts[0], part);
  std::vector<size_t> open;
  Table joint = JointTypes(source, parts, &open);
  rest.like = &joint;
  for (size_t f = 0; f < files.size(); ++f) {
    if (Fits(parts[f], joint)) continue;
    parts[f] = read(files[f], rest);
    for (size_t j = 0; j < joint.columns.size(); ++j) {
      const Column& column = parts[f].columns[j];
      if (column.type == joint.columns[j].type || IsEmpty(column)) continue;
      throw DataError("the files do not form one table: column " + Quoted(column.name) + " is " +
                      ColumnTypeName(column.type) + " in " + files[f] + " and not in others; " +
                      "make their types match");
    }
  }
  for (size_t j = 0; j < joint.columns.size(); ++j) {
    Column& column = joint.columns[j];
    if (column.type == ColumnType::kText) {
      JoinTexts(j, parts, &column);
    } else {
      for (const Table& part : parts) AppendNumbers(part.columns[j], part.rows, &column);
    }
    if (std::find(open.begin(), open.end(), j) == open.end()) JoinReadings(j, parts, &column);
    for (Table& part : parts) part.columns[j] = {};
  }
  for (Table& part : parts) {
    joint.rows += part.rows;
    part.columns.clear();
  }
  const bool lines = parts[0].first_line != 0;
  joint.parts = std::move(parts);
  if (options.raw) return joint;
  TypeTexts(open, TypeRules(options, joint), lines ? TextKind::kUntyped : TextKind::kTyped,
            HasDecimalComma(joint), /*pool=*/nullptr, &joint);
  CheckFinite(joint);
  return joint;
}

}  // namespace slm
