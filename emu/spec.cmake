# The built-in GPUs: emu/gpus/*.ini become a constant table at build time, read by the program's own reader.
# Included by emu/CMakeLists.txt after the target ptxemu_emu exists.
find_package(PkgConfig REQUIRED)
pkg_check_modules(INIH REQUIRED IMPORTED_TARGET inih)

# In the order in which they are listed to users; "a100" means the first A100.
set(ptxemu_gpus v100 t4 a100-40gb a100-80gb rtx3090 rtx4090 h100 h200 b200)
list(TRANSFORM ptxemu_gpus PREPEND ${CMAKE_CURRENT_LIST_DIR}/gpus/)
list(TRANSFORM ptxemu_gpus APPEND .ini)

add_executable(ptxemu_gpu_table ${CMAKE_CURRENT_LIST_DIR}/gpus/table.c ${CMAKE_CURRENT_LIST_DIR}/spec_read.c
                                ${CMAKE_CURRENT_LIST_DIR}/spec_value.c ${CMAKE_SOURCE_DIR}/ir/base/diag.c)
target_include_directories(ptxemu_gpu_table PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(ptxemu_gpu_table PRIVATE PkgConfig::INIH)

set(ptxemu_gpus_inc ${CMAKE_BINARY_DIR}/generated/emu_gpus.inc)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${ptxemu_gpus_inc} COMMAND ptxemu_gpu_table ${ptxemu_gpus_inc} ${ptxemu_gpus}
                   DEPENDS ptxemu_gpu_table ${ptxemu_gpus} VERBATIM)

target_sources(ptxemu_emu PRIVATE ${ptxemu_gpus_inc})
target_include_directories(ptxemu_emu PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(ptxemu_emu PUBLIC PkgConfig::INIH)
