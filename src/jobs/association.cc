#include "jobs/association.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "data/table.h"
#include "kernels/products.h"

namespace slm {
namespace {

// A rank correlation of 0.7 on fewer rows is often one by chance.
constexpr double kLeastRows = 10;
constexpr double kConstant = 1e-6;

double Product(const std::vector<double>& a, const std::vector<double>& b) {
  return Dot(a.data(), b.data(), a.size());
}

std::optional<Association> Share(double square, std::string_view measure) {
  return Association{std::sqrt(std::clamp(square, 0.0, 1.0)), measure};
}

// From sums about the means. Ranks are halves of whole numbers, so a sum of squares that is not 0
// is not small either.
std::optional<Association> Correlation(double product, double square_a, double square_b, double n) {
  if (n < kLeastRows || square_a < kConstant || square_b < kConstant) return std::nullopt;
  return Association{std::clamp(product / std::sqrt(square_a * square_b), -1.0, 1.0),
                     Association::kRankCorrelation};
}

}  // namespace

ComparedColumn::ComparedColumn(const Column& column, std::span<const size_t> rows)
    : text_(column.type == ColumnType::kText) {
  if (text_) {
    std::map<int32_t, int32_t> numbers;
    for (size_t row : rows) {
      const int32_t code = column.codes[row];
      const auto next = static_cast<int32_t>(numbers.size());
      level_.push_back(code < 0 ? -1 : numbers.emplace(code, next).first->second);
    }
    levels_ = numbers.size();
    return;
  }
  rank_.resize(rows.size());
  square_.resize(rows.size());
  present_.resize(rows.size());
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!IsMissing(column, rows[i])) order.emplace_back(column.numbers[rows[i]], i);
  }
  std::sort(order.begin(), order.end());
  const double middle = (static_cast<double>(order.size()) - 1) / 2;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && order[end].first == order[begin].first) ++end;
    const double rank = static_cast<double>(begin + end - 1) / 2 - middle;  // equal cells share it
    for (size_t i = begin; i < end; ++i) {
      rank_[order[i].second] = rank;
      square_[order[i].second] = rank * rank;
      present_[order[i].second] = 1;
    }
  }
  squares_ = std::accumulate(square_.begin(), square_.end(), 0.0);
  complete_ = order.size() == rows.size();
}

std::optional<Association> ComparedColumn::CompareRanks(const ComparedColumn& a,
                                                        const ComparedColumn& b) {
  if (a.complete_ && b.complete_) {
    return Correlation(Product(a.rank_, b.rank_), a.squares_, b.squares_,
                       static_cast<double>(a.rank_.size()));
  }
  const double n = Product(a.present_, b.present_);
  if (n < kLeastRows) return std::nullopt;
  const double sum_a = Product(a.rank_, b.present_), sum_b = Product(a.present_, b.rank_);
  const double square_a = Product(a.square_, b.present_) - sum_a * sum_a / n;
  const double square_b = Product(a.present_, b.square_) - sum_b * sum_b / n;
  return Correlation(Product(a.rank_, b.rank_) - sum_a * sum_b / n, square_a, square_b, n);
}

// Kelley's correction: the mean squares within and over all, instead of the sums.
std::optional<Association> ComparedColumn::CompareLevels(const ComparedColumn& text,
                                                         const ComparedColumn& ranks) {
  struct Level {
    double rows = 0, sum = 0;
  };
  std::vector<Level> by_level(text.levels_);
  double n = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < text.level_.size(); ++i) {
    if (text.level_[i] < 0 || ranks.present_[i] == 0) continue;
    Level& level = by_level[static_cast<size_t>(text.level_[i])];
    level.rows += 1;
    level.sum += ranks.rank_[i];
    n += 1;
    sum += ranks.rank_[i];
    squares += ranks.square_[i];
  }
  double within = squares, groups = 0;
  for (const Level& level : by_level) {
    if (level.rows == 0) continue;
    within -= level.sum * level.sum / level.rows;
    groups += 1;
  }
  const double total = n > 0 ? squares - sum * sum / n : 0;
  if (n < kLeastRows || groups < 2 || n <= groups || total < kConstant) return std::nullopt;
  return Share(1 - within / (n - groups) / (total / (n - 1)), Association::kCorrelationRatio);
}

// With Bergsma's correction.
std::optional<Association> ComparedColumn::CompareTexts(const ComparedColumn& a,
                                                        const ComparedColumn& b) {
  std::map<std::pair<int32_t, int32_t>, double> cells;
  std::vector<double> rows_a(a.levels_), rows_b(b.levels_);
  double n = 0;
  for (size_t i = 0; i < a.level_.size(); ++i) {
    if (a.level_[i] < 0 || b.level_[i] < 0) continue;
    ++cells[{a.level_[i], b.level_[i]}];
    ++rows_a[static_cast<size_t>(a.level_[i])];
    ++rows_b[static_cast<size_t>(b.level_[i])];
    n += 1;
  }
  if (n < kLeastRows) return std::nullopt;
  double dependence = -1;  // chi-squared over n
  for (const auto& [cell, rows] : cells) {
    dependence += rows * rows / rows_a[static_cast<size_t>(cell.first)] /
                  rows_b[static_cast<size_t>(cell.second)];
  }
  auto free_levels = [](const std::vector<double>& rows) {
    return static_cast<double>(
               std::count_if(rows.begin(), rows.end(), [](double x) { return x > 0; })) -
           1;
  };
  const double free_a = free_levels(rows_a), free_b = free_levels(rows_b);
  auto corrected = [n](double free) { return free - free * free / (n - 1); };
  const double most = std::min(corrected(free_a), corrected(free_b));
  if (most < kConstant) return std::nullopt;
  return Share((dependence - free_a * free_b / (n - 1)) / most, Association::kCramersV);
}

std::optional<Association> Compare(const ComparedColumn& a, const ComparedColumn& b) {
  if (a.text_ && b.text_) return ComparedColumn::CompareTexts(a, b);
  if (a.text_) return ComparedColumn::CompareLevels(a, b);
  if (b.text_) return ComparedColumn::CompareLevels(b, a);
  return ComparedColumn::CompareRanks(a, b);
}

}  // namespace slm
