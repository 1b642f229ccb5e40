#pragma once

// Functions of single numbers over long arrays.

#include <cstddef>
#include <cstdint>

namespace slm {

// Gumbel noise, -log(-log u), from random bits: u is the midpoint of one of 2^23 equal parts of
// (0, 1), so values lie between -2.9 and 16.6. Every SIMD level gives the same bits.
void GumbelFromBits(const uint32_t* bits, size_t n, float* out) noexcept;

// To about 3e-7; n is a multiple of 16; x and out may be the same.
void Tanh(const float* x, size_t n, float* out) noexcept;

}  // namespace slm
