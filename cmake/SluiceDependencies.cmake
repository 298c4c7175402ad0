# Every library comes from the system. What is missing is collected and reported at once, each with the
# package of Debian and Ubuntu that has it (the names are the same from Debian 12 and Ubuntu 22.04 on).

set(SLUICE_MISSING_TEXT "")
set(SLUICE_MISSING_PACKAGES "")

function(sluice_report_missing name package)
  set(SLUICE_MISSING_TEXT "${SLUICE_MISSING_TEXT}\n  ${name} (package ${package})" PARENT_SCOPE)
  set(SLUICE_MISSING_PACKAGES "${SLUICE_MISSING_PACKAGES} ${package}" PARENT_SCOPE)
endfunction()

# sluice_require(<name> <Debian package> [arguments of find_package …])
macro(sluice_require name package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    sluice_report_missing(${name} ${package})
  endif()
endmacro()

# sluice_require_pkg(<name> <Debian package> <pkg-config module>): gives PkgConfig::<name>
macro(sluice_require_pkg name package module)
  if(PkgConfig_FOUND)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
  endif()
  if(NOT ${name}_FOUND)
    sluice_report_missing(${name} ${package})
  endif()
endmacro()

sluice_require(Threads libc6-dev)
# GNU OpenMP reads its environment when it is loaded. Linked statically it comes after what cpu/particles/processor.cpp says there.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT DEFINED OpenMP_gomp_LIBRARY)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a
    OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(IS_ABSOLUTE "${gomp}")
    set(OpenMP_gomp_LIBRARY "${gomp}" CACHE FILEPATH "GNU OpenMP")
  endif()
endif()
sluice_require(OpenMP g++ COMPONENTS CXX)
sluice_require(fmt libfmt-dev)
sluice_require(spdlog libspdlog-dev)
sluice_require(CLI11 libcli11-dev)
sluice_require(nlohmann_json nlohmann-json3-dev)
sluice_require(HDF5 libhdf5-dev COMPONENTS C)
sluice_require(PkgConfig pkg-config)
sluice_require_pkg(TinyXML2 libtinyxml2-dev tinyxml2)
sluice_require_pkg(Cairo libcairo2-dev cairo)
sluice_require_pkg(muParser libmuparser-dev muparser)
sluice_require_pkg(Deflate libdeflate-dev libdeflate)
if(SLUICE_TESTS)
  sluice_require(GTest libgtest-dev)
endif()

if(SLUICE_MISSING_TEXT)
  message(FATAL_ERROR "Libraries that Sluice needs were not found:${SLUICE_MISSING_TEXT}\n"
    "On Debian or Ubuntu: apt-get install${SLUICE_MISSING_PACKAGES}")
endif()

include(SluiceStatic)
