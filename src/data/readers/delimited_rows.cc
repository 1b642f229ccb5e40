#include "data/readers/delimited_rows.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "data/readers/finish_table.h"
#include "data/readers/number.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr size_t kChunkBytes = 256 << 10;

// The rows of a chunk, ending with a line end and with kNumberSlack readable bytes after it; a
// copy only where the file ends.
class ChunkText {
 public:
  ChunkText(std::string_view text, const RowChunk& chunk) {
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

}  // namespace

DelimitedRows::DelimitedRows(const DelimitedHead& head, Table* table, ThreadPool& pool)
    : head_(head), text_(head.text), body_(head.body), table_(*table), dialect_(head.dialect) {
  dialect_.quotes = false;
  if (!CutAtLineEnds(pool)) {
    dialect_.quotes = true;
    CutAtRowEnds();
  }
  bool irregular = false;
  for (RowChunk& chunk : chunks_) {
    chunk.first_row = table->rows;
    table->rows += chunk.rows;
    irregular |= chunk.irregular;
  }
  if (table_.rows == 0) {
    throw DataError(table_.source + " has a header and no rows; if its first line is a row, set " +
                    FieldRef("header") + " to no");
  }
  CheckFits(table_.source, table_.rows, columns(), 0);  // max_bytes has bounded the text
  if (irregular) table->lines = Lines();
}

void DelimitedRows::Fail(size_t line, const std::string& what) const {
  throw DataError(table_.source + " line " + std::to_string(line) + what);
}

// Without quotes every line end ends a row, so chunks are cut and counted in parallel. False if
// there are quotes.
bool DelimitedRows::CutAtLineEnds(ThreadPool& pool) {
  const char* begin = text_.data();
  const char* end = begin + text_.size();
  chunks_.resize((text_.size() - body_) / kChunkBytes + 1);
  std::atomic<bool> quotes = false;
  std::vector<size_t> zeros(chunks_.size(), text_.size());
  pool.ParallelFor(chunks_.size(), [&](size_t c) {
    const size_t offset = body_ + c * kChunkBytes;
    std::string_view piece = text_.substr(offset, kChunkBytes);
    const size_t zero = piece.find('\0');
    if (zero != std::string_view::npos) zeros[c] = offset + zero;
    if (piece.find('"') != std::string_view::npos) quotes.store(true, std::memory_order_relaxed);
    if (quotes.load(std::memory_order_relaxed)) return;
    // A line belongs to the chunk of bytes in which it starts.
    auto line_start = [&](size_t at) {
      if (at <= body_) return body_;
      if (at >= text_.size()) return text_.size();
      return static_cast<size_t>(NextRow(dialect_, begin + at - 1, end) - begin);
    };
    RowChunk& chunk = chunks_[c];
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
  RefuseZeroBytes(zeros);
  return !quotes;
}

// Lines are counted once, however many chunks hold such bytes.
void DelimitedRows::RefuseZeroBytes(const std::vector<size_t>& first_of_chunks) const {
  const auto first = std::find_if(first_of_chunks.begin(), first_of_chunks.end(),
                                  [&](size_t at) { return at < text_.size(); });
  if (first == first_of_chunks.end()) return;
  Fail(head_.LineAt(*first),
       " holds a zero byte, so this is a binary or damaged file; give a text file");
}

// Whether a quote opens a cell depends on everything before it, so this pass is serial.
void DelimitedRows::CutAtRowEnds() {
  const char* begin = text_.data();
  const char* end = begin + text_.size();
  chunks_.clear();
  RowChunk chunk;
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
      chunk = RowChunk();
      chunk.begin = static_cast<size_t>(p - begin);
    }
  }
}

std::vector<size_t> DelimitedRows::Lines() const {
  std::vector<size_t> lines;
  const char* end = text_.data() + text_.size();
  size_t line = table_.first_line;
  for (const char* p = text_.data() + body_; p < end;) {
    const char* next = NextRow(dialect_, p, end);
    if (!IsBlankRow(dialect_, p, next)) lines.push_back(line);
    line += static_cast<size_t>(std::count(p, next, '\n'));
    p = next;
  }
  return lines;
}

void DelimitedRows::OnChunk(const RowChunk& chunk,
                            const std::function<void(const char*, const char*)>& body) const {
  // The first problem counts, and finding the line of one takes long.
  if (chunk.begin > first_failed_.load(std::memory_order_relaxed)) return;
  ChunkText rows(text_, chunk);
  auto line_at = [&](const char* at) {
    size_t earlier = first_failed_.load(std::memory_order_relaxed);
    while (chunk.begin < earlier && !first_failed_.compare_exchange_weak(earlier, chunk.begin)) {
    }
    return head_.LineAt(chunk.begin + static_cast<size_t>(at - rows.begin()));
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

void DelimitedRows::FailRagged(size_t line, size_t cells) const {
  if (cells == head_.cells_below && head_.header_line == 0) {
    Fail(line, " and the rows below it have " + std::to_string(cells) +
                   (cells == 1 ? " cell" : " cells") + ", but the line above them has " +
                   std::to_string(columns()) + ", so it cannot name the columns; leave it out by " +
                   FieldRef("skip", std::to_string(head_.lines_before + 1)) +
                   ", and if the next line holds no names either, give " +
                   FieldRef("header", "no"));
  }
  std::string delimiter = dialect_.delimiter == '\t' ? "\\t" : std::string(1, dialect_.delimiter);
  Fail(line,
       " has " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") + " where " +
           (head_.has_header ? "the header names " : "the first row has ") +
           std::to_string(columns()) +
           (cells < columns() ? ": it ends at column " : ": it continues after column ") +
           Quoted(table_.columns[std::min(cells, columns()) - 1].name) + "; fix that line" +
           (cells == 1 && columns() > 2 ? ", or remove it if it is a note below the table" : "") +
           (columns() == 1 && cells > 1
                ? ", or give " + FieldRef("skip", "N") + " if N lines of text stand above the table"
                : "") +
           ", or set the delimiter if '" + delimiter + "' is not the one" +
           (head_.header_line > 0
                ? ", or " + FieldRef("skip", std::to_string(head_.header_line - 1)) +
                      " if a title stands above the header"
                : ""));
}

}  // namespace slm
