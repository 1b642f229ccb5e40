#include "selectors/networks/sparse_net.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace slm {
namespace {

constexpr size_t kChunk = 256;   // rows at a time when measuring
constexpr size_t kFew = 4;       // so many times the active columns are fewer than all
constexpr double kCutOff = 0.2;  // of WeightStart::kTruncated

double Draw(WeightStart start, double width, RandomStream& random) {
  if (start == WeightStart::kFanIn) return random.Uniform(-width, width);
  for (;;) {
    const double x = random.Uniform(-kCutOff, kCutOff);
    if (random.Uniform() < std::exp(-0.5 * x * x)) return x;
  }
}

void Fill(Parameters& weights, Parameters* bias, WeightStart start, RandomStream random) {
  Matrix& w = weights.w;
  const double width = 1 / std::sqrt(static_cast<double>(w.rows()));
  for (size_t i = 0; i < w.rows(); ++i) {
    for (size_t j = 0; j < w.cols(); ++j) w(i, j) = static_cast<float>(Draw(start, width, random));
  }
  if (bias == nullptr || start == WeightStart::kTruncated) return;
  for (size_t j = 0; j < w.cols(); ++j) {
    bias->w(0, j) = static_cast<float>(Draw(start, width, random));
  }
}

double Squares(const float* x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * x[i];
  return sum;
}

void AddScaled(const float* x, float factor, float* sum, size_t n) {
  for (size_t i = 0; i < n; ++i) sum[i] += factor * x[i];
}

}  // namespace

SparseNet::SparseNet(const Dataset& train, const Dataset& valid, const NetShape& shape,
                     RandomStream random)
    : train_(train),
      valid_(valid.rows() > 0 ? valid : train),
      has_skip_(shape.skip),
      changing_(shape.changing),
      hidden_(train.x->columns(), shape.hidden_units),
      train_batch_(shape.changing ? 4 : 1),
      valid_batch_(shape.changing ? 4 : 1),
      activations_(shape.hidden_layers),
      loss_(SmoothLoss(train.y).make()) {
  Fill(hidden_.weights(), &hidden_.bias(), shape.start, random.Substream(0));
  for (size_t l = 1; l <= shape.hidden_layers; ++l) {
    const size_t width = l == shape.hidden_layers ? train.y.outputs() : shape.hidden_units;
    upper_.emplace_back(shape.hidden_units, width);
    Fill(upper_.back().weights(), &upper_.back().bias(), shape.start, random.Substream(l));
  }
  if (has_skip_) {
    skip_ = InputLayer(train.x->columns(), train.y.outputs());
    Fill(skip_.weights(), nullptr, shape.start, random.Substream(shape.hidden_layers + 1));
  }
  std::vector<int32_t> all(train.x->columns());
  std::iota(all.begin(), all.end(), 0);
  SetActive(std::move(all));
}

void SparseNet::SetActive(std::vector<int32_t> columns) {
  active_ = std::move(columns);
  scale_.assign(active_.size(), 1.0f);
  d_scale_.resize(active_.size());
  skip_d_scale_.resize(active_.size());
  train_batch_.SetColumns(active_, active_);
  valid_batch_.SetColumns(active_, active_);
}

MatrixView<float> SparseNet::First(Matrix& matrix, size_t rows) const {
  return {matrix.data(), rows, matrix.cols(), matrix.stride()};
}

ActiveInput SparseNet::Forward(const Dataset& data, ActiveBatch& batch,
                               std::span<const int32_t> rows) {
  const size_t n = rows.size();
  if (scores_.rows() < n) {
    for (Matrix& matrix : activations_) matrix = Matrix(n, hidden_.outputs());
    for (Matrix* matrix : {&scores_, &skip_scores_, &d_scores_}) {
      *matrix = Matrix(n, data.y.outputs());
    }
  }
  const bool by_column = changing_ && &data == &train_ && data.x->in_memory() &&
                         kFew * active_.size() < data.x->columns();
  ActiveInput input = by_column ? GatherByColumn(rows) : batch.Gather(*data.x, rows, scale_);
  if (!gated_ && active_.size() == data.x->columns()) input.scale = {};
  hidden_.Forward(input, /*relu=*/true, First(activations_[0], n));
  for (size_t l = 0; l < upper_.size(); ++l) {
    const bool last = l + 1 == upper_.size();
    upper_[l].Forward(First(activations_[l], n), /*relu=*/!last,
                      First(last ? scores_ : activations_[l + 1], n));
  }
  if (has_skip_) {
    skip_.Forward(input, /*relu=*/false, First(skip_scores_, n));
    AddScaled(skip_scores_.data(), 1.0f, scores_.data(), n * scores_.stride());
  }
  loss_->Prepare(First(scores_, n), data, rows);
  return input;
}

