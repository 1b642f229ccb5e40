#include "kernels/elementwise.h"

#include "kernels/dispatch.h"

namespace slm {

SLM_DECLARE_LEVELS(void, GumbelFromBits, const uint32_t* bits, size_t n, float* out)
SLM_DECLARE_LEVELS(void, Tanh, const float* x, size_t n, float* out)

void GumbelFromBits(const uint32_t* bits, size_t n, float* out) noexcept {
  SLM_DISPATCH(GumbelFromBits, bits, n, out);
}
void Tanh(const float* x, size_t n, float* out) noexcept { SLM_DISPATCH(Tanh, x, n, out); }

}  // namespace slm
