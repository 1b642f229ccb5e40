// Reading a numeric CSV file of 200,000 x 200 cells, against counting its lines the way `wc -l`
// does (read into a buffer, count line ends) and against pandas' C reader. Ratios come from one run
// on the same warm file.
//
//   bench_read_csv [--rows N] [--columns N] [--threads N] [--rounds N]
//                  [--file PATH] [--pandas SCRIPT] [--json]
//
// The file is generated at PATH if it is not there (and removed if no PATH was given); SCRIPT is
// read_csv_pandas.py.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "data/readers/reader.h"

namespace slm {
namespace {

struct Options {
  size_t rows = 200000;
  size_t columns = 200;
  int threads = 2;
  int rounds = 5;
  std::string file;
  std::string pandas;
  bool json = false;
};

double Seconds(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Standard normal values with seven decimals: about ten bytes a cell.
void Generate(const std::string& path, const Options& options) {
  std::ofstream out(path, std::ios::binary);
  std::string lines;
  for (size_t j = 0; j < options.columns; ++j) {
    lines.append("x").append(std::to_string(j)).push_back(j + 1 < options.columns ? ',' : '\n');
  }
  RandomStream random(0, 0);
  char cell[32];
  for (size_t i = 0; i < options.rows; ++i) {
    for (size_t j = 0; j < options.columns; ++j) {
      std::snprintf(cell, sizeof(cell), "%.7f%c", random.Normal(),
                    j + 1 < options.columns ? ',' : '\n');
      lines += cell;
    }
    if (lines.size() > (1 << 20) || i + 1 == options.rows) {
      out.write(lines.data(), static_cast<std::streamsize>(lines.size()));
      lines.clear();
    }
  }
}

size_t CountLines(const std::string& path) {
  int file = open(path.c_str(), O_RDONLY);
  std::vector<char> buffer(256 << 10);
  size_t lines = 0;
  for (ssize_t got; (got = read(file, buffer.data(), buffer.size())) > 0;) {
    lines += static_cast<size_t>(std::count(buffer.begin(), buffer.begin() + got, '\n'));
  }
  close(file);
  return lines;
}

// What a command prints, as a number of seconds; negative if it fails.
double SecondsFrom(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return -1;
  double seconds = -1;
  if (std::fscanf(pipe, "%lf", &seconds) != 1) seconds = -1;
  return pclose(pipe) == 0 ? seconds : -1;
}

int Run(const Options& options) {
  std::string path = options.file.empty()
                         ? (std::filesystem::temp_directory_path() / "slm_read_csv.csv").string()
                         : options.file;
  if (!std::filesystem::exists(path)) Generate(path, options);
  double bytes = static_cast<double>(std::filesystem::file_size(path));

  size_t lines = 0, rows = 0;
  std::string quoted = "'" + path + "'";
  std::string wc_command = "wc -l " + quoted + " > /dev/null";
  ThreadPool pool(options.threads);
  // In turns, so that a busy moment of the machine does not hit one of them alone.
  double count = INFINITY, wc = INFINITY, read = INFINITY;
  for (int round = 0; round < options.rounds; ++round) {
    count = std::min(count, Seconds([&] { lines = CountLines(path); }));
    wc = std::min(wc, Seconds([&] {
                    if (std::system(wc_command.c_str()) != 0) std::fprintf(stderr, "wc failed\n");
                  }));
    read = std::min(read, Seconds([&] { rows = ReadTable(path, {}, pool).rows; }));
  }
  double pandas = options.pandas.empty()
                      ? -1
                      : SecondsFrom("/usr/bin/python3 '" + options.pandas + "' " + quoted);
  if (options.file.empty()) std::filesystem::remove(path);
  if (rows + 1 != lines) {
    std::fprintf(stderr, "read %zu rows of a file of %zu lines\n", rows, lines);
    return 1;
  }
  if (options.json) {
    std::printf("{\"bytes\":%.0f,\"wc_seconds\":%.4f,\"count_seconds\":%.4f,\"read_seconds\":%.4f,",
                bytes, wc, count, read);
    std::printf("\"gb_per_second\":%.3f,\"read_over_wc\":%.2f,", bytes / read * 1e-9, read / wc);
    if (pandas > 0) {
      std::printf("\"pandas_seconds\":%.3f,\"pandas_over_read\":%.2f}\n", pandas, pandas / read);
    } else {
      std::printf("\"pandas_seconds\":null,\"pandas_over_read\":null}\n");
    }
    return 0;
  }
  std::printf("file                  %8.0f MB, %zu rows, %d threads\n", bytes * 1e-6, rows,
              options.threads);
  std::printf("wc -l                 %8.3f s\n", wc);
  std::printf("line count, in here   %8.3f s\n", count);
  std::printf("slm                   %8.3f s   %.2f GB/s   %.1fx of wc -l (bar: 15x)\n", read,
              bytes / read * 1e-9, read / wc);
  if (pandas > 0) {
    std::printf("pandas                %8.3f s   slm is %.1fx faster (bar: 2x)\n", pandas,
                pandas / read);
  } else {
    std::printf("pandas                not measured; see --pandas\n");
  }
  return 0;
}

}  // namespace
}  // namespace slm

int main(int argc, char** argv) {
  slm::Options options;
  for (int i = 1; i < argc; ++i) {
    std::string flag = argv[i];
    if (flag == "--json") {
      options.json = true;
      continue;
    }
    if (i + 1 == argc) {
      std::fprintf(stderr, "%s needs a value\n", flag.c_str());
      return 2;
    }
    std::string value = argv[++i];
    if (flag == "--rows") {
      options.rows = std::stoul(value);
    } else if (flag == "--columns") {
      options.columns = std::stoul(value);
    } else if (flag == "--threads") {
      options.threads = std::stoi(value);
    } else if (flag == "--rounds") {
      options.rounds = std::stoi(value);
    } else if (flag == "--file") {
      options.file = value;
    } else if (flag == "--pandas") {
      options.pandas = value;
    } else {
      std::fprintf(stderr, "there is no flag %s\n", flag.c_str());
      return 2;
    }
  }
  return slm::Run(options);
}
