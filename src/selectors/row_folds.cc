#include "selectors/row_folds.h"

#include <span>
#include <string>
#include <utility>

#include "slm/errors.h"

namespace slm {
namespace {

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

}  // namespace

std::vector<RowFold> DealFolds(const Problem& problem, int folds, bool choosing,
                               const char* option) {
  const Dataset& train = problem.train;
  if (train.rows() < 2 * static_cast<size_t>(folds)) {
    throw DataError("there are " + std::to_string(train.rows()) + " training rows for " +
                    std::to_string(folds) + " folds, and each needs two at least; lower " +
                    FieldRef(option));
  }
  std::vector<int> next(train.y.outputs()), fold_of;
  for (size_t i = 0; i < train.rows(); ++i) {
    int& fold = next[train.y.has_classes() ? static_cast<size_t>(train.y.index[i]) : 0];
    fold_of.push_back(fold);
    fold = (fold + 1) % folds;
  }
  std::vector<RowFold> dealt;
  for (int f = 0; f < folds; ++f) {
    std::vector<int32_t> learn, held_out, choose;
    for (size_t i = 0; i < fold_of.size(); ++i) {
      const bool chooses = choosing && fold_of[i] == (f + 1) % folds;
      (fold_of[i] == f ? held_out : chooses ? choose : learn).push_back(static_cast<int32_t>(i));
    }
    dealt.push_back({RowsOf(train, learn, nullptr), RowsOf(train, held_out, problem.valid.metric),
                     RowsOf(train, choose, problem.valid.metric)});
  }
  return dealt;
}

}  // namespace slm
