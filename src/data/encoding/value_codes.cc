#include "data/encoding/value_codes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.h"
#include "data/table.h"

namespace slm {
namespace {

// Replaces values by the number of their quantile bin. Equal values share a bin, so a value that
// fills several bins leaves the others empty.
void ReplaceByBins(std::vector<double>& values, int bins) {
  std::vector<double> sorted;
  for (double value : values) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  std::sort(sorted.begin(), sorted.end());
  size_t count = static_cast<size_t>(bins);
  size_t distinct = 0;
  for (size_t i = 0; i < sorted.size() && distinct <= count; ++i) {
    distinct += i == 0 || sorted[i] != sorted[i - 1];
  }
  if (distinct <= count) return;
  std::vector<double> edges;
  for (size_t q = 1; q < count; ++q) edges.push_back(sorted[q * sorted.size() / count]);
  for (double& value : values) {
    if (std::isnan(value)) continue;
    value =
        static_cast<double>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
  }
}

// Numbers distinct values in the order they first appear: a hash table that grows with them, so
// that columns of few values stay in the cache.
class ValueNumbers {
 public:
  uint32_t Number(double value) {
    // All missing cells are one value, and so are the two zeros.
    uint64_t bits = std::bit_cast<uint64_t>(std::isnan(value) ? kMissing : value + 0.0);
    Slot* slot = Find(bits);
    if (slot->number == 0) {
      if (2 * counts_.size() >= slots_.size()) {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& moved : old) {
          if (moved.number != 0) *Find(moved.bits) = moved;
        }
        slot = Find(bits);
      }
      counts_.push_back(0);
      *slot = {bits, static_cast<uint32_t>(counts_.size())};
    }
    ++counts_[slot->number - 1];
    return slot->number - 1;
  }

  // How often each number was given.
  const std::vector<uint32_t>& counts() const { return counts_; }

 private:
  struct Slot {
    uint64_t bits = 0;
    uint32_t number = 0;  // from 1; 0 is an empty slot
  };

  // The slot of the value, or the empty one where it belongs.
  Slot* Find(uint64_t bits) {
    size_t mask = slots_.size() - 1;
    size_t at = MixBits(bits) & mask;
    while (slots_[at].number != 0 && slots_[at].bits != bits) at = (at + 1) & mask;
    return &slots_[at];
  }

  std::vector<Slot> slots_ = std::vector<Slot>(256);
  std::vector<uint32_t> counts_;
};

ValueCodes::Kind KindOf(const std::vector<uint32_t>& counts, size_t rows) {
  double equal_pairs = 0;
  for (uint32_t count : counts) {
    equal_pairs += static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
  }
  double pairs = static_cast<double>(rows) * (static_cast<double>(rows) - 1) / 2;
  if (equal_pairs == 0) return ValueCodes::Kind::kFree;
  if (equal_pairs < kSparseShare * pairs) return ValueCodes::Kind::kSparse;
  return counts.size() == 2 ? ValueCodes::Kind::kBinary : ValueCodes::Kind::kDense;
}

ValueCodes CodeValues(const std::vector<double>& values) {
  ValueNumbers numbers;
  std::vector<uint32_t> words(values.size());
  for (size_t i = 0; i < values.size(); ++i) words[i] = numbers.Number(values[i]);
  ValueCodes result;
  result.kind = KindOf(numbers.counts(), values.size());
  if (result.kind == ValueCodes::Kind::kFree) return result;
  result.levels = static_cast<uint32_t>(numbers.counts().size());
  if (result.levels <= 256) {
    result.bytes.reserve(words.size());
    for (uint32_t word : words) result.bytes.push_back(static_cast<uint8_t>(word));
  } else {
    result.words = std::move(words);
  }
  return result;
}

}  // namespace

std::vector<ValueCodes> BuildValueCodes(const Table& table, std::span<const int32_t> columns,
                                        std::span<const int32_t> rows, int mi_bins) {
  std::vector<ValueCodes> result;
  std::vector<double> values(rows.size());
  for (int32_t index : columns) {
    const Column& column = table.columns[static_cast<size_t>(index)];
    for (size_t i = 0; i < rows.size(); ++i) {
      size_t row = static_cast<size_t>(rows[i]);
      values[i] = column.type != ColumnType::kText ? column.numbers[row]
                  : column.codes[row] < 0          ? kMissing
                                                   : column.codes[row];
    }
    if (mi_bins >= 2 && column.type != ColumnType::kText) ReplaceByBins(values, mi_bins);
    result.push_back(CodeValues(values));
  }
  return result;
}

ValueCodes JoinCodes(std::span<const ValueCodes> columns, size_t rows) {
  std::vector<double> joined(rows);
  for (const ValueCodes& column : columns) {
    if (column.kind == ValueCodes::Kind::kFree) return {};
    // Below rows * levels, which a double holds exactly.
    ValueNumbers numbers;
    for (size_t i = 0; i < rows; ++i) {
      joined[i] = numbers.Number(joined[i] * column.levels + column.at(i));
    }
  }
  return CodeValues(joined);
}

std::vector<ValueCodes> BuildValueCodes(MatrixView<const float> x, int mi_bins) {
  std::vector<ValueCodes> result;
  std::vector<double> values(x.rows);
  for (size_t j = 0; j < x.cols; ++j) {
    for (size_t i = 0; i < x.rows; ++i) values[i] = static_cast<double>(x(i, j));
    if (mi_bins >= 2) ReplaceByBins(values, mi_bins);
    result.push_back(CodeValues(values));
  }
  return result;
}

}  // namespace slm
