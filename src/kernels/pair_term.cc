#include "kernels/pair_term.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slm {
namespace {

constexpr double kLeastRest = 0x1p-24;
constexpr double kLargestLog = 64;  // of a weight in float, far from overflow even when summed

template <class T>
void Grow(AlignedBuffer<T>& buffer, size_t size) {
  if (buffer.size() < size) buffer = AlignedBuffer<T>(size);
}

// Calls body(i, code) for each of the rows.
template <class Body>
void VisitCodes(const ValueCodes& column, std::span<const int32_t> rows, Body body) {
  auto visit = [&](const auto* codes) {
    for (size_t i = 0; i < rows.size(); ++i) body(i, codes[rows[i]]);
  };
  if (column.bytes.empty()) {
    visit(column.words.data());
  } else {
    visit(column.bytes.data());
  }
}

// The place in tile (a, a), see PairTiles, of the pair of lanes i < k.
size_t PlaceInPanel(size_t i, size_t k) {
  size_t apart = k - i;
  return apart <= kLanes / 2 ? (apart - 1) * kLanes + i : (kLanes - 1 - apart) * kLanes + k;
}

// Gathers the codes of whole panels of rows into item j of `items` of each panel.
template <class T, class Convert>
void PackPanels(const ValueCodes& column, std::span<const int32_t> rows, size_t j, size_t items,
                T* panels, Convert convert) {
  auto pack = [&](const auto* codes) {
    for (size_t first = 0; first < rows.size(); first += kLanes) {
      const int32_t* row = rows.data() + first;
      T* out = panels + first * items + j * kLanes;
#pragma GCC unroll 16
      for (size_t l = 0; l < kLanes; ++l) out[l] = convert(codes[row[l]]);
    }
  };
  if (column.bytes.empty()) {
    pack(column.words.data());
  } else {
    pack(column.bytes.data());
  }
}

// The same for columns coded by bytes, kTogether of them at a time: each row's
// number is read once for all of them.
void PackBytes(std::span<const ValueCodes* const> columns, std::span<const int32_t> rows,
               uint8_t* panels) {
  constexpr size_t kTogether = 4;
  size_t j = 0;
  for (; j + kTogether <= columns.size(); j += kTogether) {
    const uint8_t* codes[kTogether];
    for (size_t t = 0; t < kTogether; ++t) codes[t] = columns[j + t]->bytes.data();
    for (size_t first = 0; first < rows.size(); first += kLanes) {
      uint8_t* out = panels + first * columns.size() + j * kLanes;
#pragma GCC unroll 16
      for (size_t l = 0; l < kLanes; ++l) {
        ptrdiff_t row = rows[first + l];
#pragma GCC unroll 4
        for (size_t t = 0; t < kTogether; ++t) out[t * kLanes + l] = codes[t][row];
      }
    }
  }
  for (; j < columns.size(); ++j) {
    PackPanels(*columns[j], rows, j, columns.size(), panels,
               [](uint32_t code) { return static_cast<uint8_t>(code); });
  }
}

}  // namespace

void PairTerm::Group::Clear() {
  columns.clear();
  index.clear();
  rest.clear();
  gain.clear();
  equal.clear();
}

void PairTerm::Group::Append(const Group& other) {
  auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(columns, other.columns);
  append(index, other.index);
  append(rest, other.rest);
  append(gain, other.gain);
  append(equal, other.equal);
}

void PairTerm::Group::Add(const ValueCodes& column, size_t a, double one_minus_p,
                          double gain_share) {
  columns.push_back(&column);
  index.push_back(a);
  rest.push_back(one_minus_p);
  gain.push_back(static_cast<float>(-gain_share * std::log(one_minus_p)));
  equal.push_back(0);
}

