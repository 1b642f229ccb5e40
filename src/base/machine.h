#pragma once

// What this process may use of the machine: cores, and memory in bytes. A container, a batch system
// or systemd can allow less than there is.

#include <limits>
#include <string>

namespace slm {

// At least 1.
int UsableCores();

// In all, and what could still be had now.
double UsableMemory();
double AvailableMemory();

// What this process holds, and the most it ever held; 0 where the system does not say.
double ResidentMemory();
double PeakMemory();

// What the control groups (of Linux, version 1 or 2) that a process is in allow it; infinity where
// they set no limit.
struct GroupLimits {
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  double cores = kNone;  // of processor time
  double memory = kNone;
  double memory_left = kNone;
};

// `groups` is the file that names them, `mount` the directory where they are found.
GroupLimits ReadGroupLimits(const std::string& groups = "/proc/self/cgroup",
                            const std::string& mount = "/sys/fs/cgroup");

}  // namespace slm
