// Feature selection as diversity maximisation: the sum over all chosen pairs of the distance
//
//   d(f, g) = lambda VI(f, g) + (1 - lambda) (r_f + r_g) / 2
//
// is made large, with VI = 1 - I(f; g) / H(f, g), the normalised variation of information, which is
// a metric and is small for redundant pairs, and r_f = I(f; y) / sqrt(H(f) H(y)) the relevance.
// The greedy algorithm begins with the most relevant feature and takes the one of largest distance
// to those taken.
//
// With several partitions features are dealt out at random, each part chooses k of its own, and the
// greedy algorithm runs once more on what they chose; the best set of all rounds wins. No part
// needs to see the columns of another.

#include <algorithm>
#include <cmath>

#include "base/options.h"
#include "base/random.h"
#include "selectors/choose.h"
#include "selectors/filters/information_greedy.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"

namespace slm {
namespace {

struct DisMiOptions {
  BinOptions bins;
  double diversity = 0.5;  // lambda
  int partitions = 1;
};

class DiversityMaximiser {
 public:
  DiversityMaximiser(const BinnedProblem& binned, double lambda, const Context& context)
      : binned_(binned), lambda_(lambda), context_(context) {
    for (size_t f = 0; f < binned.features(); ++f) {
      const double entropies = binned.Entropy(f) * binned.LabelEntropy();
      relevance_.push_back(entropies > 0 ? binned.Relevance(f) / std::sqrt(entropies) : 0);
    }
  }

  // k of the candidates, or all if they are fewer. Scores are mean distances to those taken.
  GreedyOrder Greedy(std::span<const int> candidates, int k) const {
    return GreedyBySum(
        binned_, candidates, std::min(k, static_cast<int>(candidates.size())),
        [this](std::span<const uint32_t> keys, size_t s, size_t f) { return Distance(keys, s, f); },
        [this](size_t f, double sum, size_t count) {
          return count == 0 ? relevance_[f] : sum / static_cast<double>(count);
        },
        context_);
  }

  // Summed over all pairs of the set. The distances to those taken before are known from the greedy
  // scores.
  static double Diversity(const GreedyOrder& order) {
    double sum = 0;
    for (size_t i = 1; i < order.features.size(); ++i) {
      sum += static_cast<double>(i) * order.scores[static_cast<size_t>(order.features[i])];
    }
    return sum;
  }

 private:
  double Distance(std::span<const uint32_t> keys, size_t s, size_t f) const {
    const double joint = binned_.JointEntropy(keys, s, f);
    const double shared = std::max(0.0, binned_.Entropy(s) + binned_.Entropy(f) - joint);
    const double variation = joint > 0 ? 1 - shared / joint : 0;
    return lambda_ * variation + (1 - lambda_) * (relevance_[s] + relevance_[f]) / 2;
  }

  const BinnedProblem& binned_;
  double lambda_;
  const Context& context_;
  std::vector<double> relevance_;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::LogWhole("bins", 3, 64),
    SearchDimension::Linear("diversity", 0, 1),
};

class DisMiSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const BinnedProblem binned(problem, options_.bins, context);
    const DiversityMaximiser maximiser(binned, options_.diversity, context);
    std::vector<int> finalists = AllFeatures(binned.features());
    std::vector<GreedyOrder> rounds;
    if (options_.partitions > 1) {
      std::vector<std::vector<int>> parts(static_cast<size_t>(options_.partitions));
      RandomStream random(seed, 0);
      for (int f : finalists) parts[random.Below(parts.size())].push_back(f);
      finalists.clear();
      for (const std::vector<int>& part : parts) {
        rounds.push_back(maximiser.Greedy(part, k));
        finalists.insert(finalists.end(), rounds.back().features.begin(),
                         rounds.back().features.end());
      }
      std::sort(finalists.begin(), finalists.end());
    }
    rounds.push_back(maximiser.Greedy(finalists, k));
    const GreedyOrder* best = &rounds.back();
    for (const GreedyOrder& round : rounds) {
      if (round.features.size() == static_cast<size_t>(k) &&
          DiversityMaximiser::Diversity(round) > DiversityMaximiser::Diversity(*best)) {
        best = &round;
      }
    }
    // Every feature has a score from its own part; the winner's replace those of its candidates.
    std::vector<double> scores(binned.features());
    for (const GreedyOrder& round : rounds) Overlay(round.scores, scores);
    Overlay(best->scores, scores);
    return ChooseInOrder(best->features, scores);
  }

  void DescribeOptions(OptionList& list) override {
    slm::DescribeOptions(options_.bins, list);
    list.Real("diversity", &options_.diversity, 0, 1,
              "share of the distance between features in the objective; the rest is relevance");
    list.Int(
        "partitions", &options_.partitions, 1, 65536,
        "random parts of the features, selected from separately before a final round; 1 for none");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  static void Overlay(std::span<const double> from, std::span<double> to) {
    for (size_t f = 0; f < to.size(); ++f) {
      if (from[f] != 0) to[f] = from[f];
    }
  }

  DisMiOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeDisMi() { return std::make_unique<DisMiSelector>(); }

}  // namespace slm
