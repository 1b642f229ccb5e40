#include "selectors/choose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace slm {
namespace {

constexpr double kLeastShare = 1e-6;  // of the largest weight

Choice MakeChoice(std::span<const int> order, std::span<const double> worth,
                  std::span<const double> scores) {
  Choice choice;
  choice.features.assign(order.begin(), order.end());
  choice.scores.reserve(scores.size());
  for (double score : scores) choice.scores.push_back(static_cast<float>(score));
  choice.weights.assign(scores.size(), 0.0f);
  double largest = 0, sum = 0;
  for (double w : worth) largest = std::max(largest, w);
  auto counted = [&](double w) { return largest > 0 ? std::max(w, kLeastShare * largest) : 1.0; };
  for (double w : worth) sum += counted(w);
  for (size_t i = 0; i < order.size(); ++i) {
    choice.weights[static_cast<size_t>(order[i])] = static_cast<float>(counted(worth[i]) / sum);
  }
  return choice;
}

// The columns of feature j.
std::span<const double> Own(const FeatureLayout& layout, std::span<const double> columns,
                            size_t j) {
  return columns.subspan(static_cast<size_t>(layout.offsets[j]),
                         static_cast<size_t>(layout.offsets[j + 1] - layout.offsets[j]));
}

}  // namespace

Choice ChooseTop(std::span<const double> scores, int k) {
  std::vector<int> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  auto score = [&](int j) { return scores[static_cast<size_t>(j)]; };
  std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int a, int b) {
    return score(a) != score(b) ? score(a) > score(b) : a < b;
  });
  order.resize(static_cast<size_t>(k));
  std::vector<double> worth;
  for (int j : order) worth.push_back(score(j));
  return MakeChoice(order, worth, scores);
}

Choice ChooseInOrder(std::span<const int> order, std::span<const double> scores) {
  std::vector<double> worth;
  for (size_t i = 0; i < order.size(); ++i) worth.push_back(static_cast<double>(order.size() - i));
  return MakeChoice(order, worth, scores);
}

std::vector<double> LargestByFeature(const FeatureLayout& layout, std::span<const double> columns) {
  std::vector<double> out;
  for (size_t j = 0; j < layout.features(); ++j) {
    std::span<const double> own = Own(layout, columns, j);
    out.push_back(*std::max_element(own.begin(), own.end()));
  }
  return out;
}

std::vector<double> NormByFeature(const FeatureLayout& layout, std::span<const double> columns) {
  std::vector<double> out;
  for (size_t j = 0; j < layout.features(); ++j) {
    std::span<const double> own = Own(layout, columns, j);
    double squares = 0;
    for (double x : own) squares += x * x;
    out.push_back(std::sqrt(squares));
  }
  return out;
}

std::vector<double> SumByFeature(const FeatureLayout& layout, std::span<const double> columns) {
  std::vector<double> sums(layout.features());
  for (size_t j = 0; j < sums.size(); ++j) {
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
      sums[j] += columns[static_cast<size_t>(c)];
    }
  }
  return sums;
}

bool HoldKept(std::span<const int32_t> keep, std::vector<int>* features) {
  std::vector<int> missing;
  for (int32_t j : keep) {
    if (std::find(features->begin(), features->end(), j) == features->end()) missing.push_back(j);
  }
  for (size_t i = features->size(); i-- > 0 && !missing.empty();) {
    if (std::binary_search(keep.begin(), keep.end(), (*features)[i])) continue;
    (*features)[i] = missing.back();
    missing.pop_back();
    if (missing.empty()) return true;
  }
  return false;
}

void HoldKept(std::span<const int32_t> keep, Choice* choice) {
  const std::vector<int> chosen = choice->features;
  if (!HoldKept(keep, &choice->features)) return;
  choice->model = {};
  for (size_t i = 0; i < chosen.size(); ++i) {
    const int now = choice->features[i];
    if (now == chosen[i]) continue;
    choice->weights[static_cast<size_t>(chosen[i])] = 0;
    choice->weights[static_cast<size_t>(now)] = std::numeric_limits<float>::quiet_NaN();
  }
}

}  // namespace slm
