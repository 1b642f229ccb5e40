#include "kernels/orthogonal.h"

#include "kernels/dispatch.h"

namespace slm {

SLM_DECLARE_LEVELS(void, Reflect, const float* v, float scale, size_t n, float* block)
SLM_DECLARE_LEVELS(void, RotateDown, const Rotation* rotations, size_t count, size_t from,
                   float* block)

void Reflect(const float* v, float scale, size_t n, float* block) noexcept {
  SLM_DISPATCH(Reflect, v, scale, n, block);
}
void RotateDown(const Rotation* rotations, size_t count, size_t from, float* block) noexcept {
  SLM_DISPATCH(RotateDown, rotations, count, from, block);
}

}  // namespace slm
