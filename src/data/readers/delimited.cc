#include "data/readers/delimited.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/dialect.h"
#include "data/readers/finish_table.h"
#include "data/readers/number.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kChunkBytes = 256 << 10;
// Rows parsed before they are turned into columns, so that columns are written by the cache line.
constexpr size_t kBlockRows = 16;

// Whole rows of the file; where the cuts are depends on the text alone.
struct Chunk {
  size_t begin = 0;  // bytes
  size_t end = 0;
  size_t first_row = 0;
  size_t rows = 0;
  bool irregular = false;  // a row is not one line: blank lines, or line ends within quotes
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& source, const ReadOptions& options,
         ThreadPool& pool)
      : text_(text), options_(options), pool_(pool) {
    table_.source = source;
  }

  Table Parse() {
    ReadHead();
    CutChunks();
    ReadNumbers();
    ReadTexts();
    if (infinity_) CheckFinite(table_);
    return std::move(table_);
  }

 private:
  // The rows of a chunk, ending with a line end and with kNumberSlack readable bytes after it; a
  // copy only where the file ends.
  class ChunkText {
   public:
    ChunkText(std::string_view text, const Chunk& chunk) {
      begin_ = text.data() + chunk.begin;
      end_ = text.data() + chunk.end;
      if (chunk.end + kNumberSlack <= text.size()) return;
      copy_.assign(begin_, end_);
      if (copy_.empty() || copy_.back() != '\n') copy_.push_back('\n');
      size_t size = copy_.size();
      copy_.append(kNumberSlack, '\0');
      begin_ = copy_.data();
      end_ = begin_ + size;
    }
    const char* begin() const { return begin_; }
    const char* end() const { return end_; }

   private:
    std::string copy_;
    const char* begin_;
    const char* end_;
  };

  size_t columns() const { return table_.columns.size(); }

  size_t LineAt(size_t offset) const {
    return 1 + static_cast<size_t>(
                   std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(offset), '\n'));
  }

  [[noreturn]] void Fail(size_t line, const std::string& what) const {
    throw DataError(table_.source + " line " + std::to_string(line) + what);
  }

  void ReadHead();
  void NameColumns(const std::vector<std::string>& names, size_t line);
  void CutChunks();
  bool CutAtLineEnds();
  void CutAtRowEnds();
  void ListLines();
  void ReadNumbers();
  template <bool kBlanks>
  void ReadNumbersOf(const Chunk& chunk);
  template <bool kBlanks>
  const char* ReadRow(const char* p, const char* end, double* out);
  void ReadTexts();
  void ReadTextsOf(const Chunk& chunk, const std::vector<int>& slots,
                   std::vector<TextDictionary>* dictionaries);
  void MergeTexts(size_t j, size_t slot,
                  const std::vector<std::vector<TextDictionary>>& dictionaries);
  [[noreturn]] void FailRagged(size_t line, size_t cells) const;
  // Runs `body` on the rows of a chunk; problems are reported with their place in the file.
  template <class Body>
  void OnChunk(const Chunk& chunk, const Body& body) const;
  const char* SkipBlankRows(const char* p, const char* end) const {
    while (p < end && (*p == '\n' || *p == '\r' || *p == ' ' || *p == '\t')) {
      const char* next = NextRow(dialect_, p, end);
      if (!IsBlankRow(dialect_, p, next)) return p;
      p = next;
    }
    return p;
  }

  // Thrown by a row with a wrong number of cells; OnChunk knows the place in the file.
  struct RaggedRow {
    const char* row;
  };

  std::string_view text_;
  const ReadOptions& options_;
  ThreadPool& pool_;
  Table table_;
  Dialect dialect_;
  bool has_header_ = false;
  size_t body_ = 0;  // where the rows begin
  std::vector<Chunk> chunks_;
  std::vector<std::optional<ColumnType>> wanted_;  // as in options_.like
  std::unique_ptr<std::atomic<bool>[]> not_numeric_;
  std::atomic<bool> infinity_ = false;
};

