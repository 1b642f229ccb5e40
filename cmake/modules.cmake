# slm_module(name DEPENDS a b) makes module src/<name> from its .cc files. Files ending in _simd.cc
# are compiled once for each SIMD level (see src/kernels/dispatch.h).

include(${CMAKE_CURRENT_LIST_DIR}/hardening.cmake)
add_library(slm_flags INTERFACE)
target_link_libraries(slm_flags INTERFACE slm_hardening)
# No contraction of a*b+c: it would let the compiler decide about the last bit.
target_compile_options(slm_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic
                                           -ffp-contract=off)
# g++ 12 warns of an overlap that cannot happen in "text" + std::string (its bug 105651), and, with
# precompiled headers, of sizes there that cannot be.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(slm_flags INTERFACE -Wno-restrict)
  if(SLM_PRECOMPILE)
    target_compile_options(slm_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow
                                               -Wno-stringop-overread)
  endif()
endif()
if(SLM_WERROR)
  target_compile_options(slm_flags INTERFACE -Werror)
endif()

# The standard headers that most files include, parsed once: a third of the time of a build. The lint build
# goes without, and so finds includes that are missing.
if(SLM_PRECOMPILE)
  file(WRITE ${PROJECT_BINARY_DIR}/empty.cc "")
  add_library(slm_precompiled OBJECT ${PROJECT_BINARY_DIR}/empty.cc)
  target_link_libraries(slm_precompiled PRIVATE slm_flags PUBLIC Threads::Threads)
  target_precompile_headers(slm_precompiled PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.h)
endif()

# Sources of a target compiled six at a time, which takes half the time: what they include is compiled once for
# all. Methods stay by themselves, so that each may call its search space kSearched. The lint build
# compiles every source alone.
function(slm_unity target)
  if(SLM_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "_selector\\.cc$")
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

set(SLM_SIMD_LEVELS v2)
set(SLM_SIMD_FLAGS_v2 "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND SLM_SIMD_LEVELS v3 v4)
  set(SLM_SIMD_FLAGS_v3 -march=x86-64-v3)
  # g++ 12's own AVX-512 header trips the warning about uninitialised values.
  set(SLM_SIMD_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512 -Wno-maybe-uninitialized
                        -Wno-uninitialized)
endif()

function(slm_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cc)
  set(simd_sources ${sources})
  list(FILTER simd_sources INCLUDE REGEX "_simd\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_simd\\.cc$")
  if(NOT sources)
    return()
  endif()
  add_library(slm_${name} OBJECT ${sources})
  target_include_directories(slm_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src
                                                ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(slm_${name} PRIVATE slm_flags PUBLIC Threads::Threads)
  if(SLM_PRECOMPILE)
    target_precompile_headers(slm_${name} REUSE_FROM slm_precompiled)
  endif()
  slm_unity(slm_${name})
  foreach(dependency IN LISTS ARG_DEPENDS)
    if(TARGET slm_${dependency})
      target_link_libraries(slm_${name} PUBLIC slm_${dependency})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY SLM_OBJECTS $<TARGET_OBJECTS:slm_${name}>)
  if(simd_sources)
    foreach(level IN LISTS SLM_SIMD_LEVELS)
      set(target slm_${name}_${level})
      add_library(${target} OBJECT ${simd_sources})
      target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                                   ${PROJECT_SOURCE_DIR}/include)
      target_compile_definitions(${target} PRIVATE SLM_SIMD_LEVEL=${level})
      target_compile_options(${target} PRIVATE ${SLM_SIMD_FLAGS_${level}})
      target_link_libraries(${target} PRIVATE slm_flags)
      set_property(GLOBAL APPEND PROPERTY SLM_OBJECTS $<TARGET_OBJECTS:${target}>)
    endforeach()
  endif()
endfunction()
