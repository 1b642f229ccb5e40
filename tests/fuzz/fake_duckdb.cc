// A stand-in for DuckDB's library that answers every query with a table made of the bytes of the
// file in it: what comes back from a hostile file, within what the C interface promises.
//
// Bytes: the number of columns; for each its type, the scale of decimals and its name; then chunks
// of rows, each a number of rows and, for each column, whether cells are missing, which, and the
// cells. What is behind the end is 0.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "data/readers/duckdb_library.h"

namespace {

constexpr int kVarchar = 17, kDecimal = 19, kMostChunks = 3;
constexpr int kTypesAsText[] = {14, 15, 23, 27, 29, 30};
constexpr int kDecimalStorages[] = {3, 4, 5, 16};

class Bytes {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  bool more() const { return at_ < bytes_.size(); }
  uint8_t Byte() { return more() ? static_cast<uint8_t>(bytes_[at_++]) : uint8_t{0}; }
  std::string Take(size_t count) {
    std::string taken(count, '\0');
    for (char& c : taken) c = static_cast<char>(Byte());
    return taken;
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

struct FakeColumn {
  int type = 0;
  uint8_t scale = 0;
  std::string name;
};

struct FakeVector {
  std::vector<uint64_t> validity;  // empty if all cells are there
  std::string cells;
  std::deque<std::string> texts;  // what the cells point to
};

struct FakeChunk {
  size_t rows = 0;
  std::vector<FakeVector> vectors;
};

struct FakeResult {
  Bytes bytes;
  std::vector<FakeColumn> columns;
  int chunks = 0;
};

size_t CellBytes(const FakeColumn& column) {
  switch (column.type == kDecimal ? kDecimalStorages[column.scale % 4] : column.type) {
    case 1:
    case 2:
    case 6:
      return 1;
    case 3:
    case 7:
      return 2;
    case 4:
    case 8:
    case 10:
    case 13:
      return 4;
    case 16:
    case 32:
      return 16;
    default:
      return 8;
  }
}

FakeVector MakeVector(const FakeColumn& column, size_t rows, Bytes& bytes) {
  FakeVector vector;
  if (bytes.Byte() % 2 == 1) {
    vector.validity.resize(rows / 64 + 1);
    const std::string bits = bytes.Take(rows / 8 + 1);
    std::memcpy(vector.validity.data(), bits.data(), bits.size());
  }
  if (column.type != kVarchar) {
    vector.cells = bytes.Take(rows * CellBytes(column));
    return vector;
  }
  for (size_t i = 0; i < rows; ++i) {
    const std::string& text = vector.texts.emplace_back(bytes.Take(bytes.Byte() % 32));
    slm::DuckdbText cell{};
    cell.length = static_cast<uint32_t>(text.size());
    if (text.size() <= 12) {
      std::memcpy(reinterpret_cast<char*>(&cell) + sizeof(cell.length), text.data(), text.size());
    } else {
      cell.pointer = text.data();
    }
    vector.cells.append(reinterpret_cast<const char*>(&cell), sizeof(cell));
  }
  return vector;
}

template <class T>
T* As(void* handle) {
  return static_cast<T*>(handle);
}
FakeResult* ResultOf(const slm::DuckdbResult& result) { return As<FakeResult>(result.pointers[0]); }

}  // namespace

extern "C" {

using Handle = void*;

int duckdb_create_config(Handle* config) {
  *config = nullptr;
  return 0;
}
int duckdb_set_config(Handle, const char*, const char*) { return 0; }
void duckdb_destroy_config(Handle*) {}
int duckdb_open_ext(const char*, Handle*, Handle, char**) { return 0; }
void duckdb_close(Handle*) {}
int duckdb_connect(Handle, Handle*) { return 0; }
void duckdb_disconnect(Handle*) {}

// The statement is the query itself.
int duckdb_prepare(Handle, const char* query, Handle* statement) {
  *statement = new std::string(query);
  return 0;
}
const char* duckdb_prepare_error(Handle) { return nullptr; }
int duckdb_prepared_statement_type(Handle) { return 1; }
void duckdb_destroy_prepare(Handle* statement) { delete As<std::string>(*statement); }

int duckdb_execute_prepared(Handle statement, slm::DuckdbResult* result) {
  const std::string& query = *As<std::string>(statement);
  const size_t begin = query.find('\'') + 1;
  std::ifstream file(query.substr(begin, query.find('\'', begin) - begin), std::ios::binary);
  auto* made = new FakeResult{Bytes(std::string(std::istreambuf_iterator<char>(file), {})), {}};
  made->columns.resize(made->bytes.Byte() % 8);
  const bool cast = query.find("CAST(") != std::string::npos;
  for (FakeColumn& column : made->columns) {
    column.type = made->bytes.Byte();
    column.scale = made->bytes.Byte() % 39;
    column.name = made->bytes.Take(made->bytes.Byte() % 16);
    const bool as_text = std::find(std::begin(kTypesAsText), std::end(kTypesAsText), column.type) !=
                         std::end(kTypesAsText);
    if (cast && as_text) column.type = kVarchar;
  }
  result->pointers[0] = made;
  return 0;
}
const char* duckdb_result_error(slm::DuckdbResult*) { return nullptr; }
void duckdb_destroy_result(slm::DuckdbResult* result) { delete ResultOf(*result); }

uint64_t duckdb_column_count(slm::DuckdbResult* result) {
  return ResultOf(*result)->columns.size();
}
const char* duckdb_column_name(slm::DuckdbResult* result, uint64_t j) {
  return ResultOf(*result)->columns[j].name.c_str();
}
int duckdb_column_type(slm::DuckdbResult* result, uint64_t j) {
  return ResultOf(*result)->columns[j].type;
}
Handle duckdb_column_logical_type(slm::DuckdbResult* result, uint64_t j) {
  return &ResultOf(*result)->columns[j];
}
void duckdb_destroy_logical_type(Handle*) {}
uint8_t duckdb_decimal_scale(Handle type) { return As<FakeColumn>(type)->scale; }
int duckdb_decimal_internal_type(Handle type) {
  return kDecimalStorages[As<FakeColumn>(type)->scale % 4];
}

Handle duckdb_fetch_chunk(slm::DuckdbResult result) {
  FakeResult& made = *ResultOf(result);
  if (!made.bytes.more() || made.chunks++ == kMostChunks) return nullptr;
  auto* chunk = new FakeChunk;
  chunk->rows = made.bytes.Byte();
  chunk->vectors.reserve(made.columns.size());  // texts are pointed to, and must not move
  for (const FakeColumn& column : made.columns) {
    chunk->vectors.push_back(MakeVector(column, chunk->rows, made.bytes));
  }
  return chunk;
}
void duckdb_destroy_data_chunk(Handle* chunk) { delete As<FakeChunk>(*chunk); }
uint64_t duckdb_data_chunk_get_size(Handle chunk) { return As<FakeChunk>(chunk)->rows; }
Handle duckdb_data_chunk_get_vector(Handle chunk, uint64_t j) {
  return &As<FakeChunk>(chunk)->vectors[j];
}
void* duckdb_vector_get_data(Handle vector) { return As<FakeVector>(vector)->cells.data(); }
uint64_t* duckdb_vector_get_validity(Handle vector) {
  FakeVector& made = *As<FakeVector>(vector);
  return made.validity.empty() ? nullptr : made.validity.data();
}
void duckdb_free(void*) {}

}  // extern "C"
