#pragma once

// Linear support vector machines with an L2 penalty, in double:
//
//   min over w, b of (|w|^2 + b^2) / 2 + C sum over rows of (their weight) loss(y, w x + b)
//
// with the hinge max(0, 1 - y f) or its square for classes, y = +1 or -1, and max(0, |y - f| - e)
// or its square for values: what LIBLINEAR minimises (Hsieh et al. 2008; Ho and Lin 2012), and
// scikit-learn's LinearSVC and LinearSVR with it. The constant column is penalised like any other.
// Two classes have one machine, more of them one each against the rest.
//
// With more columns than rows it is solved in the dual, one variable for each row, by coordinate
// descent on the matrix of products of rows, where a step costs as many operations as there are
// rows. The products are kept up when columns are taken away, so that a fit on fewer columns, which
// begins where the last one ended, costs what went away and a few sweeps. With more rows than
// columns Newton's method finds the minimum for squared losses: steps by conjugate gradients on the
// rows that have a loss (Keerthi and DeCoste 2005). For the others coordinate descent goes on, on
// the columns, and looks at rows whose variables are at a bound only now and then.

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "slm/context.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

struct LinearSvmOptions {
  double cost = 1;       // C
  bool squared = true;   // the square of the loss
  double epsilon = 0.1;  // e
  double tolerance = 1e-3;
  int max_sweeps = 1000;
};

class LinearSvm {
 public:
  // Copies the columns. `data`, the options and the pool must outlive this object.
  LinearSvm(const Dataset& data, const LinearSvmOptions& options, ThreadPool& pool);

  // Fits on some of the columns of the last call, or of all, ascending. By coordinate descent it
  // has converged when no derivative of the dual violates its conditions by more than the
  // tolerance, in the unit of the loss, and max_sweeps bounds rounds of a pass over all rows and
  // some over those not at a bound. By Newton's method it has when the gradient is no longer than
  // the tolerance times the coefficients, and max_sweeps bounds the steps, of which each may take
  // 1000 passes of conjugate gradients. Ends early when `context` says so. Where that is before
  // there are products to solve with, the coefficients are those of the last call, and this is
  // false; in the first one they are the products of columns and labels.
  bool Fit(std::span<const size_t> columns, const Context& context);

  size_t machines() const { return machines_; }
  // Of the last fit: columns x machines.
  std::span<const double> coefficients() const { return coefficients_; }
  // Of the last fit, by machine.
  std::span<const double> intercepts() const { return intercepts_; }

 private:
  struct Row;
  class Products;  // of rows, by their matrix
  class Columns;   // by their values

  template <class Rows>
  void Solve(size_t machine, const Rows& rows, const Context& context);
  std::vector<double> SolveSquared(size_t machine, const std::vector<double>& x, size_t width,
                                   const Context& context);
  Row At(size_t machine, size_t row) const;
  void AddProducts(std::span<const size_t> columns, double sign);
  void UpdateProducts(std::span<const size_t> columns);

  const Dataset& data_;
  const LinearSvmOptions& options_;
  ThreadPool& pool_;
  size_t machines_;
  Matrix t_;                      // columns x rows
  std::vector<double> dual_;      // machines x rows: y alpha for classes, alpha - alpha* for values
  std::vector<double> products_;  // rows x stride of t_; empty once there are fewer columns
  std::vector<size_t> within_;    // the columns in products_
  std::vector<double> coefficients_, intercepts_;
};

}  // namespace slm
