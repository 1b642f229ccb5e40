// A matrix in memory, seen by the library without a copy.

#include <cstdio>
#include <vector>

#include "slm/errors.h"
#include "slm/matrix.h"

int main() {
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  slm::MatrixView<const float> x(values.data(), 3, 2);
  std::printf("%zu rows, %zu features\n", x.rows, x.cols);
}
