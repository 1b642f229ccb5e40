#include "data/readers/delimited.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/stop_check.h"
#include "base/text.h"
#include "data/readers/column_text.h"
#include "data/readers/decoded_text.h"
#include "data/readers/delimited_head.h"
#include "data/readers/delimited_rows.h"
#include "data/readers/dialect.h"
#include "data/readers/finish_table.h"
#include "data/readers/number.h"
#include "data/readers/typing.h"
#include "data/readers/written_number.h"
#include "data/table.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Rows parsed before they are turned into columns, so that columns are written by the cache line.
constexpr size_t kBlockRows = 16;

// 0, 12, -7: what FormatNumber would write, too.
bool IsPlainInteger(const char* begin, const char* end) {
  if (begin < end && *begin == '-') ++begin;
  if (begin == end || end - begin > 15) return false;
  if (*begin == '0') return end - begin == 1;
  return std::all_of(begin, end, [](char c) { return c >= '0' && c <= '9'; });
}

bool AreDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// 00530, 007: digits that begin with zero, at least three.
bool IsPadded(std::string_view text) {
  return text.size() >= 3 && text[0] == '0' && AreDigits(text);
}

// The cells of a column that are not missing.
struct Codes {
  bool whole = true;  // all are digits
  std::string least;  // of those with zeros in front; empty if there are none
  size_t row = 0;     // where it stands first
};

// A cell while its row is read.
struct CellPlace {
  const char* row;
  const char* end;  // of the chunk
  size_t column;
  bool last;  // of its row
};

// Where the cell or row behind a number that ends at p begins; null if the cell goes on.
template <bool kBlanks>
inline const char* BehindNumber(const char* p, char delimiter, const char* row, bool last) {
  if constexpr (!kBlanks) return *p == (last ? '\n' : delimiter) ? p + 1 : nullptr;
  if (*p == '\n') return last ? p + 1 : nullptr;
  if (*p != ' ' && *p != '\t') return nullptr;
  while (*p == ' ' || *p == '\t' || *p == '\r') ++p;
  if ((*p == '\n') != last) throw RaggedRow{row};
  return p + (last ? 1 : 0);
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& source, const ReadOptions& options,
         ThreadPool& pool)
      : head_(ReadHead(text, source, options)), options_(options), pool_(pool) {
    table_.source = source;
    table_.first_line = head_.first_line;
    table_.remarks = std::move(head_.remarks);
    table_.columns.resize(head_.names.size());
    for (size_t j = 0; j < columns(); ++j) {
      if (j % 4096 == 0) StopCheck::Ask();
      table_.columns[j].name = std::move(head_.names[j]);
      if (table_.columns[j].name == options.target) target_ = j;
    }
    head_.names = {};
    rules_.emplace(options_, table_);
  }

  Table Parse() {
    rows_.emplace(head_, &table_, pool_);
    ReadNumbers();
    TypeColumns();
    if (infinity_) CheckFinite(table_);
    return std::move(table_);
  }

 private:
  size_t columns() const { return table_.columns.size(); }

  const Dialect& dialect() const { return rows_->dialect(); }

  void ReadNumbers();
  template <bool kBlanks>
  void ReadNumbersOf(const RowChunk& chunk);
  template <bool kBlanks>
  const char* ReadRow(const char* p, const char* end, uint8_t* notes, double* out);
  template <bool kBlanks>
  const char* ReadOtherCell(const CellPlace& place, const char* p, uint8_t* notes, double* out);
  void TakeNotes(const std::vector<uint8_t>& notes);
  void WantNoMoreSpellings();
  bool WritesCommas(size_t j) const;
  bool ReadNumber(size_t j, const Cell& cell, double* value);
  void TypeColumns();
  bool HasDecimalPoint(const std::vector<size_t>& but) const;
  std::vector<size_t> PointsOfThousands() const;
  void SpellTarget();
  void RemarkOnCodes();
  std::vector<Codes> FindCodes(const RowChunk& chunk, const std::vector<size_t>& of_columns) const;
  void RemarkOnPoints();
  Column TextsOf(size_t j);
  bool IsMissingCell(const Cell& cell) const;
  // Reads the distinct texts of columns that were not numbers, or should not have been read as
  // such.
  void ReadTexts(const std::vector<size_t>& texts);
  void ReadTextsOf(const RowChunk& chunk, const std::vector<int>& slots,
                   std::vector<TextDictionary>* dictionaries);
  void MergeTexts(size_t j, size_t slot,
                  const std::vector<std::vector<TextDictionary>>& dictionaries);

  DelimitedHead head_;
  const ReadOptions& options_;
  ThreadPool& pool_;
  Table table_;
  std::optional<DelimitedRows> rows_;
  std::optional<TypeRules> rules_;
  // What the cells of a column are as far as they were read. With kCommas they are plain numbers
  // but for decimal commas that may occur, with kCommasSeen there was one. With kPlain they are
  // written as FormatNumber would, which only the target is asked for, and only in ReadNumbers.
  enum Cells : uint8_t { kNumbers, kPlain, kCommas, kCommasSeen, kTexts };
  std::unique_ptr<std::atomic<Cells>[]> cells_;
  std::unique_ptr<std::atomic<uint8_t>[]> notes_;       // NumberNotes of the cells of each column
  size_t target_ = std::numeric_limits<size_t>::max();  // column whose spellings are wanted
  std::atomic<bool> spelled_ = false;                   // some cell of it is not plain: 01
  bool infinity_ = false;                               // some cell may be infinite
};

