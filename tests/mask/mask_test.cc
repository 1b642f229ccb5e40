#include "mask/mask.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/mask/reference_mask.h"

namespace slm {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr MaskScale kSparsemaxRules[] = {MaskScale::kLeftEnd, MaskScale::kNearestOne};
constexpr MaskScale kRules[] = {MaskScale::kLeftEnd, MaskScale::kNearestOne,
                                MaskScale::kSoftmaxTopK};

void SetArgument(Mask& mask, const std::vector<float>& v) {
  std::copy(v.begin(), v.end(), mask.argument().begin());
  mask.ArgumentReplaced();
}

// What is wrong with the mask of v for F = count; empty if nothing is.
std::string Complaint(const Mask& mask, size_t count) {
  const std::span<const float> v = mask.argument();
  std::vector<int32_t> order(v.size());
  std::iota(order.begin(), order.end(), 0);
  auto at = [&](int32_t j) { return v[static_cast<size_t>(j)]; };
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return at(a) > at(b); });
  order.resize(count);
  std::vector<int32_t> expected = order;
  std::sort(expected.begin(), expected.end());
  if (!std::equal(expected.begin(), expected.end(), mask.support().begin(), mask.support().end())) {
    return "the support is not that of the " + std::to_string(count) + " largest";
  }
  if (mask.weights().size() != count) return "a weight is missing";
  double sum = 0;
  for (float p : mask.weights()) {
    if (!(p > 0)) return "a weight is not positive";
    sum += static_cast<double>(p);
  }
  if (!(std::abs(sum - 1) <= 1e-6)) return "the sum is " + std::to_string(sum);
  auto weight = [&](int32_t j) {
    auto found = std::lower_bound(mask.support().begin(), mask.support().end(), j);
    return mask.weights()[static_cast<size_t>(found - mask.support().begin())];
  };
  for (size_t i = 1; i < count; ++i) {
    if (weight(order[i - 1]) < weight(order[i])) return "the order is not that of the argument";
    if (at(order[i - 1]) == at(order[i]) && weight(order[i - 1]) != weight(order[i])) {
      return "equal arguments have different weights";
    }
  }
  return "";
}

// Arguments of every kind that has a way of going wrong.
std::vector<float> RandomArgument(RandomStream& random) {
  const bool wide = random.Below(50) == 0;
  std::vector<float> v(1 + random.Below(wide ? 400 : 24));
  const uint64_t kind = random.Below(9);
  const uint64_t levels = 1 + random.Below(5);
  for (float& x : v) {
    const double normal = random.Normal();
    switch (kind) {
      case 0:
        x = static_cast<float>(normal);
        break;
      case 1:
        x = 1;
        break;  // equal
      case 2:
        x = static_cast<float>(random.Below(levels)) - 2;
        break;  // exact ties
      case 3:
        x = static_cast<float>(1e6 + normal);
        break;  // far from zero
      case 4:
        x = static_cast<float>(1e-30 * normal);
        break;  // tiny
      case 5:
        x = static_cast<float>(std::exp(10 * normal));
        break;  // of all sizes
      case 6:
        x = random.Below(3) == 0 ? static_cast<float>(normal) : 1;  // columns never touched
        break;
      case 7:
        x = static_cast<float>(1e20 * (static_cast<double>(random.Below(levels)) - 2));
        break;
      default:  // near-ties
        x = levels % 2 == 0 ? 1.0f : -1e12f;
        for (uint64_t ulps = random.Below(3); ulps > 0; --ulps) x = std::nextafter(x, kInfinity);
    }
  }
  return v;
}

TEST(Mask, HasExactlyFWeightsInTheOrderOfTheArgumentForAnyInput) {
  RandomStream random(11, 0);
  for (int trial = 0; trial < 100000; ++trial) {
    const std::vector<float> v = RandomArgument(random);
    const size_t count = 1 + random.Below(v.size());
    for (MaskScale rule : kRules) {
      Mask mask(v.size(), rule);
      SetArgument(mask, v);
      mask.Update(count);
      ASSERT_EQ(Complaint(mask, count), "")
          << "trial " << trial << ", d " << v.size() << ", F " << count << ", rule "
          << static_cast<int>(rule) << ", v = " << testing::PrintToString(v);
    }
  }
}

