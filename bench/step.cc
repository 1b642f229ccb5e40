// One training step against the time that its active multiply-adds alone would take at the measured
// peak of one core. A step is all that training does but validation: mask, gathering the batch,
// forward, objective, backward, Adam, mask update. Prints a table on stderr and JSON lines on
// stdout.
//
// Peak and steps take turns in one run. Of each the fastest fiftieth counts, by its slowest: other
// work on the machine only ever adds, and a single record may be an error of the clock.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/json.h"
#include "base/random.h"
#include "bench/fma_peak.h"
#include "data/encoding/value_codes.h"
#include "kernels/dispatch.h"
#include "mask/mask_learner.h"
#include "nn/batches.h"
#include "nn/mlp.h"

namespace slm {
namespace {

constexpr double kFast = 0.02;  // the share of calls that are as fast as the one that counts
constexpr int kTurns = 30;
constexpr double kTurn = 15000;  // microseconds

enum class Columns {
  kContinuous,  // no two rows equal: the pair term r_cs costs nothing
  kPixels,      // 256 levels, most cells zero: r_cs visits every pair
};

struct Shape {
  const char* name;
  size_t rows, d, active, batch, hidden;
  int classes;
  Columns columns;
  double bar;  // at most so many times the time at peak; 0 for none
};

constexpr Shape kShapes[] = {
    {"Isolet", 6238, 617, 50, 256, 617, 26, Columns::kContinuous, 2},
    {"MNIST", 7000, 784, 50, 256, 784, 10, Columns::kContinuous, 2},
    {"Mice", 756, 77, 50, 256, 64, 8, Columns::kContinuous, 2.5},
    {"synthetic, first stage", 8400, 3000, 3000, 512, 100, 2, Columns::kContinuous, 2},
    {"default, F 784", 7000, 784, 784, 64, 128, 10, Columns::kContinuous, 0},
    {"default, F 270", 7000, 784, 270, 64, 128, 10, Columns::kContinuous, 0},
    {"default, F 50", 7000, 784, 50, 64, 128, 10, Columns::kContinuous, 0},
    {"default, pixels, F 270", 7000, 784, 270, 64, 128, 10, Columns::kPixels, 0},
    {"default, pixels, F 50", 7000, 784, 50, 64, 128, 10, Columns::kPixels, 0},
};

// Of the products: the first layer forward and its weights' gradient; the second layer forward and
// both gradients.
double ActiveFlops(const Shape& s) {
  double b = static_cast<double>(s.batch), h = static_cast<double>(s.hidden);
  return 2 * 2 * b * static_cast<double>(s.active) * h + 3 * 2 * b * h * s.classes;
}

double Quantile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

Problem MakeProblem(const Shape& s) {
  RandomStream random(s.d, s.rows);
  Problem problem;
  for (size_t j = 0; j < s.d; ++j) {
    problem.layout.names.push_back(std::to_string(j));
    problem.layout.offsets.push_back(static_cast<int32_t>(j + 1));
  }
  Matrix x(s.rows, s.d);
  problem.train.y.classes = s.classes;
  for (size_t i = 0; i < s.rows; ++i) {
    for (size_t j = 0; j < s.d; ++j) {
      double value = random.Uniform(-1.7, 1.7);
      if (s.columns == Columns::kPixels) {
        value = random.Uniform() < 0.8 ? 0 : static_cast<double>(random.Below(256));
      }
      x(i, j) = static_cast<float>(value);
    }
    problem.train.y.index.push_back(
        static_cast<int32_t>(random.Below(static_cast<uint64_t>(s.classes))));
  }
  problem.train.x = MakeRows(std::move(x));
  return problem;
}

class Case {
 public:
  explicit Case(const Shape& shape)
      : shape_(shape),
        problem_(MakeProblem(shape)),
        codes_(shape.d),
        options_{.hidden_units = static_cast<int>(shape.hidden),
                 .batch_size = static_cast<int>(shape.batch)},
        predictor_(MakePredictor(shape.d, problem_.train.y.outputs(), 1, options_.hidden_units,
                                 RandomStream(0, 0))),
        batches_(Batches::OfAll(shape.rows, shape.batch, RandomStream(0, 1))) {
    if (shape.columns == Columns::kPixels)
      codes_ = BuildValueCodes(problem_.train.x->InMemory(), 0);
    // As far apart as some hundred steps of the mask leave its entries.
    RandomStream random(0, 2);
    std::vector<float> start(shape.d);
    for (float& v : start) v = static_cast<float>(10 * random.Normal());
    learner_ = std::make_unique<MaskLearner>(problem_, codes_, options_, start);
  }