void Parser::ReadNumbers() {
  cells_ = std::make_unique<std::atomic<Cells>[]>(columns());
  notes_ = std::make_unique<std::atomic<uint8_t>[]>(columns());
  for (size_t j = 0; j < columns(); ++j) {
    const TypeRule& rule = rules_->of(j);
    const bool texts = options_.raw || rule.by_user ||
                       (rule.type.has_value() && *rule.type != ColumnType::kNumeric) ||
                       (rule.like != nullptr && !rule.like->format.unit.empty());
    cells_[j] = texts ? kTexts : WritesCommas(j) ? kCommas : j == target_ ? kPlain : kNumbers;
  }
  head_.sample = {};
  pool_.ParallelFor(columns(), [&](size_t j) { table_.columns[j].numbers.resize(table_.rows); });
  pool_.ParallelFor(rows_->chunks().size(), [&](size_t c) {
    if (dialect().delimiter == ' ') {
      ReadNumbersOf<true>(rows_->chunks()[c]);
    } else {
      ReadNumbersOf<false>(rows_->chunks()[c]);
    }
  });
  if (target_ < columns() && cells_[target_] == kPlain) cells_[target_] = kNumbers;
  for (size_t j = 0; j < columns(); ++j) infinity_ |= (notes_[j] & kOverflow) != 0;
}

// Whether the sample, or what is known beforehand, says that the column has decimal commas and
// nothing else out of the ordinary. Cells that do not fit send it to TypeTexts, which decides by
// all of them; those that do would be read the same way there.
bool Parser::WritesCommas(size_t j) const {
  const TypeRule& rule = rules_->of(j);
  if (rule.decimal) return *rule.decimal == ',';
  if (rule.like != nullptr) return rule.like->format.decimal == ',';
  bool decided = false;
  for (const auto& row : head_.sample) {
    if (j >= row.size() || IsMissingText(row[j])) continue;
    if (IsPlainInteger(row[j].data(), row[j].data() + row[j].size())) continue;
    WrittenNumber number;
    if (!ReadWrittenNumber(row[j], ',', &number) || !number.unit.empty()) return false;
    decided |= !ReadWrittenNumber(row[j], '.', &number);
  }
  return decided;
}

template <bool kBlanks>
void Parser::ReadNumbersOf(const RowChunk& chunk) {
  if (chunk.rows == 0) return;  // the middle of a long row
  rows_->OnChunk(chunk, [&](const char* p, const char* end) {
    const size_t width = columns();
    std::vector<double> block(std::min(kBlockRows, chunk.rows) * width);
    std::vector<uint8_t> notes(width);
    for (size_t done = 0; done < chunk.rows;) {
      const size_t rows = std::min(kBlockRows, chunk.rows - done);
      for (size_t i = 0; i < rows; ++i) {
        p = ReadRow<kBlanks>(SkipBlankRows(dialect(), p, end), end, notes.data(),
                             block.data() + i * width);
      }
      for (size_t j = 0; j < width; ++j) {
        double* out = table_.columns[j].numbers.data() + chunk.first_row + done;
        const double* in = block.data() + j;
        for (size_t i = 0; i < rows; ++i) out[i] = in[i * width];
      }
      done += rows;
    }
    TakeNotes(notes);
  });
}