TEST(Mask, FollowsChangesOfItsSupportAsAFreshMaskWould) {
  RandomStream random(12, 0);
  size_t stood = 0, changed = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const std::vector<float> start = RandomArgument(random);
    const MaskScale rule = kRules[trial % 3];
    Mask mask(start.size(), rule);
    SetArgument(mask, start);
    size_t count = 1 + random.Below(start.size());
    std::vector<int32_t> before;
    for (int step = 0; step < 20; ++step) {
      if (step == 10) count = 1 + random.Below(count);
      const bool says_changed = mask.Update(count);
      const std::vector<int32_t> now(mask.support().begin(), mask.support().end());
      if (!says_changed) {
        ASSERT_EQ(now, before);
      }
      (says_changed ? changed : stood) += 1;
      before = now;

      Mask fresh(start.size(), rule);
      std::copy(mask.argument().begin(), mask.argument().end(), fresh.argument().begin());
      fresh.Update(count);
      ASSERT_TRUE(std::equal(fresh.support().begin(), fresh.support().end(), now.begin()));
      ASSERT_TRUE(
          std::equal(fresh.weights().begin(), fresh.weights().end(), mask.weights().begin()));
      ASSERT_EQ(fresh.scale(), mask.scale());
      ASSERT_EQ(fresh.reference(), mask.reference());
      for (int32_t j : now) {
        mask.argument()[static_cast<size_t>(j)] += static_cast<float>(0.05 * random.Normal());
      }
    }
  }
  EXPECT_GT(stood, 1000u);
  EXPECT_GT(changed, 1000u);
}

TEST(Mask, WorksOnAMillionFeatures) {
  RandomStream random(13, 0);
  std::vector<float> v(1000000);
  for (float& x : v) x = static_cast<float>(random.Normal());
  for (MaskScale rule : kRules) {
    Mask mask(v.size(), rule);
    mask.Update(50);  // all ones
    ASSERT_EQ(mask.support().size(), 50u);
    EXPECT_EQ(mask.weights()[49], 0.02f);
    SetArgument(mask, v);
    for (size_t count : {size_t{1}, size_t{50}, size_t{500000}, size_t{999999}, v.size()}) {
      mask.Update(count);
      ASSERT_EQ(mask.support().size(), count);
      std::vector<bool> inside(v.size());
      float lowest_inside = kInfinity, highest_outside = -kInfinity;
      double sum = 0;
      for (size_t i = 0; i < count; ++i) {
        const size_t j = static_cast<size_t>(mask.support()[i]);
        inside[j] = true;
        lowest_inside = std::min(lowest_inside, v[j]);
        ASSERT_GT(mask.weights()[i], 0.0f);
        sum += static_cast<double>(mask.weights()[i]);
      }
      for (size_t j = 0; j < v.size(); ++j) {
        if (!inside[j]) highest_outside = std::max(highest_outside, v[j]);
      }
      EXPECT_GE(lowest_inside, highest_outside);
      EXPECT_NEAR(sum, 1, 1e-6) << "F " << count;
    }
  }
}

TEST(Mask, PlainSparsemaxIsTheProjectionOntoTheSimplex) {
  RandomStream random(14, 0);
  for (int trial = 0; trial < 2000; ++trial) {
    Mask mask(1 + random.Below(30), MaskScale::kNone);
    for (float& x : mask.argument()) x = static_cast<float>(0.4 * random.Normal());
    mask.Update(1);
    const std::vector<double> expected =
        ReferenceSparsemax({mask.argument().begin(), mask.argument().end()});
    std::vector<double> p(expected.size());
    for (size_t i = 0; i < mask.support().size(); ++i) {
      p[static_cast<size_t>(mask.support()[i])] = static_cast<double>(mask.weights()[i]);
    }
    for (size_t j = 0; j < p.size(); ++j) ASSERT_NEAR(p[j], expected[j], 1e-6);
  }
}

size_t NonZeros(const std::vector<double>& p) {
  return static_cast<size_t>(std::count_if(p.begin(), p.end(), [](double x) { return x > 0; }));
}

// Lemma 3.2, corrected: m in [1 / g(F + 1), 1 / g(F)).
TEST(Lemma32, SparsemaxHasFNonZerosInsideTheIntervalAndNotOutside) {
  RandomStream random(15, 0);
  for (int trial = 0; trial < 3000; ++trial) {
    const size_t d = 3 + random.Below(20), count = 2 + random.Below(d - 2);
    std::vector<double> v(d);
    for (double& x : v) x = random.Normal();
    const std::vector<double> g = SortedGaps(v);
    const double left = 1 / g[count], right = 1 / g[count - 1];
    auto non_zeros = [&](double m) {
      std::vector<double> scaled = v;
      for (double& x : scaled) x *= m;
      return NonZeros(ReferenceSparsemax(scaled));
    };
    if (!(right / left > 1 + 1e-6)) continue;
    ASSERT_EQ(non_zeros(left * (1 + 1e-9)), count);
    ASSERT_EQ(non_zeros(std::sqrt(left * right)), count);
    ASSERT_EQ(non_zeros(right * (1 - 1e-9)), count);
    ASSERT_LT(non_zeros(right * (1 + 1e-9)), count);
    ASSERT_GT(non_zeros(left * (1 - 1e-9)), count);
  }
}

