#pragma once

// Memory of the machine and of this process, in bytes.

namespace slm {

// What the system could still hand out.
double AvailableMemory();

// What this process holds, and the most it ever held; 0 where the system does not say.
double ResidentMemory();
double PeakMemory();

}  // namespace slm