// A copy of the active columns side by side would have to be rebuilt for every batch; columns that
// are contiguous in memory give up a few of their values from the cache.
ActiveInput SparseNet::GatherByColumn(std::span<const int32_t> rows) {
  if (by_column_.rows() == 0) {
    const MatrixView<const float> x = train_.x->InMemory();
    by_column_ = Matrix(x.cols, x.rows);
    Transpose(x.data, x.stride, x.rows, x.cols, by_column_.data(), by_column_.stride());
  }
  if (gathered_.rows() < rows.size())
    gathered_ = Matrix(rows.size(), train_.x->columns() / kFew + 1);
  for (size_t a = 0; a < active_.size(); ++a) {
    const float* column = by_column_.row(static_cast<size_t>(active_[a]));
    for (size_t i = 0; i < rows.size(); ++i) {
      gathered_(i, a) = column[static_cast<size_t>(rows[i])];
    }
  }
  return {{gathered_.data(), rows.size(), active_.size(), gathered_.stride()}, active_, scale_};
}

double SparseNet::Gradients(std::span<const int32_t> rows) {
  const ActiveInput input = Forward(train_, train_batch_, rows);
  const size_t n = rows.size();
  const MatrixView<float> d_scores = First(d_scores_, n);
  loss_->Gradient(0, {}, d_scores);
  MatrixView<const float> dy = d_scores;
  for (size_t l = upper_.size(); l-- > 0;) {
    const MatrixView<float> x = First(activations_[l], n);
    upper_[l].Backward(x, dy);
    dy = x;
  }
  hidden_.Backward(input, dy, gated_ ? std::span(d_scale_) : std::span<float>());
  if (has_skip_) {
    skip_.Backward(input, d_scores, gated_ ? std::span(skip_d_scale_) : std::span<float>());
    if (gated_) AddScaled(skip_d_scale_.data(), 1.0f, d_scale_.data(), d_scale_.size());
  }
  return loss_->task();
}

double SparseNet::LossOf(std::span<const int32_t> rows) {
  Forward(train_, train_batch_, rows);
  return loss_->task();
}

