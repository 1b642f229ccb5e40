#pragma once

// How closely two columns go together, whatever their types, on the rows in which both have a cell.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "slm/table.h"

namespace slm {

struct Association {
  double value = 0;          // from -1 or 0 to 1
  std::string_view measure;  // its name

  // Two columns of numbers, truth values or dates: Spearman's, each cell ranked among those of its
  // own column.
  static constexpr std::string_view kRankCorrelation = "rank correlation";
  // Text and such a column: how much of the variance of its ranks lies between the levels. As the
  // next one it is corrected for the share that chance explains where levels are many.
  static constexpr std::string_view kCorrelationRatio = "correlation ratio";
  static constexpr std::string_view kCramersV = "Cramér's V";  // two columns of text
};

// A column, prepared for being compared with others on the same rows.
class ComparedColumn {
 public:
  ComparedColumn(const Column& column, std::span<const size_t> rows);

  // Nothing where too few rows have both cells, or one column is constant on them. O(rows).
  friend std::optional<Association> Compare(const ComparedColumn& a, const ComparedColumn& b);

 private:
  static std::optional<Association> CompareRanks(const ComparedColumn& a, const ComparedColumn& b);
  static std::optional<Association> CompareLevels(const ComparedColumn& text,
                                                  const ComparedColumn& ranks);
  static std::optional<Association> CompareTexts(const ComparedColumn& a, const ComparedColumn& b);

  bool text_ = false;
  // Ranks less their mean, their squares, and 1; all 0 where the cell is missing.
  std::vector<double> rank_, square_, present_;
  double squares_ = 0;          // sum of the squares
  bool complete_ = false;       // no cell is missing
  std::vector<int32_t> level_;  // of text, numbered from 0 as they occur; -1 where missing
  size_t levels_ = 0;
};

std::optional<Association> Compare(const ComparedColumn& a, const ComparedColumn& b);

}  // namespace slm