void Parser::ReadHead() {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    throw DataError(table_.source + " is UTF-16 text; save it as UTF-8");
  }
  const std::string_view start = text_.substr(0, 4096);
  if (start.find('\0') != std::string_view::npos) {
    throw DataError(table_.source + " is a binary file (byte 0 at offset " +
                    std::to_string(start.find('\0')) + "); give a text file of rows and columns");
  }
  dialect_.delimiter = static_cast<char>(options_.delimiter);
  if (options_.delimiter == ReadOptions::Delimiter::kAuto)
    dialect_.delimiter = DetectDelimiter(text_);

  std::vector<std::vector<std::string>> sample;
  try {
    sample = SampleRows(dialect_, text_, 100, 1 << 20);
  } catch (const QuoteError&) {
    // Reported with its place once the rows are read; the first row must do until then.
    try {
      sample = SampleRows(dialect_, text_, 1, 1);
    } catch (const QuoteError& error) {
      Fail(1, std::string(": ") + error.problem + "; double the quotes inside a quoted cell");
    }
  }
  if (sample.empty()) {
    throw DataError(table_.source + " is empty; it needs rows of cells, one row to a line");
  }
  switch (options_.header) {
    case ReadOptions::Header::kYes:
      has_header_ = true;
      break;
    case ReadOptions::Header::kNo:
      has_header_ = false;
      break;
    case ReadOptions::Header::kAuto:
      has_header_ = DetectHeader(sample);
      if (options_.like != nullptr) {
        for (const Column& column : options_.like->columns) {
          has_header_ |=
              std::find(sample[0].begin(), sample[0].end(), column.name) != sample[0].end();
        }
      }
  }
  const char* begin = text_.data();
  const char* end = begin + text_.size();
  const char* first = SkipBlankRows(begin, end);
  size_t first_line = LineAt(static_cast<size_t>(first - begin));
  const char* body = has_header_ ? NextRow(dialect_, first, end) : first;
  body_ = static_cast<size_t>(body - begin);
  table_.first_line = LineAt(body_);
  table_.columns.resize(sample[0].size());
  NameColumns(has_header_ ? sample[0] : std::vector<std::string>(columns()), first_line);
}

void Parser::NameColumns(const std::vector<std::string>& names, size_t line) {
  std::unordered_map<std::string, size_t> seen;
  for (size_t j = 0; j < columns(); ++j) {
    std::string& name = table_.columns[j].name;
    name = names[j].empty() ? GeneratedName(j) : names[j];
    auto [earlier, is_new] = seen.emplace(name, j);
    if (!is_new) {
      Fail(line, ": columns " + std::to_string(earlier->second + 1) + " and " +
                     std::to_string(j + 1) + " are both named " + Quoted(name) +
                     "; rename one of them");
    }
  }
  wanted_.resize(columns());
  if (options_.like == nullptr) return;
  for (const Column& column : options_.like->columns) {
    auto found = seen.find(column.name);
    if (found != seen.end()) wanted_[found->second] = column.type;
  }
}

void Parser::CutChunks() {
  dialect_.quotes = false;
  if (!CutAtLineEnds()) {
    dialect_.quotes = true;
    CutAtRowEnds();
  }
  bool irregular = false;
  for (Chunk& chunk : chunks_) {
    chunk.first_row = table_.rows;
    table_.rows += chunk.rows;
    irregular |= chunk.irregular;
  }
  if (table_.rows == 0) {
    throw DataError(table_.source +
                    " has a header and no rows; if its first line is a row, say so " +
                    "with header=no");
  }
  CheckFits(table_.source, table_.rows, columns(), 0);  // max_bytes has bounded the text
  if (irregular) ListLines();
}

// Without quotes every line end ends a row, so chunks are cut and counted in parallel. False if
// there are quotes.
bool Parser::CutAtLineEnds() {
  const char* begin = text_.data();
  const char* end = begin + text_.size();
  chunks_.resize((text_.size() - body_) / kChunkBytes + 1);
  std::atomic<bool> quotes = false;
  pool_.ParallelFor(chunks_.size(), [&](size_t c) {
    const size_t offset = body_ + c * kChunkBytes;
    std::string_view piece = text_.substr(offset, kChunkBytes);
    size_t zero = piece.find('\0');
    if (zero != std::string_view::npos) {
      Fail(LineAt(offset + zero),
           " holds a zero byte, so this is a binary or damaged file; give a text file");
    }
    if (piece.find('"') != std::string_view::npos) quotes.store(true, std::memory_order_relaxed);
    if (quotes.load(std::memory_order_relaxed)) return;
    // A line belongs to the chunk of bytes in which it starts.
    auto line_start = [&](size_t at) {
      if (at <= body_) return body_;
      if (at >= text_.size()) return text_.size();
      return static_cast<size_t>(NextRow(dialect_, begin + at - 1, end) - begin);
    };
    Chunk& chunk = chunks_[c];
    chunk.begin = line_start(offset);
    chunk.end = line_start(offset + kChunkBytes);
    for (const char* p = begin + chunk.begin; p < begin + chunk.end;) {
      const char* next = NextRow(dialect_, p, end);
      bool blank = IsBlankRow(dialect_, p, next);
      chunk.rows += blank ? 0 : 1;
      chunk.irregular |= blank;
      p = next;
    }
  });
  return !quotes;
}

