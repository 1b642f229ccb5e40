#include "numerics/linear_svm.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/random.h"
#include "base/stop_check.h"
#include "kernels/gemm.h"
#include "kernels/products.h"

namespace slm {
namespace {

constexpr size_t kColumnsAtOnce = 256;  // of a sum of products: their rows in double fit the cache
constexpr size_t kRowTile = 24;
constexpr int kInnerSweeps = 20;  // over rows that are not at a bound, before all are looked at
constexpr int kMostNewtonInnerSteps = 1000;  // of conjugate gradients
constexpr double kInnerAccuracy = 0.03;      // to which they solve for a step
constexpr double kRounding = 1e-15;          // of the loss
constexpr uint64_t kOrderStream = 0x73766d;  // of the order of the rows in a sweep

}  // namespace

// A row's part in the dual of one machine.
struct LinearSvm::Row {
  double y;      // +1 or -1, or the value
  double most;   // bound of its variable
  double ridge;  // added to its product with itself
};

// f(x_i) for all rows is kept up: a step reads and writes a row of the matrix.
class LinearSvm::Products {
 public:
  Products(const double* products, size_t rows, size_t stride)
      : products_(products), rows_(rows), stride_(stride), f_(rows) {}

  double Square(size_t i) const { return products_[i * stride_ + i]; }
  double At(size_t i) const { return f_[i]; }
  void Add(size_t i, double move) { AddScaled(move, products_ + i * stride_, f_.data(), rows_); }

 private:
  const double* products_;
  size_t rows_, stride_;
  std::vector<double> f_;
};

// The coefficients are kept up: a step reads a row and writes them.
class LinearSvm::Columns {
 public:
  Columns(const std::vector<double>& x, const std::vector<double>& squares, size_t width)
      : x_(x), squares_(squares), w_(width) {}

  double Square(size_t i) const { return squares_[i]; }
  double At(size_t i) const { return Dot(x_.data() + i * w_.size(), w_.data(), w_.size()); }
  void Add(size_t i, double move) {
    AddScaled(move, x_.data() + i * w_.size(), w_.data(), w_.size());
  }

