# Compile options of every target of ours, as one interface target, and the helper that makes one
# static library per folder of src/ so that the dependencies of docs/architecture.md are link lines too.

add_library(sluice_options INTERFACE)
# Where the files of a target are compiled by the dozen (CMAKE_UNITY_BUILD), one shadows what another has at namespace scope,
# and GCC takes a type without linkage for one that is in a header.
set(warnings -Wall -Wextra -Wpedantic -Wno-unknown-pragmas)
if(NOT CMAKE_UNITY_BUILD)
  list(APPEND warnings -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND warnings -Wshadow=local -Wno-subobject-linkage)
endif()
target_compile_options(sluice_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-ffp-contract=off>")
if(SLUICE_WERROR)
  target_compile_options(sluice_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
endif()
target_include_directories(sluice_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/generated)
if(SLUICE_SANITIZE)
  target_compile_options(sluice_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(sluice_options INTERFACE -fsanitize=address,undefined)
endif()
if(SLUICE_TSAN)
  target_compile_options(sluice_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(sluice_options INTERFACE -fsanitize=thread)
endif()

# sluice_library(<folder> SOURCES … LINK …): static library sluice_<folder>
function(sluice_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(sluice_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(sluice_${name} PUBLIC sluice_options ${ARG_LINK})
  if(SLUICE_SANITIZE AND name MATCHES "^(case|setup|io)$") # half of the time to compile, and their tests are short
    target_compile_options(sluice_${name} PRIVATE -O0)
  endif()
  if(SLUICE_FUZZ AND name MATCHES "^(core|case|geometry|io)$") # whose coverage guides the fuzzers; it costs the rest time
    target_compile_options(sluice_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# How the kernels of sluice_<folder> are compiled.
function(sluice_cuda_options name)
  target_compile_options(sluice_${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -ftz=true --expt-relaxed-constexpr -Xcompiler=-Wall>)
  set_target_properties(sluice_${name} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  # newer CMake puts kernels together, too, whose files have names in common and are best compiled beside one another
  get_target_property(kernels sluice_${name} SOURCES)
  list(FILTER kernels INCLUDE REGEX "\\.cu$")
  set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# sluice_test(<name> SOURCES … LINK … [LABELS …]): one GoogleTest executable, its cases found at build time; the label
# is unit unless another is given. The target tests_<label> builds all of a label.
function(sluice_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE sluice_options ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>) # compiles in half the time
  if(SLUICE_SANITIZE AND CMAKE_CURRENT_SOURCE_DIR MATCHES "/tests/unit/") # whose tests do little themselves; likewise
    target_compile_options(${name} PRIVATE -O0)
  endif()
  target_compile_definitions(${name} PRIVATE SLUICE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(NOT TARGET tests_${ARG_LABELS})
    add_custom_target(tests_${ARG_LABELS})
  endif()
  add_dependencies(tests_${ARG_LABELS} ${name})
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600
    ENVIRONMENT OMP_WAIT_POLICY=passive) # several run at once: threads that wait for others leave them the cores
endfunction()