// Whether a quote opens a cell depends on everything before it, so this pass is serial.
void Parser::CutAtRowEnds() {
  const char* begin = text_.data();
  const char* end = begin + text_.size();
  chunks_.clear();
  Chunk chunk;
  chunk.begin = body_;
  for (const char* p = begin + body_; p < end;) {
    const char* next = NextRow(dialect_, p, end);
    bool blank = IsBlankRow(dialect_, p, next);
    chunk.rows += blank ? 0 : 1;
    chunk.irregular |= blank || std::memchr(p, '\n', static_cast<size_t>(next - 1 - p)) != nullptr;
    p = next;
    chunk.end = static_cast<size_t>(p - begin);
    if (chunk.end - chunk.begin >= kChunkBytes || p == end) {
      chunks_.push_back(chunk);
      chunk = Chunk();
      chunk.begin = static_cast<size_t>(p - begin);
    }
  }
}

void Parser::ListLines() {
  const char* end = text_.data() + text_.size();
  size_t line = table_.first_line;
  for (const char* p = text_.data() + body_; p < end;) {
    const char* next = NextRow(dialect_, p, end);
    if (!IsBlankRow(dialect_, p, next)) table_.lines.push_back(line);
    line += static_cast<size_t>(std::count(p, next, '\n'));
    p = next;
  }
}

template <class Body>
void Parser::OnChunk(const Chunk& chunk, const Body& body) const {
  ChunkText rows(text_, chunk);
  auto line_at = [&](const char* at) {
    return LineAt(chunk.begin + static_cast<size_t>(at - rows.begin()));
  };
  try {
    try {
      body(rows.begin(), rows.end());
    } catch (const RaggedRow& ragged) {
      size_t cells = 0;
      Cell cell;
      for (const char* p = ragged.row; cells == 0 || !cell.last; ++cells) {
        p = ReadCell(dialect_, p, rows.end(), &cell);
      }
      FailRagged(line_at(ragged.row), cells);
    }
  } catch (const QuoteError& error) {
    Fail(line_at(error.at), std::string(": ") + error.problem +
                                "; double the quotes inside a quoted cell, or remove them");
  }
}

void Parser::FailRagged(size_t line, size_t cells) const {
  std::string delimiter = dialect_.delimiter == '\t' ? "\\t" : std::string(1, dialect_.delimiter);
  Fail(line, " has " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") + " where " +
                 (has_header_ ? "the header names " : "the first row has ") +
                 std::to_string(columns()) +
                 (cells < columns() ? ": it ends at column " : ": it continues after column ") +
                 Quoted(table_.columns[std::min(cells, columns()) - 1].name) +
                 "; fix that line, or set the delimiter if '" + delimiter + "' is not the one");
}

void Parser::ReadNumbers() {
  not_numeric_ = std::make_unique<std::atomic<bool>[]>(columns());
  for (size_t j = 0; j < columns(); ++j) {
    not_numeric_[j] = wanted_[j].has_value() && *wanted_[j] != ColumnType::kNumeric;
  }
  pool_.ParallelFor(columns(), [&](size_t j) { table_.columns[j].numbers.resize(table_.rows); });
  pool_.ParallelFor(chunks_.size(), [&](size_t c) {
    if (dialect_.delimiter == ' ') {
      ReadNumbersOf<true>(chunks_[c]);
    } else {
      ReadNumbersOf<false>(chunks_[c]);
    }
  });
}

template <bool kBlanks>
void Parser::ReadNumbersOf(const Chunk& chunk) {
  OnChunk(chunk, [&](const char* p, const char* end) {
    std::vector<double> block(std::min(kBlockRows, chunk.rows) * columns());
    for (size_t done = 0; done < chunk.rows;) {
      size_t rows = std::min(kBlockRows, chunk.rows - done);
      for (size_t i = 0; i < rows; ++i) {
        p = ReadRow<kBlanks>(SkipBlankRows(p, end), end, block.data() + i * columns());
      }
      for (size_t j = 0; j < columns(); ++j) {
        double* out = table_.columns[j].numbers.data() + chunk.first_row + done;
        for (size_t i = 0; i < rows; ++i) out[i] = block[i * columns() + j];
      }
      done += rows;
    }
  });
}

