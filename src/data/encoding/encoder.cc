#include "data/encoding/encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/format.h"
#include "base/random.h"
#include "base/stop_check.h"
#include "data/encoding/column_checks.h"
#include "slm/errors.h"

namespace slm {
namespace {

// A cell missing once in ten thousand rows would otherwise be encoded as 100.
constexpr double kLeastIndicatorSd = 0.1;
constexpr size_t kBlockRows = 64, kStripColumns = 16384;
// Tails are long where the sd is so many times what the quartiles let expect of a normal column:
// 1.2 for an exponential one, 2 for the exponential of a standard normal one.
constexpr double kLongTails = 1.5;
constexpr double kQuartilesOfNormal = 1.349;  // their distance, in sd
constexpr size_t kLeastCellsForTails = 20;    // fewer have no tails to speak of
constexpr double kMostTies = 0.05;            // cells equal to a quartile; see FitTails

constexpr size_t kAlone = std::numeric_limits<size_t>::max();  // the group of a column without one

size_t Index(int32_t code) { return static_cast<size_t>(code); }

// Fewer rare levels for each bucket are told apart no better than by one "other".
constexpr size_t kLevelsForEachBucket = 4;

// A remark is due where more than this share of a text column's training cells share parts.
constexpr double kSharedCells = 0.05;

// How often the levels of a text column occur in training.
struct LevelCounts {
  std::vector<size_t> of_level;
  std::vector<size_t> seen;  // levels that occur, the most frequent first, then by text
  size_t missing = 0;
};

// What Fit learns about one column.
struct Fitted {
  FeatureEncoding encoding;
  LevelCounts levels;                     // of a text
  std::optional<DropReason> drop_reason;  // empty if it stays
  std::string remark;                     // on what looks odd; empty if nothing does
  uint64_t hash = 0;                      // of the training cells, equal for equal columns
};

double CanonicalZero(double x) { return x == 0 ? 0.0 : x; }

uint64_t HashCell(const Column& column, size_t row, const std::vector<uint64_t>& level_hashes) {
  if (IsMissing(column, row)) return 1;
  return column.type == ColumnType::kText
             ? level_hashes[Index(column.codes[row])]
             : std::bit_cast<uint64_t>(CanonicalZero(column.numbers[row]));
}

uint64_t HashColumn(const Column& column, std::span<const size_t> rows) {
  std::vector<uint64_t> level_hashes;
  for (const std::string& level : column.levels) {
    level_hashes.push_back(std::hash<std::string>()(level));
  }
  uint64_t hash = column.type == ColumnType::kText ? 1 : 0;
  for (size_t row : rows) hash = MixBits(hash * 3 + HashCell(column, row, level_hashes));
  return hash;
}

bool EqualOn(const Column& a, const Column& b, std::span<const size_t> rows) {
  bool text = a.type == ColumnType::kText;
  if (text != (b.type == ColumnType::kText)) return false;
  return std::all_of(rows.begin(), rows.end(), [&](size_t row) {
    if (IsMissing(a, row) || IsMissing(b, row)) return IsMissing(a, row) == IsMissing(b, row);
    return text ? a.levels[Index(a.codes[row])] == b.levels[Index(b.codes[row])]
                : a.numbers[row] == b.numbers[row];
  });
}

double Squashed(const FeatureEncoding& encoding, double x) {
  return encoding.squash == 0 ? x : std::asinh((x - encoding.median) * encoding.squash);
}

struct Moments {
  double mean = 0, sd = 0;  // sd is 0 for equal cells alone
};

Moments MomentsOf(std::span<const double> cells) {
  Moments moments;
  if (cells.empty()) return moments;
  const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
  const double count = static_cast<double>(cells.size());
  moments.mean = std::accumulate(cells.begin(), cells.end(), 0.0) / count;
  if (!std::isfinite(moments.mean)) moments.mean = *low / 2 + *high / 2;
  if (*low == *high) return moments;
  double squares = 0;
  for (double x : cells) squares += (x - moments.mean) * (x - moments.mean);
  moments.sd = std::sqrt(squares / count);
  // Squares of tiny or huge numbers leave the range of double; half the range is of the same order.
  if (!(moments.sd > 0) || std::isinf(moments.sd)) moments.sd = *high / 2 - *low / 2;
  return moments;
}

std::vector<double> NumbersOf(const Column& column, std::span<const size_t> rows) {
  std::vector<double> cells;
  cells.reserve(rows.size());
  for (size_t row : rows) {
    if (!std::isnan(column.numbers[row])) cells.push_back(column.numbers[row]);
  }
  return cells;
}

struct Quartiles {
  double at[3] = {};
  double spread() const { return (at[2] - at[0]) / kQuartilesOfNormal; }
};

// Leaves the cells in another order.
Quartiles QuartilesOf(std::vector<double>& cells) {
  Quartiles quartiles;
  for (size_t q = 0; q < 3; ++q) {
    auto at = cells.begin() + static_cast<ptrdiff_t>((q + 1) * (cells.size() - 1) / 4);
    std::nth_element(cells.begin(), at, cells.end());
    quartiles.at[q] = *at;
  }
  return quartiles;
}

bool AreLong(const Quartiles& quartiles, double sd) {
  return quartiles.spread() > 0 && sd > kLongTails * quartiles.spread();
}

// Median and squash of a column with long tails. Where many cells are one value, as in counts and
// pixels that are often zero, the quartiles say nothing about the others, and the column stays.
void FitTails(std::vector<double> cells, double sd, FeatureEncoding* encoding) {
  if (cells.size() < kLeastCellsForTails) return;
  const Quartiles quartiles = QuartilesOf(cells);
  if (!AreLong(quartiles, sd)) return;
  for (double quartile : quartiles.at) {
    const auto ties = std::count(cells.begin(), cells.end(), quartile);
    if (static_cast<double>(ties) > kMostTies * static_cast<double>(cells.size())) return;
  }
  encoding->median = quartiles.at[1];
  encoding->squash = 1 / quartiles.spread();
}

void FitNumbers(const Column& column, std::span<const size_t> rows, const EncodeOptions& options,
                Fitted* fitted) {
  FeatureEncoding& encoding = fitted->encoding;
  std::vector<double> cells = NumbersOf(column, rows);
  if (CountsRows(column, rows)) {
    fitted->drop_reason = {DropKind::kIdentifier, "it counts the rows"};
  } else if (IsNamedIdentifier(column, cells)) {
    fitted->drop_reason = {DropKind::kIdentifier, "whole numbers that all differ"};
  }
  if (column.type == ColumnType::kNumeric) fitted->remark = FindSentinel(column.name, cells);
  if (column.type == ColumnType::kDate) encoding.calendar = FitCalendar(cells);
  if (!cells.empty()) {
    const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
    encoding.low = *low;
    encoding.high = *high;
  }
  Moments moments = MomentsOf(cells);
  if (column.type == ColumnType::kNumeric && options.compress_tails) {
    FitTails(cells, moments.sd, &encoding);
  }
  if (encoding.squash != 0) {
    for (double& x : cells) x = Squashed(encoding, x);
    moments = MomentsOf(cells);
  }
  encoding.mean = moments.mean;
  encoding.scale = moments.sd > 0 ? 1 / moments.sd : 0;
  if (std::isinf(encoding.scale)) encoding.scale = 0;
  const size_t present = cells.size();
  if (present != 0 && present != rows.size()) {
    double share = 1 - static_cast<double>(present) / static_cast<double>(rows.size());
    encoding.missing_share = share;
    encoding.missing_scale = 1 / std::max(kLeastIndicatorSd, std::sqrt(share * (1 - share)));
  }
}

// Nearly every cell of a text column has a value of its own. A handful of cells in a column that is
// otherwise missing is no evidence of it.
bool TellsRowsApart(size_t values, size_t present, size_t missing, const EncodeOptions& options) {
  const bool enough = missing == 0 || present >= kLeastCountedRows;
  const double share = static_cast<double>(values) / static_cast<double>(present);
  return enough && share > options.identifier_share;
}

LevelCounts CountLevels(const Column& column, std::span<const size_t> rows) {
  LevelCounts counts;
  counts.of_level.resize(column.levels.size());
  for (size_t row : rows) {
    if (column.codes[row] < 0) {
      ++counts.missing;
    } else {
      ++counts.of_level[Index(column.codes[row])];
    }
  }
  for (size_t l = 0; l < counts.of_level.size(); ++l) {
    if (counts.of_level[l] != 0) counts.seen.push_back(l);
  }
  std::stable_sort(counts.seen.begin(), counts.seen.end(),
                   [&](size_t a, size_t b) { return counts.of_level[a] > counts.of_level[b]; });
  return counts;
}

// How many levels of a text column get a part of their own, where `most` may.
size_t OwnLevels(const LevelCounts& counts, const EncodeOptions& options, size_t most) {
  const auto frequent = std::partition_point(
      counts.seen.begin(), counts.seen.end(),
      [&](size_t level) { return counts.of_level[level] >= options.rows_of_level; });
  const size_t own = std::max(static_cast<size_t>(frequent - counts.seen.begin()),
                              static_cast<size_t>(options.sure_levels));
  return std::min({counts.seen.size(), own, most});
}

// The levels that any text column may have parts for. Only columns that want more than they have in
// any case share the cells that are left for it.
size_t MostLevels(std::span<const Fitted> fitted, size_t rows, const EncodeOptions& options) {
  const size_t sure = static_cast<size_t>(options.sure_levels);
  const size_t most = std::max(sure, static_cast<size_t>(options.max_levels));
  const auto wanting = std::count_if(fitted.begin(), fitted.end(), [&](const Fitted& one) {
    return OwnLevels(one.levels, options, most) > sure;
  });
  if (wanting == 0) return most;
  return std::clamp(options.most_level_cells / rows / static_cast<size_t>(wanting), sure, most);
}

// On levels beyond the first `kept`, if they are many rows of a column whose texts repeat; names
// and the like are another matter.
std::string RemarkOnShared(const std::string& name, const LevelCounts& counts, size_t kept,
                           const EncodeOptions& options, size_t most) {
  size_t present = 0, shared = 0;
  for (size_t i = 0; i < counts.seen.size(); ++i) {
    const size_t cells = counts.of_level[counts.seen[i]];
    present += cells;
    if (i >= kept) shared += cells;
  }
  const double share = static_cast<double>(shared) / static_cast<double>(present);
  if (share <= kSharedCells || 2 * counts.seen.size() > present) return "";
  const std::string values = std::to_string(counts.seen.size());
  return "the text '" + name + "' has " + values + " values, of which the " +
         std::to_string(counts.seen.size() - kept) + " rarest (" + Format("%.3g %%", 100 * share) +
         " of its training cells) are hardly told apart: only values of at least " +
         std::to_string(options.rows_of_level) + " training rows are, and at most " +
         std::to_string(most) +
         "; group them into fewer values, or add a column that says what matters about them";
}

void FitText(const Column& column, std::span<const size_t> rows, const EncodeOptions& options,
             size_t most_levels, Fitted* fitted) {
  FeatureEncoding& encoding = fitted->encoding;
  const LevelCounts& levels = fitted->levels;
  const std::vector<size_t>& counts = levels.of_level;
  std::vector<size_t> seen = levels.seen;
  const size_t missing = levels.missing;
  size_t present = rows.size() - missing;
  if (seen.size() + (missing != 0 ? 1 : 0) < 2) return;
  if (seen.size() > 2 && TellsRowsApart(seen.size(), present, missing, options)) {
    fitted->drop_reason = {DropKind::kIdentifier,
                           seen.size() == present ? "every value differs"
                                                  : std::to_string(seen.size()) + " values in " +
                                                        std::to_string(present) + " rows"};
  }
  const size_t kept = OwnLevels(levels, options, most_levels);
  fitted->remark = RemarkOnShared(column.name, levels, kept, options, most_levels);
  size_t other = 0;
  for (size_t i = kept; i < seen.size(); ++i) other += counts[seen[i]];
  std::map<int, size_t> buckets;
  const size_t most_buckets = static_cast<size_t>(options.hash_buckets);
  if (most_buckets > 1 && seen.size() - kept >= kLevelsForEachBucket * most_buckets) {
    encoding.hash_buckets = options.hash_buckets;
    for (size_t i = kept; i < seen.size(); ++i) {
      buckets[HashBucket(column.levels[seen[i]], options.hash_buckets)] += counts[seen[i]];
    }
    other = 0;
  }
  seen.resize(kept);  // in order of text again
  std::sort(seen.begin(), seen.end());

  std::vector<size_t> part_counts;
  for (size_t l : seen) {
    encoding.levels.push_back(column.levels[l]);
    part_counts.push_back(counts[l]);
  }
  encoding.has_other = other != 0;
  if (other != 0) part_counts.push_back(other);
  for (const auto& [bucket, count] : buckets) {
    encoding.buckets.push_back(bucket);
    part_counts.push_back(count);
  }
  encoding.has_missing = missing != 0;
  if (missing != 0) part_counts.push_back(missing);
  double variance = 0;
  for (size_t count : part_counts) {
    double share = static_cast<double>(count) / static_cast<double>(rows.size());
    encoding.shares.push_back(share);
    variance += share * (1 - share);
  }
  encoding.level_scale = 1 / std::sqrt(variance);
}

// `identifiers` may stay; constants never do.
void FitColumn(const Column& column, std::span<const size_t> rows, const EncodeOptions& options,
               bool identifiers, size_t most_levels, Fitted* fitted) {
  if (column.type == ColumnType::kText) {
    FitText(column, rows, options, most_levels, fitted);
  } else {
    FitNumbers(column, rows, options, fitted);
  }
  if (fitted->drop_reason && !identifiers) return;
  fitted->drop_reason.reset();
  if (fitted->encoding.parts() == 0) fitted->drop_reason = {DropKind::kConstant, ""};
}

// Which part each level of `column` belongs to; -1 for an unseen level where there is no "other".
std::vector<int> PartOfLevels(const FeatureEncoding& encoding, const Column& column) {
  int other = encoding.has_other ? static_cast<int>(encoding.levels.size()) : -1;
  std::vector<int> parts;
  for (const std::string& level : column.levels) {
    auto found = std::lower_bound(encoding.levels.begin(), encoding.levels.end(), level);
    bool known = found != encoding.levels.end() && *found == level;
    if (known || encoding.hash_buckets == 0) {
      parts.push_back(known ? static_cast<int>(found - encoding.levels.begin()) : other);
      continue;
    }
    const int bucket = HashBucket(level, encoding.hash_buckets);
    auto at = std::lower_bound(encoding.buckets.begin(), encoding.buckets.end(), bucket);
    const bool used = at != encoding.buckets.end() && *at == bucket;
    parts.push_back(used ? static_cast<int>(encoding.levels.size()) +
                               static_cast<int>(at - encoding.buckets.begin())
                         : -1);
  }
  return parts;
}

void EncodeNumbers(const FeatureEncoding& encoding, const Column& column,
                   std::span<const size_t> rows, float* out, size_t stride) {
  size_t indicator = encoding.scale != 0 ? 1 : 0;
  const size_t calendar = indicator + (encoding.missing_scale != 0 ? 1 : 0);
  const size_t parts = encoding.parts();
  for (size_t row : rows) {
    double x = Squashed(encoding, column.numbers[row]);
    bool missing = std::isnan(x);
    if (encoding.scale != 0) {
      double scaled =
          std::clamp((x - encoding.mean) * encoding.scale, -kLargestEncoded, kLargestEncoded);
      out[0] = missing ? 0.0f : static_cast<float>(scaled);
    }
    if (encoding.missing_scale != 0) {
      out[indicator] = static_cast<float>(((missing ? 1.0 : 0.0) - encoding.missing_share) *
                                          encoding.missing_scale);
    }
    if (calendar < parts) EncodeCalendar(encoding.calendar, column.numbers[row], out + calendar);
    out += stride;
  }
}

void EncodeText(const FeatureEncoding& encoding, const Column& column,
                const std::vector<int>& part_of_level, std::span<const size_t> rows, float* out,
                size_t stride) {
  size_t parts = encoding.parts();
  int missing_part = encoding.has_missing ? static_cast<int>(parts) - 1 : -1;
  for (size_t row : rows) {
    // A column without a single cell is read as numeric; all of it is missing.
    int32_t code = column.type == ColumnType::kText ? column.codes[row] : -1;
    int own = code < 0 ? missing_part : part_of_level[Index(code)];
    for (size_t part = 0; part < parts; ++part) {
      double hit = static_cast<int>(part) == own ? 1.0 : 0.0;
      out[part] = static_cast<float>((hit - encoding.shares[part]) * encoding.level_scale);
    }
    out += stride;
  }
}

// Columns by name. Most stand where they stood in training; only where one does not, all names are
// looked at, once.
class ColumnFinder {
 public:
  explicit ColumnFinder(const Table& table) : table_(table) {}

