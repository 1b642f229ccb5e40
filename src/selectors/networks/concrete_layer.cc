#include "selectors/networks/concrete_layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace slm {

ConcreteLayer::ConcreteLayer(const FeatureLayout& layout, size_t nodes)
    : width_((nodes + kLanes - 1) / kLanes * kLanes),
      samples_(nodes, layout.features()),
      d_samples_(nodes, layout.features()),
      transposed_(layout.features(), nodes),
      d_transposed_(layout.features(), nodes),
      bits_(samples_.stride()),
      row_max_(nodes),
      row_sum_(nodes),
      row_square_(nodes) {
  for (int32_t s = 0;; ++s) {
    Slot slot{.first = columns_.size(), .features = {}, .weights = {}, .gradient = {}};
    for (size_t j = 0; j < layout.features(); ++j) {
      if (layout.offsets[j + 1] - layout.offsets[j] <= s) continue;
      slot.features.push_back(static_cast<int32_t>(j));
      columns_.push_back(layout.offsets[j] + s);
    }
    if (slot.features.empty()) break;
    if (s > 0) slot.weights = slot.gradient = Matrix(slot.features.size(), nodes);
    slots_.push_back(std::move(slot));
  }
}

void ConcreteLayer::Sample(const Matrix& logits, double temperature, RandomStream random) {
  for (size_t i = 0; i < nodes(); ++i) {
    RandomStream own = random.Substream(i);
    for (size_t j = 0; j < bits_.size(); j += 2) {
      const uint64_t two = own.Bits();
      bits_[j] = static_cast<uint32_t>(two);
      bits_[j + 1] = static_cast<uint32_t>(two >> 32);
    }
    GumbelFromBits(bits_.data(), features(), samples_.row(i));
  }
  Relax(logits, temperature);
}

void ConcreteLayer::Sample(const Matrix& logits, double temperature, const Matrix& noise) {
  samples_ = noise;
  Relax(logits, temperature);
}

void ConcreteLayer::Relax(const Matrix& logits, double temperature) {
  temperature_ = temperature;
  const float inverse = static_cast<float>(1 / temperature);
  for (size_t i = 0; i < nodes(); ++i) {
    const float* logit = logits.row(i);
    float* sample = samples_.row(i);
    for (size_t j = 0; j < features(); ++j) sample[j] = (logit[j] + sample[j]) * inverse;
  }
  Softmax({.z = samples_.data(),
           .z_stride = samples_.stride(),
           .rows = nodes(),
           .classes = features(),
           .r = samples_.data(),
           .r_stride = samples_.stride(),
           .max = row_max_.data(),
           .sum = row_sum_.data(),
           .square_sum = row_square_.data()});
  Transpose(samples_.data(), samples_.stride(), nodes(), features(), transposed_.data(),
            transposed_.stride());
  for (Slot& slot : slots_) {
    for (size_t a = 0; a < slot.weights.rows(); ++a) {
      std::copy_n(transposed_.row(static_cast<size_t>(slot.features[a])), transposed_.stride(),
                  slot.weights.row(a));
    }
  }
}

void ConcreteLayer::Forward(MatrixView<const float> x, MatrixView<float> y) {
  for (size_t s = 0; s < slots_.size(); ++s) {
    const Matrix& weights = s == 0 ? transposed_ : slots_[s].weights;
    Gemm({.m = x.rows,
          .n = width_,
          .k = slots_[s].features.size(),
          .a = x.data + slots_[s].first,
          .a_stride = x.stride,
          .b = weights.data(),
          .b_stride = transposed_.stride(),
          .c = y.data + s * width_,
          .c_stride = y.stride});
  }
}

void ConcreteLayer::Backward(MatrixView<const float> x, MatrixView<const float> dy,
                             Matrix& d_logits) {
  for (size_t s = 0; s < slots_.size(); ++s) {
    Slot& slot = slots_[s];
    Matrix& gradient = s == 0 ? d_transposed_ : slot.gradient;
    Gemm({.m = slot.features.size(),
          .n = width_,
          .k = x.rows,
          .a = x.data + slot.first,
          .a_stride = x.stride,
          .a_transposed = true,
          .b = dy.data + s * width_,
          .b_stride = dy.stride,
          .c = gradient.data(),
          .c_stride = transposed_.stride()});
    for (size_t a = 0; a < slot.gradient.rows(); ++a) {
      float* sum = d_transposed_.row(static_cast<size_t>(slot.features[a]));
      for (size_t i = 0; i < nodes(); ++i) sum[i] += slot.gradient(a, i);
    }
  }
  Transpose(d_transposed_.data(), d_transposed_.stride(), features(), nodes(), d_samples_.data(),
            d_samples_.stride());
  // dl_ij = M_ij (dM_ij - sum_j' M_ij' dM_ij') / T.
  std::vector<int32_t> every(nodes());
  std::iota(every.begin(), every.end(), 0);
  RowDots({samples_.data(), samples_.stride(), every.data(), nodes()}, d_samples_.data(),
          row_sum_.data());
  const float inverse = static_cast<float>(1 / temperature_);
  for (size_t i = 0; i < nodes(); ++i) {
    const float *m = samples_.row(i), *dm = d_samples_.row(i);
    const float mean = row_sum_[i];
    float* d = d_logits.row(i);
    for (size_t j = 0; j < features(); ++j) d[j] = m[j] * (dm[j] - mean) * inverse;
  }
}

Matrix SelectionProbabilities(const Matrix& logits) {
  Matrix p(logits.rows(), logits.cols());
  std::vector<float> scratch(3 * logits.rows());
  Softmax({.z = logits.data(),
           .z_stride = logits.stride(),
           .rows = logits.rows(),
           .classes = logits.cols(),
           .r = p.data(),
           .r_stride = p.stride(),
           .max = scratch.data(),
           .sum = scratch.data() + logits.rows(),
           .square_sum = scratch.data() + 2 * logits.rows()});
  return p;
}

double MeanLargest(const Matrix& p) {
  double sum = 0;
  for (size_t i = 0; i < p.rows(); ++i) sum += *std::max_element(p.row(i), p.row(i) + p.cols());
  return sum / static_cast<double>(p.rows());
}

std::vector<int> DistinctFeatures(const Matrix& p) {
  std::vector<bool> taken(p.cols());
  std::vector<int> best(p.rows());  // the first on each node's list that is not taken; -1: decided
  auto find_best = [&](size_t i) {
    best[i] = -1;
    for (size_t j = 0; j < p.cols(); ++j) {
      if (taken[j]) continue;
      if (best[i] < 0 || p(i, j) > p(i, static_cast<size_t>(best[i]))) {
        best[i] = static_cast<int>(j);
      }
    }
  };
  for (size_t i = 0; i < p.rows(); ++i) find_best(i);
  std::vector<int> order;
  while (order.size() < std::min(p.rows(), p.cols())) {
    int next = -1;
    float highest = -1;
    for (size_t i = 0; i < p.rows(); ++i) {
      if (best[i] < 0 || p(i, static_cast<size_t>(best[i])) <= highest) continue;
      next = static_cast<int>(i);
      highest = p(i, static_cast<size_t>(best[i]));
    }
    const int feature = best[static_cast<size_t>(next)];
    taken[static_cast<size_t>(feature)] = true;
    order.push_back(feature);
    best[static_cast<size_t>(next)] = -1;
    for (size_t i = 0; i < p.rows(); ++i) {
      if (best[i] == feature) find_best(i);
    }
  }
  return order;
}

double Temperature(double start, double end, int step, int steps) {
  return std::max(end, start * std::pow(end / start, (step + 1.0) / steps));
}

}  // namespace slm
