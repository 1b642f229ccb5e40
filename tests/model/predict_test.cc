#include "model/predict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "base/thread_pool.h"
#include "data/readers/reader.h"
#include "slm/errors.h"
#include "tests/model/small_model.h"

namespace slm {
namespace {

// By plain loops in double, from the description of the format.
std::vector<double> ScoresByHand(const ModelContent& content, const std::vector<double>& encoded) {
  std::vector<double> x = encoded;
  for (size_t a = 0; a < x.size(); ++a) x[a] *= content.mask[a];
  for (size_t l = 0; l < content.layers.size(); ++l) {
    const LayerWeights& layer = content.layers[l];
    std::vector<double> y(layer.w.cols());
    for (size_t j = 0; j < y.size(); ++j) {
      y[j] = layer.bias(0, j);
      for (size_t i = 0; i < x.size(); ++i) y[j] += x[i] * layer.w(i, j);
      if (l + 1 < content.layers.size()) y[j] = std::max(0.0, y[j]);
    }
    x = y;
  }
  return x;
}

TEST(ModelScores, AreTheLayersAppliedToTheEncodedCells) {
  ThreadPool pool(2);
  const Table table = SmallTable();
  for (const std::vector<size_t>& widths : {std::vector<size_t>{}, {4}, {8, 5}}) {
    const ModelContent content = SmallModel(Task::kClassification, widths);
    const Matrix scores = ModelScores(content, table, pool);
    ASSERT_EQ(scores.rows(), 5u);
    ASSERT_EQ(scores.cols(), 3u);
    // Row 4: 3.5, day 19001, blue.
    const FeatureEncoding& color = content.features[2].encoding;
    std::vector<double> encoded = {(std::asinh((3.5 - 10.1) * 0.3) - 0.1) * 1.7,
                                   (19001 - 19000.25) * 0.01, (0 - 0.2) * 2.5};
    for (size_t p = 0; p < 5; ++p) {
      encoded.push_back(((p == 0 ? 1 : 0) - color.shares[p]) * color.level_scale);
    }
    const std::vector<double> expected = ScoresByHand(content, encoded);
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(scores(4, c), expected[c], 1e-4);
    for (size_t i = 0; i < 5; ++i) EXPECT_TRUE(std::isfinite(scores(i, 0))) << i;
  }
}

TEST(ModelScores, DoNotDependOnThreadsNorOnTheOrderOfColumns) {
  ThreadPool one(1), four(4);
  const ModelContent content = SmallModel(Task::kRegression, {16, 16});
  Table table;
  RandomStream random(1, 1);
  table.rows = 1000;
  table.columns = SmallTable().columns;
  for (Column& column : table.columns) {
    column.numbers.clear();
    column.codes.clear();
    for (size_t i = 0; i < table.rows; ++i) {
      if (column.type == ColumnType::kText) {
        column.codes.push_back(static_cast<int32_t>(i % 4) - 1);
      } else {
        column.numbers.push_back(100 * random.Normal());
      }
    }
  }
  const Matrix a = ModelScores(content, table, one);
  std::swap(table.columns[0], table.columns[3]);
  const Matrix b = ModelScores(content, table, four);
  for (size_t i = 0; i < table.rows; ++i) EXPECT_EQ(a(i, 0), b(i, 0)) << i;
}

TEST(ModelScores, AreRefusedWhereTheyOverflow) {
  ThreadPool pool(1);
  for (Task task : {Task::kClassification, Task::kRegression}) {
    ModelContent content = SmallModel(task);
    for (LayerWeights& layer : content.layers) {
      for (size_t i = 0; i < layer.w.rows(); ++i) {
        for (size_t j = 0; j < layer.w.cols(); ++j) layer.w(i, j) *= 1e30f;
      }
    }
    try {
      ModelScores(content, SmallTable(), pool);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("was changed or damaged"), std::string::npos);
    }
  }
}

TEST(ChosenColumns, NamesEveryColumnThatIsMissing) {
  Table table = SmallTable();
  table.columns[0].name = "amounts";
  table.columns.pop_back();
  try {
    ChosenColumns(SmallModel(Task::kClassification), table);
    ADD_FAILURE() << "nothing is missing";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kData);
    EXPECT_STREQ(error.what(),
                 "the table lacks the columns 'amount', 'color' that the model reads; is 'amount' "
                 "the one named 'amounts'?");
  }
}

TEST(PredictionsOf, GivesTheFirstOfEqualClassesAndProbabilitiesThatSumToOne) {
  Matrix scores(2, 3);
  scores(0, 1) = scores(0, 2) = 2;
  scores(1, 2) = -1;
  const Predictions found = PredictionsOf(SmallModel(Task::kClassification), scores);
  EXPECT_EQ(found.classes, (std::vector<int32_t>{1, 0}));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(found.probabilities(i, 0) + found.probabilities(i, 1) + found.probabilities(i, 2),
                1, 1e-6);
  }
  EXPECT_NEAR(found.probabilities(0, 1), 0.468310539, 1e-6);
}

TEST(PredictionsOf, GivesValuesInTheUnitOfTheTarget) {
  Matrix scores(2, 1);
  scores(0, 0) = 2;
  const Predictions found = PredictionsOf(SmallModel(Task::kRegression), scores);
  EXPECT_EQ(found.values, (std::vector<double>{125, 100}));
}

// Files of every version that was released, the rows they were asked about and what they said. They
// stay as they are for good.
class StoredModel : public testing::Test {
 protected:
  StoredModel() : pool_(2) {}

  void Load(const std::string& name) {
    const std::string directory = std::string(SLM_MODELS_DIR) + "/";
    model_ = LoadModel(directory + name + ".slm");
    const Table like = TableLike(model_.content(), name);
    ReadOptions options;
    options.like = &like;
    const Table table = ReadTable(directory + "rows.csv", options, pool_);
    expected_ = ReadTable(directory + name + ".csv", {}, pool_);
    ASSERT_EQ(table.rows, 22u);
    ASSERT_EQ(expected_.rows, 22u);
    found_ = PredictionsOf(model_.content(), ModelScores(model_.content(), table, pool_));
  }

  ThreadPool pool_;
  FittedModel model_;
  Table expected_;
  Predictions found_;
};

class StoredClasses : public StoredModel, public testing::WithParamInterface<const char*> {};

TEST_P(StoredClasses, ArePredictedAsTheyAlwaysWere) {
  Load(GetParam());
  const Column& label = expected_.columns[0];
  for (size_t i = 0; i < label.codes.size(); ++i) {
    EXPECT_EQ(model_.classes()[static_cast<size_t>(found_.classes[i])],
              label.levels[static_cast<size_t>(label.codes[i])]);
    for (size_t c = 0; c < model_.classes().size(); ++c) {
      EXPECT_NEAR(found_.probabilities(i, c), expected_.columns[c + 1].numbers[i], 1e-5) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, StoredClasses, testing::Values("v1-classes", "v2-classes"));

TEST_F(StoredModel, OfVersion1PredictsTheValuesItAlwaysDid) {
  Load("v1-values");
  for (size_t i = 0; i < found_.values.size(); ++i) {
    EXPECT_NEAR(found_.values[i], expected_.columns[0].numbers[i], 1e-4) << i;
  }
}

}  // namespace
}  // namespace slm
