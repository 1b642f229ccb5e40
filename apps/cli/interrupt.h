#pragma once

namespace slm {

// From now on the first Ctrl-C (SIGINT) or SIGTERM only asks: work ends with the best so far. A
// second one ends the process as usual.
void CatchInterrupt();

bool Interrupted();

}  // namespace slm
