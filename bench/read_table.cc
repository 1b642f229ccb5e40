// Seconds to read a file of any format into a table, the fastest of several rounds:
//
//   bench_read_table FILE [ROUNDS]
//
// Prints "SECONDS ROWS COLUMNS". Two threads.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>

#include "base/thread_pool.h"
#include "data/readers/reader.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("bench_read_table FILE [ROUNDS]\n", stderr);
    return 2;
  }
  const int rounds = argc > 2 ? std::stoi(argv[2]) : 3;
  slm::ThreadPool pool(2);
  double best = std::numeric_limits<double>::infinity();
  size_t rows = 0, columns = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const slm::Table table = slm::ReadTable(argv[1], {}, pool);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
    rows = table.rows;
    columns = table.columns.size();
  }
  std::printf("%.4f %zu %zu\n", best, rows, columns);
}
