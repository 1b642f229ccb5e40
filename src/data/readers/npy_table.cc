// NumPy arrays as the columns of a table.

#include <algorithm>

#include "base/text.h"
#include "data/readers/finish_table.h"
#include "data/readers/npy.h"
#include "data/readers/zip.h"
#include "slm/errors.h"

namespace slm {
namespace {

// Rows turned into columns at a time, so that columns are written by the cache line.
constexpr size_t kBlockRows = 64;

struct NamedArray {
  std::string name;
  NpyArray array;
  std::string storage;  // of what was deflated
};

std::string WhatOf(const std::string& source, const NamedArray& named) {
  return source + ", array " + Quoted(named.name);
}

// Appends the columns of `array` to the table, whose rows it has.
void AppendColumns(const NpyArray& array, Table* table, ThreadPool& pool) {
  const size_t first = table->columns.size();
  table->columns.resize(first + array.cols);
  pool.ParallelFor(array.cols, [&](size_t j) {
    Column& column = table->columns[first + j];
    column.type =
        array.kind == NpyArray::Kind::kBoolean ? ColumnType::kBoolean : ColumnType::kNumeric;
    column.numbers.resize(array.rows);
  });
  pool.ParallelFor((array.rows + kBlockRows - 1) / kBlockRows, [&](size_t block) {
    const size_t begin = block * kBlockRows, end = std::min(begin + kBlockRows, array.rows);
    for (size_t j = 0; j < array.cols; ++j) {
      double* out = table->columns[first + j].numbers.data();
      for (size_t i = begin; i < end; ++i) out[i] = array.load(array.at(i, j));
    }
  });
}

// A vector of texts has no way to say "missing" but the empty one.
void AppendTexts(const NpyArray& array, Table* table) {
  Column& column = table->columns.emplace_back();
  TextDictionary dictionary;
  for (size_t i = 0; i < array.rows; ++i) {
    const std::string text = array.Text(i);
    column.codes.push_back(text.empty() ? -1 : dictionary.Code(text));
  }
  SortLevels(dictionary, &column);
}

std::vector<NamedArray> ReadArrays(std::string_view bytes, const std::string& source,
                                   size_t max_bytes) {
  const std::vector<ZipMember> members = ListZip(bytes, source, max_bytes);
  std::vector<NamedArray> arrays;
  arrays.reserve(members.size());  // so that nothing moves away from under its array
  for (const ZipMember& member : members) {
    NamedArray& named = arrays.emplace_back();
    named.name = member.name.substr(0, member.name.rfind(".npy"));
    named.array = ParseNpy(Unzip(member, source, &named.storage), WhatOf(source, named));
  }
  return arrays;
}

const NamedArray* FindMatrix(const std::vector<NamedArray>& arrays, const std::string& source) {
  const NamedArray* only = nullptr;
  std::string names;
  size_t matrices = 0;
  for (const NamedArray& named : arrays) {
    if (named.array.dimensions != 2) continue;
    if (named.name == "X") return &named;
    only = &named;
    names += (matrices++ == 0 ? "" : ", ") + Quoted(named.name);
  }
  if (matrices > 1) {
    throw DataError(source + " holds several matrices, " + names +
                    ", and none is named X; save the one with the features under that name");
  }
  return only;
}

}  // namespace

Table ReadNpy(std::string_view bytes, const std::string& source, const ReadOptions& options,
              ThreadPool& pool) {
  Table table;
  table.source = source;
  table.first_line = 0;
  const NpyArray array = ParseNpy(bytes, source);
  CheckReadable(array, source);
  if (array.is_text()) {
    throw DataError(source + " holds text; save it beside the numbers, with numpy.savez(file, " +
                    "X=numbers, name=texts)");
  }
  CheckFits(source, array.rows, array.cols, options.max_bytes);
  table.rows = array.rows;
  AppendColumns(array, &table, pool);
  FinishTable(options, &table);
  return table;
}

Table ReadNpz(std::string_view bytes, const std::string& source, const ReadOptions& options,
              ThreadPool& pool) {
  const std::vector<NamedArray> arrays = ReadArrays(bytes, source, options.max_bytes);
  Table table;
  table.source = source;
  table.first_line = 0;
  const NamedArray* matrix = FindMatrix(arrays, source);
  const NamedArray* names = nullptr;
  if (matrix != nullptr) {
    const NpyArray& array = matrix->array;
    CheckReadable(array, WhatOf(source, *matrix));
    if (array.is_text()) {
      throw DataError(WhatOf(source, *matrix) +
                      " holds text; save text columns as separate vectors");
    }
    for (const NamedArray& named : arrays) {
      if ((named.name == "feature_names" || named.name == "columns") && named.array.is_text() &&
          named.array.dimensions == 1) {
        names = &named;
      }
    }
    if (names != nullptr && names->array.rows != array.cols) {
      throw DataError(source + ": " + Quoted(names->name) + " has " +
                      std::to_string(names->array.rows) + " names for the " +
                      std::to_string(array.cols) + " columns of " + Quoted(matrix->name) +
                      "; save one for each");
    }
    CheckFits(source, array.rows, array.cols + arrays.size(), options.max_bytes);
    table.rows = array.rows;
    AppendColumns(array, &table, pool);
    for (size_t j = 0; j < array.cols; ++j) {
      table.columns[j].name = names == nullptr ? GeneratedName(j) : names->array.Text(j);
    }
  }
  for (const NamedArray& named : arrays) {
    const NpyArray& array = named.array;
    if (&named == names || &named == matrix) continue;
    if (named.name == "y") CheckReadable(array, WhatOf(source, named));
    if (!array.readable() || array.dimensions != 1) continue;
    if (table.columns.empty()) table.rows = array.rows;
    if (array.rows != table.rows) {
      if (named.name != "y") continue;
      throw DataError(source + ": 'y' has " + std::to_string(array.rows) +
                      " entries where the table has " + std::to_string(table.rows) +
                      " rows; save one for each row");
    }
    CheckFits(source, array.rows, arrays.size(), options.max_bytes);
    if (array.is_text()) {
      AppendTexts(array, &table);
    } else {
      AppendColumns(array, &table, pool);
    }
    table.columns.back().name = named.name;
  }
  FinishTable(options, &table);
  return table;
}

}  // namespace slm
