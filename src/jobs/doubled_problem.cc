#include "jobs/doubled_problem.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "base/thread_pool.h"
#include "data/encoding/value_codes.h"
#include "slm/errors.h"

namespace slm {

Matrix ValuesOf(const RowSource& x) {
  std::vector<int32_t> columns(x.columns());
  std::iota(columns.begin(), columns.end(), 0);
  return CopyColumns(x, columns);
}

std::vector<ExclusiveColumns> FindExclusive(const Matrix& x, std::span<const int32_t> offsets) {
  std::vector<ExclusiveColumns> found;
  for (size_t g = 0; g + 1 < offsets.size(); ++g) {
    std::vector<uint8_t> taken(x.rows());  // rows with a high value in the columns so far
    ExclusiveColumns open;
    const auto close = [&] {
      if (open.last == open.first) return;
      open.always_one = open.last - open.first > 1 &&
                        std::all_of(taken.begin(), taken.end(), [](uint8_t t) { return t != 0; });
      found.push_back(std::exchange(open, {}));
      std::fill(taken.begin(), taken.end(), uint8_t{0});
    };
    for (size_t c = static_cast<size_t>(offsets[g]); c < static_cast<size_t>(offsets[g + 1]); ++c) {
      float low = 0, high = 0;
      if (!HasTwoValues(x, c, &low, &high)) {
        close();
        continue;
      }
      bool apart = true;
      for (size_t i = 0; i < x.rows() && apart; ++i) apart = x(i, c) != high || taken[i] == 0;
      if (!apart) close();
      if (open.last == open.first) open.first = c;
      open.last = c + 1;
      open.low.push_back(low);
      open.high.push_back(high);
      for (size_t i = 0; i < x.rows(); ++i) taken[i] |= static_cast<uint8_t>(x(i, c) == high);
    }
    close();
  }
  return found;
}

std::optional<KnockoffCopies> KnockoffCopies::Fit(const Problem& problem, const Context& context) {
  if (problem.train.rows() < kLeastRows) {
    throw DataError("knockoffs need " + std::to_string(kLeastRows) +
                    " training rows, and there are " + std::to_string(problem.train.rows()) +
                    "; test by shadows instead");
  }
  KnockoffCopies copies(problem);
  const Matrix x = ValuesOf(*problem.train.x);
  copies.scores_ = NormalScores::Fit(x, *context.pool);
  const Matrix z = copies.scores_.Apply(x, *context.pool);
  std::vector<ExclusiveColumns> exclusive = FindExclusive(x, problem.layout.offsets);
  for (ExclusiveColumns& block : exclusive) {
    for (size_t l = 0; l < block.low.size(); ++l) {
      const NormalScores::Column& own = copies.scores_.columns()[block.first + l];
      block.low[l] = static_cast<float>((double{own.low} - own.mean) * own.scale);
      block.high[l] = static_cast<float>((double{own.high} - own.mean) * own.scale);
    }
  }
  copies.model_ =
      KnockoffModel::Fit(z.view(), problem.layout.offsets, std::move(exclusive), context);
  return copies.model_ ? std::optional(std::move(copies)) : std::nullopt;
}

Matrix KnockoffCopies::DrawPart(const RowSource& source, const RandomStream& random,
                                ThreadPool& pool) const {
  if (source.rows() == 0) return {};
  const Matrix x = ValuesOf(source);
  const Matrix drawn = model_->Sample(scores_.Apply(x, pool).view(), random, pool);
  Matrix copy(x.rows(), x.cols());
  pool.ParallelFor(x.cols(), [&](size_t c) {
    const NormalScores::Column& own = scores_.columns()[c];
    if (own.two_valued && model_->dense()) {
      const double middle = ((double{own.low} + double{own.high}) / 2 - own.mean) * own.scale;
      for (size_t i = 0; i < x.rows(); ++i) {
        copy(i, c) = double{drawn(i, c)} > middle ? own.high : own.low;
      }
      return;
    }
    // The value of each rank goes to the row that has drawn this rank.
    const std::vector<int32_t> from = RowsByValue(x, c), to = RowsByValue(drawn, c);
    for (size_t r = 0; r < to.size(); ++r) {
      copy(static_cast<size_t>(to[r]), c) = x(static_cast<size_t>(from[r]), c);
    }
  });
  return copy;
}

Copies KnockoffCopies::Draw(const RandomStream& random, const Context& context) const {
  return {DrawPart(*problem_.train.x, random.Substream(0), *context.pool),
          DrawPart(*problem_.valid.x, random.Substream(1), *context.pool),
          DrawPart(*problem_.test.x, random.Substream(2), *context.pool)};
}

Copies DrawShadows(const Problem& problem, const RandomStream& random) {
  const auto part = [&](const RowSource& source, uint64_t index) {
    if (source.rows() == 0) return Matrix();
    std::vector<int32_t> rows(source.rows());
    std::iota(rows.begin(), rows.end(), 0);
    random.Substream(index).Shuffle(std::span(rows));
    Matrix copy(source.rows(), source.columns());
    source.Gather(rows, ColumnSet::All(source.columns()), copy.view());
    return copy;
  };
  return {part(*problem.train.x, 0), part(*problem.valid.x, 1), part(*problem.test.x, 2)};
}

DoubledProblem BesideCopies(const Problem& problem, const Copies& copies, RandomStream random) {
  const FeatureLayout& layout = problem.layout;
  const size_t features = layout.features(), columns = layout.columns();
  DoubledProblem doubled;
  doubled.problem = problem;
  doubled.problem.keep.clear();
  FeatureLayout& both = doubled.problem.layout;
  both = {};
  // Where the encoded columns of each feature begin, and those of its copy.
  std::vector<size_t> first, copied;
  for (size_t j = 0; j < features; ++j) {
    const int32_t width = layout.offsets[j + 1] - layout.offsets[j];
    const int swapped = static_cast<int>(random.Below(2));
    const std::string names[] = {layout.names[j], "copy of " + layout.names[j]};
    for (int place = 0; place < 2; ++place) {
      const bool is_copy = place != swapped;
      (is_copy ? copied : first).push_back(static_cast<size_t>(both.offsets.back()));
      (is_copy ? doubled.copy : doubled.original).push_back(static_cast<int>(both.features()));
      both.names.push_back(names[is_copy]);
      both.offsets.push_back(both.offsets.back() + width);
    }
  }
  const auto join = [&](const RowSource& own, const Matrix& other) {
    if (own.rows() == 0) return MakeRows(Matrix(0, 2 * columns));
    const Matrix x = ValuesOf(own);
    Matrix out(x.rows(), 2 * columns);
    for (size_t i = 0; i < x.rows(); ++i) {
      for (size_t j = 0; j < features; ++j) {
        const size_t begin = static_cast<size_t>(layout.offsets[j]);
        const size_t end = static_cast<size_t>(layout.offsets[j + 1]);
        std::copy(x.row(i) + begin, x.row(i) + end, out.row(i) + first[j]);
        std::copy(other.row(i) + begin, other.row(i) + end, out.row(i) + copied[j]);
      }
    }
    return MakeRows(std::move(out));
  };
  doubled.problem.train.x = join(*problem.train.x, copies.train);
  doubled.problem.valid.x = join(*problem.valid.x, copies.valid);
  doubled.problem.test.x = join(*problem.test.x, copies.test);
  // Of the encoded values, as copies have no others.
  doubled.problem.value_codes = [x = doubled.problem.train.x, layout = both](int bins) {
    const std::vector<ValueCodes> each = BuildValueCodes(x->InMemory(), bins);
    std::vector<ValueCodes> codes;
    for (size_t j = 0; j < layout.features(); ++j) {
      const size_t begin = static_cast<size_t>(layout.offsets[j]);
      const size_t width = static_cast<size_t>(layout.offsets[j + 1]) - begin;
      codes.push_back(width == 1 ? each[begin]
                                 : JoinCodes(std::span(each).subspan(begin, width), x->rows()));
    }
    return codes;
  };
  return doubled;
}

}  // namespace slm
