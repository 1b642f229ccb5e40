#include "numerics/gaussian_knockoffs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stop_check.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"
#include "kernels/products.h"
#include "numerics/cholesky.h"
#include "numerics/moments.h"
#include "numerics/symmetric_eigen.h"

namespace slm {
namespace {

constexpr double kLeastShrinkage = 1e-3;  // levels of a text that sum to one leave 0 otherwise
constexpr int kMostSweeps = 12;
constexpr double kSettled = 0.01;       // change of an entry of S that is none
constexpr double kPivotRidge = 1e-6;    // where rounding has left nothing of a pivot
constexpr double kMostSurprise = 4;     // standard deviations of a drawn value
constexpr double kNoEigenvalue = 1e-7;  // of the largest
constexpr size_t kRowTile = 64;
constexpr double kMostGain = 8;
constexpr int kGainSteps = 12;
constexpr size_t kGainRows = 2000;  // that gains are found on
constexpr uint64_t kGainSeed = 0x6b6e6f636b6f6666;

// Columns x columns: z' z / rows.
std::vector<double> Products(MatrixView<const float> z, double rows, ThreadPool& pool) {
  std::vector<double> left(z.rows * z.cols);
  for (size_t i = 0; i < z.rows; ++i) {
    for (size_t c = 0; c < z.cols; ++c) left[i * z.cols + c] = double{z(i, c)};
  }
  std::vector<double> padded(z.cols * z.stride);
  TransposedProduct(z, left.data(), z.cols, padded.data(), pool);
  std::vector<double> out(z.cols * z.cols);
  for (size_t a = 0; a < z.cols; ++a) {
    for (size_t c = 0; c < z.cols; ++c) out[a * z.cols + c] = padded[a * z.stride + c] / rows;
  }
  return out;
}

double FourthPowers(MatrixView<const float> z) {
  double sum = 0;
  for (size_t i = 0; i < z.rows; ++i) {
    double square = 0;
    for (size_t c = 0; c < z.cols; ++c) square += double{z(i, c)} * double{z(i, c)};
    sum += square * square;
  }
  return sum;
}

double SquaredNorm(std::span<const double> values) {
  double sum = 0;
  for (double x : values) sum += x * x;
  return sum;
}

// Of rows [first, last) and the same columns of a symmetric matrix of p columns. A pivot that
// rounding has left nothing of is raised a little.
Cholesky FactorOf(std::span<const double> a, size_t p, size_t first, size_t last) {
  Cholesky factor;
  std::vector<double> row;
  for (size_t r = first; r < last; ++r) {
    StopCheck::Ask();
    row.assign(a.begin() + static_cast<ptrdiff_t>(r * p + first),
               a.begin() + static_cast<ptrdiff_t>(r * p + r + 1));
    for (double ridge = kPivotRidge; !factor.Append(row); ridge *= 10) row.back() += ridge;
  }
  return factor;
}

// The inverse of a symmetric matrix, column by column.
std::vector<double> InverseOf(std::span<const double> a, size_t p, ThreadPool& pool) {
  const Cholesky factor = FactorOf(a, p, 0, p);
  std::vector<double> inverse(p * p);
  pool.ParallelFor(p, [&](size_t c) {
    double* own = inverse.data() + c * p;
    own[c] = 1;
    factor.Solve(own);
  });
  return inverse;
}

void TransposeSquare(std::vector<double>* a, size_t p) {
  for (size_t r = 0; r < p; ++r) {
    for (size_t c = r + 1; c < p; ++c) std::swap((*a)[r * p + c], (*a)[c * p + r]);
  }
}

// B^-1 a B^-1' for the block-diagonal B of these factors.
std::vector<double> Decorrelated(std::vector<double> a, size_t p, std::span<const int32_t> offsets,
                                 const std::vector<Cholesky>& blocks, ThreadPool& pool) {
  for (int side = 0; side < 2; ++side) {
    // Row r of `a` is column r of its transpose, and `a` is symmetric before the first side.
    pool.ParallelFor(p, [&](size_t r) {
      for (size_t g = 0; g < blocks.size(); ++g) {
        blocks[g].SolveLower(a.data() + r * p + static_cast<size_t>(offsets[g]));
      }
    });
    TransposeSquare(&a, p);
  }
  return a;
}

// The odds of the levels, before they are made to add up to 1, for means given what was drawn so
// far; `gain` times as far from their averages, since what is cut off at 0 and 1 brings them back.
void OddsOf(const ExclusiveColumns& block, double gain, std::span<const double> given,
            std::vector<double>* odds) {
  odds->resize(given.size());
  double sum = 0;
  for (size_t l = 0; l < given.size(); ++l) {
    const double low = double{block.low[l]}, high = double{block.high[l]};
    sum += (*odds)[l] = std::clamp((gain * given[l] - low) / (high - low), 0.0, 1.0);
  }
  if (sum > 1 || (block.always_one && sum > 0)) {
    for (double& one : *odds) one /= sum;
  }
}

// The level that is drawn; their number for none.
size_t DrawLevel(const ExclusiveColumns& block, std::span<const double> odds,
                 RandomStream* random) {
  double left = random->Uniform();
  for (size_t l = 0; l < odds.size(); ++l) {
    if (left < odds[l]) return l;
    left -= odds[l];
  }
  if (!block.always_one) return odds.size();
  return static_cast<size_t>(std::max_element(odds.begin(), odds.end()) - odds.begin());
}

// The gain at which drawn values go along with what is given as the means do. `given` has the means
// of all levels for each row.
double FindGain(const ExclusiveColumns& block, const std::vector<double>& given) {
  const size_t size = block.low.size();
  double wanted = 0;
  for (double value : given) wanted += value * value;
  std::vector<double> odds;
  const auto reached = [&](double gain) {
    double sum = 0;
    for (size_t i = 0; i < given.size(); i += size) {
      const std::span<const double> own(given.data() + i, size);
      OddsOf(block, gain, own, &odds);
      for (size_t l = 0; l < size; ++l) {
        const double low = double{block.low[l]}, high = double{block.high[l]};
        sum += (low + odds[l] * (high - low)) * own[l];
      }
    }
    return sum;
  };
  double below = 1, above = kMostGain;
  if (reached(below) >= wanted) return below;
  for (int i = 0; i < kGainSteps; ++i) {
    const double middle = std::sqrt(below * above);
    (reached(middle) < wanted ? below : above) = middle;
  }
  return above;
}

}  // namespace

double LedoitWolfShare(double squared_norm, double fourth_powers, size_t rows, size_t columns) {
  const double n = static_cast<double>(rows), p = static_cast<double>(columns);
  const double apart = squared_norm - p;  // |R - I|^2, as the diagonal of R is 1
  const double noise = (fourth_powers / n - squared_norm) / n;
  if (!(apart > 0)) return 1;
  return std::clamp(noise / apart, kLeastShrinkage, 1.0);
}

std::optional<std::vector<double>> LeastReconstructable(std::span<const double> sigma,
                                                        size_t columns, const Context& context) {
  const size_t p = columns;
  // Largest row sum of the inverse: 1 over it is no more than the least eigenvalue.
  std::vector<double> inverse = InverseOf(sigma, p, *context.pool);
  double largest = 0;
  for (size_t r = 0; r < p; ++r) {
    double sum = 0;
    for (size_t c = 0; c < p; ++c) sum += std::abs(inverse[r * p + c]);
    largest = std::max(largest, sum);
  }
  std::vector<double> s(p, std::min(1.0, 1 / largest));
  std::vector<double> rest(p * p), own(p);
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    if (context.ShouldStop()) return std::nullopt;
    if (sweep % 4 == 0) {  // anew, so that rounding does not add up
      for (size_t i = 0; i < p * p; ++i) rest[i] = 2 * sigma[i];
      for (size_t j = 0; j < p; ++j) rest[j * p + j] -= s[j];
      inverse = InverseOf(rest, p, *context.pool);
    }
    double change = 0;
    for (size_t j = 0; j < p; ++j) {
      // With D = 2 Sigma - S, v = D^-1 e_j and s_j + d in the place of s_j, the trace of D^-1
      // grows by d |v|^2 / (1 - d v_j); together with 1 / (s_j + d) it is least at
      const double* v = inverse.data() + j * p;
      const double norm = std::sqrt(Dot(v, v, p));
      const double d = (1 - norm * s[j]) / (v[j] + norm);
      const double scale = d / (1 - d * v[j]);
      if (!std::isfinite(scale)) continue;
      s[j] += d;
      change = std::max(change, std::abs(d));
      own.assign(v, v + p);
      context.pool->ParallelFor((p + kRowTile - 1) / kRowTile, [&](size_t tile) {
        for (size_t r = tile * kRowTile; r < std::min(p, (tile + 1) * kRowTile); ++r) {
          AddScaled(scale * own[r], own.data(), inverse.data() + r * p, p);
        }
      });
    }
    if (change < kSettled) break;
  }
  return s;
}

