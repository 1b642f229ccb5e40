#include "selectors/trees/tree_grower.h"

#include <algorithm>
#include <type_traits>

#include "numerics/radix_sort.h"

namespace slm {
namespace {

constexpr size_t kManyRows = 256;  // of a node, from which on asking to stop costs nothing beside

// A row's place in its node is the low half of its key, its rank the high half.
template <class Key>
constexpr int kPlaceBits = static_cast<int>(sizeof(Key) * 4);

// What a split is worth, kept up while rows move to the left side one by one:
//   Numerator / (left weight * right weight) = decrease + a constant.
struct ClassSide {
  const uint32_t* group;
  const double* total;
  double* left;
  double left_square, right_square;  // sums over classes of the squared weight on either side

  void Move(size_t place, double w) {
    const uint32_t g = group[place];
    const double l = left[g];
    left_square += w * (2 * l + w);
    right_square -= w * (2 * (total[g] - l) - w);
    left[g] = l + w;
  }
  double Numerator(double left_weight, double right_weight) const {
    return left_square * right_weight + right_square * left_weight;
  }
};

struct ValueSide {
  const double* value;
  double left_sum, right_sum;

  void Move(size_t place, double w) {
    const double x = w * value[place];
    left_sum += x;
    right_sum -= x;
  }
  double Numerator(double left_weight, double right_weight) const {
    return left_sum * left_sum * right_weight + right_sum * right_sum * left_weight;
  }
};

}  // namespace

TreeGrower::TreeGrower(const Forest& forest, const ForestOptions& options,
                       std::span<const int32_t> columns)
    : forest_(forest),
      options_(options),
      columns_(columns.begin(), columns.end()),
      tried_(TriedColumns(options, forest.labels(), columns.size())),
      classes_(forest.labels().has_classes() ? forest.labels().outputs() : 0),
      row_weight_(forest.rows()),
      group_of_(classes_, -1) {}

void TreeGrower::DrawRows(RandomStream random, bool out_of_bag) {
  const size_t n = forest_.rows();
  for (size_t i = 0; i < n; ++i) {
    if (options_.bootstrap) {
      row_weight_[forest_.DrawRow(random)] += 1;
    } else {
      row_weight_[i] = forest_.weight(i);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (row_weight_[i] > 0) {
      rows_.push_back(static_cast<uint32_t>(i));
    } else if (out_of_bag) {
      unseen_.push_back(static_cast<uint32_t>(i));
    }
  }
}

// False if the node is pure.
bool TreeGrower::LoadNode(const Node& node) {
  const std::span<const uint32_t> rows(rows_.data() + node.begin, node.end - node.begin);
  const Labels& labels = forest_.labels();
  weight_.resize(rows.size());
  node_weight_ = 0;
  for (size_t i = 0; i < rows.size(); ++i) node_weight_ += weight_[i] = row_weight_[rows[i]];
  if (classes_ == 0) {
    value_.resize(rows.size());
    double sum = 0;
    for (size_t i = 0; i < rows.size(); ++i) sum += weight_[i] * double{labels.value[rows[i]]};
    node_mean_ = sum / node_weight_;
    node_sum_ = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      value_[i] = double{labels.value[rows[i]]} - node_mean_;
      node_sum_ += weight_[i] * value_[i];
    }
    const auto [least, most] = std::minmax_element(value_.begin(), value_.end());
    return *least < *most;
  }
  group_.resize(rows.size());
  total_.clear();
  class_of_.clear();
  for (size_t i = 0; i < rows.size(); ++i) {
    const int32_t label = labels.index[rows[i]];
    int32_t& group = group_of_[static_cast<size_t>(label)];
    if (group < 0) {
      group = static_cast<int32_t>(total_.size());
      total_.push_back(0);
      class_of_.push_back(label);
    }
    group_[i] = static_cast<uint32_t>(group);
    total_[group_[i]] += weight_[i];
  }
  for (int32_t label : class_of_) group_of_[static_cast<size_t>(label)] = -1;
  node_sum_ = 0;
  for (double t : total_) node_sum_ += t * t;
  return total_.size() > 1;
}

template <class Key, class Side>
void TreeGrower::Scan(int32_t column, std::span<const Key> keys, Side side, Split& best) const {
  constexpr int kShift = kPlaceBits<Key>;
  constexpr Key kPlace = (Key{1} << kShift) - 1;
  const size_t least = static_cast<size_t>(options_.min_samples_leaf);
  const size_t n = keys.size();
  if (n < 2 * least) return;
  double left_weight = 0;
  for (size_t i = 0; i < n - least; ++i) {
    const size_t place = keys[i] & kPlace;
    side.Move(place, weight_[place]);
    left_weight += weight_[place];
    const Key rank = keys[i] >> kShift, next = keys[i + 1] >> kShift;
    if (rank == next || i + 1 < least) continue;
    const double right_weight = node_weight_ - left_weight;
    const double numerator = side.Numerator(left_weight, right_weight);
    const double denominator = left_weight * right_weight;
    if (numerator * best.denominator > best.numerator * denominator ||
        (best.column < 0 && denominator > 0)) {
      best = {column, static_cast<uint32_t>((rank + next) / 2), numerator, denominator};
    }
  }
}

// False if the column is constant in the node.
template <class Key>
bool TreeGrower::TryColumn(int32_t column, std::span<const uint32_t> rows, std::vector<Key>& keys,
                           Split& best) {
  const uint16_t* ranks = forest_.ranks(column);
  const size_t n = rows.size();
  keys.resize(2 * n);
  const uint16_t first = ranks[rows[0]];
  uint32_t differ = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint16_t rank = ranks[rows[i]];
    differ |= static_cast<uint32_t>(rank ^ first);
    keys[i] = static_cast<Key>(Key{rank} << kPlaceBits<Key> | i);
  }
  if (differ == 0) return false;
  const std::span<const Key> sorted =
      RadixSort(std::span(keys).first(n), std::span(keys).subspan(n), kPlaceBits<Key>);
  if (classes_ == 0) {
    Scan<Key>(column, sorted, ValueSide{value_.data(), 0, node_sum_}, best);
  } else {
    left_.assign(total_.size(), 0.0);
    Scan<Key>(column, sorted, ClassSide{group_.data(), total_.data(), left_.data(), 0, node_sum_},
              best);
  }
  return true;
}

