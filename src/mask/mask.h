#pragma once

// The mask: from an argument v in R^d to p = sparsemax(m v) with exactly F non-zero entries
// (paper, section 3.1, Eq. 1 and 2, and section 3.2, Lemma 3.2 with Eq. 3):
//
//   sparsemax(v) = argmin over p in the simplex of |p - v|^2
//   m = 1 / g(F + 1) if sparsemax(v) has more than F non-zero entries, 1 / g(F) if fewer
//
// The second case of the lemma leaves F - 1 entries: the interval of m is open there. With v(1) >=
// v(2)
// >= ... and g(k) = sum_{i <= k} v(i) - k v(k), sparsemax(m v) has exactly F non-zero entries iff
// 1 / g(F + 1) <= m < 1 / g(F). The support S is found by order statistics first, ties broken by
// index, and the values are written for it:
//
//   left end:     p_i = (v_i - r) / sum_{j in S} (v_j - r),  r = v(F + 1)
//   nearest one:  p_i = m v_i - (m sum_S v - 1) / F,         m nearest to 1 in the interval
//
// so the count is F whatever the rounding. Where v(F) = v(F + 1) no m gives F entries; then r is
// the largest value below v(F), or p = 1 / F if there is none.
//
// Its two rivals (paper, section A.5) are here as well: plain sparsemax, whose count is free, and
//
//   softmax top k:  p_i = exp(v_i) / sum_{j in S} exp(v_j),
//
// which is softmax, the F largest of it, and another normalisation.

#include <cstdint>
#include <span>
#include <vector>

#include "slm/options.h"

namespace slm {

class Mask {
 public:
  // All ones.
  explicit Mask(size_t features, MaskScale scale = MaskScale::kLeftEnd,
                MaskGradient gradient = MaskGradient::kFixedScale);

  std::span<float> argument() { return v_; }
  std::span<const float> argument() const { return v_; }

  // Finds support and weights for F = count; false if the support is the one before. O(F) while the
  // support stands, O(d) when it changes.
  // Between two calls only entries of argument() that received a gradient may have changed; call
  // ArgumentReplaced() after any other change.
  // Plain sparsemax takes as many features as it likes; only UpdateExactly holds it to the count.
  bool Update(size_t count);

  // What a run ends with, whatever the rule: the `count` largest entries. Plain sparsemax cuts its
  // support down to them, or fills it up with entries of the least weight there is, which leaves
  // the predictor's answers as they were. Training may go on with Update.
  bool UpdateExactly(size_t count);
  void ArgumentReplaced() { known_ = false; }

  std::span<const int32_t> support() const { return support_; }  // ascending
  std::span<const float> weights() const { return p_; }          // of the support, all positive
  double scale() const { return m_; }                            // the paper's m

  // The gradient of the argument from that of the weights: d_support for the entries of the
  // support, and, through the scale, d_reference for the first entry left out (reference() < 0 if
  // none).
  void Backward(std::span<const float> d_weights, std::span<float> d_support,
                float* d_reference) const;
  int32_t reference() const { return reference_; }

 private:
  void FindSupport(size_t count);
  void WriteWeights();
  void WriteSoftmax();
  void PlainSparsemax();

  MaskScale rule_;
  MaskGradient gradient_;
  std::vector<float> v_;
  std::vector<int32_t> support_;
  std::vector<float> p_;
  std::vector<uint32_t> scratch_;
  bool known_ = false;         // support_ and the fields below are those of v_
  bool tied_ = false;          // v(F) = v(F + 1)
  int32_t reference_ = -1;     // index of the entry that r is taken from
  float reference_value_ = 0;  // r
  float highest_outside_ = 0;  // v(F + 1)
  double m_ = 1;
  enum class End { kLeft, kRight, kInside } end_ = End::kLeft;
};

}  // namespace slm