std::optional<KnockoffModel> KnockoffModel::Fit(MatrixView<const float> z,
                                                std::span<const int32_t> offsets,
                                                std::vector<ExclusiveColumns> exclusive,
                                                const Context& context) {
  KnockoffModel model;
  model.columns_ = z.cols;
  bool fitted = false;
  if (z.cols <= kDenseColumns) {
    model.exclusive_ = std::move(exclusive);
    std::vector<double> sigma = Products(z, static_cast<double>(z.rows), *context.pool);
    for (size_t c = 0; c < z.cols; ++c) sigma[c * z.cols + c] = 1;
    model.shrinkage_ = LedoitWolfShare(SquaredNorm(sigma), FourthPowers(z), z.rows, z.cols);
    fitted = model.FitDense(z, std::move(sigma), offsets, context);
  } else {
    fitted = model.FitSpectrum(z, context);
  }
  return fitted ? std::optional(std::move(model)) : std::nullopt;
}

bool KnockoffModel::FitDense(MatrixView<const float> z, std::vector<double> sigma,
                             std::span<const int32_t> offsets, const Context& context) {
  const size_t p = columns_;
  for (size_t r = 0; r < p; ++r) {
    for (size_t c = 0; c < p; ++c) {
      if (r != c) sigma[r * p + c] *= 1 - shrinkage_;
    }
  }
  std::vector<Cholesky> blocks;
  for (size_t g = 0; g + 1 < offsets.size(); ++g) {
    blocks.push_back(
        FactorOf(sigma, p, static_cast<size_t>(offsets[g]), static_cast<size_t>(offsets[g + 1])));
  }
  const std::optional<std::vector<double>> own =
      LeastReconstructable(Decorrelated(sigma, p, offsets, blocks, *context.pool), p, context);
  if (!own) return false;
  s_.assign(p * p, 0);
  for (size_t g = 0; g < blocks.size(); ++g) {
    const size_t first = static_cast<size_t>(offsets[g]), size = blocks[g].size();
    for (size_t r = 0; r < size; ++r) {
      for (size_t c = 0; c <= r; ++c) {
        double sum = 0;
        for (size_t i = 0; i <= c; ++i) {
          sum += blocks[g].Row(r)[i] * blocks[g].Row(c)[i] * (*own)[first + i];
        }
        s_[(first + r) * p + first + c] = s_[(first + c) * p + first + r] = sum;
      }
    }
  }
  // Row c of `solved` is Sigma^-1 S e_c.
  const Cholesky factor = FactorOf(sigma, p, 0, p);
  std::vector<double> solved(s_), given(p * p);
  context.pool->ParallelFor(p, [&](size_t c) { factor.Solve(solved.data() + c * p); });
  for (size_t g = 0; g < blocks.size(); ++g) {
    const size_t first = static_cast<size_t>(offsets[g]), size = blocks[g].size();
    for (size_t r = first; r < first + size; ++r) {
      for (size_t c = 0; c < p; ++c) {
        given[r * p + c] =
            2 * s_[r * p + c] - Dot(s_.data() + r * p + first, solved.data() + c * p + first, size);
      }
    }
  }
  if (context.ShouldStop()) return false;
  const Cholesky noise = FactorOf(given, p, 0, p);
  factor_.assign(p * p, 0);
  mean_.assign(p * p, 0);
  for (size_t r = 0; r < p; ++r) {
    std::copy_n(noise.Row(r).data(), r + 1, factor_.data() + r * p);
    for (size_t c = 0; c < p; ++c) mean_[r * p + c] = (r == c ? 1 : 0) - solved[c * p + r];
  }
  sigma_ = std::move(sigma);
  FindGains(z, *context.pool);
  return true;
}

