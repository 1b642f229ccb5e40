#include "data/splits/row_splitter.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include "base/random.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr uint64_t kGroupStream = 0x5b3;

std::vector<int32_t> GroupsOf(const Column& column, size_t rows) {
  if (column.type == ColumnType::kText) return column.codes;
  std::map<double, int32_t> codes;
  for (double x : column.numbers) codes.emplace(x, 0);
  int32_t next = 0;
  for (auto& [value, code] : codes) code = next++;
  std::vector<int32_t> groups(rows);
  for (size_t i = 0; i < rows; ++i) groups[i] = codes[column.numbers[i]];
  return groups;
}

}  // namespace

std::string SplitRule::Text() const {
  if (kind == Kind::kRandom) return "";
  return (kind == Kind::kGroup ? "group:" : "time:") + column;
}

RowSplitter::RowSplitter(const Table& table, const SplitRule& rule, std::vector<int32_t> classes)
    : rule_(rule), classes_(std::move(classes)) {
  if (rule.kind == SplitRule::Kind::kRandom) return;
  const Column& column = table.Find(rule.column);
  for (size_t i = 0; i < table.rows; ++i) {
    if (!IsMissing(column, i)) continue;
    throw DataError(table.Where(i) + ": '" + column.name + "', by which " + rule.Text() +
                    " splits the rows, is missing; fill it in or remove the row");
  }
  if (rule.kind == SplitRule::Kind::kGroup) {
    group_ = GroupsOf(column, table.rows);
    return;
  }
  if (column.type == ColumnType::kText) {
    throw DataError("'" + column.name + "' is text, such as '" +
                    (column.levels.empty() ? std::string() : column.levels[0]) +
                    "', not a time; name a column of numbers or of dates (2024-05-17)");
  }
  time_ = column.numbers;
}

Split RowSplitter::CutAtRandom(const std::vector<size_t>& rows, std::array<double, 3> shares,
                               uint64_t seed) const {
  std::vector<int32_t> own;
  if (!classes_.empty()) {
    own.reserve(rows.size());
    for (size_t row : rows) own.push_back(classes_[row]);
  }
  Split split = SplitRows(rows.size(), own, shares, seed);
  for (std::vector<size_t>* part : {&split.train, &split.valid, &split.test}) {
    for (size_t& at : *part) at = rows[at];
  }
  return split;
}

Split RowSplitter::Cut(const std::vector<size_t>& rows, std::array<double, 3> shares,
                       uint64_t seed) const {
  if (rule_.kind == SplitRule::Kind::kRandom) return CutAtRandom(rows, shares, seed);
  std::vector<std::vector<size_t>> parts = Deal(rows, {shares.begin(), shares.end()}, seed);
  return {std::move(parts[0]), std::move(parts[1]), std::move(parts[2])};
}

std::vector<Fold> RowSplitter::Folds(const std::vector<size_t>& rows, size_t folds,
                                     uint64_t seed) const {
  std::vector<Fold> all;
  if (rule_.kind == SplitRule::Kind::kTime) {
    const size_t count = folds + 1;
    std::vector<double> shares(count, 1.0 / static_cast<double>(count));
    std::vector<std::vector<size_t>> parts = Deal(rows, shares, seed);
    std::vector<size_t> past;
    for (size_t f = 0; f < folds; ++f) {
      past.insert(past.end(), parts[f].begin(), parts[f].end());
      std::sort(past.begin(), past.end());
      all.push_back({past, parts[f + 1]});
    }
    return all;
  }
  std::vector<std::vector<size_t>> parts =
      rule_.kind == SplitRule::Kind::kRandom
          ? FoldRows(rows, classes_, folds, seed)
          : Deal(rows, std::vector<double>(folds, 1.0 / static_cast<double>(folds)), seed);
  for (std::vector<size_t>& part : parts) {
    Fold fold;
    std::set_difference(rows.begin(), rows.end(), part.begin(), part.end(),
                        std::back_inserter(fold.learn));
    fold.held_out = std::move(part);
    all.push_back(std::move(fold));
  }
  return all;
}

std::vector<size_t> RowSplitter::Draw(const std::vector<size_t>& rows, double share,
                                      uint64_t seed) const {
  if (rule_.kind == SplitRule::Kind::kGroup) return Deal(rows, {share, 1 - share}, seed)[0];
  return CutAtRandom(rows, {share, 0, 1 - share}, seed).train;
}

