#include "selectors/filters/kernel_gram.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/thread_pool.h"
#include "kernels/gemm.h"

namespace slm {
namespace {

constexpr size_t kSlots = 8;            // partial sums, whose number must not depend on threads
constexpr size_t kPanelPairs = 512;     // kernels of so many pairs are held at a time
constexpr size_t kRowsAtOnce = 16;      // in a task
constexpr size_t kFloatSum = 64;        // terms that are added up in floats
constexpr double kLeastSquare = 1e-12;  // of a centred kernel's norm; below it is rounding

}  // namespace

// The rows of a block, and what centring and scaling its kernels takes.
struct KernelGram::Block {
  Matrix x;
  std::vector<float> share, root_share;
  AlignedBuffer<float> row_mean, mean, scale;  // of features
  // Of the label.
  std::vector<int32_t> index;
  std::vector<float> value;
  std::vector<double> class_share, label_row_mean;
  double label_mean = 0, label_scale = 0;
};

KernelGram::KernelGram(const FeatureLayout& layout, const Dataset& data,
                       std::vector<std::vector<int32_t>> blocks)
    : data_(data),
      blocks_(std::move(blocks)),
      features_(layout.features()),
      place_(layout.features()) {
  auto columns = [&](size_t j) { return layout.offsets[j + 1] - layout.offsets[j]; };
  // Features of equally many columns share strips, so that little is filled up with zeros.
  std::vector<size_t> order(features_);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return columns(a) > columns(b); });
  std::vector<size_t> strip_start;
  size_t width = 0;
  for (size_t p = 0; p < order.size(); ++p) {
    place_[order[p]] = p;
    if (p % kLanes != 0) continue;
    planes_.push_back(columns(order[p]));
    strip_start.push_back(width);
    width += static_cast<size_t>(planes_.back()) * kLanes;
  }

  const size_t n = data.rows();
  auto weight = [&](size_t i) { return data.weight.empty() ? 1.0 : double{data.weight[i]}; };
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += weight(i);
  auto variance = [&](auto&& at) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; ++i) mean += weight(i) * double{at(i)} / total;
    for (size_t i = 0; i < n; ++i) square += weight(i) * std::pow(double{at(i)} - mean, 2) / total;
    return square;
  };
  const MatrixView<const float> x = data.x->InMemory();
  x_ = Matrix(n, width);
  for (size_t j = 0; j < features_; ++j) {
    double sum = 0;
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) {
      sum += variance([&](size_t i) { return x(i, static_cast<size_t>(c)); });
    }
    const float scale = sum > 0 ? static_cast<float>(1 / std::sqrt(2 * sum)) : 0.0f;
    size_t at = strip_start[place_[j] / kLanes] + place_[j] % kLanes;
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c, at += kLanes) {
      for (size_t i = 0; i < n; ++i) x_(i, at) = scale * x(i, static_cast<size_t>(c));
    }
  }
  if (!data.y.has_classes()) {
    const double spread = variance([&](size_t i) { return data.y.value[i]; });
    label_scale_ = spread > 0 ? 1 / (2 * spread) : 0;
  }
}

double KernelGram::LabelKernel(const Block& block, size_t i, size_t j) const {
  if (block.value.empty()) {
    if (block.index[i] != block.index[j]) return 0;
    return 1 / block.class_share[static_cast<size_t>(block.index[i])];
  }
  const double difference = double{block.value[i]} - double{block.value[j]};
  return std::exp(-difference * difference * label_scale_);
}

void KernelGram::LoadLabels(const std::vector<int32_t>& rows, Block& block) const {
  const size_t n = rows.size();
  const bool classes = data_.y.has_classes();
  block.class_share.resize(data_.y.outputs());
  for (size_t i = 0; i < n; ++i) {
    const size_t row = static_cast<size_t>(rows[i]);
    if (classes) {
      block.index.push_back(data_.y.index[row]);
      block.class_share[static_cast<size_t>(block.index[i])] += double{block.share[i]};
    } else {
      block.value.push_back(data_.y.value[row]);
    }
  }
  // A class whose rows have no weight counts for nothing.
  for (double& share : block.class_share) share = share > 0 ? share : 1;
  block.label_row_mean.resize(n);
}

