#pragma once

// Random numbers addressed by (seed, stream, counter), never by thread: the i-th draw of a stream
// is a hash of its address, so any number of threads sees the same values. The distributions are
// our own because those of the standard library differ between its implementations.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

namespace slm {

// SplitMix64's finaliser: a bijection on 64 bits with full avalanche.
constexpr uint64_t MixBits(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class RandomStream {
 public:
  RandomStream(uint64_t seed, uint64_t stream)
      : key_(MixBits(MixBits(seed + 0x9e3779b97f4a7c15ULL) ^ (stream * 0xd1342543de82ef95ULL))) {}

  // A stream of its own for part `index` of whatever this stream stands for.
  RandomStream Substream(uint64_t index) const { return RandomStream(key_, index + 1); }

  uint64_t Bits() { return MixBits(key_ + 0x9e3779b97f4a7c15ULL * ++counter_); }

  double Uniform() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }  // [0, 1)

  double Uniform(double low, double high) { return low + (high - low) * Uniform(); }

  // Unbiased in [0, n), n > 0: Lemire's multiply-shift with rejection.
  uint64_t Below(uint64_t n) {
    for (;;) {
      __extension__ using Wide = unsigned __int128;
      Wide product = static_cast<Wide>(Bits()) * n;
      if (static_cast<uint64_t>(product) >= (0 - n) % n)
        return static_cast<uint64_t>(product >> 64);
    }
  }

  // Box-Muller; the second value of a pair is not kept, so that the state is the counter alone.
  double Normal() {
    double radius = std::sqrt(-2.0 * std::log(1.0 - Uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * Uniform());
  }

  template <class T>
  void Shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

  // Writes or reads where the stream is.
  template <class Archive>
  void Serialize(Archive& archive) {
    archive.Value(key_);
    archive.Value(counter_);
  }

 private:
  uint64_t key_;
  uint64_t counter_ = 0;
};

}  // namespace slm
