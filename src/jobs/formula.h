#pragma once

// A target as a sum of columns with weights, or as a product of their powers, and in how many rows
// that holds but for rounding.

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "jobs/warnings.h"
#include "slm/table.h"

namespace slm {

// How finely the numbers of a column are written: to a decimal or to a number of digits.
struct Fineness {
  double quantum = 0;   // of the last decimal; 0 if there is no end of them
  int digits = 15;      // significant ones
  bool whole = true;    // no decimals at all
  bool single = false;  // floats, whose decimals say nothing

  // Half a unit of the last place of x.
  double Rounding(double x) const;
};

struct Formula {
  std::vector<const Column*> columns;
  std::vector<double> weights;  // factors, or powers in a product
  double constant = 0;          // added, or a factor of a product
  bool product = false;

  bool HasCells(size_t row) const;
  double Term(size_t t, size_t row) const;
  double WithoutConstant(size_t row) const;
  double Value(size_t row) const;
};

// 'net' * 1.19 and so on.
std::string WrittenFormula(const Formula& formula);

// As many for each of its numbers, and a few in all: an exact fit to fewer rows means nothing.
size_t RowsForFormula(size_t terms);

// In how many rows a formula holds.
struct Agreement {
  size_t rows = 0;                  // with every cell
  size_t holds = 0;                 // of these, but for rounding
  size_t exact = 0;                 // of these
  size_t rare = 0, rare_holds = 0;  // those with another target than the most common one

  double share() const {
    return rows == 0 ? 0 : static_cast<double>(holds) / static_cast<double>(rows);
  }
  // Of so many rows.
  bool Follows(size_t terms, size_t all) const;
};

// The target in training rows, of which a sample is looked at.
class FormulaTarget {
 public:
  explicit FormulaTarget(const CheckedData& data);

  const std::vector<size_t>& sample() const { return rows_; }
  double At(size_t row) const { return column_.numbers[row]; }
  double deviation() const { return deviation_; }
  const Fineness& fineness() const { return fineness_; }

  Agreement Check(const Formula& formula, std::span<const size_t> rows) const;

 private:
  const Column& column_;
  const std::vector<size_t> rows_;
  const Fineness fineness_;
  double most_common_ = 0, deviation_ = 0;
};

}  // namespace slm
