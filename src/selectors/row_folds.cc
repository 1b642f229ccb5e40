#include "selectors/row_folds.h"

#include <algorithm>
#include <string>
#include <utility>

#include "slm/errors.h"

namespace slm {

Dataset RowsOf(const Dataset& data, std::span<const int32_t> rows, const Metric* metric) {
  Matrix x(rows.size(), data.x->columns());
  data.x->Gather(rows, ColumnSet::All(data.x->columns()), x.view());
  Dataset part{MakeRows(std::move(x)), data.y, {}, metric};
  auto pick = [&](const auto& from, auto& to) {
    to.clear();
    if (from.empty()) return;
    for (int32_t row : rows) to.push_back(from[static_cast<size_t>(row)]);
  };
  pick(data.y.index, part.y.index);
  pick(data.y.value, part.y.value);
  pick(data.weight, part.weight);
  return part;
}

std::vector<RowFold> DealFolds(const Problem& problem, int folds, bool choosing,
                               const char* option) {
  const Dataset& train = problem.train;
  std::vector<int32_t> counted;
  for (size_t i = 0; i < train.rows(); ++i) {
    if (train.RowWeight(i) > 0) counted.push_back(static_cast<int32_t>(i));
  }
  if (counted.size() < 2 * static_cast<size_t>(folds)) {
    throw DataError("there are " + std::to_string(counted.size()) + " training rows " +
                    (train.weight.empty() ? "" : "with a weight ") + "for " +
                    std::to_string(folds) + " folds, and each needs two at least; lower " +
                    FieldRef(option));
  }
  std::vector<int32_t> order = counted;
  if (train.y.has_classes()) {
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return train.y.index[static_cast<size_t>(a)] < train.y.index[static_cast<size_t>(b)];
    });
  }
  std::vector<int> fold_of(train.rows());
  for (size_t place = 0; place < order.size(); ++place) {
    const size_t fold = place % static_cast<size_t>(folds);
    fold_of[static_cast<size_t>(order[place])] = static_cast<int>(fold);
  }
  std::vector<RowFold> dealt;
  for (int f = 0; f < folds; ++f) {
    std::vector<int32_t> learn, held_out, choose;
    for (int32_t row : counted) {
      const int own = fold_of[static_cast<size_t>(row)];
      const bool chooses = choosing && own == (f + 1) % folds;
      (own == f ? held_out : chooses ? choose : learn).push_back(row);
    }
    if (learn.empty()) {
      throw DataError(std::to_string(folds) +
                      " folds leave no training rows to learn from; raise " + FieldRef(option));
    }
    dealt.push_back({RowsOf(train, learn, nullptr), RowsOf(train, held_out, problem.valid.metric),
                     RowsOf(train, choose, problem.valid.metric), held_out});
  }
  return dealt;
}

}  // namespace slm
