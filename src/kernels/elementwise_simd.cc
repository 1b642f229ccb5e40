#include "kernels/elementwise.h"
#include "kernels/simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

// A scalar that the compiler turns into vectors: simd.h has no shifts of whole lanes.
// log x for normal x > 0 to about 1 ulp: x = m 2^e with m in [sqrt(1/2), sqrt(2)), then a
// polynomial in m - 1 (Cephes' coefficients).
inline float Log(float x) {
  const int32_t bits = __builtin_bit_cast(int32_t, x);
  const int32_t shifted = bits - 0x3f3504f3;  // sqrt(1/2)
  const float e = static_cast<float>(shifted >> 23);
  const float m = __builtin_bit_cast(float, (shifted & 0x007fffff) + 0x3f3504f3) - 1.0f;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  const float square = m * m;
  const float tail = p * m * square - 2.12194440e-4f * e - 0.5f * square;
  return (m + tail) + 0.693359375f * e;
}

}  // namespace

void GumbelFromBits(const uint32_t* bits, size_t n, float* out) noexcept {
  for (size_t i = 0; i < n; ++i) {
    // An odd number below 2^24 is a float without rounding.
    const int32_t odd = static_cast<int32_t>((bits[i] >> 9) * 2 + 1);
    const float u = static_cast<float>(odd) * 0x1p-24f;
    out[i] = -Log(-Log(u));
  }
}

void Tanh(const float* x, size_t n, float* out) noexcept {
  const F16 one = Set(1.0f), two = Set(2.0f), limit = Set(20.0f);  // tanh 10 rounds to 1
  for (size_t i = 0; i < n; i += kWidth) {
    const F16 twice = Max(Min(two * Load(x + i), limit), Zero() - limit);
    Store(out + i, one - two * Inverse(Exp(twice) + one));
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
