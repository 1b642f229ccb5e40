#include "jobs/resample.h"

#include <algorithm>
#include <map>

#include "base/streams.h"

namespace slm {

Resampler::Resampler(const Tables& tables, const SelectionSpec& request)
    : tables_(tables),
      seed_(request.seed),
      strata_(StrataOf(tables, request)),
      splitter_(tables.data, request.split_by, strata_),
      by_time_(request.split_by.kind == SplitRule::Kind::kTime) {
  RowParts parts = CutRows(tables, request);
  rows_ = std::move(parts.train.rows);
  if (tables.valid) {
    valid_share_ = 0;
  } else {
    valid_share_ = request.split[1] / (request.split[0] + request.split[1]);
    rows_.insert(rows_.end(), parts.valid.rows.begin(), parts.valid.rows.end());
    std::sort(rows_.begin(), rows_.end());
  }
}

RowParts Resampler::Parts(Split split) const {
  const Table* data = &tables_.data;
  return {{data, std::move(split.train)},
          tables_.valid ? RowPart{&*tables_.valid, AllIndices(tables_.valid->rows)}
                        : RowPart{data, std::move(split.valid)},
          {data, std::move(split.test)}};
}

std::vector<RowParts> Resampler::Folds(size_t folds) const {
  std::vector<RowParts> all;
  for (Fold& fold : splitter_.Folds(rows_, folds, seed_)) {
    Split split =
        splitter_.Cut(fold.learn, {1 - valid_share_, valid_share_, 0}, seed_ + all.size());
    split.test = std::move(fold.held_out);
    all.push_back(Parts(std::move(split)));
  }
  return all;
}

RowParts Resampler::Subsample(double share, uint64_t seed) const {
  if (by_time_) {
    const std::vector<size_t> rows = splitter_.Draw(rows_, share, seed);
    return Parts(splitter_.Cut(rows, {1 - valid_share_, valid_share_, 0}, seed));
  }
  Split split =
      splitter_.Cut(rows_, {share * (1 - valid_share_), share * valid_share_, 1 - share}, seed);
  split.test.clear();
  return Parts(std::move(split));
}

RowParts Resampler::Bootstrap(uint64_t seed) const {
  Split split = splitter_.Cut(rows_, {1 - valid_share_, valid_share_, 0}, seed);
  std::map<int32_t, std::vector<size_t>> strata;
  for (size_t row : split.train) strata[strata_.empty() ? 0 : strata_[row]].push_back(row);
  split.train.clear();
  const RandomStream random = StreamFor(seed, StreamOf::kBootstrap, 0);
  for (const auto& [label, members] : strata) {
    RandomStream own = random.Substream(static_cast<uint64_t>(label));
    for (size_t i = 0; i < members.size(); ++i) {
      split.train.push_back(members[own.Below(members.size())]);
    }
  }
  std::sort(split.train.begin(), split.train.end());
  return Parts(std::move(split));
}

}  // namespace slm