void Parser::TakeNotes(const std::vector<uint8_t>& notes) {
  for (size_t j = 0; j < columns(); ++j) {
    const bool is_new = (notes[j] & ~notes_[j].load(std::memory_order_relaxed)) != 0;
    if (is_new) notes_[j].fetch_or(notes[j], std::memory_order_relaxed);
  }
}

// Plain numbers of plain columns are read here; everything else, which is rare, elsewhere. A
// function of its own, as all that the loop needs then fits into registers.
template <bool kBlanks>
[[gnu::noinline]] const char* Parser::ReadRow(const char* p, const char* end, uint8_t* notes,
                                              double* out) {
  const char* const row = p;
  const size_t last = columns() - 1;
  const char delimiter = dialect().delimiter;
  const std::atomic<Cells>* const cells = cells_.get();
  if constexpr (kBlanks) {
    while (*p == ' ' || *p == '\t') ++p;
  }
  for (size_t j = 0;;) {
    const char* next = nullptr;
    if (cells[j].load(std::memory_order_relaxed) == kNumbers) {
      next = ParseNumber(p, &out[j], &notes[j]);
      if (!kBlanks && next != nullptr && *next == delimiter && j < last) {
        p = next + 1;
        ++j;
        continue;
      }
      if (next != nullptr) next = BehindNumber<kBlanks>(next, delimiter, row, j == last);
    }
    p = next != nullptr ? next
                        : ReadOtherCell<kBlanks>({row, end, j, j == last}, p, &notes[j], &out[j]);
    if (j++ == last) return p;
  }
}

template <bool kBlanks>
[[gnu::noinline]] const char* Parser::ReadOtherCell(const CellPlace& place, const char* p,
                                                    uint8_t* notes, double* out) {
  const size_t j = place.column;
  if (cells_[j].load(std::memory_order_relaxed) == kPlain) {
    const char* stop = ParseNumber(p, out, notes);
    const char* next =
        stop == nullptr ? nullptr
                        : BehindNumber<kBlanks>(stop, dialect().delimiter, place.row, place.last);
    if (next != nullptr) {
      if (!IsPlainInteger(p, stop)) WantNoMoreSpellings();
      return next;
    }
  }
  Cell cell;
  p = ReadCell(dialect(), p, place.end, &cell);
  if (cell.last != place.last) throw RaggedRow{place.row};
  if (cells_[j].load(std::memory_order_relaxed) == kTexts) return p;
  if (IsMissingCell(cell)) {
    *out = kMissing;
    return p;
  }
  if (!ReadNumber(j, cell, out)) {
    cells_[j].store(kTexts, std::memory_order_relaxed);
    return p;
  }
  if (j == target_) WantNoMoreSpellings();
  if (IsPadded(cell.text)) *notes |= kZeroInFront;
  if (*out != std::floor(*out)) *notes |= kFraction;
  if (std::isinf(*out)) *notes |= kOverflow;
  return p;
}

// One cell of the target that is not plain is enough to look at the texts of all.
void Parser::WantNoMoreSpellings() {
  spelled_.store(true, std::memory_order_relaxed);
  Cells cells = kPlain;  // another thread may have found a text
  cells_[target_].compare_exchange_strong(cells, kNumbers, std::memory_order_relaxed);
}

bool Parser::ReadNumber(size_t j, const Cell& cell, double* value) {
  Cells cells = cells_[j].load(std::memory_order_relaxed);
  const size_t comma = cell.text.find(',');
  if (cells == kNumbers || cells == kPlain) return NumberFromText(cell.text, value);
  if (cell.text.find('.') != std::string_view::npos) return false;
  if (comma == std::string_view::npos) return NumberFromText(cell.text, value);
  char plain[32];
  if (cell.text.size() > sizeof(plain)) return false;
  std::copy(cell.text.begin(), cell.text.end(), plain);
  plain[comma] = '.';
  if (!NumberFromText({plain, cell.text.size()}, value)) return false;
  // Another thread may have found a text.
  if (cells == kCommas) cells_[j].compare_exchange_strong(cells, kCommasSeen);
  return true;
}

