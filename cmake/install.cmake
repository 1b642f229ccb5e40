# `cmake --install` gives the command, the library, the public headers, and what find_package needs.

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
