#include "slm/rows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "slm/errors.h"
#include "tests/data/chunked_rows.h"
#include "tests/data/numbered.h"

namespace slm {
namespace {

std::vector<std::shared_ptr<const RowSource>> SourcesOf(const Matrix& values) {
  return {MakeRows(values), std::make_shared<ChunkedRows>(values.view())};
}

TEST(RowSource, GathersRowsAndColumnsInAnyOrder) {
  const Matrix values = Numbered(50, 70);
  const std::vector<int32_t> rows = {49, 0, 7, 7};
  std::vector<int32_t> run(20);
  std::iota(run.begin(), run.end(), 50);  // whole vectors side by side, the last one beyond the end
  for (const std::shared_ptr<const RowSource>& source : SourcesOf(values)) {
    for (const std::vector<int32_t>& columns :
         {std::vector<int32_t>{69, 3, 5}, run, std::vector<int32_t>{}}) {
      const ColumnSet set(columns, 70);
      Matrix out(rows.size(), columns.size());
      source->Gather(rows, set, out.view());
      for (size_t i = 0; i < rows.size(); ++i) {
        for (size_t a = 0; a < columns.size(); ++a) {
          ASSERT_EQ(out(i, a),
                    values(static_cast<size_t>(rows[i]), static_cast<size_t>(columns[a])));
        }
      }
    }
  }
}

TEST(RowSource, AllColumnsAreGatheredWithTheirPadding) {
  const Matrix values = Numbered(9, 21);
  const ColumnSet all = ColumnSet::All(21);
  EXPECT_FALSE(all.scattered());
  for (const std::shared_ptr<const RowSource>& source : SourcesOf(values)) {
    Matrix out(9, 21);
    std::fill_n(out.data(), 9 * out.stride(), 5.0f);
    GatherAllRows(*source, all, out.view());
    for (size_t i = 0; i < 9; ++i) {
      for (size_t j = 0; j < out.stride(); ++j) ASSERT_EQ(out(i, j), values(i, j));
    }
  }
}

TEST(RowSource, CopiedColumnsAreAMatrixWithZerosPastTheLast) {
  const Matrix values = Numbered(9, 40);
  for (const std::shared_ptr<const RowSource>& source : SourcesOf(values)) {
    const Matrix copy = CopyColumns(*source, std::vector<int32_t>{31, 2});
    for (size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(copy(i, 0), values(i, 31));
      EXPECT_EQ(copy(i, 1), values(i, 2));
      for (size_t j = 2; j < copy.stride(); ++j) ASSERT_EQ(copy(i, j), 0);
    }
  }
}

TEST(RowSource, BlocksHaveAllRowsInTheirOrder) {
  const size_t rows = kRowsPerBlock + 10;
  const Matrix values = Numbered(rows, 3);
  for (const std::shared_ptr<const RowSource>& source : SourcesOf(values)) {
    size_t next = 0;
    ForEachBlock(*source, [&](size_t first, MatrixView<const float> block) {
      ASSERT_EQ(first, next);
      ASSERT_EQ(block.rows, std::min(kRowsPerBlock, rows - first));
      ASSERT_EQ(block.stride, source->stride());
      for (size_t i = 0; i < block.rows; ++i) {
        for (size_t j = 0; j < 3; ++j) ASSERT_EQ(block(i, j), values(first + i, j));
        for (size_t j = 3; j < block.stride; ++j) ASSERT_EQ(block.row(i)[j], 0);
      }
      next += block.rows;
    });
    EXPECT_EQ(next, rows);
  }
}

TEST(RowSource, AMatrixInMemoryIsReadWithoutCopying) {
  Matrix values = Numbered(20, 5);
  const float* data = values.data();
  const std::shared_ptr<const RowSource> source = MakeRows(std::move(values));
  EXPECT_EQ(source->InMemory().data, data);
  ForEachBlock(*source,
               [&](size_t, MatrixView<const float> block) { EXPECT_EQ(block.data, data); });
}

TEST(RowSource, RefusesToBeInMemoryByNamingWhatToDo) {
  const ChunkedRows source(Numbered(5, 2).view());
  EXPECT_FALSE(source.in_memory());
  try {
    source.InMemory();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), InputError::Kind::kData);
    EXPECT_NE(std::string(error.what()).find("sample of the rows"), std::string::npos);
  }
}

TEST(RowSource, NoRowsHasNeitherRowsNorColumns) {
  EXPECT_EQ(NoRows()->rows(), 0u);
  EXPECT_EQ(NoRows()->columns(), 0u);
  EXPECT_EQ(Dataset().rows(), 0u);
}

}  // namespace
}  // namespace slm
