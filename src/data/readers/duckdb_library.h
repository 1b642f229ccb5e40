#pragma once

// DuckDB, found at run time: the few functions of its C interface that are used. No header of it is
// needed to build.

#include <cstdint>
#include <string>

namespace slm {

// A result, as the C interface hands it around. Only DuckDB looks inside.
struct DuckdbResult {
  uint64_t counts[3] = {};
  void* pointers[3] = {};
};

// A text in a vector: up to 12 bytes in place, longer ones behind a pointer.
struct DuckdbText {
  uint32_t length;
  char start[4];
  union {
    char rest[8];
    const char* pointer;
  };
};
static_assert(sizeof(DuckdbText) == 16);

// Tried in this order: the path in the environment variable SLM_DUCKDB, and nothing else if it is
// set; what `slm doctor --install duckdb` has put into the user's directory; libduckdb.so where the
// loader looks; ../lib/libduckdb.so beside the running program.
struct DuckdbLibrary {
  // Throws a RuntimeFailure that says how to get it; `what` is what needs it.
  static DuckdbLibrary Load(const std::string& what);
  static bool Available();

  using Handle = void*;
  using State = int;  // 0 is success

  State (*create_config)(Handle* config) = nullptr;
  State (*set_config)(Handle config, const char* name, const char* value) = nullptr;
  void (*destroy_config)(Handle* config) = nullptr;
  State (*open)(const char* path, Handle* database, Handle config, char** error) = nullptr;
  void (*close)(Handle* database) = nullptr;
  State (*connect)(Handle database, Handle* connection) = nullptr;
  void (*disconnect)(Handle* connection) = nullptr;
  State (*prepare)(Handle connection, const char* query, Handle* statement) = nullptr;
  const char* (*prepare_error)(Handle statement) = nullptr;
  int (*statement_type)(Handle statement) = nullptr;
  void (*destroy_statement)(Handle* statement) = nullptr;
  State (*execute)(Handle statement, DuckdbResult* result) = nullptr;
  const char* (*result_error)(DuckdbResult* result) = nullptr;
  void (*destroy_result)(DuckdbResult* result) = nullptr;
  uint64_t (*column_count)(DuckdbResult* result) = nullptr;
  const char* (*column_name)(DuckdbResult* result, uint64_t column) = nullptr;
  int (*column_type)(DuckdbResult* result, uint64_t column) = nullptr;
  Handle (*logical_type)(DuckdbResult* result, uint64_t column) = nullptr;
  void (*destroy_logical_type)(Handle* type) = nullptr;
  uint8_t (*decimal_scale)(Handle type) = nullptr;
  int (*decimal_storage)(Handle type) = nullptr;
  Handle (*fetch_chunk)(DuckdbResult result) = nullptr;
  void (*destroy_chunk)(Handle* chunk) = nullptr;
  uint64_t (*chunk_rows)(Handle chunk) = nullptr;
  Handle (*chunk_vector)(Handle chunk, uint64_t column) = nullptr;
  void* (*vector_data)(Handle vector) = nullptr;
  uint64_t* (*vector_validity)(Handle vector) = nullptr;
  void (*free)(void* memory) = nullptr;
};

}  // namespace slm
