#include "data/readers/libsvm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/text.h"
#include "data/readers/dialect.h"
#include "data/readers/finish_table.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

struct Entry {
  uint32_t index;
  double value;
};

// The rows of the file, one after the other.
struct SparseRows {
  std::vector<double> targets;
  std::vector<double> queries;  // NaN where a row has none
  std::vector<size_t> ends;     // of each row among the entries
  std::vector<Entry> entries;
  std::vector<size_t> lines;
  bool any_query = false;
  uint32_t first = 1, last = 0;  // indices
};

class LibsvmParser {
 public:
  LibsvmParser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  SparseRows Parse() {
    while (!text_.empty()) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      ++line_;
      ParseLine(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    return std::move(rows_);
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw DataError(source_ + " line " + std::to_string(line_) + ": " + what);
  }

  // The next word of *line; empty at its end or at a remark.
  static std::string_view Word(std::string_view* line) {
    constexpr std::string_view kBlanks = " \t\r";
    line->remove_prefix(std::min(line->find_first_not_of(kBlanks), line->size()));
    if (line->starts_with('#')) return {};
    std::string_view word = line->substr(0, line->find_first_of(kBlanks));
    line->remove_prefix(word.size());
    return word;
  }

  double Value(std::string_view word, const char* what) const {
    double value;
    if (NumberFromText(word, &value)) return value;
    if (!word.empty() && IsMissingText(word)) return kMissing;
    Fail(std::string(what) + " " + Quoted(word) +
         " is not a number; a row is 'label index:value ...'");
  }

  void ParseLine(std::string_view line) {
    std::string_view word = Word(&line);
    if (word.empty()) return;
    rows_.targets.push_back(Value(word, "the label"));
    rows_.queries.push_back(kMissing);
    rows_.lines.push_back(line_);
    const size_t row_start = rows_.entries.size();
    for (word = Word(&line); !word.empty(); word = Word(&line)) {
      const size_t colon = word.find(':');
      if (colon == std::string_view::npos) {
        Fail(Quoted(word) + " is not index:value; separate labels and values by spaces");
      }
      const std::string_view index = word.substr(0, colon);
      const double value = Value(word.substr(colon + 1), "the value");
      if (index == "qid") {
        rows_.queries.back() = value;
        rows_.any_query = true;
        continue;
      }
      Entry entry{0, value};
      if (!ParseNumber(index, &entry.index)) {
        Fail("the index " + Quoted(index) + " is not a whole number from 0 to 4294967295");
      }
      if (rows_.entries.size() > row_start && rows_.entries.back().index >= entry.index) {
        Fail("the index " + std::to_string(entry.index) + " stands after " +
             std::to_string(rows_.entries.back().index) + "; sort the indices, each at most once");
      }
      rows_.first = std::min(rows_.first, entry.index);
      rows_.last = std::max(rows_.last, entry.index);
      rows_.entries.push_back(entry);
    }
    rows_.ends.push_back(rows_.entries.size());
  }

  std::string_view text_;
  const std::string& source_;
  size_t line_ = 0;
  SparseRows rows_;
};

// Takes in the columns of `like`: rows of another file may leave out some of them.
void Widen(const Table& like, SparseRows* rows) {
  uint32_t index;
  for (const Column& column : like.columns) {
    if (column.name == "qid") rows->any_query = true;
    if (!column.name.starts_with('f') || !ParseNumber(column.name.substr(1), &index)) continue;
    rows->first = std::min(rows->first, index);
    rows->last = std::max(rows->last, index);
  }
}

}  // namespace

Table ReadLibsvm(std::string_view text, const std::string& source, const ReadOptions& options,
                 ThreadPool& pool) {
  const size_t bytes = text.size();
  SparseRows sparse = LibsvmParser(text, source).Parse();
  if (options.like != nullptr) Widen(*options.like, &sparse);
  Table table;
  table.open_ended = true;
  table.source = source;
  table.rows = sparse.targets.size();
  table.lines = std::move(sparse.lines);
  const size_t features =
      sparse.last < sparse.first ? 0 : size_t{sparse.last} - size_t{sparse.first} + 1;
  const size_t before = sparse.any_query ? 2 : 1;
  CheckSparseFits(source, table.rows, features + before, bytes, options.max_bytes);

  table.columns.resize(before + features);
  table.columns[0].name = "target";
  table.columns[0].numbers = std::move(sparse.targets);
  if (sparse.any_query) {
    table.columns[1].name = "qid";
    table.columns[1].numbers = std::move(sparse.queries);
  }
  pool.ParallelFor(features, [&](size_t j) {
    table.columns[before + j].name = GeneratedName(sparse.first + j);
    table.columns[before + j].numbers.resize(table.rows);
  });
  for (size_t i = 0, e = 0; i < table.rows; ++i) {
    for (; e < sparse.ends[i]; ++e) {
      const Entry& entry = sparse.entries[e];
      table.columns[before + entry.index - sparse.first].numbers[i] = entry.value;
    }
  }
  FinishTable(options, &table);
  return table;
}

}  // namespace slm
