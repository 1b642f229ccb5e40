// Random features: the baseline that every method has to beat.

#include <vector>

#include "base/random.h"
#include "selectors/choose.h"
#include "selectors/methods.h"

namespace slm {
namespace {

class RandomSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context&) override {
    RandomStream random(seed, 0);
    std::vector<double> scores;
    for (size_t j = 0; j < problem.layout.features(); ++j) scores.push_back(random.Uniform());
    return ChooseTop(scores, k);
  }
};

}  // namespace

std::unique_ptr<Selector> MakeRandom() { return std::make_unique<RandomSelector>(); }

}  // namespace slm
