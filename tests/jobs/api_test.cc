// The public functions of slm/slm.h.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "base/checkpoint.h"
#include "base/output.h"
#include "base/random.h"
#include "kernels/dispatch.h"
#include "slm/slm.h"
#include "tests/jobs/planted_table.h"

namespace slm {
namespace {

constexpr size_t kRows = 240, kColumns = 9;

// Columns 2, 5 and 7 make the label.
struct Data {
  std::vector<float> x;
  std::vector<int> classes;
  std::vector<float> values;

  Data() {
    RandomStream random(5, 0);
    for (size_t i = 0; i < kRows; ++i) {
      for (size_t j = 0; j < kColumns; ++j) x.push_back(static_cast<float>(random.Normal()));
      const float* row = x.data() + i * kColumns;
      values.push_back(row[2] - row[5] + row[7]);
      classes.push_back(values.back() > 0 ? 1 : 0);
    }
  }
  MatrixView<const float> view() const { return {x.data(), kRows, kColumns}; }
};

SelectOptions Quick() {
  SelectOptions options;
  options.slm = SmallSearch();
  options.threads = 2;
  return options;
}

const std::set<int> kPlanted = {2, 5, 7};

std::set<int> SetOf(const std::vector<int>& columns) { return {columns.begin(), columns.end()}; }

TEST(Select, FindsThePlantedColumns) {
  const Data data;
  const Selection classes = Select(data.view(), data.classes, 3, Quick());
  EXPECT_EQ(SetOf(classes.columns), kPlanted);
  EXPECT_GT(classes.valid_quality, 0.8);
  EXPECT_EQ(classes.weights.size(), 3u);
  const Selection values = Select(data.view(), data.values, 3, Quick());
  EXPECT_EQ(SetOf(values.columns), kPlanted);
  EXPECT_LT(values.valid_quality, 0);
  EXPECT_GT(values.valid_quality, -1);
}

bool SameBits(const Selection& a, const Selection& b) {
  return a.columns == b.columns && a.weights == b.weights && a.valid_quality == b.valid_quality;
}

TEST(Select, GivesTheSameBitsForAnyNumberOfThreads) {
  const Data data;
  SelectOptions options = Quick();
  options.threads = 1;
  const Selection one = Select(data.view(), data.classes, 3, options);
  EXPECT_TRUE(SameBits(one, Select(data.view(), data.classes, 3, options)));
  for (int threads : {2, 8}) {
    options.threads = threads;
    EXPECT_TRUE(SameBits(one, Select(data.view(), data.classes, 3, options))) << threads;
  }
  options.seed = 1;
  EXPECT_FALSE(SameBits(one, Select(data.view(), data.classes, 3, options)));
}

TEST(Select, GivesTheSameBitsWithAvx2AndAvx512) {
  const SimdLevel before = ActiveSimdLevel();
  SetSimdLevel(SimdLevel::kV4);
  const bool reached = ActiveSimdLevel() == SimdLevel::kV4;
  SetSimdLevel(before);
  if (!reached) GTEST_SKIP() << "this machine has no AVX-512";
  const Data data;
  SelectOptions options = Quick();
  options.slm.mi_bins = 4;
  SetSimdLevel(SimdLevel::kV3);
  const Selection v3 = Select(data.view(), data.classes, 3, options);
  SetSimdLevel(SimdLevel::kV4);
  const Selection v4 = Select(data.view(), data.classes, 3, options);
  SetSimdLevel(before);
  EXPECT_TRUE(SameBits(v3, v4));
}

TEST(Select, WorksFromOneColumnToAllOfThem) {
  const Data data;
  SelectOptions options = Quick();
  options.slm.starts = 1;
  options.slm.filter_starts = 0;
  for (int k : {1, 8, 9}) {
    const Selection selection = Select(data.view(), data.classes, k, options);
    EXPECT_EQ(SetOf(selection.columns).size(), static_cast<size_t>(k));
  }
}

// Logistic regression by plain gradient descent, as a user might write it.
class OwnPredictor : public Predictor {
 public:
  OwnPredictor(size_t columns, size_t outputs)
      : outputs_(outputs), w_(columns * outputs), gradient_(w_.size()) {}

  void Forward(const ActiveInput& input, MatrixView<float> output) override {
    for (size_t i = 0; i < input.x.rows; ++i) {
      for (size_t c = 0; c < outputs_; ++c) {
        float sum = 0;
        for (size_t a = 0; a < input.columns.size(); ++a) {
          sum += input.x(i, a) * input.scale[a] * Weight(input, a, c);
        }
        output(i, c) = sum;
      }
    }
  }
  void Backward(const ActiveInput& input, MatrixView<const float> d_output,
                std::span<float> d_scale) override {
    std::fill(gradient_.begin(), gradient_.end(), 0.0f);
    std::fill(d_scale.begin(), d_scale.end(), 0.0f);
    for (size_t i = 0; i < input.x.rows; ++i) {
      for (size_t c = 0; c < outputs_; ++c) {
        for (size_t a = 0; a < input.columns.size(); ++a) {
          const float slope = d_output(i, c) * input.x(i, a);
          gradient_[static_cast<size_t>(input.columns[a]) * outputs_ + c] += slope * input.scale[a];
          d_scale[a] += slope * Weight(input, a, c);
        }
      }
    }
  }
  void Step(const ActiveInput&, const StepSize&) override {
    for (size_t i = 0; i < w_.size(); ++i) w_[i] -= 0.5f * gradient_[i];
  }
  std::unique_ptr<Predictor> Clone() const override {
    return std::make_unique<OwnPredictor>(*this);
  }