// One threshold, drawn between the least and the largest value of the node. False if the column is
// constant in the node.
bool TreeGrower::TryThreshold(int32_t column, std::span<const uint32_t> rows, RandomStream& random,
                              Split& best) {
  const uint16_t* ranks = forest_.ranks(column);
  const size_t n = rows.size(), least = static_cast<size_t>(options_.min_samples_leaf);
  node_ranks_.resize(std::max(node_ranks_.size(), n));
  // Plain pointers: checked access costs as much as the work in these loops.
  const uint32_t* row = rows.data();
  uint16_t* own = node_ranks_.data();
  uint16_t low = ranks[row[0]], high = low;
  for (size_t i = 0; i < n; ++i) {
    const uint16_t rank = own[i] = ranks[row[i]];
    low = std::min(low, rank);
    high = std::max(high, rank);
  }
  if (low == high) return false;
  const std::span<const float> values = forest_.values(column);
  const double threshold = random.Uniform(values[low], values[high]);
  // The last rank whose value is not above it; `high` only by rounding.
  const auto above = std::upper_bound(values.begin() + low + 1, values.begin() + high, threshold,
                                      [](double t, float value) { return t < double{value}; });
  const uint16_t cut = static_cast<uint16_t>(above - values.begin() - 1);

  // Without branches, which would be taken at random.
  size_t left = 0;
  double left_weight = 0, left_square = 0, right_square = 0;
  const double* weight = weight_.data();
  if (classes_ == 0) {
    const double* value = value_.data();
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
      const bool goes_left = own[i] <= cut;
      const double w = goes_left ? weight[i] : 0;
      left += goes_left;
      left_weight += w;
      sum += w * value[i];
    }
    left_square = sum * sum;
    right_square = (node_sum_ - sum) * (node_sum_ - sum);
  } else {
    left_.assign(total_.size(), 0.0);
    const uint32_t* group = group_.data();
    double* into = left_.data();
    for (size_t i = 0; i < n; ++i) {
      const bool goes_left = own[i] <= cut;
      left += goes_left;
      into[group[i]] += goes_left ? weight[i] : 0;
    }
    for (size_t g = 0; g < total_.size(); ++g) {
      left_weight += left_[g];
      left_square += left_[g] * left_[g];
      right_square += (total_[g] - left_[g]) * (total_[g] - left_[g]);
    }
  }
  if (left < least || n - left < least) return true;
  const double right_weight = node_weight_ - left_weight;
  const double numerator = left_square * right_weight + right_square * left_weight;
  const double denominator = left_weight * right_weight;
  if (numerator * best.denominator > best.numerator * denominator ||
      (best.column < 0 && denominator > 0)) {
    best = {column, cut, numerator, denominator};
  }
  return true;
}

