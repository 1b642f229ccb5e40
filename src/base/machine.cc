#include "base/machine.h"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/options.h"
#include "base/system.h"
#include "base/text.h"

namespace slm {
namespace {

// Paths are plain texts here: appending to a std::filesystem::path without memory left destroys
// what it has not built yet (libstdc++ 12).
std::vector<std::string> WordsOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istream_iterator<std::string>(file), {}};
}

// None for "max", and for a word that is not there.
std::optional<double> NumberAt(size_t i, const std::vector<std::string>& words) {
  double number;
  return i < words.size() && ParseNumber(words[i], &number) ? std::optional(number) : std::nullopt;
}

std::optional<double> FirstNumber(const std::string& path) { return NumberAt(0, WordsOf(path)); }

// The number behind `name` in a file of lines such as "VmRSS:  1234 kB"; 0 if there is none.
double NumberOf(std::string_view name, const std::string& path) {
  const std::vector<std::string> words = WordsOf(path);
  const auto at = std::find(words.begin(), words.end(), name);
  return NumberAt(static_cast<size_t>(at - words.begin()) + 1, words).value_or(0);
}

double Kibibytes(std::string_view name, const char* path) { return 1024 * NumberOf(name, path); }

// How the two versions of control groups name the same things.
struct GroupFiles {
  const char* memory_limit;
  const char* memory_used;
  const char* idle_pages;  // in memory.stat
};
constexpr GroupFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file"};
constexpr GroupFiles kVersion2 = {"memory.max", "memory.current", "inactive_file"};

void HoldToMemory(const std::string& group, const GroupFiles& files, GroupLimits* limits) {
  const std::optional<double> limit = FirstNumber(group + files.memory_limit);
  if (!limit) return;
  // What was read of files and is not in use is given back when memory is asked for.
  const double used = FirstNumber(group + files.memory_used).value_or(0) -
                      NumberOf(files.idle_pages, group + "memory.stat");
  limits->memory = std::min(limits->memory, *limit);
  limits->memory_left = std::min(limits->memory_left, std::max(0.0, *limit - used));
}

void HoldToCores(std::optional<double> quota, std::optional<double> period, GroupLimits* limits) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return;  // -1 is no limit
  limits->cores = std::min(limits->cores, *quota / *period);
}

void HoldToCoresOfVersion1(const std::string& group, GroupLimits* limits) {
  HoldToCores(FirstNumber(group + "cpu.cfs_quota_us"), FirstNumber(group + "cpu.cfs_period_us"),
              limits);
}

void HoldToCoresOfVersion2(const std::string& group, GroupLimits* limits) {
  const std::vector<std::string> words = WordsOf(group + "cpu.max");
  HoldToCores(NumberAt(0, words), NumberAt(1, words), limits);
}

// Calls `hold` with the folder of the group and of all that it is in, each with a slash behind it.
// Inside a container the path may be that of the host and lead nowhere, but the mount itself is
// then the container's group.
template <class Hold>
void EachGroup(const std::string& mount, std::string_view path, Hold hold) {
  std::vector<std::string> folders = {mount + "/"};
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    if (name == "..") {
      if (folders.size() > 1) folders.pop_back();
    } else if (!name.empty() && name != ".") {
      folders.push_back(folders.back() + std::string(name) + "/");
    }
  }
  for (; !folders.empty(); folders.pop_back()) hold(folders.back());
}

int AllowedCores() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

// A line is "id:controllers:path"; that of version 2 has no controllers.
GroupLimits ReadGroupLimits(const std::string& groups, const std::string& mount) {
  GroupLimits limits;
  std::ifstream file(groups);
  for (std::string id, controllers, path; std::getline(file, id, ':') &&
                                          std::getline(file, controllers, ':') &&
                                          std::getline(file, path);) {
    if (controllers.empty()) {
      EachGroup(mount, path, [&](const std::string& group) {
        HoldToMemory(group, kVersion2, &limits);
        HoldToCoresOfVersion2(group, &limits);
      });
    }
    for (const std::string& controller : SplitList(controllers)) {
      EachGroup(mount + "/" + controller, path, [&](const std::string& group) {
        if (controller == "memory") HoldToMemory(group, kVersion1, &limits);
        if (controller == "cpu") HoldToCoresOfVersion1(group, &limits);
      });
    }
  }
  return limits;
}

int UsableCores() {
  const double quota = std::ceil(ReadGroupLimits().cores);
  const int allowed = AllowedCores();
  return quota < allowed ? std::max(1, static_cast<int>(quota)) : allowed;
}

double UsableMemory() { return std::min(PhysicalMemory(), ReadGroupLimits().memory); }

double AvailableMemory() {
  const double said = Kibibytes("MemAvailable:", "/proc/meminfo");
  return std::min(said > 0 ? said : PhysicalMemory(), ReadGroupLimits().memory_left);
}

double ResidentMemory() { return Kibibytes("VmRSS:", "/proc/self/status"); }

double PeakMemory() { return Kibibytes("VmHWM:", "/proc/self/status"); }

}  // namespace slm
