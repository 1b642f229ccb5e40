#include "base/memory.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace slm {
namespace {

// The figure behind `name` in a file of lines such as "VmRSS:  1234 kB"; 0 if there is none.
double Figure(const char* path, const char* name) {
  std::ifstream info(path);
  for (std::string word, rest; info >> word; std::getline(info, rest)) {
    double kibibytes;
    if (word == name && info >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

}  // namespace

double AvailableMemory() {
  const double said = Figure("/proc/meminfo", "MemAvailable:");
  if (said > 0) return said;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double ResidentMemory() { return Figure("/proc/self/status", "VmRSS:"); }

double PeakMemory() { return Figure("/proc/self/status", "VmHWM:"); }

}  // namespace slm