// At the ends themselves rounding decides, unless every number is exact: integers, with g a power
// of two. The closed left end leaves F, the open right end, where the paper puts its case 2, F - 1.
TEST(Lemma32, TheLeftEndBelongsToTheIntervalAndTheRightEndDoesNot) {
  RandomStream random(16, 0);
  int seen = 0;
  for (int trial = 0; trial < 200000 && seen < 500; ++trial) {
    std::vector<double> v(3 + random.Below(6));
    for (double& x : v) x = static_cast<double>(random.Below(40)) - 20;
    const size_t count = 2 + random.Below(v.size() - 2);
    const std::vector<double> g = SortedGaps(v);
    auto power_of_two = [](double x) { return x > 0 && std::exp2(std::round(std::log2(x))) == x; };
    if (!power_of_two(g[count]) || !power_of_two(g[count - 1])) continue;
    if (g[count] == g[count - 1] || g[count - 1] == g[count - 2]) continue;  // a tie at a cut
    ++seen;
    auto non_zeros = [&](double m) {
      std::vector<double> scaled = v;
      for (double& x : scaled) x *= m;
      return NonZeros(ReferenceSparsemax(scaled));
    };
    // v / g is exact and k v(k) / g too; sums of them hold, since g is a power of two.
    ASSERT_EQ(non_zeros(1 / g[count]), count) << testing::PrintToString(v);
    ASSERT_EQ(non_zeros(1 / g[count - 1]), count - 1) << testing::PrintToString(v);
  }
  EXPECT_EQ(seen, 500);
}

TEST(Mask, IsSparsemaxOfTheScaledArgument) {
  RandomStream random(17, 0);
  for (MaskScale rule : kSparsemaxRules) {
    for (int trial = 0; trial < 2000; ++trial) {
      const size_t d = 2 + random.Below(30), count = 1 + random.Below(d);
      const double spread = std::exp(2 * random.Normal());
      Mask mask(d, rule);
      for (float& x : mask.argument()) x = static_cast<float>(spread * random.Normal());
      mask.Update(count);
      std::vector<double> scaled(mask.argument().begin(), mask.argument().end());
      const ReferenceMask expected = MakeReferenceMask(scaled, count, rule);
      ASSERT_NEAR(mask.scale() / expected.m, 1, 1e-9);
      for (double& x : scaled) x *= mask.scale();
      const std::vector<double> projected = ReferenceSparsemax(scaled);
      for (size_t i = 0; i < count; ++i) {
        const size_t j = static_cast<size_t>(mask.support()[i]);
        ASSERT_NEAR(static_cast<double>(mask.weights()[i]), projected[j], 1e-6);
        ASSERT_NEAR(static_cast<double>(mask.weights()[i]), expected.p[j], 1e-6);
      }
    }
  }
}

TEST(Mask, SoftmaxTopKIsTheNormalisedSoftmaxOfTheLargest) {
  RandomStream random(19, 0);
  for (int trial = 0; trial < 500; ++trial) {
    const size_t d = 2 + random.Below(30), count = 1 + random.Below(d);
    Mask mask(d, MaskScale::kSoftmaxTopK);
    for (float& x : mask.argument()) x = static_cast<float>(2 * random.Normal());
    mask.Update(count);
    const ReferenceMask expected = MakeReferenceMask(
        {mask.argument().begin(), mask.argument().end()}, count, MaskScale::kSoftmaxTopK);
    for (size_t i = 0; i < count; ++i) {
      const size_t j = static_cast<size_t>(mask.support()[i]);
      ASSERT_NEAR(static_cast<double>(mask.weights()[i]), expected.p[j], 1e-6);
    }
  }
}