bool Parser::IsMissingCell(const Cell& cell) const {
  if (options_.raw) return false;
  return IsMissingText(cell.text) ||
         (!options_.na.empty() &&
          std::find(options_.na.begin(), options_.na.end(), cell.text) != options_.na.end());
}

void Parser::TypeColumns() {
  std::vector<size_t> texts;
  for (size_t j = 0; j < columns(); ++j) {
    if (cells_[j] == kTexts) {
      texts.push_back(j);
    } else if (cells_[j] == kCommasSeen) {
      table_.columns[j].format.decimal = ',';
      table_.columns[j].reading.Edit().why = "every cell is a number, with a decimal comma";
    }
  }
  ReadTexts(texts);
  if (options_.raw) return;
  const bool semicolons = dialect().delimiter == ';';
  std::vector<size_t> grouped;
  if (semicolons) grouped = PointsOfThousands();
  const bool comma_likely = HasDecimalComma(table_) || (semicolons && !HasDecimalPoint(grouped));
  TypeTexts(texts, *rules_, TextKind::kUntyped, comma_likely, &pool_, &table_);
  if (comma_likely || HasDecimalComma(table_)) {
    if (!semicolons) grouped = PointsOfThousands();
    ReadTexts(grouped);
    TypeTexts(grouped, *rules_, TextKind::kUntyped, /*comma_likely=*/true, &pool_, &table_);
    texts.insert(texts.end(), grouped.begin(), grouped.end());
  }
  pool_.ParallelFor(columns(), [&](size_t j) {
    Column& column = table_.columns[j];
    if (column.type != ColumnType::kNumeric) return;
    RemoveNaWords(options_.na, &column);
    TypeDigitDates(rules_->of(j), &column);
  });
  RemarkOnCodes();
  if (!semicolons && !comma_likely && !HasDecimalComma(table_)) RemarkOnPoints();
  const bool plain_target = spelled_ && table_.columns[target_].type == ColumnType::kNumeric;
  if (plain_target && cells_[target_] != kTexts) SpellTarget();
  for (size_t j : texts) infinity_ = infinity_ || table_.columns[j].type == ColumnType::kNumeric;
}

// Whether some number has a fraction behind a point; in columns but these, ascending.
bool Parser::HasDecimalPoint(const std::vector<size_t>& but) const {
  for (size_t j = 0; j < columns(); ++j) {
    if (cells_[j] != kNumbers || (notes_[j] & kFraction) == 0) continue;
    if (std::binary_search(but.begin(), but.end(), j)) continue;
    const std::vector<double>& numbers = table_.columns[j].numbers;
    const bool found = std::any_of(numbers.begin(), numbers.end(),
                                   [](double x) { return !std::isnan(x) && x != std::floor(x); });
    if (found) return true;
  }
  return false;
}

// Columns whose every number has none or three digits behind a point. In a file with decimal commas
// these group thousands, which only their texts tell; so they do, most likely, between semicolons,
// which stand where commas are taken.
std::vector<size_t> Parser::PointsOfThousands() const {
  std::vector<char> grouped(columns());
  pool_.ParallelFor(columns(), [&](size_t j) {
    const Column& column = table_.columns[j];
    if (cells_[j] != kNumbers || (notes_[j] & kFraction) == 0) return;
    if (rules_->of(j).decimal == '.') return;
    bool points = false;
    const bool all = std::all_of(column.numbers.begin(), column.numbers.end(), [&](double x) {
      if (std::isnan(x) || x == std::floor(x)) return true;
      points = true;
      return std::abs(x) < 1000 && std::abs(x) >= 1 &&
             std::abs(x * 1000 - std::round(x * 1000)) < 1e-6;
    });
    grouped[j] = points && all;
  });
  std::vector<size_t> found;
  for (size_t j = 0; j < columns(); ++j) {
    if (grouped[j]) found.push_back(j);
  }
  return found;
}

