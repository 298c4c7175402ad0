# SLUICE_HAVE_CUDA: whether the CUDA backend is built.
#
# SLUICE_CUDA_ARCHITECTURES takes what CMAKE_CUDA_ARCHITECTURES takes. The default is the toolkit's own list of
# major architectures (and PTX of the newest), so that a build runs on every GPU that the toolkit knows;
# "native" or a single number such as 90 compiles several times faster.
set(SLUICE_CUDA_ARCHITECTURES all-major CACHE STRING "GPU architectures of the CUDA backend (all-major, native, 90, …)")

set(SLUICE_HAVE_CUDA OFF)
if(NOT EXISTS ${CMAKE_SOURCE_DIR}/src/cuda/CMakeLists.txt)
  if(SLUICE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SLUICE_CUDA=ON, but this source tree has no CUDA backend yet: use SLUICE_CUDA=AUTO or OFF")
  endif()
elseif(NOT SLUICE_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    # The toolkit installs outside PATH; look where it does.
    find_program(SLUICE_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
    mark_as_advanced(SLUICE_NVCC)
    if(SLUICE_NVCC)
      set(ENV{CUDACXX} ${SLUICE_NVCC})
    endif()
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${SLUICE_CUDA_ARCHITECTURES})
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # a CMake older than the toolkit does not know that nvcc speaks C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(SLUICE_HAVE_CUDA ON)
  elseif(SLUICE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SLUICE_CUDA=ON, but no working CUDA compiler was found: put nvcc on PATH or set CMAKE_CUDA_COMPILER")
  endif()
endif()
if(SLUICE_HAVE_CUDA)
  message(STATUS "CUDA backend: ON (${CMAKE_CUDA_COMPILER}, architectures ${CMAKE_CUDA_ARCHITECTURES})")
else()
  message(STATUS "CUDA backend: OFF")
endif()
