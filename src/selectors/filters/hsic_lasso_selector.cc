// HSIC Lasso (Yamada et al. 2014) in its block form (Climente-Gonzalez et al. 2019):
//
//   min over b >= 0 of  1/2 |L - sum_j b_j K_j|^2 + lambda |b|_1
//
// with L and K_j the centred kernels of label and features (kernel_gram.h), by non-negative least
// angle regression until k features are in. In blocks of B rows, M times over in another order, the
// kernels have n B M entries instead of n^2. As in the authors' pyHSICLasso the rows that do not
// fill a block are left out of that turn, and features are ranked by their coefficient at the end.

#include <algorithm>
#include <deque>
#include <numeric>

#include "base/options.h"
#include "base/random.h"
#include "numerics/nonnegative_lars.h"
#include "selectors/choose.h"
#include "selectors/filters/kernel_gram.h"
#include "selectors/methods.h"
#include "selectors/search_space.h"
#include "slm/errors.h"

namespace slm {
namespace {

struct HsicLassoOptions {
  int block_size = 20;
  int permutations = 3;
};

// How many columns of the Gram matrix one pass makes: those that the path is likely to need, as far
// as their sums remain small.
size_t ColumnsAtOnce(size_t features) { return features <= 2048 ? 128 : 48; }

std::vector<std::vector<int32_t>> MakeBlocks(size_t rows, const HsicLassoOptions& options,
                                             uint64_t seed) {
  const size_t asked = static_cast<size_t>(options.block_size);
  const size_t size = asked == 0 ? rows : std::min(asked, rows);
  const int turns = rows / size > 1 ? options.permutations : 1;
  std::vector<std::vector<int32_t>> blocks;
  std::vector<int32_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  for (int turn = 0; turn < turns; ++turn) {
    if (size < rows) {
      RandomStream(seed, 0x48534943 + static_cast<uint64_t>(turn)).Shuffle(std::span(order));
    }
    for (size_t i = 0; i + size <= rows; i += size) {
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(i);
      blocks.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
  }
  return blocks;
}

// Columns as the path asks for them, each pass making those of largest residual as well.
class ColumnCache {
 public:
  ColumnCache(const KernelGram& gram, size_t features, const Context& context)
      : gram_(gram), context_(context), columns_(features) {}

  const double* At(int feature, std::span<const double> residual) {
    if (columns_[static_cast<size_t>(feature)] == nullptr) Fetch(feature, residual);
    return columns_[static_cast<size_t>(feature)];
  }

 private:
  void Fetch(int feature, std::span<const double> residual) {
    std::vector<int> wanted;
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (columns_[j] == nullptr && static_cast<int>(j) != feature) {
        wanted.push_back(static_cast<int>(j));
      }
    }
    std::stable_sort(wanted.begin(), wanted.end(), [&](int a, int b) {
      return residual[static_cast<size_t>(a)] > residual[static_cast<size_t>(b)];
    });
    wanted.resize(std::min(wanted.size(), ColumnsAtOnce(columns_.size()) - 1));
    wanted.insert(wanted.begin(), feature);
    std::vector<double> products = gram_.Products(wanted, context_);
    if (products.empty()) return;
    kept_.push_back(std::move(products));
    for (size_t m = 0; m < wanted.size(); ++m) {
      columns_[static_cast<size_t>(wanted[m])] = kept_.back().data() + (m + 1) * columns_.size();
    }
  }

  const KernelGram& gram_;
  const Context& context_;
  std::vector<const double*> columns_;
  std::deque<std::vector<double>> kept_;
};

constexpr SearchDimension kSearched[] = {
    SearchDimension::OneOf("block_size", "10,20,50"),
    SearchDimension::OneOf("permutations", "1,3,10"),
};

class HsicLassoSelector : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t seed, const Context& context) override {
    const size_t features = problem.layout.features();
    const KernelGram gram(problem.layout, problem.train,
                          MakeBlocks(problem.train.rows(), options_, seed));
    std::vector<double> xty = gram.Products({}, context);
    xty.resize(features);  // asked to stop: all alike
    ColumnCache cache(gram, features, context);
    const LarsPath path = NonNegativeLars(
        xty, static_cast<size_t>(k),
        [&](int feature, std::span<const double> residual) { return cache.At(feature, residual); });
    // Those that are not in count by how far they are from entering.
    std::vector<double> scores = path.beta;
    for (size_t j = 0; j < features; ++j) {
      if (scores[j] <= 0) scores[j] = std::min(0.0, path.residual[j] - path.lambda);
    }
    return ChooseTop(scores, k);
  }

  MemoryNeed Memory(const Problem& problem, int) const override {
    const double n = static_cast<double>(problem.train.rows());
    const double d = static_cast<double>(problem.layout.features());
    const double block = options_.block_size == 0 ? n : std::min<double>(options_.block_size, n);
    // Row means of a block, and the sums and panels of eight tasks.
    return {4 * block * d +
                8 * (12 * static_cast<double>(ColumnsAtOnce(problem.layout.features())) + 2048) * d,
            options_.block_size == 0 ? "set " + FieldRef("block_size") + " 20" : ""};
  }

  void DescribeOptions(OptionList& list) override {
    list.Int("block_size", &options_.block_size, 0, 1000000000,
             "rows per block; 0: all rows in one, at quadratic cost");
    list.Int("permutations", &options_.permutations, 1, 10000,
             "how often the rows are divided into blocks, each time in a new order");
  }

  void DescribeSearch(SearchSpace& space) const override { space = {.dimensions = kSearched}; }

 private:
  HsicLassoOptions options_;
};

}  // namespace

std::unique_ptr<Selector> MakeHsicLasso() { return std::make_unique<HsicLassoSelector>(); }

}  // namespace slm