  const Column& Find(const FeatureEncoding& encoding) {
    const std::vector<Column>& columns = table_.columns;
    const size_t place = encoding.source_column;
    if (place < columns.size() && columns[place].name == encoding.name) return columns[place];
    for (size_t j = 0; j < columns.size() && by_name_.size() < columns.size(); ++j) {
      by_name_.emplace(columns[j].name, j);
    }
    const auto found = by_name_.find(encoding.name);
    return found != by_name_.end() ? columns[found->second] : table_.Find(encoding.name);
  }

 private:
  const Table& table_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

void RequireLike(const FeatureEncoding& encoding, const Column& column, const Table& table) {
  if (column.type == encoding.type) return;
  bool empty = std::all_of(column.numbers.begin(), column.numbers.end(),
                           [](double x) { return std::isnan(x); });
  bool both_numbers = encoding.type != ColumnType::kText && column.type != ColumnType::kText;
  if (!(empty && column.type != ColumnType::kText) &&
      !(both_numbers && encoding.type == ColumnType::kNumeric)) {
    throw DataError("column '" + encoding.name + "' is " + ColumnTypeName(column.type) +
                    (table.source.empty() ? "" : " in " + table.source) + ", but was " +
                    ColumnTypeName(encoding.type) + " in training; make their types match");
  }
}

}  // namespace

size_t FeatureEncoding::parts() const {
  return type == ColumnType::kText ? shares.size()
                                   : static_cast<size_t>(scale != 0) +
                                         static_cast<size_t>(missing_scale != 0) + calendar.parts();
}

Encoder::Encoder(std::vector<FeatureEncoding> columns) : columns_(std::move(columns)) {
  for (size_t c = 0; c < columns_.size(); ++c) {
    const FeatureEncoding& column = columns_[c];
    offsets_.push_back(layout_.offsets.back());
    const bool joins = c > 0 && !column.group.empty() && columns_[c - 1].group == column.group;
    if (!joins) {
      layout_.names.push_back(column.group.empty() ? column.name : column.group);
      layout_.offsets.push_back(layout_.offsets.back());
      begin_.push_back(begin_.back());
    }
    layout_.offsets.back() += static_cast<int32_t>(column.parts());
    ++begin_.back();
  }
}

Encoder Encoder::Fit(const Table& table, std::span<const size_t> rows,
                     std::span<const size_t> feature_columns, const EncodeOptions& options,
                     ThreadPool& pool) {
  if (rows.empty()) throw DataError("there are no training rows");
  std::vector<size_t> group_of(table.columns.size(), kAlone);
  for (size_t g = 0; g < options.groups.size(); ++g) {
    for (size_t column : options.groups[g].columns) group_of[column] = g;
  }
  std::vector<uint8_t> trusted(table.columns.size());
  for (size_t column : options.trusted) trusted[column] = 1;
  std::vector<Fitted> fitted(feature_columns.size());
  pool.ParallelFor(feature_columns.size(), [&](size_t i) {
    const Column& column = table.columns[feature_columns[i]];
    if (column.type == ColumnType::kText) fitted[i].levels = CountLevels(column, rows);
  });
  const size_t most_levels = MostLevels(fitted, rows.size(), options);
  pool.ParallelFor(feature_columns.size(), [&](size_t i) {
    const Column& column = table.columns[feature_columns[i]];
    Fitted& result = fitted[i];
    result.encoding.name = column.name;
    result.encoding.type = column.type;
    result.encoding.format = column.format;
    result.encoding.source_column = feature_columns[i];
    const size_t group = group_of[feature_columns[i]];
    if (group != kAlone) result.encoding.group = options.groups[group].name;
    const bool identifiers = options.identifiers || trusted[feature_columns[i]] != 0;
    FitColumn(column, rows, options, identifiers, most_levels, &result);
    if (!result.drop_reason) result.hash = HashColumn(column, rows);
  });

  // Trusted columns first: among equal ones they stay.
  struct Hashed {
    uint64_t hash;
    bool trusted;
    size_t place;
  };
  std::vector<Hashed> hashed;
  for (size_t i = 0; i < fitted.size(); ++i) {
    if (fitted[i].drop_reason) continue;
    hashed.push_back({fitted[i].hash, trusted[feature_columns[i]] != 0, i});
  }
  std::sort(hashed.begin(), hashed.end(), [](const Hashed& a, const Hashed& b) {
    return std::tuple(a.hash, !a.trusted, a.place) < std::tuple(b.hash, !b.trusted, b.place);
  });
  std::vector<size_t> alike;  // columns of one hash that stay
  for (size_t h = 0; h < hashed.size(); ++h) {
    if (h == 0 || hashed[h].hash != hashed[h - 1].hash) alike.clear();
    StopCheck::Ask();
    Fitted& one = fitted[hashed[h].place];
    const size_t column = one.encoding.source_column;
    for (size_t earlier : alike) {
      if (group_of[earlier] != group_of[column]) continue;
      if (!EqualOn(table.columns[earlier], table.columns[column], rows)) continue;
      one.drop_reason = {DropKind::kDuplicate, table.columns[earlier].name};
      break;
    }
    if (!one.drop_reason) alike.push_back(column);
  }
  std::vector<FeatureEncoding> features;
  std::vector<DroppedColumn> dropped;
  // A group stands where its first column does.
  std::vector<std::pair<size_t, size_t>> order;  // by place, then by column
  std::vector<size_t> first_of_group(options.groups.size(), kAlone);
  for (size_t i = 0; i < fitted.size(); ++i) {
    const size_t group = group_of[fitted[i].encoding.source_column];
    if (fitted[i].drop_reason) {
      dropped.push_back({fitted[i].encoding.name, *fitted[i].drop_reason});
      continue;
    }
    if (group != kAlone && first_of_group[group] == kAlone) first_of_group[group] = i;
    order.emplace_back(group == kAlone ? i : first_of_group[group], i);
  }
  std::sort(order.begin(), order.end());
  features.reserve(order.size());
  for (const auto& [place, i] : order) features.push_back(std::move(fitted[i].encoding));
  if (features.empty()) {
    std::string reasons;
    for (size_t i = 0; i < std::min<size_t>(3, dropped.size()); ++i) {
      reasons += (i == 0 ? ": " : ", ") + dropped[i].name + " (" + dropped[i].reason.Text() + ")";
    }
    throw DataError("no column is left to select from" + reasons);
  }
  Encoder encoder(std::move(features));
  encoder.dropped_ = std::move(dropped);
  for (const Fitted& one : fitted) {
    if (!one.drop_reason && !one.remark.empty()) encoder.remarks_.push_back(one.remark);
  }
  return encoder;
}

Matrix Encoder::Encode(const Table& table, std::span<const size_t> rows, ThreadPool& pool) const {
  std::vector<const Column*> columns;
  columns.reserve(columns_.size());
  ColumnFinder finder(table);
  for (const FeatureEncoding& encoding : columns_) columns.push_back(&finder.Find(encoding));
  std::vector<std::vector<int>> parts_of_levels(columns_.size());
  pool.ParallelFor(columns_.size(), [&](size_t c) {
    RequireLike(columns_[c], *columns[c], table);
    if (columns_[c].type == ColumnType::kText) {
      parts_of_levels[c] = PartOfLevels(columns_[c], *columns[c]);
    }
  });
  Matrix matrix(rows.size(), layout_.columns());
  // Blocks of rows small enough that a block of the matrix stays in cache while columns fill it.
  const size_t blocks = (rows.size() + kBlockRows - 1) / kBlockRows;
  const size_t strips = (columns_.size() + kStripColumns - 1) / kStripColumns;
  pool.ParallelFor(blocks * strips, [&](size_t task) {
    const size_t first = task / strips * kBlockRows, left = task % strips * kStripColumns;
    std::span<const size_t> some = rows.subspan(first, std::min(kBlockRows, rows.size() - first));
    for (size_t c = left; c < std::min(left + kStripColumns, columns_.size()); ++c) {
      float* out = matrix.row(first) + offsets_[c];
      if (columns_[c].type == ColumnType::kText) {
        EncodeText(columns_[c], *columns[c], parts_of_levels[c], some, out, matrix.stride());
      } else {
        EncodeNumbers(columns_[c], *columns[c], some, out, matrix.stride());
      }
    }
  });
  return matrix;
}

bool CanBeFeature(const Column& column, std::span<const size_t> rows, bool identifiers) {
  Fitted fitted;
  fitted.encoding.type = column.type;
  if (column.type == ColumnType::kText) fitted.levels = CountLevels(column, rows);
  FitColumn(column, rows, {}, identifiers, static_cast<size_t>(EncodeOptions{}.max_levels),
            &fitted);
  return !fitted.drop_reason;
}

bool HasLongTails(const Column& column, std::span<const size_t> rows) {
  if (column.type != ColumnType::kNumeric) return false;
  std::vector<double> cells = NumbersOf(column, rows);
  return cells.size() >= kLeastCellsForTails && AreLong(QuartilesOf(cells), MomentsOf(cells).sd);
}

int HashBucket(std::string_view text, int buckets) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3ULL;
  return static_cast<int>(MixBits(hash) % static_cast<uint64_t>(buckets));
}

std::vector<size_t> AllIndices(size_t n) {
  std::vector<size_t> indices(n);
  std::iota(indices.begin(), indices.end(), size_t{0});
  return indices;
}

}  // namespace slm