 private:
  const std::vector<double>& x_;
  const std::vector<double>& squares_;
  std::vector<double> w_;
};

LinearSvm::LinearSvm(const Dataset& data, const LinearSvmOptions& options, ThreadPool& pool)
    : data_(data),
      options_(options),
      pool_(pool),
      machines_(data.y.classes > 2 ? static_cast<size_t>(data.y.classes) : 1),
      t_(data.x->columns(), data.rows()),
      dual_(machines_ * data.rows()),
      intercepts_(machines_) {
  ForEachBlock(*data.x, [&](size_t first, MatrixView<const float> block) {
    Transpose(block.data, block.stride, block.rows, block.cols, t_.data() + first, t_.stride());
  });
}

LinearSvm::Row LinearSvm::At(size_t machine, size_t row) const {
  const double cost = options_.cost * data_.RowWeight(row);
  const double infinite = std::numeric_limits<double>::infinity();
  Row own{.y = 0, .most = options_.squared ? infinite : cost, .ridge = 0};
  if (options_.squared) own.ridge = 1 / (2 * cost);
  if (data_.y.has_values()) {
    own.y = data_.y.value[row];
  } else {
    // One machine: is it the second class?
    const size_t label = static_cast<size_t>(data_.y.index[row]);
    own.y = label == (machines_ == 1 ? 1 : machine) ? 1 : -1;
  }
  return own;
}

// products_ += sign * sum over columns of their products.
void LinearSvm::AddProducts(std::span<const size_t> columns, double sign) {
  const size_t rows = data_.rows(), stride = t_.stride();
  for (size_t begin = 0; begin < columns.size(); begin += kColumnsAtOnce) {
    const size_t count = std::min(kColumnsAtOnce, columns.size() - begin);
    Matrix x(count, rows);
    std::vector<double> left(count * rows);
    for (size_t c = 0; c < count; ++c) {
      const float* from = t_.row(columns[begin + c]);
      std::copy_n(from, rows, x.row(c));
      for (size_t i = 0; i < rows; ++i) left[c * rows + i] = sign * static_cast<double>(from[i]);
    }
    pool_.ParallelFor((rows + kRowTile - 1) / kRowTile, [&](size_t tile) {
      const size_t first = tile * kRowTile, tall = std::min(kRowTile, rows - first);
      // Symmetric: only up to the diagonal, in whole vectors.
      const size_t width = (first + tall + kLanes - 1) / kLanes * kLanes;
      std::vector<double> out(tall * width);
      TransposedProduct(ProductArgs{.rows = count,
                                    .left = left.data() + first,
                                    .left_stride = rows,
                                    .left_columns = tall,
                                    .x = x.data(),
                                    .x_stride = x.stride(),
                                    .width = width,
                                    .out = out.data(),
                                    .out_stride = width});
      for (size_t a = 0; a < tall; ++a) {
        AddScaled(1, out.data() + a * width, products_.data() + (first + a) * stride,
                  first + a + 1);
      }
    });
  }
  for (size_t i = 0; i < rows; ++i) {
    if (i % kRowTile == 0) StopCheck::Ask();
    for (size_t j = 0; j < i; ++j) products_[j * stride + i] = products_[i * stride + j];
  }
}

// From those of the columns that went away, or of those that are left, whichever are fewer.
void LinearSvm::UpdateProducts(std::span<const size_t> columns) {
  std::vector<size_t> gone;
  std::set_difference(within_.begin(), within_.end(), columns.begin(), columns.end(),
                      std::back_inserter(gone));
  if (!products_.empty() && gone.size() < columns.size()) {
    AddProducts(gone, -1);
  } else {
    products_.assign(data_.rows() * t_.stride(), 1.0);  // of the constant column
    AddProducts(columns, 1);
  }
  within_.assign(columns.begin(), columns.end());
}

template <class Rows>
void LinearSvm::Solve(size_t machine, const Rows& none, const Context& context) {
  Rows rows = none;
  double* dual = dual_.data() + machine * data_.rows();
  std::vector<uint32_t> all, free;
  for (size_t i = 0; i < data_.rows(); ++i) {
    if (data_.RowWeight(i) > 0) all.push_back(static_cast<uint32_t>(i));
    if (dual[i] != 0) rows.Add(i, dual[i]);
  }
  const bool values = data_.y.has_values();
  // The largest violation that was found and ended; the rows that are not at a bound.
  const auto sweep = [&](std::span<const uint32_t> order, std::vector<uint32_t>* inside) {
    double worst = 0;
    for (uint32_t i : order) {
      const Row row = At(machine, i);
      const double curvature = rows.Square(i) + row.ridge;
      double next, violation;
      if (values) {
        // The slope of the smooth part; |variable| adds epsilon on either side of 0.
        const double slope = rows.At(i) - row.y + row.ridge * dual[i];
        const double target = curvature * dual[i] - slope;
        const double shrunk = target > options_.epsilon    ? target - options_.epsilon
                              : target < -options_.epsilon ? target + options_.epsilon
                                                           : 0;
        next = std::clamp(shrunk / curvature, -row.most, row.most);
        const double kink = dual[i] > 0   ? options_.epsilon
                            : dual[i] < 0 ? -options_.epsilon
                                          : std::clamp(-slope, -options_.epsilon, options_.epsilon);
        violation = slope + kink;
      } else {
        const double slope = row.y * rows.At(i) - 1 + row.ridge * std::abs(dual[i]);
        next = row.y * std::clamp(std::abs(dual[i]) - slope / curvature, 0.0, row.most);
        violation = slope;
      }
      if (inside != nullptr && (next != dual[i] || (next != 0 && std::abs(next) < row.most))) {
        inside->push_back(i);
      }
      if (next == dual[i]) continue;  // also where the slope points out of the bounds
      worst = std::max(worst, std::abs(violation));
      rows.Add(i, next - dual[i]);
      dual[i] = next;
    }
    return worst;
  };
  // Any fixed order converges; one that changes from sweep to sweep does so much sooner.
  RandomStream random = RandomStream(kOrderStream, 0).Substream(machine);
  for (int step = 0; step < options_.max_sweeps && !context.ShouldStop(); ++step) {
    random.Shuffle(std::span(all));
    free.clear();
    if (sweep(all, &free) <= options_.tolerance) break;
    for (int more = 0; more < kInnerSweeps && !context.ShouldStop(); ++more) {
      random.Shuffle(std::span(free));
      if (sweep(free, nullptr) <= options_.tolerance) break;
    }
  }
}

// Rows of x are `width` long, with the constant one last. The coefficients where the steps or the
// time ended before they had converged, when they are not those of the dual variables; else
// nothing.
std::vector<double> LinearSvm::SolveSquared(size_t machine, const std::vector<double>& x,
                                            size_t width, const Context& context) {
  const size_t count = data_.rows();
  const bool values = data_.y.has_values();
  double* dual = dual_.data() + machine * count;
  const auto row = [&](size_t i) { return x.data() + i * width; };
  std::vector<double> w(width), f(count), along(count), gradient(width), step(width), left(width),
      direction(width), image(width);
  for (size_t i = 0; i < count; ++i) {
    if (dual[i] != 0) AddScaled(dual[i], row(i), w.data(), width);
  }
  for (size_t i = 0; i < count; ++i) f[i] = Dot(row(i), w.data(), width);
  // The change of the output that would bring the row's loss to 0.
  const auto excess = [&](const Row& own, double output) {
    const double error = own.y - output;
    if (!values) return own.y * error > 0 ? error : 0.0;
    return error > options_.epsilon    ? error - options_.epsilon
           : error < -options_.epsilon ? error + options_.epsilon
                                       : 0.0;
  };
  const auto loss = [&](double reach) {
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
      const Row own = At(machine, i);
      const double e = excess(own, f[i] + reach * along[i]);
      if (e != 0) sum += e * e / (2 * own.ridge);
    }
    return sum;
  };
  std::vector<std::pair<size_t, double>> wrong;  // rows with a loss, and its curvature
  for (int newton = 0; newton < options_.max_sweeps && !context.ShouldStop(); ++newton) {
    wrong.clear();
    gradient = w;
    for (size_t i = 0; i < count; ++i) {
      dual[i] = 0;
      if (!(data_.RowWeight(i) > 0)) continue;
      const Row own = At(machine, i);
      const double e = excess(own, f[i]);
      if (e == 0) continue;
      dual[i] = e / own.ridge;
      wrong.emplace_back(i, 1 / own.ridge);
      AddScaled(-dual[i], row(i), gradient.data(), width);
    }
    const double steep = std::sqrt(Dot(gradient.data(), gradient.data(), width));
    if (steep <= options_.tolerance * std::sqrt(Dot(w.data(), w.data(), width))) return {};
    // (I + sum over wrong rows of curvature x x') step = -gradient
    std::fill(step.begin(), step.end(), 0.0);
    for (size_t a = 0; a < width; ++a) direction[a] = left[a] = -gradient[a];
    double size = steep * steep;
    const double enough = kInnerAccuracy * kInnerAccuracy * size;
    for (int i = 0; i < kMostNewtonInnerSteps && size > enough && !context.ShouldStop(); ++i) {
      image = direction;
      for (const auto& [r, curvature] : wrong) {
        AddScaled(curvature * Dot(row(r), direction.data(), width), row(r), image.data(), width);
      }
      const double scale = size / Dot(direction.data(), image.data(), width);
      AddScaled(scale, direction.data(), step.data(), width);
      AddScaled(-scale, image.data(), left.data(), width);
      const double next = Dot(left.data(), left.data(), width);
      for (size_t a = 0; a < width; ++a) direction[a] = left[a] + next / size * direction[a];
      size = next;
    }
    for (size_t i = 0; i < count; ++i) along[i] = Dot(row(i), step.data(), width);
    const double linear = Dot(w.data(), step.data(), width);
    const double square = Dot(step.data(), step.data(), width);
    const double slope = Dot(gradient.data(), step.data(), width);
    const double before = loss(0);
    double reach = 1, change = 0;
    for (int halving = 0; halving < 30; ++halving, reach /= 2) {
      change = reach * linear + reach * reach * square / 2 + loss(reach) - before;
      if (change <= 1e-4 * reach * slope) break;
    }
    if (!(change < -kRounding * before)) return {};  // it cannot be told from no step any more
    AddScaled(reach, step.data(), w.data(), width);
    AddScaled(reach, along.data(), f.data(), count);
  }
  return w;
}