TEST(Mask, PlainSparsemaxEndsWithExactlyTheCountAndTrainsOnAsBefore) {
  RandomStream random(20, 0);
  size_t cut = 0, filled = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Mask mask(2 + random.Below(30), MaskScale::kNone);
    const double spread = std::exp(2 * random.Normal() - 3);
    for (float& x : mask.argument()) x = static_cast<float>(spread * random.Normal());
    const size_t count = 1 + random.Below(mask.argument().size());
    mask.Update(count);
    const std::vector<float> before(mask.weights().begin(), mask.weights().end());
    std::vector<float> by_feature(mask.argument().size());
    for (size_t i = 0; i < before.size(); ++i) {
      by_feature[static_cast<size_t>(mask.support()[i])] = before[i];
    }
    mask.UpdateExactly(count);
    ASSERT_EQ(Complaint(mask, count), "");
    (before.size() > count ? cut : filled) += 1;
    if (before.size() <= count) {  // what carried weight still carries all of it
      for (size_t i = 0; i < count; ++i) {
        const size_t j = static_cast<size_t>(mask.support()[i]);
        ASSERT_NEAR(mask.weights()[i], by_feature[j], 1e-6f);
      }
    }
    mask.Update(count);
    ASSERT_EQ(std::vector<float>(mask.weights().begin(), mask.weights().end()), before);
  }
  EXPECT_GT(cut, 200u);
  EXPECT_GT(filled, 200u);
}

struct BackwardCase {
  MaskScale rule;
  MaskGradient gradient;
  double spread;  // of the argument: small ones put m = 1 or the left end, large ones the right end
};

class MaskBackward : public testing::TestWithParam<BackwardCase> {};

TEST_P(MaskBackward, IsTheDerivativeOfTheWeights) {
  const BackwardCase& c = GetParam();
  RandomStream random(18, static_cast<uint64_t>(c.spread * 10));
  for (size_t count : {size_t{1}, size_t{4}, size_t{7}, size_t{12}}) {
    constexpr size_t kFeatures = 12;
    Mask mask(kFeatures, c.rule, c.gradient);
    for (float& x : mask.argument()) x = static_cast<float>(c.spread * random.Normal());
    mask.Update(count);
    std::vector<double> v(mask.argument().begin(), mask.argument().end());
    std::vector<float> d_weights(count), d_support(count);
    for (float& d : d_weights) d = static_cast<float>(random.Normal());
    float d_reference = 0;
    mask.Backward(d_weights, d_support, &d_reference);
    std::vector<double> analytic(kFeatures);
    for (size_t i = 0; i < count; ++i) {
      analytic[static_cast<size_t>(mask.support()[i])] = static_cast<double>(d_support[i]);
    }
    if (mask.reference() >= 0) {
      analytic[static_cast<size_t>(mask.reference())] += static_cast<double>(d_reference);
    }
    std::optional<double> fixed;
    if (c.gradient == MaskGradient::kFixedScale) fixed = mask.scale();
    auto value = [&](const std::vector<double>& argument) {
      const ReferenceMask reference = MakeReferenceMask(argument, count, c.rule, fixed);
      double sum = 0;
      for (size_t i = 0; i < count; ++i) {
        sum +=
            static_cast<double>(d_weights[i]) * reference.p[static_cast<size_t>(mask.support()[i])];
      }
      return sum;
    };
    double largest = 0;
    for (double a : analytic) largest = std::max(largest, std::abs(a));
    if (count > 1) {
      EXPECT_GT(largest, 0);
    }
    for (size_t j = 0; j < kFeatures; ++j) {
      const double step = 1e-6 * c.spread;
      std::vector<double> up = v, down = v;
      up[j] += step;
      down[j] -= step;
      const double numeric = (value(up) - value(down)) / (2 * step);
      EXPECT_NEAR(analytic[j], numeric, 1e-4 * largest + 1e-7) << "F " << count << ", entry " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryRule, MaskBackward,
    testing::Values(BackwardCase{MaskScale::kLeftEnd, MaskGradient::kFixedScale, 1},
                    BackwardCase{MaskScale::kLeftEnd, MaskGradient::kThroughScale, 1},
                    BackwardCase{MaskScale::kNearestOne, MaskGradient::kFixedScale, 0.01},
                    BackwardCase{MaskScale::kNearestOne, MaskGradient::kThroughScale, 0.01},
                    BackwardCase{MaskScale::kNearestOne, MaskGradient::kFixedScale, 0.1},
                    BackwardCase{MaskScale::kNearestOne, MaskGradient::kThroughScale, 0.1},
                    BackwardCase{MaskScale::kNearestOne, MaskGradient::kFixedScale, 10},
                    BackwardCase{MaskScale::kNearestOne, MaskGradient::kThroughScale, 10},
                    BackwardCase{MaskScale::kSoftmaxTopK, MaskGradient::kFixedScale, 1},
                    BackwardCase{MaskScale::kSoftmaxTopK, MaskGradient::kThroughScale, 3}));

}  // namespace
}  // namespace slm
