# slm_sbom(FILE TYPE NAME [component...]) writes the list of what a program is made of, in CycloneDX: a component is
# name=version=licence, or name=version=licence=optional for what is looked for at run time. No date and no serial number:
# the same sources give the same bytes.

file(STRINGS ${ZSTD_INCLUDE_DIR}/zstd.h zstd_numbers REGEX "#define ZSTD_VERSION_(MAJOR|MINOR|RELEASE) ")
list(TRANSFORM zstd_numbers REPLACE ".* ([0-9]+)$" "\\1")
list(JOIN zstd_numbers . zstd_version)
# What every program here contains or loads.
set(SLM_SBOM_COMPONENTS
    zlib=${ZLIB_VERSION_STRING}=Zlib
    zstd=${zstd_version}=BSD-3-Clause
    "libstdc++=${CMAKE_CXX_COMPILER_VERSION}=GPL-3.0-only WITH GCC-exception-3.1"
    libduckdb==MIT=optional
    libxgboost==Apache-2.0=optional)

function(slm_sbom file SBOM_TYPE SBOM_NAME)
  set(SBOM_COMPONENTS)
  set(SBOM_REFS)
  foreach(component IN LISTS ARGN)
    string(REGEX MATCH "^([^=]*)=([^=]*)=([^=]*)(=optional)?$" matched "${component}")
    set(name ${CMAKE_MATCH_1})
    set(version ${CMAKE_MATCH_2})
    set(licence ${CMAKE_MATCH_3})
    set(scope required)
    if(CMAKE_MATCH_4)
      set(scope optional)
    endif()
    set(fields "\"type\": \"library\", \"bom-ref\": \"${name}\", \"name\": \"${name}\"")
    if(version)
      string(APPEND fields ", \"version\": \"${version}\"")
    endif()
    string(APPEND fields ", \"scope\": \"${scope}\", \"licenses\": [{ \"expression\": \"${licence}\" }]")
    list(APPEND SBOM_COMPONENTS "\n    { ${fields} }")
    list(APPEND SBOM_REFS "\"${name}\"")
  endforeach()
  list(JOIN SBOM_COMPONENTS "," SBOM_COMPONENTS)
  list(JOIN SBOM_REFS ", " SBOM_REFS)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/sbom.cdx.json.in ${file} @ONLY)
endfunction()
