#include "data/readers/json_table.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/json_reader.h"
#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/duckdb_reader.h"
#include "data/readers/finish_table.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr size_t kHeadOfGeoJson = 200;  // its type stands in it
constexpr const char* kWanted =
    "give an array of objects, [{\"a\": 1, \"y\": 2}, ...], as pandas writes with "
    "to_json(file, orient=\"records\")";

// A value of the array, and the line on which it begins.
struct Element {
  std::string_view text;
  size_t line = 0;
};

// The values of an array one by one, so that no more than one row is held as JSON.
class ElementScanner {
 public:
  ElementScanner(std::string_view text, const std::string& source) : text_(text), source_(source) {
    Expect('[');
  }

  // False at the end of the array, behind which there must be nothing.
  bool Next(Element* element) {
    SkipSpace();
    if (Peek() == ']') {
      if (after_comma_) Fail("a comma before the end");
      ++at_;
      SkipSpace();
      if (at_ != text_.size()) Fail("text after the array");
      return false;
    }
    if (!first_ && !after_comma_) Fail("no comma between two rows");
    first_ = false;
    *element = Take();
    SkipSpace();
    after_comma_ = Peek() == ',';
    if (after_comma_) ++at_;
    return true;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw DataError(source_ + " line " + std::to_string(line_) + ": " + what);
  }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipSpace() {
    for (; at_ < text_.size() && kSpace.find(text_[at_]) != kSpace.npos; ++at_) {
      line_ += text_[at_] == '\n' ? 1 : 0;
    }
  }
  void Expect(char c) {
    SkipSpace();
    if (Peek() != c) Fail(std::string("expected '") + c + "'");
    ++at_;
  }

  // Up to the bracket that closes what begins here; what is inside is the matter of ParseJson.
  Element Take() {
    const size_t begin = at_;
    Element element{.text = {}, .line = line_};
    if (Peek() != '{' && Peek() != '[') {
      Fail(std::string(at_ < text_.size() ? "a row that is neither an object nor an array"
                                          : "the array is cut short") +
           "; " + kWanted);
    }
    size_t depth = 0;
    bool quoted = false;
    do {
      const char c = Peek();
      if (at_ == text_.size()) Fail("the array is cut short; fetch or write the file again");
      if (c == '\\' && quoted) ++at_;
      if (c == '"') quoted = !quoted;
      if (c == '\n') ++line_;
      if (!quoted && (c == '{' || c == '[')) ++depth;
      if (!quoted && (c == '}' || c == ']')) --depth;
      at_ = std::min(at_ + 1, text_.size());
    } while (depth != 0);
    element.text = text_.substr(begin, at_ - begin);
    return element;
  }

  const std::string_view text_;
  const std::string& source_;
  size_t at_ = 0;
  size_t line_ = 1;
  bool first_ = true, after_comma_ = false;
};

std::string TextOf(const Json& value) { return value.is_text() ? value.text() : value.Dump(); }

// The cells of one column: numbers or truth values as long as there are no others.
class JsonColumn {
 public:
  explicit JsonColumn(std::string name) { column_.name = std::move(name); }

  const std::string& name() const { return column_.name; }
  void set_name(std::string name) { column_.name = std::move(name); }

  void Add(size_t row, const Json& value) {
    const ColumnType type = value.is_text()      ? ColumnType::kText
                            : value.is_boolean() ? ColumnType::kBoolean
                                                 : ColumnType::kNumeric;
    if (value.is_null()) return;  // as if the row did not name the column
    if (empty_) column_.type = type;
    if (column_.type != type && column_.type != ColumnType::kText) MakeText();
    empty_ = false;
    Pad(row);
    if (column_.type == ColumnType::kText) {
      column_.codes.push_back(dictionary_.Code(TextOf(value)));
    } else {
      column_.numbers.push_back(value.is_boolean() ? (value.boolean() ? 1.0 : 0.0)
                                                   : value.number());
    }
  }

  Column Finish(size_t rows) {
    Pad(rows);
    if (column_.type == ColumnType::kText) SortLevels(dictionary_, &column_);
    return std::move(column_);
  }

 private:
  void Pad(size_t rows) {
    if (column_.type == ColumnType::kText) {
      column_.codes.resize(rows, -1);
    } else {
      column_.numbers.resize(rows, kMissing);
    }
  }

  void MakeText() {
    const bool boolean = column_.type == ColumnType::kBoolean;
    for (double x : column_.numbers) {
      const bool missing = x != x;
      column_.codes.push_back(missing   ? -1
                              : boolean ? dictionary_.Code(x != 0 ? "true" : "false")
                                        : dictionary_.Code(FormatNumber(x)));
    }
    column_.numbers = {};
    column_.type = ColumnType::kText;
  }

  Column column_;
  TextDictionary dictionary_;
  bool empty_ = true;
};