std::vector<std::vector<size_t>> RowSplitter::Deal(const std::vector<size_t>& rows,
                                                   const std::vector<double>& shares,
                                                   uint64_t seed) const {
  std::vector<std::vector<size_t>> parts = rule_.kind == SplitRule::Kind::kGroup
                                               ? DealGroups(rows, shares, seed)
                                               : DealTimes(rows, shares);
  RequireRows(parts, shares);
  for (std::vector<size_t>& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

std::vector<std::vector<size_t>> RowSplitter::DealGroups(const std::vector<size_t>& rows,
                                                         const std::vector<double>& shares,
                                                         uint64_t seed) const {
  const size_t classes =
      classes_.empty()
          ? 1
          : static_cast<size_t>(*std::max_element(classes_.begin(), classes_.end())) + 1;
  auto class_of = [&](size_t row) {
    return classes_.empty() ? size_t{0} : static_cast<size_t>(classes_[row]);
  };
  std::map<int32_t, std::vector<size_t>> by_group;
  std::vector<double> total(classes);
  for (size_t row : rows) {
    by_group[group_[row]].push_back(row);
    ++total[class_of(row)];
  }
  std::vector<std::vector<size_t>> groups;
  for (auto& [code, members] : by_group) groups.push_back(std::move(members));
  RandomStream(seed, kGroupStream).Shuffle(std::span(groups));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });

  // What each part still lacks of each class; a group goes where that leaves the least to lack or
  // to have too much, classes counting by the share of their rows.
  std::vector<std::vector<double>> lacks(shares.size(), total);
  for (size_t p = 0; p < shares.size(); ++p) {
    for (double& lack : lacks[p]) lack *= shares[p];
  }
  std::vector<std::vector<size_t>> parts(shares.size());
  size_t groups_left = groups.size();
  for (const std::vector<size_t>& members : groups) {
    // The last groups are for parts that would stay empty.
    size_t empty = 0;
    for (size_t p = 0; p < parts.size(); ++p) empty += shares[p] > 0 && parts[p].empty();
    const bool fill = groups_left-- <= empty;
    std::map<size_t, double> counts;
    for (size_t row : members) ++counts[class_of(row)];
    size_t best = 0;
    double best_gain = -std::numeric_limits<double>::infinity();
    for (size_t p = 0; p < shares.size(); ++p) {
      if (shares[p] <= 0 || (fill && !parts[p].empty())) continue;
      // (lack^2 - (lack - n)^2) / (share * total) summed over the classes of the group.
      double gain = 0;
      for (const auto& [c, n] : counts) {
        gain += n * (2 * lacks[p][c] - n) / (shares[p] * total[c]);
      }
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = p;
    }
    for (const auto& [c, n] : counts) lacks[best][c] -= n;
    parts[best].insert(parts[best].end(), members.begin(), members.end());
  }
  return parts;
}

std::vector<std::vector<size_t>> RowSplitter::DealTimes(const std::vector<size_t>& rows,
                                                        const std::vector<double>& shares) const {
  std::vector<size_t> order = rows;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return time_[a] < time_[b]; });
  const size_t n = order.size();
  auto parted = [&](size_t at) {
    return at == 0 || at == n || time_[order[at - 1]] != time_[order[at]];
  };
  std::vector<std::vector<size_t>> parts(shares.size());
  size_t begin = 0;
  double sum = 0;
  for (size_t p = 0; p < shares.size(); ++p) {
    sum += shares[p];
    size_t end = static_cast<size_t>(std::lround(sum * static_cast<double>(n)));
    if (p + 1 == shares.size()) end = n;
    // The nearest place between two times, the earlier of two equally near ones.
    size_t down = std::min(end, n), up = down;
    while (!parted(down)) --down;
    while (!parted(up)) ++up;
    end = std::max(begin, end - down <= up - end ? down : up);
    parts[p].assign(order.begin() + static_cast<ptrdiff_t>(begin),
                    order.begin() + static_cast<ptrdiff_t>(end));
    begin = end;
  }
  return parts;
}

void RowSplitter::RequireRows(const std::vector<std::vector<size_t>>& parts,
                              const std::vector<double>& shares) const {
  for (size_t p = 0; p < parts.size(); ++p) {
    if (shares[p] <= 0 || !parts[p].empty()) continue;
    throw DataError("'" + rule_.column + "' has too few different " +
                    (rule_.kind == SplitRule::Kind::kGroup ? "groups" : "times") + " for " +
                    std::to_string(parts.size() - static_cast<size_t>(std::count(
                                                      shares.begin(), shares.end(), 0.0))) +
                    " parts with rows in each; ask for fewer parts, or split by another column");
  }
}

}  // namespace slm