void PairTerm::SortColumns(std::span<const ValueCodes> codes, std::span<const int32_t> features,
                           std::span<const float> p) {
  for (Group* group : {&sparse_, &few_, &narrow_, &wide_, &binary_, &dense_}) group->Clear();
  gate_.reset();
  gate_codes_ = nullptr;
  gate_rest_ = 1;
  rest_product_ = 1;
  for (size_t a = 0; a < features.size(); ++a) {
    const ValueCodes& column = codes[static_cast<size_t>(features[a])];
    if (p[a] > 0.5f && !gate_) {
      gate_ = a;
      gate_rest_ = std::max(0.0, 1.0 - static_cast<double>(p[a]));
      if (column.kind != ValueCodes::Kind::kFree) gate_codes_ = &column;
      continue;
    }
    double rest = std::max(kLeastRest, 1.0 - static_cast<double>(p[a]));
    rest_product_ *= rest;
    switch (column.kind) {
      case ValueCodes::Kind::kFree:
        break;
      case ValueCodes::Kind::kSparse:
        sparse_.Add(column, a, rest, 1.0);
        break;
      case ValueCodes::Kind::kBinary:
        binary_.Add(column, a, rest, 0.5);
        break;
      case ValueCodes::Kind::kDense:
        (column.bytes.empty()          ? wide_
         : column.levels <= kFewLevels ? few_
                                       : narrow_)
            .Add(column, a, rest, 1.0);
        break;
    }
  }
  for (const Group* group : {&few_, &narrow_, &wide_}) dense_.Append(*group);
  tiled_ = !dense_.columns.empty() || !binary_.columns.empty() || gate_codes_ != nullptr;
  tile_factor_ = 1;
  if (!tiled_) return;
  // Tiles start log W at 0 and leave the common factor to the end, which keeps the sums small and
  // their rounding with them. Only p that is no mask's could add up to more than exp can take.
  double half_gains = std::accumulate(binary_.gain.begin(), binary_.gain.end(), 0.0);
  double all_different = std::log(rest_product_) + half_gains;
  start_ = static_cast<float>(std::min(0.0, kLargestLog + all_different));
  tile_factor_ = std::exp(all_different - static_cast<double>(start_));
}

// Finds the pairs equal in sparse columns and orders them by bucket; address(i, k) with i < k gives
// bucket and place. About 2 ns for each row and column, and 10 ns for each tie.
template <class Address>
void PairTerm::FindTies(std::span<const int32_t> rows, size_t buckets, Address address) {
  found_.clear();
  tie_begin_.assign(buckets + 1, 0);
  chain_.resize(std::max(chain_.size(), rows.size()));
  for (size_t j = 0; j < sparse_.columns.size(); ++j) {
    const ValueCodes& column = *sparse_.columns[j];
    if (latest_.size() < column.levels) latest_.resize(column.levels, -1);
    VisitCodes(column, rows, [&](size_t k, uint32_t code) {
      int32_t before = latest_[code];
      latest_[code] = static_cast<int32_t>(k);
      chain_[k] = before;
      for (; before >= 0; before = chain_[static_cast<size_t>(before)]) {
        auto [bucket, place] = address(static_cast<size_t>(before), k);
        ++tie_begin_[bucket];
        found_.push_back({static_cast<uint32_t>(bucket),
                          {static_cast<uint32_t>(place), static_cast<uint32_t>(j)}});
      }
    });
    VisitCodes(column, rows, [&](size_t, uint32_t code) { latest_[code] = -1; });
  }
  // Counting sort: sizes become ends, and ends become starts as the ties are placed.
  for (size_t bucket = 0; bucket < buckets; ++bucket) tie_begin_[bucket + 1] += tie_begin_[bucket];
  ties_.resize(found_.size());
  for (size_t t = found_.size(); t-- > 0;) ties_[--tie_begin_[found_[t].bucket]] = found_[t].tie;
}

