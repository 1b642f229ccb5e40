#pragma once

// Knockoffs of correlated columns: for every row a copy that is drawn given the row and nothing
// else, so that exchanging any features with their copies leaves the means and covariances of all
// columns as they are (model-X knockoffs of second order: Candes, Fan, Janson, Lv 2018):
//
//   cov [x, x~] = [ Sigma, Sigma - S; Sigma - S, Sigma ],   S block-diagonal by feature
//   x~ given x has the mean x (I - Sigma^-1 S) and the covariance 2 S - S Sigma^-1 S
//
// Sigma is the correlation of the training rows, shrunk towards the identity by the share of Ledoit
// and Wolf (2004), so that it can be inverted with fewer rows than columns, too. S decides how far
// copies are from their originals:
//
//   up to kDenseColumns   minimum variance-based reconstructability (Spector, Janson 2022), by
//                         exact coordinate descent: the least trace of the inverse of the joint
//                         covariance. It keeps copies apart from their originals where columns are
//                         correlated, where equal entries leave no power. The columns of a feature
//                         are decorrelated first, since they are exchanged together.
//   more                  equal entries s = min(1, 2 * the least eigenvalue), which needs nothing
//                         but the eigenvectors of the rows: time and memory of min(rows, columns).
//
// A column of two values has copies of the same two values: instead of adding noise to the mean,
// one of them is drawn with the odds that give this mean, and the surprise takes the place of the
// noise in all that follows. That keeps the second moments as they are; where the mean lies beyond
// the two values, odds of others are the more decided. Columns of which a row has one, the levels
// of a text, are drawn together.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "slm/context.h"
#include "slm/matrix.h"

namespace slm {

inline constexpr size_t kDenseColumns = 768;

// Columns [first, last) of which a row has its high value in one at most.
struct ExclusiveColumns {
  size_t first = 0, last = 0;
  std::vector<float> low, high;  // of each
  bool always_one = false;       // a row has it in just one

  bool operator==(const ExclusiveColumns&) const = default;
};

class KnockoffModel {
 public:
  // `z` has columns of mean 0 and variance 1 over its rows, which are those that train; feature g
  // owns columns [offsets[g], offsets[g + 1]). `exclusive` ascends. Where the work is stopped,
  // there is no model.
  static std::optional<KnockoffModel> Fit(MatrixView<const float> z,
                                          std::span<const int32_t> offsets,
                                          std::vector<ExclusiveColumns> exclusive,
                                          const Context& context);
  // What Fit would take beside a few copies of z.
  static double Bytes(size_t rows, size_t columns);

  // Copies of all rows of `z`, row i with the numbers of substream i.
  Matrix Sample(MatrixView<const float> z, const RandomStream& stream, ThreadPool& pool) const;

  double shrinkage() const { return shrinkage_; }
  bool dense() const { return spectrum_.empty(); }
  // Of the dense form, columns x columns: for tests of the moments.
  const std::vector<double>& correlation() const { return sigma_; }
  const std::vector<double>& separation() const { return s_; }

 private:
  // A row on the way: what its copy is expected to be, and what was drawn of it.
  struct DenseRow {
    std::vector<double> mean, noise;
  };

  bool FitDense(MatrixView<const float> z, std::vector<double> sigma,
                std::span<const int32_t> offsets, const Context& context);
  void FindGains(MatrixView<const float> z, ThreadPool& pool);
  DenseRow BeginRow(const float* z) const;
  // The mean of column c given the row and what was drawn of its copy before column `drawn`.
  double Given(const DenseRow& row, size_t c, size_t drawn) const;
  void DrawBlock(size_t index, DenseRow* row, RandomStream* random, float* out) const;
  bool FitSpectrum(MatrixView<const float> z, const Context& context);
  void SampleDense(const float* z, RandomStream random, float* out) const;
  Matrix SampleBySpectrum(MatrixView<const float> z, const RandomStream& stream,
                          ThreadPool& pool) const;

  size_t columns_ = 0;
  double shrinkage_ = 0;
  std::vector<ExclusiveColumns> exclusive_;
  std::vector<double> gains_;  // of each of them
  // Dense: Sigma, S, the matrix I - Sigma^-1 S, and the rows of the Cholesky factor of the
  // covariance of a copy given its row.
  std::vector<double> sigma_, s_, mean_, factor_;
  // By eigenvectors: their eigenvalues before shrinkage, descending, and the vectors as rows.
  std::vector<double> spectrum_;
  Matrix vectors_;
  double equal_s_ = 0;
};

// The share of the identity in Ledoit and Wolf's estimate, for columns of mean 0 and variance 1:
// from the squared Frobenius norm of their correlation and the sum over rows of |z|^4.
double LedoitWolfShare(double squared_norm, double fourth_powers, size_t rows, size_t columns);

// Entries s of a diagonal S with 0 < S < 2 sigma that minimise the trace of the inverse of the
// joint covariance; row by row, `columns` each way. Nothing if stopped.
std::optional<std::vector<double>> LeastReconstructable(std::span<const double> sigma,
                                                        size_t columns, const Context& context);

}  // namespace slm
