#pragma once

// The rows of a file of delimited text, in chunks that threads read side by side, and what is said
// about rows that cannot be read.

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "data/readers/delimited_head.h"
#include "data/readers/dialect.h"
#include "data/table.h"

namespace slm {

// Whole rows of the file; where the cuts are depends on the text alone.
struct RowChunk {
  size_t begin = 0;  // bytes
  size_t end = 0;
  size_t first_row = 0;
  size_t rows = 0;
  bool irregular = false;  // a row is not one line: blank lines, or line ends within quotes
};

// Thrown by readers of a row with a wrong number of cells.
struct RaggedRow {
  const char* row;
};

class DelimitedRows {
 public:
  // Cuts the text behind the head into chunks and counts their rows. The table has its source and
  // the names of its columns; it gets the number of its rows, and their lines where a row is not a
  // line. Head and table must outlive this. Throws a DataError if there is no row, or a zero byte.
  DelimitedRows(const DelimitedHead& head, Table* table, ThreadPool& pool);

  const std::vector<RowChunk>& chunks() const { return chunks_; }
  const Dialect& dialect() const { return dialect_; }

  // Runs `body` on the begin and end of the rows of a chunk, which end with a line end and have
  // kNumberSlack readable bytes behind them. RaggedRow and QuoteError become DataErrors that name
  // the line; of several chunks that cannot be read, the first is sure to be named.
  void OnChunk(const RowChunk& chunk,
               const std::function<void(const char*, const char*)>& body) const;

 private:
  size_t columns() const { return table_.columns.size(); }
  [[noreturn]] void Fail(size_t line, const std::string& what) const;
  [[noreturn]] void FailRagged(size_t line, size_t cells) const;
  bool CutAtLineEnds(ThreadPool& pool);
  void RefuseZeroBytes(const std::vector<size_t>& first_of_chunks) const;
  void CutAtRowEnds();
  std::vector<size_t> Lines() const;

  const DelimitedHead& head_;
  const std::string_view text_;
  const size_t body_;  // where the rows begin
  const Table& table_;
  Dialect dialect_;
  std::vector<RowChunk> chunks_;
  // Where the first chunk begins that cannot be read.
  mutable std::atomic<size_t> first_failed_ = std::numeric_limits<size_t>::max();
};

}  // namespace slm
