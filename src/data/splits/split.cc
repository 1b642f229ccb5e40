#include "data/splits/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/random.h"
#include "slm/errors.h"

namespace slm {
namespace {

constexpr uint64_t kSplitStream = 0x5b1;
constexpr uint64_t kFoldStream = 0x5b2;

void CheckShares(const std::array<double, 3>& shares) {
  double sum = 0;
  bool good = shares[0] > 0;
  for (double share : shares) {
    good &= share >= 0 && share <= 1;
    sum += share;
  }
  if (good && std::abs(sum - 1) < 1e-6) return;
  throw UsageError(
      "the split needs shares of train, validation and test rows that sum to 1, with some rows to "
      "train on, such as 0.7,0.1,0.2");
}

}  // namespace

std::array<double, 3> SharesOfDataFile(std::array<double, 3> shares, bool has_valid_file,
                                       bool has_test_file) {
  if (has_valid_file && has_test_file) return {1, 0, 0};
  if (has_test_file) return {0.875, 0.125, 0};
  if (!has_valid_file) return shares;
  double rest = shares[0] + shares[2];
  return {shares[0] / rest, 0, shares[2] / rest};
}

Split SplitRows(size_t rows, std::span<const int32_t> classes, std::array<double, 3> shares,
                uint64_t seed) {
  CheckShares(shares);
  std::map<int32_t, std::vector<size_t>> strata;
  for (size_t i = 0; i < rows; ++i) strata[classes.empty() ? 0 : classes[i]].push_back(i);

  size_t parts = static_cast<size_t>(
      std::count_if(shares.begin(), shares.end(), [](double share) { return share > 0; }));
  RandomStream random(seed, kSplitStream);
  Split split;
  // What rounding gave a part too little in one class is made up in the next.
  double valid_owed = 0, test_owed = 0;
  for (auto& [label, members] : strata) {
    RandomStream own = random.Substream(static_cast<uint64_t>(label));
    own.Shuffle(std::span(members));
    size_t n = members.size();
    bool in_each = n >= parts;
    auto take = [&](double share, size_t available, double* owed) {
      *owed += share * static_cast<double>(n);
      size_t least = share > 0 && in_each ? 1 : 0;
      size_t count = static_cast<size_t>(std::max(0.0, std::round(*owed)));
      count = std::clamp(count, least, std::max(least, available));
      *owed -= static_cast<double>(count);
      return count;
    };
    // One row is always left to train on, and one to test on where there are enough.
    size_t spare = n - 1;
    size_t reserved = shares[2] > 0 && in_each ? 1 : 0;
    size_t valid = take(shares[1], spare - std::min(spare, reserved), &valid_owed);
    size_t test = take(shares[2], spare - valid, &test_owed);
    auto at = members.begin();
    split.valid.insert(split.valid.end(), at, at + static_cast<ptrdiff_t>(valid));
    at += static_cast<ptrdiff_t>(valid);
    split.test.insert(split.test.end(), at, at + static_cast<ptrdiff_t>(test));
    at += static_cast<ptrdiff_t>(test);
    split.train.insert(split.train.end(), at, members.end());
  }
  struct Part {
    const char* name;
    std::vector<size_t>* rows;
    double share;
  };
  for (const Part& part :
       {Part{"training", &split.train, shares[0]}, Part{"validation", &split.valid, shares[1]},
        Part{"test", &split.test, shares[2]}}) {
    if (part.share > 0 && part.rows->empty()) {
      throw DataError(std::to_string(rows) + (rows == 1 ? " row is" : " rows are") +
                      " too few to split: no row is left for the " + part.name +
                      " part; add rows, or give larger shares or files of their own");
    }
    std::sort(part.rows->begin(), part.rows->end());
  }
  return split;
}

std::vector<std::vector<size_t>> FoldRows(std::span<const size_t> rows,
                                          std::span<const int32_t> classes, size_t folds,
                                          uint64_t seed) {
  if (rows.size() < folds) {
    throw DataError(std::to_string(rows.size()) + " rows are too few for " + std::to_string(folds) +
                    " folds; add rows or ask for fewer folds");
  }
  std::map<int32_t, std::vector<size_t>> strata;
  for (size_t row : rows) strata[classes.empty() ? 0 : classes[row]].push_back(row);
  RandomStream random(seed, kFoldStream);
  std::vector<std::vector<size_t>> parts(folds);
  size_t next = 0;  // dealt on from class to class, so that the folds are of one size
  for (auto& [label, members] : strata) {
    if (members.size() == 1) continue;
    random.Substream(static_cast<uint64_t>(label)).Shuffle(std::span(members));
    for (size_t row : members) parts[next++ % folds].push_back(row);
  }
  for (std::vector<size_t>& part : parts) {
    if (part.empty()) {
      throw DataError("the classes have too few rows for " + std::to_string(folds) +
                      " folds; add rows or ask for fewer folds");
    }
    std::sort(part.begin(), part.end());
  }
  return parts;
}

}  // namespace slm
