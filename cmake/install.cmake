# `cmake --install` gives the command with its manual pages and completions, the library, the public
# headers, and what find_package needs.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/slm)
install(TARGETS slm EXPORT slmTargets)
install(TARGETS slm_cli)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/slm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT slmTargets NAMESPACE slm:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/slmConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/slmConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/slmConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/slmConfig.cmake ${PROJECT_BINARY_DIR}/slmConfigVersion.cmake
        DESTINATION ${package_dir})

# The program writes them itself.
set(pages ${PROJECT_BINARY_DIR}/share)
set(completions bash:bash-completion/completions/slm zsh:zsh/site-functions/_slm
                fish:fish/vendor_completions.d/slm.fish)
set(write_pages)
foreach(command IN ITEMS "" ${SLM_COMMANDS})
  string(REGEX REPLACE "^(.+)$" "-\\1" suffix "${command}")
  list(APPEND write_pages COMMAND slm_cli man ${command} > man/man1/slm${suffix}.1)
endforeach()
foreach(entry IN LISTS completions)
  string(REGEX MATCH "^([a-z]+):(.*)$" entry ${entry})
  list(APPEND write_pages COMMAND slm_cli completions ${CMAKE_MATCH_1} > ${CMAKE_MATCH_2})
endforeach()
file(MAKE_DIRECTORY ${pages}/man/man1 ${pages}/bash-completion/completions ${pages}/zsh/site-functions
     ${pages}/fish/vendor_completions.d)
add_custom_command(OUTPUT ${pages}/written ${write_pages} COMMAND ${CMAKE_COMMAND} -E touch written
                   DEPENDS slm_cli WORKING_DIRECTORY ${pages} VERBATIM)
add_custom_target(slm_pages ALL DEPENDS ${pages}/written)
install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_DATADIR} PATTERN written EXCLUDE)

include(${CMAKE_CURRENT_LIST_DIR}/sbom.cmake)
slm_sbom(${PROJECT_BINARY_DIR}/slm.cdx.json application slm ${SLM_SBOM_COMPONENTS})
install(FILES ${PROJECT_BINARY_DIR}/slm.cdx.json DESTINATION ${CMAKE_INSTALL_DATADIR}/slm)