void PairTerm::AddByTies(const Block& block) {
  size_t b = block.rows.size();
  auto weight = [&](size_t i) { return block.w.empty() ? 1.0 : static_cast<double>(block.w[i]); };
  auto r = [&](size_t i) { return static_cast<double>(block.r[i]); };
  double w_sum = 0, wr_sum = 0, square_sum = 0;
  for (size_t i = 0; i < b; ++i) {
    w_sum += weight(i);
    wr_sum += weight(i) * r(i);
  }
  double mean = w_sum > 0 ? wr_sum / w_sum : 0;
  for (size_t i = 0; i < b; ++i) {
    double scaled = weight(i) * (r(i) - mean);
    square_sum += scaled * (r(i) - mean);
    block.slope[i] = static_cast<float>(rest_product_ * w_sum * scaled);
  }
  total_ += rest_product_ * w_sum * square_sum;
  if (sparse_.columns.empty()) return;

  FindTies(block.rows, b, [](size_t i, size_t k) { return std::pair(i, k); });
  factor_.resize(std::max(factor_.size(), b));
  for (size_t i = 0; i < b; ++i) {
    std::span<const PairTie> ties(ties_.data() + tie_begin_[i], tie_begin_[i + 1] - tie_begin_[i]);
    tied_.clear();
    for (const PairTie& tie : ties) {
      double& factor = factor_[tie.place];
      if (factor == 0) {
        factor = 1;
        tied_.push_back(tie.place);
      }
      factor /= sparse_.rest[tie.column];
    }
    // From here on factor_ holds V of the pair.
    for (uint32_t k : tied_) {
      double difference = r(i) - r(k);
      double scaled = rest_product_ * weight(i) * weight(k) * difference;
      double extra = scaled * (factor_[k] - 1);
      total_ += extra * difference;
      block.slope[i] += static_cast<float>(extra);
      block.slope[k] -= static_cast<float>(extra);
      factor_[k] *= scaled * difference;
    }
    for (const PairTie& tie : ties) sparse_.equal[tie.column] += factor_[tie.place];
    for (uint32_t k : tied_) factor_[k] = 0;
  }
}

void PairTerm::AddByTiles(const Block& block) {
  size_t b = block.rows.size();
  size_t panels = (b + kLanes - 1) / kLanes;
  size_t padded = panels * kLanes;
  size_t dense = dense_.columns.size(), binary = binary_.columns.size();
  size_t few = few_.columns.size(), narrow = few + narrow_.columns.size();
  size_t units = (narrow + kPairUnit - 1) / kPairUnit;
  Grow(panel_bytes_, padded * narrow);
  Grow(panel_codes_, padded * dense);
  Grow(byte_rows_, padded * units * 16);
  Grow(patterns_, units * 512);
  Grow(tables_, units * 96);
  Grow(panel_signs_, padded * binary);
  Grow(panel_gate_, padded);
  Grow(row_slope_, padded * kLanes);
  Grow(has_level_, few * kFewLevels * kLanes);
  Grow(twice_bytes_, narrow * 2 * kLanes);
  Grow(twice_codes_, dense * 2 * kLanes);
  Grow(twice_signs_, binary * 2 * kLanes);
  Grow(lanes_, (dense + binary) * kLanes);
  for (AlignedBuffer<float>* buffer : {&panel_r_, &panel_w_, &panel_slope_}) {
    Grow(*buffer, padded);
    std::fill_n(buffer->data(), padded, 0.0f);
  }
  std::copy(block.r.begin(), block.r.end(), panel_r_.data());
  for (size_t i = 0; i < b; ++i) panel_w_[i] = block.w.empty() ? 1.0f : block.w[i];
  // Rows that fill the last panel have weight 0 and the codes of any row.
  panel_rows_.assign(padded, block.rows[0]);
  std::copy(block.rows.begin(), block.rows.end(), panel_rows_.begin());
  auto as_code = [](uint32_t code) { return static_cast<int32_t>(code); };
  auto as_sign = [](uint32_t code) { return 1.0f - 2.0f * static_cast<float>(code); };
  PackBytes(std::span(dense_.columns).first(narrow), panel_rows_, panel_bytes_.data());
  for (size_t j = narrow; j < dense; ++j) {
    PackPanels(*dense_.columns[j], panel_rows_, j, dense, panel_codes_.data(), as_code);
  }
  for (size_t j = 0; j < binary; ++j) {
    PackPanels(*binary_.columns[j], panel_rows_, j, binary, panel_signs_.data(), as_sign);
  }
  if (gate_codes_ != nullptr) {
    PackPanels(*gate_codes_, panel_rows_, 0, 1, panel_gate_.data(), as_code);
  }
  if (!sparse_.columns.empty()) {
    FindTies(block.rows, panels * panels, [&](size_t i, size_t k) {
      size_t a = i / kLanes, c = k / kLanes, lane = i % kLanes, row = k % kLanes;
      return std::pair(a * panels + c, a == c ? PlaceInPanel(lane, row) : row * kLanes + lane);
    });
  }

  PairTiles tiles = {
      .panels = panels,
      .start = start_,
      .dense = dense,
      .narrow = narrow,
      .few = few,
      .bytes = panel_bytes_.data(),
      .codes = panel_codes_.data(),
      .dense_gain = dense_.gain.data(),
      .binary = binary,
      .signs = panel_signs_.data(),
      .binary_gain = binary_.gain.data(),
      .gate = gate_codes_ == nullptr ? nullptr : panel_gate_.data(),
      .gate_rest = static_cast<float>(gate_rest_),
      .tie_begin = sparse_.columns.empty() ? nullptr : tie_begin_.data(),
      .ties = ties_.data(),
      .tie_gain = sparse_.gain.data(),
      .r = panel_r_.data(),
      .w = panel_w_.data(),
      .lanes = lanes_.data(),
      .row_slope = row_slope_.data(),
      .has_level = has_level_.data(),
      .twice_bytes = twice_bytes_.data(),
      .twice_codes = twice_codes_.data(),
      .twice_signs = twice_signs_.data(),
      .byte_rows = byte_rows_.data(),
      .patterns = patterns_.data(),
      .tables = tables_.data(),
      .slope = panel_slope_.data(),
      .total = &total_,
      .gate_differ = &gate_differ_,
      .dense_equal = dense_.equal.data(),
      .binary_sign = binary_.equal.data(),
      .tie_equal = sparse_.equal.data(),
  };
  SLM_DISPATCH(AddPairTiles, tiles);
  std::copy_n(panel_slope_.data(), b, block.slope.begin());
}

