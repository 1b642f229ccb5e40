#pragma once

// From typed columns to the numbers that selectors see. Fitted on training rows, applied to any
// table that has the same columns: no other row influences a statistic, a kept level or a dropped
// column.
//
// A column, or a group of them, becomes one feature; a column has one or more parts:
//   numeric, boolean, date   (x - mean) / sd, a missing cell counting as the mean; where training
//                            cells are missing, an indicator of missing as a second part
//   date                     besides, its year, month and day of the week (calendar.h)
//   text                     one part for each level that is frequent enough, with "other" for rare
//                            and unseen levels, and a missing cell as a level of its own; where
//                            rare levels are very many, they share a few parts by a hash of their
//                            text instead of one
// A numeric column with long tails is squashed first: x becomes asinh((x - median) / spread), which
// is straight in the middle and a logarithm far out. Standardised alone, its mean and sd would be
// those of a few cells, and the others would hardly differ. Not so where the target is a value
// with long tails as well (EncodeOptions::compress_tails).
// The parts of a text column are centred and share one scale that gives them a total variance of 1,
// as that of a numeric column. Standardising each part instead would give a column of 30 levels the
// variance of 30 columns, and a level seen once in a thousand rows the value 32.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "data/encoding/calendar.h"
#include "data/encoding/column_groups.h"
#include "data/encoding/dropped_column.h"
#include "data/table.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

struct EncodeOptions {
  // Levels of a text column that get a part of their own, the most frequent first: as many as this
  // in any case ...
  int sure_levels = 32;
  // ... and beyond them those of so many training rows, as far as the next two bounds allow. A
  // level of one or two rows is learned by heart; docs/decisions.md has what was measured.
  size_t rows_of_level = 3;
  int max_levels = 256;
  // Encoded training cells (512 MB) of all text columns that go beyond sure_levels; they share them
  // evenly.
  size_t most_level_cells = size_t{1} << 27;
  int hash_buckets = 16;  // parts that the others share, where they are four for each part or more
  // A text column with more distinct values than this share of its training cells is an identifier.
  double identifier_share = 0.9;
  std::vector<ColumnGroup> groups = {};  // of columns that make one feature
  bool identifiers = false;              // what looks like one is a feature like any other
  bool compress_tails = true;            // of numeric columns that have long ones
  std::vector<size_t> trusted = {};      // columns of the table that are no identifiers, and never
                                         // left out as the duplicate of one that is not trusted
};

// Rows outside training may lie far from it; no number is encoded as more, as it would soon reach
// the infinity of float.
inline constexpr double kLargestEncoded = 1e6;

// How one column becomes the parts of a feature; all that is needed to encode it again.
struct FeatureEncoding {
  std::string name;
  ColumnType type = ColumnType::kNumeric;
  size_t source_column = 0;  // in the table it was fitted on
  std::string group;         // of columns that make one feature with it; empty if it is one itself
  CellFormat format;         // in which files of it are read

  // Numeric, boolean, date. A scale of 0 means that the part does not exist.
  double median = 0;         // of a column with long tails
  double squash = 0;         // 1 / spread of the middle half of its cells; 0 for a column without
  double mean = 0;           // after the squash, as all that follows
  double scale = 0;          // 1 / sd
  double missing_share = 0;  // mean of the indicator
  double missing_scale = 0;
  double low = 0, high = 0;   // of the training cells; equal where that is not known
  CalendarEncoding calendar;  // of a date; parts behind these

  // Text: parts are the levels, then "other" and missing if they occur in training.
  std::vector<std::string> levels;  // sorted
  bool has_other = false;
  bool has_missing = false;
  int hash_buckets = 0;        // for the levels that have no part of their own; 0 for one "other"
  std::vector<int> buckets;    // those that occur in training, ascending: parts before missing
  std::vector<double> shares;  // the mean of each part before centring
  double level_scale = 0;      // one for all parts

  size_t parts() const;
};

class Encoder {
 public:
  Encoder() = default;
  // From what an earlier one has learned. Columns of a group stand side by side.
  explicit Encoder(std::vector<FeatureEncoding> columns);

  // Looks at `rows` of `table` alone. Columns that are constant there, equal to an earlier one, or
  // identifiers are dropped. A group stands where its first column does. Throws a DataError if no
  // column is left.
  static Encoder Fit(const Table& table, std::span<const size_t> rows,
                     std::span<const size_t> feature_columns, const EncodeOptions& options,
                     ThreadPool& pool);

  // Encodes rows of a table with the columns of the fitted one; columns are found by name and text
  // levels by their text. Throws a DataError for a column that is missing or of another type.
  Matrix Encode(const Table& table, std::span<const size_t> rows, ThreadPool& pool) const;

  const FeatureLayout& layout() const { return layout_; }
  const std::vector<FeatureEncoding>& columns() const { return columns_; }
  // Those of one feature: several for a group.
  std::span<const FeatureEncoding> ColumnsOf(size_t feature) const {
    return std::span(columns_).subspan(begin_[feature], begin_[feature + 1] - begin_[feature]);
  }
  const std::vector<DroppedColumn>& dropped() const { return dropped_; }
  // A sentence on each column with numbers that look like a sign for missing cells, or with texts
  // that are not told apart.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  FeatureLayout layout_;
  std::vector<FeatureEncoding> columns_;
  std::vector<size_t> begin_ = {0};  // feature j owns columns_[begin_[j]] ... [begin_[j + 1] - 1]
  std::vector<int32_t> offsets_;     // the first encoded column of each of columns_
  std::vector<DroppedColumn> dropped_;
  std::vector<std::string> remarks_;
};

// Whether Encoder::Fit would keep the column if it were alone; `identifiers` may be features.
bool CanBeFeature(const Column& column, std::span<const size_t> rows, bool identifiers);

// Whether the numbers of these rows have tails that are long enough to be compressed.
bool HasLongTails(const Column& column, std::span<const size_t> rows);

// Which of so many buckets a text belongs to: FNV-1a of 64 bits, mixed.
int HashBucket(std::string_view text, int buckets);

// 0, 1, ..., n - 1: all rows of a table, or all its columns.
std::vector<size_t> AllIndices(size_t n);

}  // namespace slm
