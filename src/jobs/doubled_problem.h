#pragma once

// A problem beside copies of all its features that mean nothing for the target. A method that is
// run on both of them shows how well features do that mean nothing, by its own measure.
//
// Copies hold what the originals hold: in every part of the rows (training, validation, test) the
// copy of a column has the values of the original, or, of columns with two values, those two, so
// that no method can tell one from the other by its values alone. Labels are never looked at, and
// how columns depend on each other is learned from training rows only.

#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "numerics/gaussian_knockoffs.h"
#include "numerics/normal_scores.h"
#include "slm/context.h"
#include "slm/matrix.h"
#include "slm/problem.h"

namespace slm {

// A copy of every encoded column, in each part of the rows.
struct Copies {
  Matrix train, valid, test;
};

// Copies that depend on each other and on the originals as the originals do: knockoffs, so that
// only columns that say something of the target given all others are told from theirs. Columns
// become normal scores of their ranks first, and copies take the values of those ranks.
class KnockoffCopies {
 public:
  // Nothing if the work was stopped. The problem must outlive this. Throws a DataError for too few
  // rows.
  static std::optional<KnockoffCopies> Fit(const Problem& problem, const Context& context);

  Copies Draw(const RandomStream& random, const Context& context) const;
  const KnockoffModel& model() const { return *model_; }

  static constexpr size_t kLeastRows = 20;

 private:
  explicit KnockoffCopies(const Problem& problem) : problem_(problem) {}
  Matrix DrawPart(const RowSource& x, const RandomStream& random, ThreadPool& pool) const;

  const Problem& problem_;
  NormalScores scores_;
  std::optional<KnockoffModel> model_;
};

// Copies whose rows have changed places, the same places for all features: they go along with each
// other as the originals do, and with nothing else. A method that does badly with columns that say
// the same does as badly with the copies of these.
Copies DrawShadows(const Problem& problem, const RandomStream& random);

// Which of its columns have two values, and of which of them a row has one at most, by the rows of
// `x`; those of one feature that stand side by side are taken together as far as they go.
std::vector<ExclusiveColumns> FindExclusive(const Matrix& x, std::span<const int32_t> offsets);

// All rows and columns of a source.
Matrix ValuesOf(const RowSource& x);

struct DoubledProblem {
  Problem problem;  // keeps no feature: what is kept is tested like all others
  // The features of the problem that feature j and its copy are.
  std::vector<int> original, copy;
};

// Features 2j and 2j + 1 are feature j and its copy, in an order by chance, so that no method which
// breaks ties by place favours one of them.
DoubledProblem BesideCopies(const Problem& problem, const Copies& copies, RandomStream random);

}  // namespace slm