bool KnockoffModel::FitSpectrum(MatrixView<const float> z, const Context& context) {
  const size_t n = z.rows, p = z.cols;
  const double rows = static_cast<double>(n);
  const bool by_rows = n < p;
  const size_t size = by_rows ? n : p;
  std::vector<double> products;
  if (by_rows) {
    Matrix transposed(p, n);
    Transpose(z.data, z.stride, n, p, transposed.data(), transposed.stride());
    products = Products(transposed.view(), rows, *context.pool);
  } else {
    products = Products(z, rows, *context.pool);
  }
  const SymmetricEigen eigen = DecomposeSymmetric(std::move(products), size, context);
  if (eigen.values.empty()) return false;
  shrinkage_ = LedoitWolfShare(SquaredNorm(eigen.values), FourthPowers(z), n, p);
  size_t kept = 0;
  while (kept < size && eigen.values[kept] > kNoEigenvalue * eigen.values[0]) ++kept;
  spectrum_.assign(eigen.values.begin(), eigen.values.begin() + static_cast<ptrdiff_t>(kept));
  vectors_ = Matrix(kept, p);
  if (by_rows) {
    Matrix scaled(n, kept);
    for (size_t i = 0; i < n; ++i) {
      for (size_t v = 0; v < kept; ++v) {
        scaled(i, v) =
            static_cast<float>(double{eigen.vectors[i * n + v]} / std::sqrt(rows * spectrum_[v]));
      }
    }
    Matrix padded(n, p);  // rows of z need not be aligned
    for (size_t i = 0; i < n; ++i) std::copy_n(z.row(i), p, padded.row(i));
    context.pool->ParallelFor((kept + kRowTile - 1) / kRowTile, [&](size_t tile) {
      const size_t first = tile * kRowTile;
      Gemm({.m = std::min(kRowTile, kept - first),
            .n = vectors_.stride(),
            .k = n,
            .a = scaled.data() + first,
            .a_stride = scaled.stride(),
            .a_transposed = true,
            .b = padded.data(),
            .b_stride = padded.stride(),
            .c = vectors_.row(first),
            .c_stride = vectors_.stride()});
    });
  } else {
    for (size_t v = 0; v < kept; ++v) {
      for (size_t c = 0; c < p; ++c) vectors_(v, c) = eigen.vectors[c * p + v];
    }
  }
  const double least = kept < p ? 0 : spectrum_.back();
  equal_s_ = std::min(1.0, 2 * (shrinkage_ + (1 - shrinkage_) * least));
  return true;
}