double PairTerm::Compute(std::span<const ValueCodes> codes, std::span<const int32_t> features,
                         std::span<const int32_t> rows, std::span<const float> p,
                         std::span<const float> r, std::span<const float> w, size_t block,
                         std::span<float> dr, std::span<float> dp) {
  size_t b = rows.size();
  if (block == 0) block = b;
  SortColumns(codes, features, p);
  total_ = gate_differ_ = 0;
  double normaliser = 0;
  for (size_t first = 0; first < b; first += block) {
    size_t size = std::min(block, b - first);
    Block part = {rows.subspan(first, size), r.subspan(first, size),
                  w.empty() ? w : w.subspan(first, size), dr.subspan(first, size)};
    double sum = 0, squares = 0;
    for (float weight : part.w) {
      sum += static_cast<double>(weight);
      squares += static_cast<double>(weight) * static_cast<double>(weight);
    }
    if (w.empty()) sum = squares = static_cast<double>(size);
    normaliser += (sum * sum - squares) / 2;
    if (tiled_) {
      AddByTiles(part);
    } else {
      AddByTies(part);
    }
  }

  if (gate_codes_ != nullptr) total_ += gate_rest_ * gate_differ_;
  double scale = normaliser > 0 ? tile_factor_ / normaliser : 0;
  // A gate that no pair shares is the same factor for all of them.
  double shared_gate = gate_codes_ == nullptr ? gate_rest_ : 1;
  double outer = scale * shared_gate;
  for (float& d : dr) d = static_cast<float>(2 * outer * static_cast<double>(d));
  for (size_t a = 0; a < features.size(); ++a) {
    double rest = std::max(kLeastRest, 1.0 - static_cast<double>(p[a]));
    dp[a] = static_cast<float>(-outer * total_ / rest);
  }
  auto add_equal = [&](const Group& group, auto equal_sum) {
    for (size_t j = 0; j < group.index.size(); ++j) {
      double differ = total_ - equal_sum(group.equal[j]);
      dp[group.index[j]] = static_cast<float>(-outer * differ / group.rest[j]);
    }
  };
  add_equal(sparse_, [](double equal) { return equal; });
  add_equal(dense_, [](double equal) { return equal; });
  add_equal(binary_, [&](double sign_sum) { return (total_ + sign_sum) / 2; });
  if (gate_) {
    dp[*gate_] = static_cast<float>(-scale * (gate_codes_ == nullptr ? total_ : gate_differ_));
  }
  return outer * total_;
}

}  // namespace slm
