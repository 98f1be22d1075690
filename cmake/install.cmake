# The library as users get it: shared and static, from the folders' object libraries, with what `cmake --install` puts beside
# it: header, pkg-config file, CMake package.  The command line installs itself (runtime/cli).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ptxemu_parts ptxemu_ir ptxemu_frontend ptxemu_memsys ptxemu_emu ptxemu_handlers_base ptxemu_handlers_v3 ptxemu_handlers_v4
                 ptxemu_runtime ptxemu_cuda)

find_package(PkgConfig REQUIRED)
pkg_check_modules(INIH REQUIRED inih)
pkg_check_modules(LZ4 REQUIRED liblz4)
pkg_check_modules(ZSTD REQUIRED libzstd)
pkg_check_modules(FFI REQUIRED libffi)

# --- libraries ---------------------------------------------------------------------------------------------------------
add_library(ptxemu_shared SHARED)
add_library(ptxemu_static STATIC)
add_library(ptxemu::shared ALIAS ptxemu_shared)
add_library(ptxemu::static ALIAS ptxemu_static)

foreach(library ptxemu_shared ptxemu_static)
  foreach(part ${ptxemu_parts})
    if(NOT TARGET ${part}) # handlers of instruction sets that this processor family does not have
      continue()
    endif()
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${part}>)
  endforeach()
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_directories(${library} PRIVATE ${INIH_LIBRARY_DIRS} ${LZ4_LIBRARY_DIRS} ${ZSTD_LIBRARY_DIRS} ${FFI_LIBRARY_DIRS})
  target_link_libraries(${library} PRIVATE Threads::Threads ${INIH_LIBRARIES} ${LZ4_LIBRARIES} ${ZSTD_LIBRARIES} ${FFI_LIBRARIES} m)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME ptxemu LINKER_LANGUAGE C)
endforeach()

set(version_script ${CMAKE_SOURCE_DIR}/cmake/ptxemu.map)
set_target_properties(ptxemu_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                                               EXPORT_NAME shared LINK_DEPENDS ${version_script})
set_target_properties(ptxemu_static PROPERTIES EXPORT_NAME static)
target_link_options(ptxemu_shared PRIVATE -Wl,--version-script=${version_script})
if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize") # sanitizers leave their run-time to the program
  target_link_options(ptxemu_shared PRIVATE -Wl,-z,defs)
endif()

# --- what goes where ---------------------------------------------------------------------------------------------------
install(TARGETS ptxemu_shared ptxemu_static EXPORT ptxemu-targets)
install(FILES ${CMAKE_SOURCE_DIR}/include/ptxemu.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ptxemu/cuda DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ptxemu FILES_MATCHING
        PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ptxemu)
install(EXPORT ptxemu-targets NAMESPACE ptxemu:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/ptxemu-config.cmake.in ${CMAKE_BINARY_DIR}/ptxemu-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ptxemu-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ptxemu-config.cmake ${CMAKE_BINARY_DIR}/ptxemu-config-version.cmake
        DESTINATION ${package_dir})

# pkg-config finds its prefix from its own place, so that an installed tree may be moved.
file(RELATIVE_PATH prefix_from_pcdir /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_SOURCE_DIR}/cmake/ptxemu.pc.in ${CMAKE_BINARY_DIR}/ptxemu.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/ptxemu.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
