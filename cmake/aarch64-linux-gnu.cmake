# Toolchain file for 64-bit Arm on Debian 12: the distribution's cross compiler, with the libraries of SLUICE_SYSROOT, by default
# the folder that scripts/cross-aarch64.sh makes. What is built runs under QEMU: at configuration, in the search for tests and in ctest.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi) # notes of what GCC 10.1 changed: all that is linked is newer
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE sluice_cmake)
set(SLUICE_SYSROOT ${sluice_cmake}/../build/aarch64-sysroot CACHE PATH "Folder with the libraries of the machine that is compiled for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SLUICE_SYSROOT)
cmake_path(NORMAL_PATH SLUICE_SYSROOT OUTPUT_VARIABLE CMAKE_SYSROOT)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT})

# With a root given, CMake does not ask the compiler script of this machine's HDF5, which would name libraries of this machine.
set(HDF5_ROOT ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/hdf5/serial)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
