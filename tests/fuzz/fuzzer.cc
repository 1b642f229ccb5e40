// The fuzzer of the target that the environment variable SLM_FUZZ_TARGET names; libFuzzer brings
// the main function and its own flags.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "slm/errors.h"
#include "tests/fuzz/targets.h"

namespace {

const slm::FuzzTarget& TargetOfEnvironment() {
  const char* name = std::getenv("SLM_FUZZ_TARGET");
  const slm::FuzzTarget* target = name == nullptr ? nullptr : slm::FindFuzzTarget(name);
  if (target == nullptr) slm::ReportFinding("SLM_FUZZ_TARGET names no target");
  return *target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const slm::FuzzTarget& target = TargetOfEnvironment();
  try {
    target.run({reinterpret_cast<const char*>(data), size});
  } catch (const slm::InputError&) {
  }
  return 0;
}
