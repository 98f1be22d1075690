# Each folder is an object library; the direction is frontend -> ir <- emu -> memsys, runtime on top.
foreach(folder ir frontend memsys emu runtime runtime/cuda runtime/preload)
  add_subdirectory(${folder})
endforeach()
include(cmake/install.cmake)
add_subdirectory(runtime/driver)
add_subdirectory(runtime/cudart)
add_subdirectory(runtime/cli)
add_subdirectory(tests)