  void Step() {
    learner_->SetFeatures(shape_.active);
    ActiveInput active = learner_->Pass(*predictor_, batches_.Next(), nullptr);
    predictor_->Step(active, {options_.learning_rate, options_.l2});
    learner_->MoveMask(learner_->d_weights(), learner_->d_argument());
  }

  void TakeTurn() {
    const double start = ThreadMicroseconds();
    double before = start;
    do {
      Step();
      const double now = ThreadMicroseconds();
      microseconds_.push_back(now - before);
      before = now;
    } while (before - start < kTurn);
  }

  // Given the peak's nanoseconds for a flop. True if the bar is met.
  bool Report(std::vector<double>& peak) {
    const double fast = Quantile(microseconds_, kFast), median = Quantile(microseconds_, 0.5);
    const double at_peak = ActiveFlops(shape_) * 1e-3 * Quantile(peak, kFast);
    const double ratio = fast / at_peak;
    const double median_ratio = median / (ActiveFlops(shape_) * 1e-3 * Quantile(peak, 0.5));
    const bool pass = shape_.bar == 0 || ratio <= shape_.bar;
    std::fprintf(stderr, "%-23s %7.1f %9.1f %9.1f %9.1f %6.2f %8.2f", shape_.name,
                 ActiveFlops(shape_) * 1e-6, at_peak, fast, median, ratio, median_ratio);
    shape_.bar > 0 ? std::fprintf(stderr, " %5.1f  %s\n", shape_.bar, pass ? "pass" : "FAIL")
                   : std::fputc('\n', stderr);
    Json json = Json::MakeObject();
    json.Add("bench", "step");
    json.Add("shape", shape_.name);
    json.Add("level", SimdLevelName(ActiveSimdLevel()));
    json.Add("mflop", ActiveFlops(shape_) * 1e-6);
    json.Add("microseconds_at_peak", at_peak);
    json.Add("microseconds", fast);
    json.Add("median_microseconds", median);
    json.Add("ratio", ratio);
    json.Add("median_ratio", median_ratio);
    if (shape_.bar > 0) {
      json.Add("bar", shape_.bar);
      json.Add("pass", pass);
    }
    std::puts(json.Dump().c_str());
    return pass;
  }

 private:
  const Shape& shape_;
  Problem problem_;
  std::vector<ValueCodes> codes_;
  SlmOptions options_;
  std::unique_ptr<Predictor> predictor_;
  Batches batches_;
  std::unique_ptr<MaskLearner> learner_;
  std::vector<double> microseconds_;
};

int Run(const char* only) {
  std::vector<std::unique_ptr<Case>> cases;
  for (const Shape& shape : kShapes) {
    if (only == nullptr || std::string_view(shape.name).starts_with(only)) {
      cases.push_back(std::make_unique<Case>(shape));
    }
  }
  std::vector<double> peak;
  for (int turn = 0; turn < kTurns; ++turn) {
    for (auto& c : cases) {
      for (int i = 0; i < 10; ++i) peak.push_back(1 / FmaPeakOnce());
      c->TakeTurn();
    }
  }
  std::fprintf(stderr, "peak of one core, %s: %.1f GFLOP/s\n", SimdLevelName(ActiveSimdLevel()),
               1 / Quantile(peak, kFast));
  std::fprintf(stderr, "%-23s %7s %9s %9s %9s %6s %8s %5s\n", "step", "MFLOP", "us @peak", "us",
               "median", "ratio", "(median)", "bar");
  bool pass = true;
  for (auto& c : cases) pass &= c->Report(peak);
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace slm

// bench_step [NAME]: only the shapes whose name starts so.
int main(int argc, char** argv) { return slm::Run(argc > 1 ? argv[1] : nullptr); }
