# The engine and the command line from another build directory of this tree, SLM_PREBUILT, instead of
# compiling them again.
add_library(slm STATIC IMPORTED)
set_target_properties(slm PROPERTIES IMPORTED_LOCATION ${SLM_PREBUILT}/src/libslm.a)
target_include_directories(slm INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(slm INTERFACE ZLIB::ZLIB ${ZSTD_LIBRARY} Threads::Threads)

add_library(slm_cli_lib STATIC IMPORTED)
set_target_properties(slm_cli_lib PROPERTIES IMPORTED_LOCATION ${SLM_PREBUILT}/apps/cli/libslm_cli_lib.a)
target_link_libraries(slm_cli_lib INTERFACE slm)

include(cmake/hardening.cmake)
