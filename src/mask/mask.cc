#include "mask/mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/top.h"

namespace slm {
namespace {

// How far inside its open right end m stays: the F-th weight is then 1e-3 of the mean weight.
constexpr double kInset = 1e-3;

// Weights are positive by construction; rounding may not make one of them zero.
float PositiveFloat(double value) {
  constexpr float kSmallest = std::numeric_limits<float>::min();
  return std::max(static_cast<float>(value), kSmallest);
}

}  // namespace

Mask::Mask(size_t features, MaskScale scale, MaskGradient gradient)
    : rule_(scale), gradient_(gradient), v_(features, 1.0f) {}

bool Mask::Update(size_t count) {
  if (rule_ == MaskScale::kNone) {
    PlainSparsemax();
    return true;
  }
  // Entries outside the support have not moved, so it stands while every entry of it is above the
  // highest of those.
  bool stands = known_ && support_.size() == count && !tied_ &&
                std::all_of(support_.begin(), support_.end(), [&](int32_t j) {
                  return v_[static_cast<size_t>(j)] > highest_outside_;
                });
  if (!stands) FindSupport(count);
  if (rule_ == MaskScale::kSoftmaxTopK) {
    WriteSoftmax();
  } else {
    WriteWeights();
  }
  known_ = true;
  return !stands;
}

bool Mask::UpdateExactly(size_t count) {
  if (rule_ != MaskScale::kNone) return Update(count);
  PlainSparsemax();
  const std::vector<int32_t> before = support_;
  const std::vector<float> weights = p_;
  FindSupport(count);
  std::fill(p_.begin(), p_.end(), 0.0f);
  double sum = 0;
  for (size_t i = 0, b = 0; i < count; ++i) {
    while (b < before.size() && before[b] < support_[i]) ++b;
    if (b < before.size() && before[b] == support_[i]) p_[i] = weights[b];
    sum += p_[i];
  }
  for (float& p : p_) p = PositiveFloat(p / sum);
  reference_ = -1;
  return true;
}

void Mask::FindSupport(size_t count) {
  support_.resize(count);
  p_.resize(count);
  TopResult top = SelectTop(v_.data(), v_.size(), count, support_.data(), &scratch_);
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  highest_outside_ = kLowest;
  tied_ = false;
  if (top.highest_outside >= 0) {
    highest_outside_ = v_[static_cast<size_t>(top.highest_outside)];
    tied_ = highest_outside_ == top.lowest_inside;
  }
  reference_ = count == v_.size() ? -1 : top.highest_below;
  reference_value_ = reference_ < 0 ? kLowest : v_[static_cast<size_t>(reference_)];
}

void Mask::WriteWeights() {
  const size_t count = support_.size();
  const double f = static_cast<double>(count);
  const bool all = count == v_.size();
  // Everything is measured from the lowest entry: sums of the entries themselves would lose the
  // differences between them where those are small beside the entries.
  double lowest = std::numeric_limits<double>::infinity(), g_inside = 0;  // v(F), g(F)
  for (int32_t j : support_) {
    lowest = std::min(lowest, static_cast<double>(v_[static_cast<size_t>(j)]));
  }
  for (int32_t j : support_) g_inside += v_[static_cast<size_t>(j)] - lowest;
  if (reference_ < 0 && (!all || g_inside <= 0)) {
    // Every entry is equal: nothing tells them apart.
    std::fill(p_.begin(), p_.end(), static_cast<float>(1.0 / f));
    m_ = 1;
    end_ = End::kInside;
    return;
  }
  // The interval of m is [1 / g(F + 1), 1 / g(F)); with F = d its left end is 0.
  const double g_outside = all ? 0 : g_inside + f * (lowest - reference_value_);
  const double left = all ? 0 : 1 / g_outside;
  const double right = g_inside > 0 ? 1 / g_inside : std::numeric_limits<double>::infinity();
  const bool at_one = right > 1;
  const double nearest = at_one ? 1 : (1 - kInset) * right;
  const bool want_nearest = rule_ == MaskScale::kNearestOne || all;
  if (!want_nearest || nearest <= left) {
    m_ = left;
    end_ = End::kLeft;
    for (size_t i = 0; i < count; ++i) {
      double v = v_[static_cast<size_t>(support_[i])];
      p_[i] = PositiveFloat((v - reference_value_) / g_outside);
    }
    return;
  }
  m_ = nearest;
  end_ = at_one ? End::kInside : End::kRight;
  for (size_t i = 0; i < count; ++i) {
    double above = v_[static_cast<size_t>(support_[i])] - lowest;
    p_[i] = PositiveFloat(m_ * (above - g_inside / f) + 1 / f);
  }
}

void Mask::WriteSoftmax() {
  float highest = -std::numeric_limits<float>::infinity();
  for (int32_t j : support_) highest = std::max(highest, v_[static_cast<size_t>(j)]);
  auto raw = [&](int32_t j) {
    return std::exp(static_cast<double>(v_[static_cast<size_t>(j)]) - highest);
  };
  double sum = 0;
  for (int32_t j : support_) sum += raw(j);
  for (size_t i = 0; i < p_.size(); ++i) p_[i] = PositiveFloat(raw(support_[i]) / sum);
  m_ = 1;
  end_ = End::kInside;
  reference_ = -1;
}

void Mask::PlainSparsemax() {
  // Michelot's projection onto the simplex: drop entries at or below the threshold until none is.
  support_.resize(v_.size());
  std::iota(support_.begin(), support_.end(), 0);
  double threshold = 0;
  for (size_t before = 0; before != support_.size();) {
    before = support_.size();
    double sum = 0;
    for (int32_t j : support_) sum += v_[static_cast<size_t>(j)];
    threshold = (sum - 1) / static_cast<double>(before);
    std::erase_if(support_, [&](int32_t j) { return v_[static_cast<size_t>(j)] <= threshold; });
  }
  p_.resize(support_.size());
  for (size_t i = 0; i < p_.size(); ++i) {
    p_[i] = PositiveFloat(v_[static_cast<size_t>(support_[i])] - threshold);
  }
  m_ = 1;
  end_ = End::kInside;
  reference_ = -1;
}

void Mask::Backward(std::span<const float> d_weights, std::span<float> d_support,
                    float* d_reference) const {
  *d_reference = 0;
  if (rule_ == MaskScale::kSoftmaxTopK) {
    // dv_i = p_i (dp_i - sum_S p dp).
    double mean = 0;
    for (size_t i = 0; i < p_.size(); ++i) mean += static_cast<double>(p_[i]) * d_weights[i];
    for (size_t i = 0; i < p_.size(); ++i) {
      d_support[i] = static_cast<float>(p_[i] * (d_weights[i] - mean));
    }
    return;
  }
  // With m constant: dv_S = m (dp_S - mean dp_S).
  const double f = static_cast<double>(support_.size());
  double mean_dp = 0;
  for (float dp : d_weights) mean_dp += dp;
  mean_dp /= f;
  for (size_t i = 0; i < d_weights.size(); ++i) {
    d_support[i] = static_cast<float>(m_ * (d_weights[i] - mean_dp));
  }
  if (gradient_ == MaskGradient::kFixedScale || end_ == End::kInside) return;

  // Through m = 1 / g as well: dm = sum dp_i (v_i - mean_S v), and dg / dv_i = 1 for i in S, except
  // that g(F + 1) has -F for the reference and g(F) has 1 - F for the lowest entry of S.
  double mean_v = 0;
  size_t lowest = 0;
  for (size_t i = 0; i < support_.size(); ++i) {
    mean_v += v_[static_cast<size_t>(support_[i])];
    if (v_[static_cast<size_t>(support_[i])] < v_[static_cast<size_t>(support_[lowest])])
      lowest = i;
  }
  mean_v /= f;
  double dm = 0;
  for (size_t i = 0; i < d_weights.size(); ++i) {
    dm += d_weights[i] * (v_[static_cast<size_t>(support_[i])] - mean_v);
  }
  const double dg = -dm * m_ * m_ / (end_ == End::kRight ? 1 - kInset : 1);
  for (size_t i = 0; i < d_weights.size(); ++i) d_support[i] += static_cast<float>(dg);
  if (end_ == End::kLeft) {
    *d_reference = static_cast<float>(-f * dg);
  } else {
    d_support[lowest] -= static_cast<float>(f * dg);
  }
}

}  // namespace slm