Matrix KnockoffModel::Sample(MatrixView<const float> z, const RandomStream& stream,
                             ThreadPool& pool) const {
  if (!dense()) return SampleBySpectrum(z, stream, pool);
  Matrix out(z.rows, z.cols);
  pool.ParallelFor((z.rows + kRowTile - 1) / kRowTile, [&](size_t tile) {
    for (size_t i = tile * kRowTile; i < std::min(z.rows, (tile + 1) * kRowTile); ++i) {
      SampleDense(z.row(i), stream.Substream(i), out.row(i));
    }
  });
  return out;
}

void KnockoffModel::FindGains(MatrixView<const float> z, ThreadPool& pool) {
  if (exclusive_.empty()) return;
  const size_t step = (z.rows + kGainRows - 1) / kGainRows;
  const size_t rows = (z.rows + step - 1) / step;
  std::vector<DenseRow> drawn(rows);
  pool.ParallelFor(rows, [&](size_t i) { drawn[i] = BeginRow(z.row(i * step)); });
  // Streams of rows that are not there, as these draws serve for the gains alone.
  std::vector<RandomStream> streams;
  for (size_t i = 0; i < rows; ++i) streams.emplace_back(RandomStream(kGainSeed, i));
  gains_.clear();
  size_t c = 0;
  for (const ExclusiveColumns& block : exclusive_) {
    StopCheck::Ask();
    const size_t size = block.last - block.first;
    std::vector<double> given(rows * size);
    pool.ParallelFor(rows, [&](size_t i) {
      for (size_t own = c; own < block.first; ++own) drawn[i].noise[own] = streams[i].Normal();
      for (size_t l = 0; l < size; ++l) {
        given[i * size + l] = Given(drawn[i], block.first + l, block.first);
      }
    });
    gains_.push_back(FindGain(block, given));
    pool.ParallelFor(rows, [&](size_t i) {
      std::vector<float> values(size);
      DrawBlock(gains_.size() - 1, &drawn[i], &streams[i], values.data());
    });
    c = block.last;
  }
}

KnockoffModel::DenseRow KnockoffModel::BeginRow(const float* z) const {
  const size_t p = columns_;
  DenseRow row{std::vector<double>(p), std::vector<double>(p)};
  for (size_t i = 0; i < p; ++i) AddScaled(double{z[i]}, mean_.data() + i * p, row.mean.data(), p);
  return row;
}

double KnockoffModel::Given(const DenseRow& row, size_t c, size_t drawn) const {
  return row.mean[c] + Dot(factor_.data() + c * columns_, row.noise.data(), drawn);
}

