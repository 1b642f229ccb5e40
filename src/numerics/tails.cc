#include "numerics/tails.h"

#include <algorithm>
#include <cmath>

namespace slm {

double NormalCritical(double probability) {
  const double root_half = std::sqrt(0.5);
  double low = 0, high = 38;  // whose tail is 1e-316
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(middle * root_half) > probability ? low : high) = middle;
  }
  return high;
}

double ChiSquaredCritical(double freedom, double probability) {
  const double part = 2 / (9 * freedom);
  const double root = 1 - part + NormalCritical(probability) * std::sqrt(part);
  return freedom * root * root * root;
}

double KolmogorovCritical(double first_rows, double second_rows, double probability) {
  return std::sqrt(std::log(2 / probability) / 2 * (1 / first_rows + 1 / second_rows));
}

}  // namespace slm