double KernelGram::CentredLabel(const Block& block, size_t i, size_t j) const {
  return LabelKernel(block, i, j) - block.label_row_mean[i] - block.label_row_mean[j] +
         block.label_mean;
}

KernelRows KernelGram::View(const Block& block) const {
  return {.strips = planes_.size(),
          .planes = planes_.data(),
          .x = block.x.data(),
          .x_stride = block.x.stride(),
          .share = block.share.data(),
          .row_mean = block.row_mean.data(),
          .mean = block.mean.data(),
          .scale = block.scale.data()};
}

KernelGram::Block KernelGram::LoadBlock(const std::vector<int32_t>& rows,
                                        const Context& context) const {
  const size_t n = rows.size(), width = planes_.size() * kLanes;
  Block block;
  block.x = Matrix(n, x_.cols());
  block.share.resize(n);
  block.root_share.resize(n);
  block.row_mean = AlignedBuffer<float>(n * width);
  block.mean = AlignedBuffer<float>(width);
  block.scale = AlignedBuffer<float>(width);
  double total = 0;
  for (size_t i = 0; i < n; ++i) {
    const size_t row = static_cast<size_t>(rows[i]);
    std::copy_n(x_.row(row), x_.cols(), block.x.row(i));
    block.share[i] = data_.weight.empty() ? 1.0f : data_.weight[row];
    total += double{block.share[i]};
  }
  for (size_t i = 0; i < n; ++i) {
    block.share[i] = static_cast<float>(total > 0 ? double{block.share[i]} / total : 0);
    block.root_share[i] = std::sqrt(block.share[i]);
  }
  LoadLabels(rows, block);

  const size_t tasks = (n + kRowsAtOnce - 1) / kRowsAtOnce;
  const size_t sums = width + 1;  // the label's comes last
  std::vector<double> partial(tasks * sums);
  // Runs over the other rows and adds up `add` of each run, in floats inside and doubles outside.
  auto sweep = [&](size_t i, auto&& add, AlignedBuffer<float>& run, double* sum, double factor) {
    for (size_t j = 0; j < n; j += kFloatSum) {
      std::fill(run.begin(), run.end(), 0.0f);
      add(View(block), i, j, std::min(n, j + kFloatSum), run.data());
      for (size_t f = 0; f < width; ++f) sum[f] += factor * double{run[f]};
    }
  };
  auto add_up = [&](auto&& finish) {
    for (size_t f = 0; f < sums; ++f) {
      double sum = 0;
      for (size_t t = 0; t < tasks; ++t) sum += partial[t * sums + f];
      finish(f, sum);
    }
    std::fill(partial.begin(), partial.end(), 0.0);
  };
  context.pool->ParallelFor(tasks, [&](size_t task) {
    AlignedBuffer<float> run(width);
    std::vector<double> mean(width);
    for (size_t i = task * kRowsAtOnce; i < std::min(n, (task + 1) * kRowsAtOnce); ++i) {
      if (context.ShouldStop()) return;
      std::fill(mean.begin(), mean.end(), 0.0);
      sweep(i, AddKernelMeans, run, mean.data(), 1);
      for (size_t f = 0; f < width; ++f) {
        block.row_mean[i * width + f] = static_cast<float>(mean[f]);
        partial[task * sums + f] += double{block.share[i]} * mean[f];
      }
      double& label_mean = block.label_row_mean[i];
      for (size_t j = 0; j < n; ++j)
        label_mean += double{block.share[j]} * LabelKernel(block, i, j);
      partial[task * sums + width] += double{block.share[i]} * label_mean;
    }
  });
  add_up([&](size_t f, double sum) {
    if (f == width) {
      block.label_mean = sum;
    } else {
      block.mean[f] = static_cast<float>(sum);
    }
  });
  context.pool->ParallelFor(tasks, [&](size_t task) {
    AlignedBuffer<float> run(width);
    for (size_t i = task * kRowsAtOnce; i < std::min(n, (task + 1) * kRowsAtOnce); ++i) {
      if (context.ShouldStop()) return;
      sweep(i, AddKernelSquares, run, partial.data() + task * sums, double{block.share[i]});
      for (size_t j = 0; j < n; ++j) {
        partial[task * sums + width] += double{block.share[i]} * double{block.share[j]} *
                                        std::pow(CentredLabel(block, i, j), 2);
      }
    }
  });
  add_up([&](size_t f, double sum) {
    const double scale = sum > kLeastSquare ? 1 / std::sqrt(sum) : 0;
    if (f == width) {
      block.label_scale = scale;
    } else {
      block.scale[f] = static_cast<float>(scale);
    }
  });
  return block;
}

