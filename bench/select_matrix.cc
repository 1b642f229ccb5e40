// Usage: bench_select_matrix FLOATS ROWS COLUMNS K
//
// slm::Select on a matrix in memory, for the cost of a fit through Python beside it
// (bench/python_cost.py). FLOATS holds the rows, each ending in its class. Prints seconds and by
// how much the peak of memory grew as a line of JSON.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "slm/slm.h"

namespace {

// In KiB; of VmRSS or VmHWM.
long StatusField(const std::string& wanted) {
  std::ifstream status("/proc/self/status");
  for (std::string name, rest; status >> name; std::getline(status, rest)) {
    long kibibytes = 0;
    if (name == wanted && status >> kibibytes) return kibibytes;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "Usage: bench_select_matrix FLOATS ROWS COLUMNS K\n");
    return 2;
  }
  const size_t rows = std::stoul(argv[2]), columns = std::stoul(argv[3]);
  std::vector<float> x(rows * columns);
  std::vector<int> classes(rows);
  {
    std::ifstream file(argv[1], std::ios::binary);
    for (size_t i = 0; i < rows; ++i) {
      float label = 0;
      file.read(reinterpret_cast<char*>(&x[i * columns]),
                static_cast<std::streamsize>(columns * sizeof(float)));
      file.read(reinterpret_cast<char*>(&label), sizeof(label));
      classes[i] = static_cast<int>(label);
    }
    if (!file) {
      std::fprintf(stderr, "%s is too short\n", argv[1]);
      return 1;
    }
  }
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts again from here
  const long before = StatusField("VmRSS:");
  const std::clock_t busy = std::clock();
  const auto start = std::chrono::steady_clock::now();
  const slm::Selection selection =
      slm::Select({x.data(), rows, columns}, classes, std::atoi(argv[4]));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("{\"seconds\": %.4f, \"cpu_seconds\": %.4f, \"grown_kib\": %ld, \"first\": %d}\n",
              seconds.count(), static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC,
              StatusField("VmHWM:") - before, selection.columns[0]);
  return 0;
}