template <bool kBlanks>
const char* Parser::ReadRow(const char* p, const char* end, double* out) {
  const char* row = p;
  const size_t last = columns() - 1;
  if constexpr (kBlanks) {
    while (*p == ' ' || *p == '\t') ++p;
  }
  for (size_t j = 0; j <= last; ++j) {
    const char* next = nullptr;
    if (!not_numeric_[j].load(std::memory_order_relaxed)) next = ParseNumber(p, &out[j]);
    if (next != nullptr && kBlanks) {
      if (*next == ' ' || *next == '\t') {
        while (*next == ' ' || *next == '\t' || *next == '\r') ++next;
        if ((*next == '\n') != (j == last)) throw RaggedRow{row};
        p = next + (j == last ? 1 : 0);
      } else if (*next == '\n' && j == last) {
        p = next + 1;
      } else {
        next = nullptr;
      }
    } else if (next != nullptr && *next == (j == last ? '\n' : dialect_.delimiter)) {
      p = next + 1;
    } else {
      next = nullptr;
    }
    if (next == nullptr) {
      Cell cell;
      p = ReadCell(dialect_, p, end, &cell);
      if (cell.last != (j == last)) throw RaggedRow{row};
      if (not_numeric_[j].load(std::memory_order_relaxed)) continue;
      if (IsMissingText(cell.text)) {
        out[j] = kMissing;
        continue;
      }
      if (!NumberFromText(cell.text, &out[j])) {
        not_numeric_[j].store(true, std::memory_order_relaxed);
        continue;
      }
    }
    if (std::isinf(out[j])) infinity_.store(true, std::memory_order_relaxed);
  }
  return p;
}

void Parser::ReadTexts() {
  std::vector<size_t> texts;
  std::vector<int> slots(columns(), -1);
  for (size_t j = 0; j < columns(); ++j) {
    if (!not_numeric_[j]) continue;
    slots[j] = static_cast<int>(texts.size());
    texts.push_back(j);
    table_.columns[j].numbers = {};
    table_.columns[j].codes.resize(table_.rows);
  }
  if (texts.empty()) return;
  std::vector<std::vector<TextDictionary>> dictionaries(chunks_.size());
  pool_.ParallelFor(chunks_.size(), [&](size_t c) {
    if (chunks_[c].rows == 0) return;  // the middle of a long row
    dictionaries[c].resize(texts.size());
    ReadTextsOf(chunks_[c], slots, &dictionaries[c]);
  });
  pool_.ParallelFor(texts.size(), [&](size_t slot) {
    MergeTexts(texts[slot], slot, dictionaries);
    SetTextType(wanted_[texts[slot]], options_, texts[slot], &table_);
  });
}

void Parser::ReadTextsOf(const Chunk& chunk, const std::vector<int>& slots,
                         std::vector<TextDictionary>* dictionaries) {
  OnChunk(chunk, [&](const char* p, const char* end) {
    Cell cell;
    for (size_t i = 0; i < chunk.rows; ++i) {
      p = SkipBlankRows(p, end);
      const char* row = p;
      for (size_t j = 0; j < columns(); ++j) {
        p = ReadCell(dialect_, p, end, &cell);
        // ReadRow has seen to it; what is behind the row would be memory of somebody else.
        if (cell.last != (j + 1 == columns())) throw RaggedRow{row};
        if (slots[j] < 0) continue;
        TextDictionary& dictionary = (*dictionaries)[static_cast<size_t>(slots[j])];
        table_.columns[j].codes[chunk.first_row + i] = IsMissingText(cell.text) ? -1
                                                       : cell.escaped ? dictionary.Code(cell.Text())
                                                                      : dictionary.Code(cell.text);
      }
    }
  });
}

void Parser::MergeTexts(size_t j, size_t slot,
                        const std::vector<std::vector<TextDictionary>>& dictionaries) {
  Column& column = table_.columns[j];
  for (const auto& of_chunk : dictionaries) {
    if (of_chunk.empty()) continue;
    const std::vector<std::string>& texts = of_chunk[slot].texts();
    column.levels.insert(column.levels.end(), texts.begin(), texts.end());
  }
  std::sort(column.levels.begin(), column.levels.end());
  column.levels.erase(std::unique(column.levels.begin(), column.levels.end()), column.levels.end());
  for (size_t c = 0; c < chunks_.size(); ++c) {
    if (dictionaries[c].empty()) continue;
    const std::vector<std::string>& texts = dictionaries[c][slot].texts();
    std::vector<int32_t> to_level(texts.size());
    for (size_t t = 0; t < texts.size(); ++t) {
      to_level[t] = static_cast<int32_t>(
          std::lower_bound(column.levels.begin(), column.levels.end(), texts[t]) -
          column.levels.begin());
    }
    for (size_t i = chunks_[c].first_row; i < chunks_[c].first_row + chunks_[c].rows; ++i) {
      if (column.codes[i] >= 0) column.codes[i] = to_level[static_cast<size_t>(column.codes[i])];
    }
  }
}

}  // namespace

Table ReadDelimited(std::string_view text, const std::string& source, const ReadOptions& options,
                    ThreadPool& pool) {
  return Parser(text, source, options, pool).Parse();
}

}  // namespace slm
