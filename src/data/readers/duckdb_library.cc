#include "data/readers/duckdb_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "slm/errors.h"

namespace slm {
namespace {

// lib/libduckdb.so beside the directory of the running program; empty if that cannot be told.
std::string PathBesideProgram() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0) return "";
  const std::string program(path, static_cast<size_t>(length));
  return program.substr(0, program.rfind('/')) + "/../lib/libduckdb.so";
}

// Null if the variable is absent or empty.
const char* PathInEnvironment() {
  const char* path = std::getenv("SLM_DUCKDB");
  return path == nullptr || *path == '\0' ? nullptr : path;
}

// The library stays loaded: it has threads of its own that must not lose their code.
void* Open() {
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  if (const char* path = PathInEnvironment()) return dlopen(path, kFlags);
  if (void* opened = dlopen("libduckdb.so", kFlags)) return opened;
  return dlopen(PathBesideProgram().c_str(), kFlags);
}

constexpr const char* kHelp =
    "; get it with 'npm install @duckdb/node-bindings-linux-x64', or from the releases of DuckDB, "
    "and set SLM_DUCKDB to the path of libduckdb.so";

template <class Function>
void Find(void* opened, const char* name, Function*& out) {
  out = reinterpret_cast<Function*>(dlsym(opened, name));
  if (out == nullptr) {
    throw RuntimeFailure("the libduckdb that was found is too old: it lacks " + std::string(name) +
                         kHelp);
  }
}

}  // namespace

bool DuckdbLibrary::Available() { return Open() != nullptr; }

DuckdbLibrary DuckdbLibrary::Load(const std::string& what) {
  void* opened = Open();
  if (opened == nullptr) {
    const char* path = PathInEnvironment();
    throw RuntimeFailure("reading " + what + " needs DuckDB's library, which " +
                         (path == nullptr
                              ? std::string("was not found")
                              : "could not be loaded from SLM_DUCKDB=" + std::string(path)) +
                         kHelp);
  }
  DuckdbLibrary library;
  Find(opened, "duckdb_create_config", library.create_config);
  Find(opened, "duckdb_set_config", library.set_config);
  Find(opened, "duckdb_destroy_config", library.destroy_config);
  Find(opened, "duckdb_open_ext", library.open);
  Find(opened, "duckdb_close", library.close);
  Find(opened, "duckdb_connect", library.connect);
  Find(opened, "duckdb_disconnect", library.disconnect);
  Find(opened, "duckdb_prepare", library.prepare);
  Find(opened, "duckdb_prepare_error", library.prepare_error);
  Find(opened, "duckdb_prepared_statement_type", library.statement_type);
  Find(opened, "duckdb_destroy_prepare", library.destroy_statement);
  Find(opened, "duckdb_execute_prepared", library.execute);
  Find(opened, "duckdb_result_error", library.result_error);
  Find(opened, "duckdb_destroy_result", library.destroy_result);
  Find(opened, "duckdb_column_count", library.column_count);
  Find(opened, "duckdb_column_name", library.column_name);
  Find(opened, "duckdb_column_type", library.column_type);
  Find(opened, "duckdb_column_logical_type", library.logical_type);
  Find(opened, "duckdb_destroy_logical_type", library.destroy_logical_type);
  Find(opened, "duckdb_decimal_scale", library.decimal_scale);
  Find(opened, "duckdb_decimal_internal_type", library.decimal_storage);
  Find(opened, "duckdb_fetch_chunk", library.fetch_chunk);
  Find(opened, "duckdb_destroy_data_chunk", library.destroy_chunk);
  Find(opened, "duckdb_data_chunk_get_size", library.chunk_rows);
  Find(opened, "duckdb_data_chunk_get_vector", library.chunk_vector);
  Find(opened, "duckdb_vector_get_data", library.vector_data);
  Find(opened, "duckdb_vector_get_validity", library.vector_validity);
  Find(opened, "duckdb_free", library.free);
  return library;
}

}  // namespace slm