// A target of few values that are not written plainly: classes such as 01.
void Parser::SpellTarget() {
  constexpr size_t kMostValues = 1000;
  Column numbers = std::move(table_.columns[target_]);
  std::set<double> values;
  for (double x : numbers.numbers) {
    if (!std::isnan(x)) values.insert(x);
    if (values.size() > kMostValues) break;
  }
  table_.columns[target_] = {};
  if (values.size() <= kMostValues) {
    ReadTexts({target_});
    const Column& texts = table_.columns[target_];
    std::vector<double> meant(texts.levels.size(), kMissing);
    for (size_t i = 0; i < table_.rows; ++i) {
      if (texts.codes[i] >= 0) meant[static_cast<size_t>(texts.codes[i])] = numbers.numbers[i];
    }
    numbers.reading.Edit().spellings = SpellingsOf(texts, numbers.type, meant);
  }
  table_.columns[target_] = std::move(numbers);
}

// Whole numbers with zeros in front are codes more often than amounts: 00530, 007.
void Parser::RemarkOnCodes() {
  std::vector<size_t> padded;
  for (size_t j = 0; j < columns(); ++j) {
    const bool numbers = cells_[j] == kNumbers && table_.columns[j].type == ColumnType::kNumeric;
    const bool zeros = (notes_[j] & kZeroInFront) != 0;
    if (zeros && numbers && j != target_ && !rules_->of(j).type) padded.push_back(j);
  }
  if (padded.empty()) return;
  std::vector<std::vector<Codes>> found(rows_->chunks().size());
  pool_.ParallelFor(found.size(),
                    [&](size_t c) { found[c] = FindCodes(rows_->chunks()[c], padded); });
  for (size_t i = 0; i < padded.size(); ++i) {
    Codes all;
    for (const std::vector<Codes>& of_chunk : found) {
      const Codes& codes = of_chunk[i];
      all.whole &= codes.whole;
      if (!codes.least.empty() && (all.least.empty() || codes.least < all.least)) {
        all.least = codes.least;
        all.row = codes.row;
      }
    }
    if (!all.whole || all.least.empty()) continue;  // empty where the request calls it missing
    Column& column = table_.columns[padded[i]];
    column.reading.Edit().remarks.push_back(
        Quoted(column.name) + ": codes such as " + Quoted(all.least) + " (line " +
        std::to_string(table_.lines.empty() ? table_.first_line + all.row : table_.lines[all.row]) +
        ") are read as numbers; " + FieldRef("types", column.name + "=text") +
        " keeps them as texts");
  }
}

// What the cells of these columns, ascending, say about codes within a chunk.
std::vector<Codes> Parser::FindCodes(const RowChunk& chunk,
                                     const std::vector<size_t>& of_columns) const {
  std::vector<Codes> found(of_columns.size());
  if (chunk.rows == 0) return found;
  rows_->OnChunk(chunk, [&](const char* p, const char* end) {
    Cell cell;
    for (size_t row = 0; row < chunk.rows; ++row) {
      p = SkipBlankRows(dialect(), p, end);
      const char* begin = p;
      for (size_t j = 0, next = 0; j < columns(); ++j) {
        p = ReadCell(dialect(), p, end, &cell);
        if (cell.last != (j + 1 == columns())) throw RaggedRow{begin};
        if (next == of_columns.size() || of_columns[next] != j) continue;
        Codes& codes = found[next++];
        if (!codes.whole || IsMissingCell(cell)) continue;
        codes.whole = AreDigits(cell.text);
        if (!IsPadded(cell.text) || !(codes.least.empty() || cell.text < codes.least)) continue;
        codes.least = cell.text;
        codes.row = chunk.first_row + row;
      }
    }
  });
  return found;
}