 private:
  float Weight(const ActiveInput& input, size_t a, size_t c) const {
    return w_[static_cast<size_t>(input.columns[a]) * outputs_ + c];
  }
  size_t outputs_;
  std::vector<float> w_, gradient_;
};

TEST(Select, TrainsAPredictorOfTheCallersOwn) {
  const Data data;
  SelectOptions options = Quick();
  std::atomic<int> made = 0;
  options.make_predictor = [&](size_t columns, size_t outputs, uint64_t) {
    ++made;
    return std::make_unique<OwnPredictor>(columns, outputs);
  };
  const Selection selection = Select(data.view(), data.classes, 3, options);
  EXPECT_EQ(SetOf(selection.columns), kPlanted);
  EXPECT_GT(selection.valid_quality, 0.85);
  EXPECT_GT(made, 4);
}

class LastColumns : public Selector {
 public:
  Choice Select(const Problem& problem, int k, uint64_t, const Context&) override {
    Choice choice;
    choice.weights.assign(problem.layout.features(), 0.0f);
    for (int i = 0; i < k; ++i) {
      choice.features.push_back(static_cast<int>(problem.layout.features()) - 1 - i);
      choice.weights[static_cast<size_t>(choice.features.back())] = 1;
    }
    return choice;
  }
};

TEST(Select, AsksASelectorOfTheCallersOwn) {
  const Data data;
  LastColumns last;
  SelectOptions options = Quick();
  options.selector = &last;
  const Selection selection = Select(data.view(), data.classes, 2, options);
  EXPECT_EQ(selection.columns, (std::vector<int>{8, 7}));
  EXPECT_GT(selection.valid_quality, 0.5);
}

class StopAtOnce : public Observer {
 public:
  void OnProgress(const Progress&) override {}
  bool Cancelled() override { return true; }
};

TEST(Select, StoppedAtOnceStillGivesK) {
  const Data data;
  StopAtOnce stop;
  SelectOptions options = Quick();
  options.observer = &stop;
  EXPECT_EQ(SetOf(Select(data.view(), data.classes, 4, options).columns).size(), 4u);
}

class Recorder : public Observer {
 public:
  void OnProgress(const Progress& progress) override {
    ++calls;
    if (progress.step > progress.steps || progress.active_features < 1) wrong = true;
  }
  std::atomic<int> calls = 0;
  std::atomic<bool> wrong = false;
};

TEST(Select, TellsItsProgress) {
  const Data data;
  Recorder recorder;
  SelectOptions options = Quick();
  options.observer = &recorder;
  Select(data.view(), data.classes, 4, options);
  EXPECT_GT(recorder.calls, 5);
  EXPECT_FALSE(recorder.wrong);
}

TEST(Select, ReadsMissingCellsAndRefusesInfinity) {
  Data data;
  data.x[3] = std::numeric_limits<float>::quiet_NaN();
  SelectOptions options = Quick();
  EXPECT_EQ(Select(data.view(), data.classes, 3, options).columns.size(), 3u);
  data.x[4] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(Select(data.view(), data.classes, 3, options), InputError);
  data.x[4] = 0;
  data.values[7] = -std::numeric_limits<float>::infinity();
  EXPECT_THROW(Select(data.view(), data.values, 3, options), InputError);
}

TEST(Select, RefusesWhatTheCallerCanFix) {
  const Data data;
  SelectOptions options = Quick();
  EXPECT_THROW(Select(data.view(), data.classes, 0, options), InputError);
  EXPECT_THROW(Select(data.view(), data.classes, 10, options), InputError);
  EXPECT_THROW(Select(data.view(), std::vector<int>(kRows - 1), 3, options), InputError);
  EXPECT_THROW(Select(data.view(), std::vector<int>(kRows, 1), 3, options), InputError);
  options.slm.batch_size = 0;
  EXPECT_THROW(Select(data.view(), data.classes, 3, options), InputError);
}

// Somebody's file, with the checksum that its bytes should have.
TEST(Select, SaysThatACheckpointIsTheCallersToFix) {
  const Tables tables{.data = PlantedTable(60, 4, true, 3), .valid = {}, .test = {}};
  const std::string path = testing::TempDir() + "slm-unfit-checkpoint";
  std::filesystem::remove(path);
  SelectRequest request;
  request.target = "y";
  request.k = 2;
  request.method = "anova";
  request.checkpoint = path;
  Select(request, tables);
  std::ifstream file(path, std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  const std::string name = "select 2";
  const size_t body = content.find('\n') + 1;
  const size_t piece = content.find(name, body);
  ASSERT_NE(piece, content.npos);
  ++content[piece + name.size() + 1 + sizeof(uint64_t)];  // how many columns it has
  const std::string sum = Checkpoint::ChecksumOf(std::string_view(content).substr(body));
  const std::string key = "\"checksum\":\"";
  content.replace(content.find(key) + key.size(), sum.size(), sum);
  WriteFile(path, content);
  request.resume = true;
  try {
    Select(request, tables);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'select 2' in it"), std::string::npos)
        << error.what();
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace slm
