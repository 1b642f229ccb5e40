#pragma once

// What the kinds of synthetic sets are made with; synth_classes.cc and synth_values.cc
// make them. Whatever is random about row i comes after that of the rows before it, each in its
// stream, so that more rows leave the first ones as they are.

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/random.h"
#include "data/synthetic/synth.h"

namespace slm {

// A set before it is named and shuffled: the salient columns are the first.
struct Draft {
  struct Copy {
    size_t original, column;
  };

  std::vector<std::vector<double>> columns;
  std::vector<double> target;  // classes 0, 1, ... or values
  std::vector<Copy> copies;    // of salient columns
};

// The sizes of a set with its defaults filled in, and its random streams.
struct SynthPlan {
  size_t rows, features, salient, classes;
  double shift;
  PaperForm form;
  RandomStream random;

  // Streams of their own for columns, rows' labels, coefficients, the final shuffle and the order
  // in which columns are correlated.
  RandomStream ColumnStream(size_t j) const { return random.Substream(0).Substream(j); }
  RandomStream LabelStream() const { return random.Substream(1); }
  RandomStream CoefficientStream() const { return random.Substream(2); }
  RandomStream ShuffleStream() const { return random.Substream(3); }
  RandomStream OrderStream() const { return random.Substream(4); }
};

// What the options may ask of a kind beyond its sizes.
struct SynthTraits {
  bool any_classes = false;  // more than two, too
  bool has_form = false;
  double shift = 0;  // its default; 0 if there is none
};

struct SynthEntry {
  SynthKind kind;
  Draft (*make)(const SynthPlan&);
  SynthTraits traits = {};
};
std::span<const SynthEntry> ClassKinds();
std::span<const SynthEntry> ValueKinds();

// Six decimals, so that the table and the file written from it are the same.
inline double Rounded(double x) { return std::round(x * 1e6) / 1e6; }

template <class Value>
std::vector<double> MakeColumn(size_t rows, const Value& value) {
  std::vector<double> column(rows);
  for (size_t i = 0; i < rows; ++i) column[i] = Rounded(value(i));
  return column;
}

std::vector<double> NormalColumn(const SynthPlan& plan, size_t j);
std::vector<double> UniformColumn(const SynthPlan& plan, size_t j, double low = -1,
                                  double high = 1);

// Standard normal columns and, behind the salient ones, `copies` of each of these while there are
// features left; noise(c) is the standard deviation of the normal noise on copy c.
Draft NormalWithCopies(const SynthPlan& plan, size_t copies,
                       const std::function<double(size_t)>& noise);

// 0, 1, ... in a random order.
std::vector<size_t> ShuffledPlaces(size_t count, RandomStream random);

// Throws a UsageError that begins with `reason` unless the salient columns make whole groups.
void CheckGroups(const SynthPlan& plan, size_t group, const char* reason);

// Throws a UsageError unless there are as many salient columns.
void CheckLeast(const SynthPlan& plan, size_t least, const char* kind);

}  // namespace slm
