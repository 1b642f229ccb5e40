#include "nn/model_archive.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "nn/mlp.h"
#include "slm/errors.h"
#include "tests/data/cells.h"

namespace slm {
namespace {

constexpr ModelBounds kBounds{.columns = 5, .outputs = 2};

Model TwoLayers() {
  return {MakePredictor(3, 2, 2, 4, RandomStream(1, 0)), {0, 2, 4}, {0, 1, 2}, {1, 1, 1}};
}

std::string Written(Model model) {
  Archive archive;
  Serialize(archive, model, kBounds);
  return archive.Take();
}

TEST(KeptModel, ComesBackAndPredictsTheSame) {
  const std::string bytes = Written(TwoLayers());
  Archive archive(bytes);
  Model read;
  Serialize(archive, read, kBounds);
  EXPECT_EQ(archive.left(), 0u);
  Dataset data{MakeRows(Matrix(6, 5)), {}, {}};
  data.y.classes = 2;
  data.y.index.resize(6);
  RandomStream random(2, 0);
  for (size_t i = 0; i < 6; ++i) {
    for (size_t j = 0; j < 5; ++j) Cells(data)(i, j) = static_cast<float>(random.Normal());
  }
  const Matrix expected = Scores(TwoLayers(), data), found = Scores(read, data);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(found(i, 0), expected(i, 0));
}

// Such a predictor would take all memory before its missing weights are noticed.
TEST(KeptModel, WithMoreLayersOrUnitsThanBytesIsRefused) {
  const std::string bytes = Written(TwoLayers());
  const uint64_t two = 2, four = 4;
  const std::string shape = std::string(reinterpret_cast<const char*>(&two), sizeof two) +
                            std::string(reinterpret_cast<const char*>(&four), sizeof four);
  const size_t place = bytes.find(shape);
  ASSERT_NE(place, std::string::npos);
  for (uint64_t huge : {uint64_t{1} << 30, uint64_t{1} << 40}) {
    for (size_t field : {size_t{0}, sizeof two}) {
      std::string forged = bytes;
      forged.replace(place + field, sizeof huge, reinterpret_cast<const char*>(&huge), sizeof huge);
      Archive archive(forged);
      Model read;
      EXPECT_THROW(Serialize(archive, read, kBounds), InputError);
    }
  }
}

}  // namespace
}  // namespace slm