class JsonTable {
 public:
  JsonTable(const FileBytes& file, const ReadOptions& options)
      : source_(file.name()), bytes_(file.view().size()), options_(options) {}

  void AddRow(const Element& element) {
    const Json row = Parse(element);
    line_ = element.line;
    if (lines_.empty() && !named_) {
      arrays_ = row.is_array();
      if (arrays_ && TakeNames(row.array())) return;
    }
    if (row.is_array() != arrays_) Fail("an object among arrays, or an array among objects");
    if (arrays_) {
      const Json::Array& cells = row.array();
      for (size_t j = 0; j < cells.size(); ++j) {
        if (j == columns_.size()) AddColumn(GeneratedName(j));
        AddCell(j, cells[j]);
      }
    } else {
      for (const auto& [key, value] : row.object()) {
        const auto [found, is_new] = by_name_.emplace(key, columns_.size());
        if (is_new) AddColumn(key);
        AddCell(found->second, value);
      }
    }
    lines_.push_back(line_);
  }

  Table Finish() {
    Table table;
    table.source = source_;
    table.rows = lines_.size();
    CheckSparseFits(source_, table.rows, columns_.size(), bytes_, options_.max_bytes);
    for (JsonColumn& column : columns_) table.columns.push_back(column.Finish(table.rows));
    // Of a file in a single line the numbers of rows say more.
    table.first_line = 0;
    if (!lines_.empty() && lines_.front() != lines_.back()) {
      table.first_line = lines_.front();
      table.lines = std::move(lines_);
    }
    FinishTable(options_, &table);
    return table;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw DataError(source_ + " line " + std::to_string(line_) + ": " + what + "; " + kWanted);
  }

  Json Parse(const Element& element) const {
    try {
      return ParseJson(element.text, element.line);
    } catch (const InputError& error) {
      throw DataError(source_ + ", row " + std::to_string(lines_.size()) + ", " + error.what());
    }
  }

  // Whether the first of the arrays names the columns.
  bool TakeNames(const Json::Array& cells) {
    if (options_.header == ReadOptions::Header::kNo || cells.empty()) return false;
    std::set<std::string> names;
    for (const Json& cell : cells) {
      if (!cell.is_text() || !names.insert(cell.text()).second) {
        if (options_.header != ReadOptions::Header::kYes) return false;
        Fail("the first row should name the columns, and holds " + Quoted(cell.Dump()));
      }
    }
    for (const Json& cell : cells) AddColumn(cell.text());
    return named_ = true;
  }

  void AddColumn(const std::string& name) {
    CheckSparseFits(source_, lines_.size(), columns_.size() + 1, bytes_, options_.max_bytes);
    columns_.emplace_back(name);
  }

  void AddCell(size_t j, const Json& value) {
    if (value.is_array() || value.is_object()) {
      throw DataError(source_ + " line " + std::to_string(line_) + ", column " +
                      Quoted(columns_[j].name()) + " holds an " +
                      (value.is_array() ? "array" : "object") +
                      "; make its values columns of their own, as pandas.json_normalize does, or " +
                      "leave it out");
    }
    columns_[j].Add(lines_.size(), value);
  }

  const std::string source_;
  const size_t bytes_;
  const ReadOptions& options_;
  std::vector<JsonColumn> columns_;
  std::unordered_map<std::string, size_t> by_name_;
  std::vector<size_t> lines_;  // of each row
  size_t line_ = 1;            // of the row that is being read
  bool arrays_ = false, named_ = false;
};

}  // namespace

bool LooksLikeJsonTable(std::string_view text) {
  size_t at = text.find_first_not_of(kSpace);
  if (at == text.npos || text[at] != '[') return false;
  at = text.find_first_not_of(kSpace, at + 1);
  return at != text.npos && (text[at] == '{' || text[at] == '[');
}

Table ReadJson(FileBytes& file, const ReadOptions& options, ThreadPool& pool) {
  std::string_view text = file.view();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) throw DataError(file.name() + " is empty");
  if (text[begin] == '{') {
    const size_t next = text.find_first_not_of(kSpace, text.find('\n', begin));
    if (next != text.npos && text[next] == '{') return ReadJsonLines(file, options, pool);
    if (text.substr(begin, kHeadOfGeoJson).find("\"FeatureCollection\"") != text.npos) {
      throw DataError(file.name() +
                      " is GeoJSON, a map; write the properties of its features as a table, as by "
                      "geopandas: read_file(file).drop(columns='geometry').to_csv('table.csv')");
    }
    throw DataError(file.name() + " holds a single JSON object; " + kWanted);
  }
  ElementScanner elements(text, file.name());
  JsonTable table(file, options);
  for (Element element; elements.Next(&element);) table.AddRow(element);
  return table.Finish();
}

}  // namespace slm
