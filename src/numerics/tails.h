#pragma once

// Critical values of tests.

namespace slm {

// What a standard normal variable exceeds with this probability, from 1e-300 to 1/2.
double NormalCritical(double probability);

// What a chi-squared variable of so many degrees of freedom exceeds with this probability, by the
// cube root of Wilson and Hilferty.
double ChiSquaredCritical(double freedom, double probability);

// What the distance of Kolmogorov and Smirnov between two samples of one distribution exceeds with
// at most this probability.
double KolmogorovCritical(double first_rows, double second_rows, double probability);

}  // namespace slm
