#pragma once

// ARFF, the format of Weka and OpenML: numeric, nominal, string and date attributes, dense and
// sparse rows.

#include <string>
#include <string_view>
#include <vector>

#include "data/readers/reader.h"

namespace slm {

// An unquoted ? is a missing cell. What a sparse row does not name is 0, the first value of a
// nominal attribute, or a missing string. Nominal values and strings become text, booleans or dates
// as in other formats.
Table ReadArff(std::string_view text, const std::string& source, const ReadOptions& options,
               ThreadPool& pool);

// A date format of ARFF, which is one of Java: runs of y, M, d, H, m, s and S are digits, other
// letters are not known, and what stands in single quotes or is no letter is itself.
class ArffDateFormat {
 public:
  // The default, ISO 8601, with everything that DateFromText allows.
  ArffDateFormat() = default;
  // Returns false if a letter is not known.
  bool Set(std::string_view pattern);
  // Days since 1970-01-01.
  bool Parse(std::string_view text, double* days) const;

 private:
  struct Step {
    char letter;  // 0 for a literal
    size_t digits;
    char literal;
  };
  std::vector<Step> steps_;
};

}  // namespace slm
