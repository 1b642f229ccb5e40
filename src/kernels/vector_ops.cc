#include "kernels/vector_ops.h"

#include "kernels/dispatch.h"

namespace slm {

SLM_DECLARE_LEVELS(void, ScaleRows, const WeightRows& rows, const float* scale, float* out)
SLM_DECLARE_LEVELS(void, RowDots, const WeightRows& rows, const float* x, float* out)
SLM_DECLARE_LEVELS(void, Gather, const GatherArgs& args)
SLM_DECLARE_LEVELS(void, ColumnSums, const float* x, size_t stride, size_t rows, size_t width,
                   float* out)
SLM_DECLARE_LEVELS(void, Softmax, const SoftmaxArgs& args)
SLM_DECLARE_LEVELS(void, SoftmaxGrad, const SoftmaxGradArgs& args)
SLM_DECLARE_LEVELS(void, Adam, const AdamArgs& args)
SLM_DECLARE_LEVELS(void, Momentum, const MomentumArgs& args)

void ScaleRows(const WeightRows& rows, const float* scale, float* out) noexcept {
  SLM_DISPATCH(ScaleRows, rows, scale, out);
}
void RowDots(const WeightRows& rows, const float* x, float* out) noexcept {
  SLM_DISPATCH(RowDots, rows, x, out);
}
void Gather(const GatherArgs& args) noexcept { SLM_DISPATCH(Gather, args); }
void ColumnSums(const float* x, size_t stride, size_t rows, size_t width, float* out) noexcept {
  SLM_DISPATCH(ColumnSums, x, stride, rows, width, out);
}
void Softmax(const SoftmaxArgs& args) noexcept { SLM_DISPATCH(Softmax, args); }
void SoftmaxGrad(const SoftmaxGradArgs& args) noexcept { SLM_DISPATCH(SoftmaxGrad, args); }
void Adam(const AdamArgs& args) noexcept { SLM_DISPATCH(Adam, args); }
void Momentum(const MomentumArgs& args) noexcept { SLM_DISPATCH(Momentum, args); }

}  // namespace slm
