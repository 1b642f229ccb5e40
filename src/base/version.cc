#include "base/version.h"

namespace slm {

const char* Version() { return SLM_VERSION; }

}  // namespace slm
