#pragma once

// Candidates against shadows: in each of several rounds a candidate either beats its shadows,
// copies of columns without their meaning, or does not. One that is worth nothing beats them as
// often as a fair coin at the most; from the counts each candidate is confirmed, rejected, or left
// open (Kursa and Rudnicki 2010).
//
// Both tails of the binomial distribution are tested after every round, and two things are many:
// candidates and rounds. Bonferroni divides alpha by the number of candidates; the two-step rule,
// as in the Python package Boruta, controls the false discovery rate over candidates (Benjamini and
// Hochberg) and divides alpha by the number of rounds.

#include <cstdint>
#include <span>
#include <vector>

namespace slm {

// P(X >= h) for h = 0 ... trials, X the heads of so many tosses of a fair coin. P(X <= h) is the
// entry of trials - h.
std::vector<double> FairCoinTails(int trials);

// Which of these hypotheses fall at a false discovery rate of alpha.
std::vector<bool> FalseDiscoveryRate(std::span<const double> p, double alpha);

enum class HitVerdict : uint8_t { kOpen, kConfirmed, kRejected };

class HitTest {
 public:
  struct Options {
    double alpha = 0.05;
    bool two_step = true;
  };

  HitTest(size_t candidates, const Options& options)
      : options_(options), hits_(candidates), verdicts_(candidates, HitVerdict::kOpen) {}

  // hit[j]: whether candidate j beat its shadows. Those rejected are not counted any more; those
  // confirmed are, but stay so.
  void AddRound(const std::vector<bool>& hit);

  int rounds() const { return rounds_; }
  int hits(size_t candidate) const { return hits_[candidate]; }
  HitVerdict verdict(size_t candidate) const { return verdicts_[candidate]; }
  size_t Open() const;  // how many candidates are

 private:
  Options options_;
  int rounds_ = 0;
  std::vector<int> hits_;
  std::vector<HitVerdict> verdicts_;
};

}  // namespace slm