TreeGrower::Split TreeGrower::FindSplit(const Node& node, RandomStream& random,
                                        const Context& context) {
  const std::span<const uint32_t> rows(rows_.data() + node.begin, node.end - node.begin);
  Split best;
  bool varies = false;
  for (size_t v = 0; v < columns_.size() && (v < tried_ || !varies); ++v) {
    if (rows.size() >= kManyRows && context.ShouldStop()) break;
    std::swap(columns_[v], columns_[v + random.Below(columns_.size() - v)]);
    varies |= options_.random_thresholds ? TryThreshold(columns_[v], rows, random, best)
              : rows.size() <= 1u << kPlaceBits<uint32_t>
                  ? TryColumn(columns_[v], rows, narrow_keys_, best)
                  : TryColumn(columns_[v], rows, wide_keys_, best);
  }
  return best;
}

// Rows that go left come first, in their order; returns where the others begin.
size_t TreeGrower::Partition(std::vector<uint32_t>& rows, size_t begin, size_t end,
                             const Split& split) {
  const uint16_t* ranks = forest_.ranks(split.column);
  moved_.resize(std::max(moved_.size(), end - begin));
  size_t left = begin, right = 0;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t row = rows[i];
    const bool goes_left = ranks[row] <= split.rank;
    rows[left] = row;
    moved_[right] = row;
    left += goes_left;
    right += !goes_left;
  }
  std::copy_n(moved_.begin(), right, rows.begin() + static_cast<std::ptrdiff_t>(left));
  return left;
}

void TreeGrower::Predict(const Node& node, Tree& tree) const {
  for (size_t i = node.unseen_begin; i < node.unseen_end; ++i) {
    tree.unseen.push_back(unseen_[i]);
    if (classes_ == 0) {
      tree.leaf.push_back(static_cast<float>(node_mean_));
      continue;
    }
    const size_t at = tree.leaf.size();
    tree.leaf.resize(at + classes_);
    for (size_t g = 0; g < total_.size(); ++g) {
      tree.leaf[at + static_cast<size_t>(class_of_[g])] =
          static_cast<float>(total_[g] / node_weight_);
    }
  }
}

TreeGrower::Tree TreeGrower::Grow(RandomStream random, bool out_of_bag, const Context& context) {
  Tree tree;
  tree.importance.resize(forest_.columns());
  DrawRows(random.Substream(0), out_of_bag);
  if (rows_.empty()) return tree;
  double sum = 0;
  std::vector<Node> open = {{0, rows_.size(), 0, unseen_.size(), 0}};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    Split split;
    if (LoadNode(node) && (options_.max_depth == 0 || node.depth < options_.max_depth)) {
      split = FindSplit(node, random, context);
    }
    if (split.column < 0) {
      Predict(node, tree);
      continue;
    }
    const double before = classes_ == 0 ? node_sum_ * node_sum_ : node_sum_;
    const double decrease =
        std::max(0.0, split.numerator / split.denominator - before / node_weight_);
    tree.importance[static_cast<size_t>(split.column)] += decrease;
    sum += decrease;
    const size_t middle = Partition(rows_, node.begin, node.end, split);
    const size_t unseen = Partition(unseen_, node.unseen_begin, node.unseen_end, split);
    open.push_back({middle, node.end, unseen, node.unseen_end, node.depth + 1});
    open.push_back({node.begin, middle, node.unseen_begin, unseen, node.depth + 1});
  }
  if (sum > 0) {
    for (double& x : tree.importance) x /= sum;
  }
  return tree;
}

}  // namespace slm