// Adds the products over the pairs of rows [begin, end) with those up to them.
void KernelGram::AddPairs(const Block& block, size_t begin, size_t end,
                          std::span<const int> features, Sums& sums) const {
  const KernelRows view = View(block);
  const size_t width = planes_.size() * kLanes;
  const float average = static_cast<float>(1 / std::sqrt(static_cast<double>(blocks_.size())));
  size_t filled = 0;
  auto flush = [&] {
    for (size_t p = 0; p < filled; ++p) {
      for (size_t m = 0; m < features.size(); ++m) {
        sums.left(p, m + 1) = sums.panel(p, place_[static_cast<size_t>(features[m])]);
      }
    }
    Gemm({.m = features.size() + 1,
          .n = width,
          .k = filled,
          .a = sums.left.data(),
          .a_stride = sums.left.stride(),
          .a_transposed = true,
          .b = sums.panel.data(),
          .b_stride = sums.panel.stride(),
          .c = sums.product.data(),
          .c_stride = sums.product.stride()});
    for (size_t m = 0; m <= features.size(); ++m) {
      const float* product = sums.product.row(m);
      double* sum = sums.sum.data() + m * width;
      for (size_t f = 0; f < width; ++f) sum[f] += double{product[f]};
    }
    filled = 0;
  };
  for (size_t i = begin; i < end; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      // Off the diagonal a pair stands for two.
      const float twice = i == j ? 1.0f : std::numbers::sqrt2_v<float>;
      const float factor = twice * average * block.root_share[i] * block.root_share[j];
      CentredKernel(view, i, j, factor, sums.panel.row(filled));
      sums.left(filled, 0) =
          static_cast<float>(double{factor} * block.label_scale * CentredLabel(block, i, j));
      if (++filled == kPanelPairs) flush();
    }
  }
  if (filled > 0) flush();
}

std::vector<double> KernelGram::Products(std::span<const int> features,
                                         const Context& context) const {
  const size_t width = planes_.size() * kLanes, rows = features.size() + 1;
  std::vector<Sums> sums;
  for (size_t s = 0; s < kSlots; ++s) {
    sums.push_back({Matrix(kPanelPairs, rows), Matrix(kPanelPairs, width), Matrix(rows, width),
                    std::vector<double>(rows * width)});
  }
  std::atomic<size_t> done = 0;
  auto report = [&](size_t steps) {
    if (context.observer == nullptr) return;
    context.observer->OnProgress(
        {.phase = "kernels", .step = static_cast<int>(++done), .steps = static_cast<int>(steps)});
  };
  // Slots share the blocks, or the rows of a block where there are too few blocks for that.
  if (blocks_.size() >= kSlots) {
    context.pool->ParallelFor(kSlots, [&](size_t s) {
      for (size_t b = s; b < blocks_.size() && !context.ShouldStop(); b += kSlots) {
        AddPairs(LoadBlock(blocks_[b], context), 0, blocks_[b].size(), features, sums[s]);
        report(blocks_.size());
      }
    });
  } else {
    for (const std::vector<int32_t>& block_rows : blocks_) {
      if (context.ShouldStop()) break;
      const Block block = LoadBlock(block_rows, context);
      const size_t n = block_rows.size();
      context.pool->ParallelFor(kSlots, [&](size_t s) {
        for (size_t i = s; i < n && !context.ShouldStop(); i += kSlots) {
          AddPairs(block, i, i + 1, features, sums[s]);
          report(n * blocks_.size());
        }
      });
    }
  }
  if (context.ShouldStop()) return {};
  std::vector<double> out(rows * features_);
  for (size_t m = 0; m < rows; ++m) {
    for (size_t j = 0; j < features_; ++j) {
      for (const Sums& slot : sums) out[m * features_ + j] += slot.sum[m * width + place_[j]];
    }
  }
  return out;
}

}  // namespace slm