double SparseNet::MeanLoss(const Dataset& data, ActiveBatch& batch) {
  std::vector<int32_t> rows;
  double sum = 0, total = 0;
  for (size_t begin = 0; begin < data.rows(); begin += kChunk) {
    rows.resize(std::min(kChunk, data.rows() - begin));
    std::iota(rows.begin(), rows.end(), static_cast<int32_t>(begin));
    Forward(data, batch, rows);
    double weight = static_cast<double>(rows.size());
    if (!loss_->weights().empty()) {
      weight = std::accumulate(loss_->weights().begin(), loss_->weights().end(), 0.0);
    }
    sum += weight * loss_->task();
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}

void SparseNet::AddUpperPenalty(double weight) {
  if (weight == 0) return;
  for (DenseLayer& layer : upper_) {
    Parameters& p = layer.weights();
    AddScaled(p.w.data(), static_cast<float>(2 * weight), p.gradient.data(),
              p.w.rows() * p.w.stride());
  }
}

void SparseNet::AddSkipPenalty(double weight) {
  if (weight == 0) return;
  Parameters& p = skip_.weights();
  for (size_t a = 0; a < active_.size(); ++a) {
    AddScaled(p.w.row(static_cast<size_t>(active_[a])), static_cast<float>(2 * weight),
              p.gradient.row(a), p.w.stride());
  }
}

double SparseNet::UpperSquares() const {
  double sum = 0;
  for (const DenseLayer& layer : upper_) {
    const Matrix& w = layer.weights().w;
    sum += Squares(w.data(), w.rows() * w.stride());
  }
  return sum;
}

double SparseNet::SkipSquares() const {
  double sum = 0;
  for (int32_t c : active_) {
    const Matrix& w = skip_.weights().w;
    sum += Squares(w.row(static_cast<size_t>(c)), w.stride());
  }
  return sum;
}

void SparseNet::ForEachBlock(const std::function<void(const Block&)>& step) {
  auto whole = [&](Parameters& p) {
    step({p.w.data(), p.m.data(), p.v.data(), p.gradient.data(), 1.0f, p.w.rows() * p.w.stride()});
  };
  auto rows = [&](Parameters& p) {
    for (size_t a = 0, count = 0; a < active_.size(); a += count) {
      const size_t row = static_cast<size_t>(active_[a]);
      // Rows without scales that lie side by side are one block.
      for (count = 1; !gated_ && a + count < active_.size(); ++count) {
        if (static_cast<size_t>(active_[a + count]) != row + count) break;
      }
      step({p.w.row(row), p.m.row(row), p.v.row(row), p.gradient.row(a), scale_[a],
            count * p.w.stride()});
    }
  };
  rows(hidden_.weights());
  whole(hidden_.bias());
  if (has_skip_) rows(skip_.weights());
  for (DenseLayer& layer : upper_) {
    whole(layer.weights());
    whole(layer.bias());
  }
}

void SparseNet::AdamStep(double rate, double decay) {
  clock_.Tick({rate, decay});
  ForEachBlock([this](const Block& b) { clock_.Apply(b.w, b.m, b.v, b.gradient, b.g_scale, b.n); });
}

void SparseNet::MomentumStep(double rate, double momentum, double decay) {
  const float step = static_cast<float>(rate), kept = static_cast<float>(momentum);
  const float pull = static_cast<float>(decay);
  ForEachBlock([=](const Block& b) {
    Momentum({.n = b.n,
              .w = b.w,
              .m = b.m,
              .gradient = b.gradient,
              .g_scale = b.g_scale,
              .decay = pull,
              .rate = step,
              .kept = kept});
  });
}

void SparseNet::ForgetMoments() {
  ForEachBlock([](const Block& b) {
    std::fill_n(b.m, b.n, 0.0f);
    std::fill_n(b.v, b.n, 0.0f);
  });
  clock_ = AdamClock();
}

void SparseNet::SaveWeights() {
  ForEachBlock([](const Block& b) { std::copy_n(b.w, b.n, b.m); });
}

void SparseNet::StepFromSaved(double rate) {
  const float step = static_cast<float>(rate);
  ForEachBlock([=](const Block& b) {
    for (size_t i = 0; i < b.n; ++i) b.w[i] = b.m[i] - step * b.g_scale * b.gradient[i];
  });
}

double SparseNet::StepBound(double rate) {
  double slope = 0, squares = 0;
  ForEachBlock([&](const Block& b) {
    for (size_t i = 0; i < b.n; ++i) {
      const double change = static_cast<double>(b.w[i]) - b.m[i];
      slope += static_cast<double>(b.g_scale * b.gradient[i]) * change;
      squares += change * change;
    }
  });
  return slope + squares / (2 * rate);
}

EvenBatches::EvenBatches(size_t rows, size_t batch_size, RandomStream random)
    : rows_(rows), batch_(std::min(batch_size, rows)), random_(random) {
  std::iota(rows_.begin(), rows_.end(), 0);
}

std::vector<int32_t> ColumnsOf(const FeatureLayout& layout, std::span<const char> in) {
  std::vector<int32_t> columns;
  for (size_t j = 0; j < in.size(); ++j) {
    if (!in[j]) continue;
    for (int32_t c = layout.offsets[j]; c < layout.offsets[j + 1]; ++c) columns.push_back(c);
  }
  return columns;
}

std::span<float> RowsOf(Matrix& weights, const FeatureLayout& layout, size_t j) {
  const size_t first = static_cast<size_t>(layout.offsets[j]);
  const size_t end = static_cast<size_t>(layout.offsets[j + 1]);
  return {weights.row(first), (end - first) * weights.stride()};
}

}  // namespace slm
