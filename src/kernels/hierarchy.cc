#include "kernels/hierarchy.h"

#include "kernels/dispatch.h"

namespace slm {

SLM_DECLARE_LEVELS(float, ShrinkHierarchy, const HierarchyArgs& args)

float ShrinkHierarchy(const HierarchyArgs& args) noexcept {
  return SLM_DISPATCH(ShrinkHierarchy, args);
}

}  // namespace slm