// 1.161 beside 987: software that writes decimals seldom writes three of them or none.
void Parser::RemarkOnPoints() {
  constexpr double kLeastWhole = 0.05;  // share of cells; of decimals, one in a thousand is whole
  for (size_t j : PointsOfThousands()) {
    const std::vector<double>& numbers = table_.columns[j].numbers;
    const auto whole = std::count_if(numbers.begin(), numbers.end(), [](double x) {
      return x == std::floor(x) && std::abs(x) >= 100;
    });
    const bool asked = rules_->of(j).type.has_value() || rules_->of(j).decimal.has_value();
    if (asked || static_cast<double>(whole) < kLeastWhole * static_cast<double>(table_.rows)) {
      continue;
    }
    const Column texts = TextsOf(j);
    std::string_view example;
    const bool grouped =
        std::all_of(texts.levels.begin(), texts.levels.end(), [&](const std::string& one) {
          const size_t point = one.find('.');
          if (point == std::string::npos) return true;
          if (example.empty()) example = one;
          return one.size() == point + 4;
        });
    if (!grouped) continue;
    Column& column = table_.columns[j];
    std::string meant(example);
    meant.erase(meant.find('.'), 1);
    column.reading.Edit().remarks.push_back(
        Quoted(column.name) + ": " + Quoted(example) + " (" + PlaceOfText(table_, texts, example) +
        ") is read as a decimal, though cells have three digits behind the point or none; if it "
        "means " +
        meant + ", give " + FieldRef("decimal", "comma"));
  }
}

// The texts of a column of numbers, which keeps its own.
Column Parser::TextsOf(size_t j) {
  Column numbers = std::exchange(table_.columns[j], {});
  ReadTexts({j});
  return std::exchange(table_.columns[j], std::move(numbers));
}

void Parser::ReadTexts(const std::vector<size_t>& texts) {
  if (texts.empty()) return;
  std::vector<int> slots(columns(), -1);
  for (size_t slot = 0; slot < texts.size(); ++slot) {
    Column& column = table_.columns[texts[slot]];
    slots[texts[slot]] = static_cast<int>(slot);
    column.type = ColumnType::kText;
    column.numbers = {};
    column.codes.resize(table_.rows);
  }
  std::vector<std::vector<TextDictionary>> dictionaries(rows_->chunks().size());
  pool_.ParallelFor(rows_->chunks().size(), [&](size_t c) {
    if (rows_->chunks()[c].rows == 0) return;  // the middle of a long row
    dictionaries[c].resize(texts.size());
    ReadTextsOf(rows_->chunks()[c], slots, &dictionaries[c]);
  });
  pool_.ParallelFor(texts.size(),
                    [&](size_t slot) { MergeTexts(texts[slot], slot, dictionaries); });
}

void Parser::ReadTextsOf(const RowChunk& chunk, const std::vector<int>& slots,
                         std::vector<TextDictionary>* dictionaries) {
  rows_->OnChunk(chunk, [&](const char* p, const char* end) {
    Cell cell;
    for (size_t i = 0; i < chunk.rows; ++i) {
      p = SkipBlankRows(dialect(), p, end);
      const char* row = p;
      for (size_t j = 0; j < columns(); ++j) {
        p = ReadCell(dialect(), p, end, &cell);
        // ReadRow has seen to it; what is behind the row would be memory of somebody else.
        if (cell.last != (j + 1 == columns())) throw RaggedRow{row};
        if (slots[j] < 0) continue;
        TextDictionary& dictionary = (*dictionaries)[static_cast<size_t>(slots[j])];
        table_.columns[j].codes[chunk.first_row + i] = IsMissingCell(cell) ? -1
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
  for (size_t c = 0; c < rows_->chunks().size(); ++c) {
    if (dictionaries[c].empty()) continue;
    const std::vector<std::string>& texts = dictionaries[c][slot].texts();
    std::vector<int32_t> to_level(texts.size());
    for (size_t t = 0; t < texts.size(); ++t) {
      to_level[t] = static_cast<int32_t>(
          std::lower_bound(column.levels.begin(), column.levels.end(), texts[t]) -
          column.levels.begin());
    }
    for (size_t i = rows_->chunks()[c].first_row;
         i < rows_->chunks()[c].first_row + rows_->chunks()[c].rows; ++i) {
      if (column.codes[i] >= 0) column.codes[i] = to_level[static_cast<size_t>(column.codes[i])];
    }
  }
}

}  // namespace

Table ReadDelimited(std::string_view text, const std::string& source, const ReadOptions& options,
                    ThreadPool& pool) {
  std::string storage, encoding;
  Table table = Parser(DecodeText(text, pool, &storage, &encoding), source, options, pool).Parse();
  if (!encoding.empty()) {
    table.remarks.push_back(source + " is not UTF-8; it is read as " + encoding +
                            " (Latin-1); if letters look wrong, convert it to UTF-8");
  }
  return table;
}

}  // namespace slm
