#include "kernels/manhattan.h"
#include "kernels/simd.h"

namespace slm::SLM_SIMD_LEVEL {
namespace {

inline F16 Distance(F16 a, F16 b) { return Max(a - b, b - a); }

}  // namespace

void Manhattan(const ManhattanArgs& p) noexcept {
  for (size_t i = 0; i < p.rows; i += kWidth) {
    F16 sum[kManhattanRows];
    for (F16& s : sum) s = Zero();
    const float* x = p.x + i;
    const float* at = p.at;
    for (size_t c = 0; c < p.single; ++c, x += p.x_stride) {
      const F16 value = Load(x);
      for (size_t r = 0; r < kManhattanRows; ++r) {
        sum[r] = sum[r] + Distance(value, Set(at[r * p.at_stride + c]));
      }
    }
    for (size_t g = 0; g < p.groups; ++g) {
      F16 most[kManhattanRows];
      for (F16& m : most) m = Zero();
      for (int32_t c = p.offsets[g]; c < p.offsets[g + 1]; ++c) {
        const size_t column = static_cast<size_t>(c);
        const F16 value = Load(p.x + column * p.x_stride + i);
        for (size_t r = 0; r < kManhattanRows; ++r) {
          most[r] = Max(most[r], Distance(value, Set(at[r * p.at_stride + column])));
        }
      }
      for (size_t r = 0; r < kManhattanRows; ++r) sum[r] = sum[r] + most[r];
    }
    for (size_t r = 0; r < kManhattanRows; ++r) Store(p.out + r * p.out_stride + i, sum[r]);
  }
}

}  // namespace slm::SLM_SIMD_LEVEL
