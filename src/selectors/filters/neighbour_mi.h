#pragma once

// Mutual information, in nats, from distances to nearest neighbours. With psi the digamma function:
//
//   two numbers (Kraskov, Stoegbauer, Grassberger 2004, first estimator):
//     psi(n) + psi(k) - <psi(a_i + 1) + psi(b_i + 1)>
//     where a_i and b_i rows are nearer to row i, in x and in y, than its k-th neighbour in the
//     larger of the two distances, both scaled to a standard deviation of one;
//   a number and a class (Ross 2014):
//     psi(n) + <psi(k_i) - psi(n_i) - psi(m_i)>
//     where n_i rows are of the class of row i, k_i of them, and m_i rows of any class, lie as near
//     as its k-th neighbour inside the class.
//
// Where values are equal the distance to the k-th neighbour may be 0, or be that of several rows:
// then k counts all of them, as it does for mixtures of discrete and continuous parts (Gao, Kannan,
// Oh, Viswanath 2017). That needs no noise to tell rows apart, and is the same without ties.
//
// Results are not below 0. Weights of rows have no place in these estimators.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace slm {

class NeighbourMi {
 public:
  // For at most so many rows; `stop` is asked now and then, and ends an estimate with 0.
  NeighbourMi(size_t rows, int neighbours, std::function<bool()> stop = nullptr);

  // O(n (k + log n)) on average.
  double OfNumbers(std::span<const float> x, std::span<const float> y) const;

  // O(n (k + log n)). A class with a single row tells nothing and is left out.
  double OfNumberAndClass(std::span<const float> x, std::span<const uint32_t> classes,
                          size_t count) const;

 private:
  double Psi(size_t n) const { return digamma_[n]; }

  size_t neighbours_;
  std::function<bool()> stop_;
  std::vector<double> digamma_;  // of 0 (not used), 1, 2, ...
};

}  // namespace slm
