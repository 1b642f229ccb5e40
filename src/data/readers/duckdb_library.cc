#include "data/readers/duckdb_library.h"

#include "base/shared_library.h"

namespace slm {
namespace {

SharedLibrary Open() {
  return SharedLibrary({.name = "libduckdb",
                        .variable = "SLM_DUCKDB",
                        .files = {LibraryOfUser("libduckdb.so"), "libduckdb.so",
                                  LibraryBesideProgram("libduckdb.so")},
                        .help =
                            "'slm doctor --install duckdb' fetches it by npm; or get it from the "
                            "releases of DuckDB and set SLM_DUCKDB to the path of libduckdb.so"});
}

}  // namespace

bool DuckdbLibrary::Available() { return Open().found(); }

DuckdbLibrary DuckdbLibrary::Load(const std::string& what) {
  const SharedLibrary opened = Open();
  opened.Require("reading " + what + " needs DuckDB's library");
  DuckdbLibrary library;
  opened.Find("duckdb_create_config", library.create_config);
  opened.Find("duckdb_set_config", library.set_config);
  opened.Find("duckdb_destroy_config", library.destroy_config);
  opened.Find("duckdb_open_ext", library.open);
  opened.Find("duckdb_close", library.close);
  opened.Find("duckdb_connect", library.connect);
  opened.Find("duckdb_disconnect", library.disconnect);
  opened.Find("duckdb_prepare", library.prepare);
  opened.Find("duckdb_prepare_error", library.prepare_error);
  opened.Find("duckdb_prepared_statement_type", library.statement_type);
  opened.Find("duckdb_destroy_prepare", library.destroy_statement);
  opened.Find("duckdb_execute_prepared", library.execute);
  opened.Find("duckdb_result_error", library.result_error);
  opened.Find("duckdb_destroy_result", library.destroy_result);
  opened.Find("duckdb_column_count", library.column_count);
  opened.Find("duckdb_column_name", library.column_name);
  opened.Find("duckdb_column_type", library.column_type);
  opened.Find("duckdb_column_logical_type", library.logical_type);
  opened.Find("duckdb_destroy_logical_type", library.destroy_logical_type);
  opened.Find("duckdb_decimal_scale", library.decimal_scale);
  opened.Find("duckdb_decimal_internal_type", library.decimal_storage);
  opened.Find("duckdb_fetch_chunk", library.fetch_chunk);
  opened.Find("duckdb_destroy_data_chunk", library.destroy_chunk);
  opened.Find("duckdb_data_chunk_get_size", library.chunk_rows);
  opened.Find("duckdb_data_chunk_get_vector", library.chunk_vector);
  opened.Find("duckdb_vector_get_data", library.vector_data);
  opened.Find("duckdb_vector_get_validity", library.vector_validity);
  opened.Find("duckdb_free", library.free);
  return library;
}

}  // namespace slm