bool LinearSvm::Fit(std::span<const size_t> columns, const Context& context) {
  const size_t rows = data_.rows();
  std::vector<std::vector<double>> unfinished(machines_);
  if (columns.size() >= rows) {
    if (EndsInTime(context, [&] { UpdateProducts(columns); })) {
      const Products none(products_.data(), rows, t_.stride());
      pool_.ParallelFor(machines_, [&](size_t m) { Solve(m, none, context); });
    } else {
      products_ = std::vector<double>();  // "= {}" keeps the memory
      if (!coefficients_.empty()) return false;
      for (size_t i = 0; i < dual_.size(); ++i) {
        dual_[i] = data_.RowWeight(i % rows) * At(i / rows, i % rows).y;
      }
    }
  } else {
    products_ = std::vector<double>();  // "= {}" keeps the memory
    const size_t width = columns.size() + 1;
    std::vector<double> x(rows * width), squares(rows);
    for (size_t i = 0; i < rows; ++i) {
      double* own = x.data() + i * width;
      for (size_t a = 0; a < columns.size(); ++a) own[a] = t_(columns[a], i);
      own[columns.size()] = 1;
      squares[i] = Dot(own, own, width);
    }
    const Columns none(x, squares, width);
    pool_.ParallelFor(machines_, [&](size_t m) {
      if (options_.squared) {
        unfinished[m] = SolveSquared(m, x, width, context);
      } else {
        Solve(m, none, context);
      }
    });
  }
  for (size_t m = 0; m < machines_; ++m) {
    intercepts_[m] = 0;
    for (size_t i = 0; i < rows; ++i) intercepts_[m] += dual_[m * rows + i];
    if (!unfinished[m].empty()) intercepts_[m] = unfinished[m].back();
  }
  coefficients_.assign(columns.size() * machines_, 0.0);
  pool_.ParallelFor((columns.size() + kColumnsAtOnce - 1) / kColumnsAtOnce, [&](size_t task) {
    std::vector<double> values(rows);
    const size_t end = std::min(columns.size(), (task + 1) * kColumnsAtOnce);
    for (size_t a = task * kColumnsAtOnce; a < end; ++a) {
      const float* from = t_.row(columns[a]);
      std::copy_n(from, rows, values.data());
      for (size_t m = 0; m < machines_; ++m) {
        coefficients_[a * machines_ + m] = unfinished[m].empty()
                                               ? Dot(values.data(), dual_.data() + m * rows, rows)
                                               : unfinished[m][a];
      }
    }
  });
  return true;
}

}  // namespace slm
