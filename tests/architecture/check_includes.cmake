# Checks that the includes of a source tree point the way that docs/architecture.md says.
#   cmake -D SOURCE_DIR=<folder like src/> -P check_includes.cmake
# Fails with one line an offending include.

cmake_minimum_required(VERSION 3.25)

# What each folder may include besides itself.
set(may_include_core "")
set(may_include_ranks core)
set(may_include_model core)
set(may_include_physics core model)
set(may_include_scheme core model physics)
set(may_include_backend core ranks model physics scheme)
set(may_include_cpu core ranks model physics scheme backend)
set(may_include_cuda core ranks model physics scheme backend)
set(may_include_case core model)
set(may_include_geometry core model case)
set(may_include_setup core model physics scheme case geometry) # scheme: how large its time steps may be
set(may_include_run core model physics scheme backend)
set(may_include_io core model physics scheme backend case geometry setup run)
set(may_include_bench core model physics scheme backend cpu cuda case geometry setup run io)
set(may_include_app core ranks model physics scheme backend cpu cuda case geometry setup run io bench)
set(folders core ranks model physics scheme backend cpu cuda case geometry setup run io bench app)

# Folders inside a folder, from the lowest to the highest: a file may include what lies in its own and in those before.
set(inside_cpu particles pairs simd schedules subdomains moorings passes backend)
set(inside_cuda device data pairs search passes steps shares backend)
set(inside_io files records fluid frames measures pictures report)

set(offences "")
set(count 0)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR}
    ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cuh ${SOURCE_DIR}/${folder}/*.inl
    ${SOURCE_DIR}/${folder}/*.cpp ${SOURCE_DIR}/${folder}/*.cu)
  foreach(source IN LISTS sources)
    math(EXPR count "${count} + 1")
    file(STRINGS ${SOURCE_DIR}/${source} includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*)[>\"].*$" "\\1" path "${include}")
      if(path MATCHES "\\.\\./")
        string(APPEND offences "\n  ${source} includes ${path}: write the path from src/")
      elseif(path MATCHES "^([a-z]+)/")
        set(target ${CMAKE_MATCH_1})
        if(target IN_LIST folders AND NOT target STREQUAL folder AND NOT target IN_LIST may_include_${folder})
          string(APPEND offences "\n  ${source} includes ${path}: ${folder}/ may not know ${target}/")
        endif()
        if(target STREQUAL folder AND DEFINED inside_${folder})
          string(REGEX REPLACE "^[a-z]+/([a-z]+)/.*$" "\\1" from "${source}")
          string(REGEX REPLACE "^[a-z]+/([a-z]+)/.*$" "\\1" to "${path}")
          list(FIND inside_${folder} "${from}" from_level)
          list(FIND inside_${folder} "${to}" to_level)
          if(from_level LESS 0 OR to_level LESS 0)
            string(APPEND offences "\n  ${source} includes ${path}: one lies in no folder that ${folder}/ has")
          elseif(to_level GREATER from_level)
            string(APPEND offences "\n  ${source} includes ${path}: ${folder}/${from}/ may not know ${folder}/${to}/")
          endif()
        endif()
      endif()
    endforeach()
  endforeach()
endforeach()

# The runtime of the GPU is called in one folder alone.
file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/*.h ${SOURCE_DIR}/*.cuh ${SOURCE_DIR}/*.cpp ${SOURCE_DIR}/*.cu)
foreach(source IN LISTS sources)
  if(NOT source MATCHES "^cuda/device/")
    file(STRINGS ${SOURCE_DIR}/${source} calls REGEX "[^A-Za-z_]cuda[A-Z][A-Za-z0-9]*\\(")
    foreach(call IN LISTS calls)
      string(APPEND offences "\n  ${source} calls the CUDA runtime, which cuda/device/ alone may do: ${call}")
    endforeach()
  endif()
endforeach()

# A folder that the list above does not know would escape the check.
file(GLOB entries RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/*)
foreach(entry IN LISTS entries)
  if(IS_DIRECTORY ${SOURCE_DIR}/${entry} AND NOT entry IN_LIST folders)
    string(APPEND offences "\n  ${entry}/ is no folder of docs/architecture.md")
  endif()
endforeach()

if(offences)
  message(FATAL_ERROR "includes against the direction of docs/architecture.md:${offences}")
endif()
if(count EQUAL 0)
  message(FATAL_ERROR "no source files below ${SOURCE_DIR}")
endif()
message("${count} files, every include points the right way")
