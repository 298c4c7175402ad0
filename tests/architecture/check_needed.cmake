# Checks what a program asks the dynamic linker for.
#   cmake -D PROGRAM=<file> -D UNWANTED=<names of libraries> -D READELF=<readelf> -P check_needed.cmake
execute_process(COMMAND ${READELF} -d ${PROGRAM} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "NEEDED")
  message(FATAL_ERROR "${PROGRAM} needs no library at all: is it linked statically?")
endif()
foreach(library IN LISTS UNWANTED)
  if(dynamic MATCHES "NEEDED[^\n]*${library}")
    message(FATAL_ERROR "${PROGRAM} needs ${library}:\n${dynamic}")
  endif()
endforeach()
message("${PROGRAM} needs none of: ${UNWANTED}")
