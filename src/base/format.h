#pragma once

// Numbers in texts for people. As base/text.h the same in every locale, which C's printf and the
// streams of C++ are not: with a decimal comma they write 0,5.

#include <cstddef>
#include <string>
#include <string_view>

namespace slm {

// As printf would write it in the locale "C". The format has one of %f, %e and %g, with a number of
// digits and a plus sign if wanted (%+.2f), and %% for a percent sign.
std::string Format(std::string_view format, double value);

// A whole number with zeros before it.
std::string Padded(int value, size_t width);

}  // namespace slm
