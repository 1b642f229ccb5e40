// Selects from a matrix in memory: of twenty columns, 3 and 11 decide the class.

#include <cmath>
#include <cstdio>
#include <vector>

#include "slm/slm.h"

int main() {
  const size_t rows = 400, columns = 20;
  std::vector<float> x(rows * columns);
  std::vector<int> classes(rows);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(std::fmod(0.618034 * i * i, 1.0));
  for (size_t i = 0; i < rows; ++i) classes[i] = x[i * columns + 3] + x[i * columns + 11] > 1;

  slm::Selection selection = slm::Select({x.data(), rows, columns}, classes, 2);
  for (size_t i = 0; i < selection.columns.size(); ++i) {
    std::printf("column %d, weight %.3f\n", selection.columns[i], selection.weights[i]);
  }
}
