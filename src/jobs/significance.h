#pragma once

// Whether columns are real, or luck: tests around any method of the catalog, on training and
// validation rows as far as the method itself looks at them, never on test rows.
//
//   knockoffs       the method runs on the table beside knockoffs of all columns
//                   (jobs/doubled_problem.h). W_j is the score of column j less that of its
//                   knockoff; the threshold of knockoff+ bounds the false discovery rate. Asks of
//                   each column what it says given all others.
//   shadows         the method runs again and again beside a copy of the columns whose rows have
//                   changed places together. The p-value of a column is (1 + misses) / (1 +
//                   rounds), a miss being a round in which the best copy did as well. The best of
//                   all copies stands for the best of all columns that mean nothing, so these
//                   p-values hold for all columns together: the chance of any false discovery is
//                   bounded, and with it the rate. Asks of each column whether the method finds
//                   anything in it.
//   randomisation   of the chosen columns, the test of numerics/conditional_randomisation.h; the
//                   method is not run again. p-values are adjusted for all columns, since the best
//                   of them were chosen (Benjamini, Hochberg 1995).

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "jobs/prepare.h"
#include "slm/context.h"
#include "slm/requests.h"
#include "slm/selector.h"

namespace slm {

EnumNames<SignificanceTest> NamesOf(SignificanceTest);

struct TestedColumn {
  std::string name;
  int index = 0;                         // position of the column in the table, from 0
  std::optional<double> statistic = {};  // W of knockoffs, share of the rounds won of shadows
  std::optional<double> p_value = {};
  double q_value = 1;  // the least level at which it is significant
  bool significant = false;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("name", name);
    v("index", index);
    v.Optional("statistic", statistic);
    v.Optional("p_value", p_value);
    v("q_value", q_value);
    v.Optional("significant", significant);
  }
};

struct Significance {
  SignificanceTest test = SignificanceTest::kKnockoffs;
  std::optional<double> fdr;        // the level; nothing if there is none
  std::optional<double> threshold;  // of W, where any column reaches it
  int rounds = 0;                   // that were finished, or draws at most
  bool complete = true;             // not cut short by a limit or somebody
  int k = 0;                        // how many the method chose from columns and copies; 0 if none
  size_t candidates = 0;            // columns that the q-values are adjusted for
  std::vector<TestedColumn> columns;  // the most significant first

  size_t Found() const;

  template <class Visitor>
  void VisitFields(Visitor& v) {
    v("test", test);
    v("fdr", fdr);
    v.Derived("found", [&] { return Found(); });
    v.Optional("threshold", threshold);
    v.Optional("rounds", rounds);
    v("complete", complete);
    v.Optional("k", k);
    v("candidates", candidates);
    v("columns", columns);
  }
};

// What is asked of it; `test` is one of the three.
struct SignificanceSpec {
  SignificanceTest test = SignificanceTest::kKnockoffs;
  std::optional<double> fdr;
  int rounds = 0;  // 0 for as many as the level needs
};

// The test of the request for so many features and training rows: auto is none without a level,
// knockoffs where they can find anything, else shadows. Nothing if none is asked for. Throws a
// UsageError for a test that could not find anything at the level, and a DataError for too few
// rows.
std::optional<SignificanceSpec> TestOf(const SelectionSpec& request, size_t features, size_t rows);

// How often the test would run the method, and how many columns it would choose from twice the
// features.
struct SignificanceWork {
  int runs = 0, k = 0;
};
SignificanceWork PlanTest(const SignificanceSpec& spec, size_t features, int k);

// What the test needs beside the problem and the method: copies, the doubled table, the model of
// the columns; or what is left of k chosen ones.
double BytesOf(const SignificanceSpec& spec, const Problem& problem, int k);

// Throws a DataError if that is more than the machine has left.
void CheckTestMemory(const SignificanceSpec& spec, const Problem& problem, int k);

// Tests the features of the problem; `chosen` is null if nothing was chosen otherwise. The features
// of the columns of the result are in `order`. Nothing if the work was stopped before there was
// anything to say. Memory is the caller's to check.
std::optional<Significance> TestSignificance(const Preparation& prepared,
                                             const SignificanceSpec& spec, const Choice* chosen,
                                             std::string_view method, Selector& selector,
                                             std::vector<int>* order, const Context& context);

}  // namespace slm
