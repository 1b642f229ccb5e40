#include "kernels/hsic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/hsic_tiles.h"

namespace slm {
namespace {

template <class T>
void ResetZero(AlignedBuffer<T>& buffer, size_t size) {
  if (buffer.size() < size) {
    buffer = AlignedBuffer<T>(size);
  } else {
    std::fill_n(buffer.data(), size, T{});
  }
}

}  // namespace

void Hsic::SetShares(size_t b, std::span<const float> w) {
  share_.assign(b, 1.0);
  if (!w.empty()) std::copy(w.begin(), w.end(), share_.begin());
  double sum = std::accumulate(share_.begin(), share_.end(), 0.0);
  for (double& share : share_) share = sum > 0 ? share / sum : 0;
}

// a_i a_k L'_ik / (1 - sum a^2)^2.
void Hsic::SetLabelKernel(const Labels& labels, std::span<const int32_t> rows) {
  size_t b = rows.size();
  ResetZero(label_kernel_, padded_ * padded_);
  if (!labels.has_classes()) {
    ResetZero(label_, padded_);
    for (size_t i = 0; i < b; ++i) label_[i] = labels.value[static_cast<size_t>(rows[i])];
    SLM_DISPATCH(GaussianKernel, label_.data(), padded_, label_kernel_.data());
  } else {
    std::vector<double>& class_share = label_mean_;  // free until the means are taken
    class_share.assign(static_cast<size_t>(labels.classes), 0.0);
    auto label = [&](size_t i) {
      return static_cast<size_t>(labels.index[static_cast<size_t>(rows[i])]);
    };
    for (size_t i = 0; i < b; ++i) class_share[label(i)] += share_[i];
    double variance = 1;
    for (double share : class_share) variance -= share * share;
    // Vectors of two classes are sqrt(2) apart.
    float apart = variance > 1e-12 ? static_cast<float>(std::exp(-1 / variance)) : 1.0f;
    for (size_t i = 0; i < b; ++i) {
      float* row = label_kernel_.data() + i * padded_;
      for (size_t k = 0; k < b; ++k) row[k] = label(i) == label(k) ? 1.0f : apart;
    }
  }
  label_mean_.assign(b, 0.0);
  double mean = 0, square_sum = 0;
  for (size_t i = 0; i < b; ++i) {
    const float* row = label_kernel_.data() + i * padded_;
    for (size_t k = 0; k < b; ++k) label_mean_[i] += share_[k] * static_cast<double>(row[k]);
    mean += share_[i] * label_mean_[i];
    square_sum += share_[i] * share_[i];
  }
  double bias = 1 - square_sum;
  double factor = bias > 1e-12 ? 1 / (bias * bias) : 0;
  for (size_t i = 0; i < padded_; ++i) {
    float* row = label_kernel_.data() + i * padded_;
    for (size_t k = 0; k < padded_; ++k) {
      bool real = i < b && k < b;
      row[k] = real ? static_cast<float>(
                          factor * share_[i] * share_[k] *
                          (static_cast<double>(row[k]) - label_mean_[i] - label_mean_[k] + mean))
                    : 0.0f;
    }
  }
}

// Centres and packs the inputs, and returns sigma^2.
double Hsic::PackInputs(MatrixView<const float> x, std::span<const float> scale) {
  ResetZero(x_, padded_ * x.cols);
  ResetZero(norm_, padded_);
  ResetZero(gain_, x.cols);
  variance_.assign(x.cols, 0.0);
  std::vector<double>& mean = product_;  // free until the products are taken
  mean.assign(x.cols, 0.0);
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t j = 0; j < x.cols; ++j) mean[j] += share_[i] * static_cast<double>(x(i, j));
  }
  for (size_t i = 0; i < x.rows; ++i) {
    float* out = x_.data() + i / kLanes * x.cols * kLanes + i % kLanes;
    for (size_t j = 0; j < x.cols; ++j) {
      double centred = static_cast<double>(x(i, j)) - mean[j];
      variance_[j] += share_[i] * centred * centred;
      out[j * kLanes] = static_cast<float>(centred);
    }
  }
  double sigma_square = 0;
  for (size_t j = 0; j < x.cols; ++j) {
    sigma_square += static_cast<double>(scale[j]) * static_cast<double>(scale[j]) * variance_[j];
  }
  if (!(sigma_square > 0)) return 0;
  for (size_t j = 0; j < x.cols; ++j) {
    double s = static_cast<double>(scale[j]);
    gain_[j] = static_cast<float>(s * s / sigma_square);
  }
  for (size_t i = 0; i < x.rows; ++i) {
    const float* row = x_.data() + i / kLanes * x.cols * kLanes + i % kLanes;
    double norm = 0;
    for (size_t j = 0; j < x.cols; ++j) {
      norm += static_cast<double>(gain_[j] * row[j * kLanes] * row[j * kLanes]);
    }
    norm_[i] = static_cast<float>(norm);
  }
  return sigma_square;
}

double Hsic::Compute(MatrixView<const float> x, std::span<const float> scale, const Labels& labels,
                     std::span<const int32_t> rows, std::span<const float> w,
                     std::span<float> d_scale) {
  std::fill(d_scale.begin(), d_scale.end(), 0.0f);
  padded_ = (x.rows + kLanes - 1) / kLanes * kLanes;
  SetShares(x.rows, w);
  double sigma_square = PackInputs(x, scale);
  if (!(sigma_square > 0)) return 0;
  SetLabelKernel(labels, rows);

  ResetZero(lanes_, x.cols * kLanes);
  ResetZero(row_sum_, padded_);
  product_.assign(x.cols, 0.0);
  double value = 0, spread = 0;
  HsicTiles tiles = {
      .panels = padded_ / kLanes,
      .columns = x.cols,
      .x = x_.data(),
      .gain = gain_.data(),
      .norm = norm_.data(),
      .label_kernel = label_kernel_.data(),
      .lanes = lanes_.data(),
      .row_sum = row_sum_.data(),
      .value = &value,
      .spread = &spread,
      .product = product_.data(),
  };
  SLM_DISPATCH(AddHsicTiles, tiles);

  // With P_ik = label_kernel_ik K_ik over i < k, and both orders of a pair counted at the end:
  //   d HSIC / d v_j = 2 (v_j / sigma^2) (var_j sum P distance - sum P (x_ij - x_kj)^2),
  //   sum P (x_ij - x_kj)^2 = sum_i x_ij^2 sum_k P_ik - 2 sum P x_ij x_kj.
  std::vector<double>& squares = label_mean_;
  squares.assign(x.cols, 0.0);
  for (size_t i = 0; i < x.rows; ++i) {
    const float* row = x_.data() + i / kLanes * x.cols * kLanes + i % kLanes;
    double row_sum = static_cast<double>(row_sum_[i]);
    for (size_t j = 0; j < x.cols; ++j) {
      double entry = static_cast<double>(row[j * kLanes]);
      squares[j] += row_sum * entry * entry;
    }
  }
  for (size_t j = 0; j < x.cols; ++j) {
    double differences = squares[j] - 2 * product_[j];
    double slope = variance_[j] * spread - differences;
    d_scale[j] = static_cast<float>(2 * static_cast<double>(scale[j]) / sigma_square * slope);
  }
  double diagonal = 0;
  for (size_t i = 0; i < x.rows; ++i) {
    diagonal += static_cast<double>(label_kernel_[i * padded_ + i]);
  }
  return diagonal + 2 * value;
}

}  // namespace slm