void KnockoffModel::DrawBlock(size_t index, DenseRow* row, RandomStream* random, float* out) const {
  const ExclusiveColumns& block = exclusive_[index];
  const size_t size = block.last - block.first;
  std::vector<double> given(size), odds;
  for (size_t l = 0; l < size; ++l) given[l] = Given(*row, block.first + l, block.first);
  OddsOf(block, gains_[index], given, &odds);
  const size_t level = DrawLevel(block, odds, random);
  for (size_t l = 0; l < size; ++l) {
    const size_t c = block.first + l;
    out[l] = l == level ? block.high[l] : block.low[l];
    row->noise[c] = std::clamp((double{out[l]} - Given(*row, c, c)) / factor_[c * columns_ + c],
                               -kMostSurprise, kMostSurprise);
  }
}

void KnockoffModel::SampleDense(const float* z, RandomStream random, float* out) const {
  DenseRow row = BeginRow(z);
  size_t next = 0;
  for (size_t c = 0; c < columns_;) {
    if (next == exclusive_.size() || exclusive_[next].first != c) {
      row.noise[c] = random.Normal();
      out[c] = static_cast<float>(Given(row, c, c + 1));
      ++c;
      continue;
    }
    DrawBlock(next, &row, &random, out + c);
    c = exclusive_[next++].last;
  }
}

Matrix KnockoffModel::SampleBySpectrum(MatrixView<const float> z, const RandomStream& stream,
                                       ThreadPool& pool) const {
  // Everything is a function of Sigma = a I + U diag(l - a) U': with S = s I the mean is
  // x - s Sigma^-1 x, and the noise is (2 s - s^2 / Sigma)^1/2 g.
  const size_t p = columns_, kept = spectrum_.size();
  const double a = shrinkage_, s = equal_s_;
  const auto root = [&](double l) { return std::sqrt(std::max(0.0, 2 * s - s * s / l)); };
  std::vector<float> of_row(kept), of_noise(kept);
  for (size_t v = 0; v < kept; ++v) {
    const double l = a + (1 - a) * spectrum_[v];
    of_row[v] = static_cast<float>(-s * (1 / l - 1 / a));
    of_noise[v] = static_cast<float>(root(l) - root(a));
  }
  const float row_scale = static_cast<float>(1 - s / a), noise_scale = static_cast<float>(root(a));
  Matrix down(p, kept);
  Transpose(vectors_.data(), vectors_.stride(), kept, p, down.data(), down.stride());
  Matrix out(z.rows, p);
  pool.ParallelFor((z.rows + kRowTile - 1) / kRowTile, [&](size_t tile) {
    const size_t first = tile * kRowTile, rows = std::min(kRowTile, z.rows - first);
    Matrix both(2 * rows, p), inside(2 * rows, kept), back(rows, p);
    for (size_t i = 0; i < rows; ++i) {
      RandomStream random = stream.Substream(first + i);
      std::copy_n(z.row(first + i), p, both.row(i));
      for (size_t c = 0; c < p; ++c) both(rows + i, c) = static_cast<float>(random.Normal());
    }
    Gemm({.m = 2 * rows,
          .n = inside.stride(),
          .k = p,
          .a = both.data(),
          .a_stride = both.stride(),
          .b = down.data(),
          .b_stride = down.stride(),
          .c = inside.data(),
          .c_stride = inside.stride()});
    for (size_t i = 0; i < rows; ++i) {
      for (size_t v = 0; v < kept; ++v) {
        inside(i, v) = inside(i, v) * of_row[v] + inside(rows + i, v) * of_noise[v];
      }
    }
    Gemm({.m = rows,
          .n = back.stride(),
          .k = kept,
          .a = inside.data(),
          .a_stride = inside.stride(),
          .b = vectors_.data(),
          .b_stride = vectors_.stride(),
          .c = back.data(),
          .c_stride = back.stride()});
    for (size_t i = 0; i < rows; ++i) {
      for (size_t c = 0; c < p; ++c) {
        out(first + i, c) = row_scale * both(i, c) + noise_scale * both(rows + i, c) + back(i, c);
      }
    }
  });
  return out;
}

double KnockoffModel::Bytes(size_t rows, size_t columns) {
  const double n = static_cast<double>(rows), p = static_cast<double>(columns);
  // The training rows in double, for their products.
  if (columns <= kDenseColumns) return 8 * (n * p + 9 * p * p);
  const double least = std::min(n, p);
  return 8 * n * p + 28 * least * least + 12 * least * p;
}

}  // namespace slm
