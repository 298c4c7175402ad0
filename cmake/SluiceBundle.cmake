# Run by `cmake --install`: copies the shared libraries that bin/sluice needs into lib/, and the licences of these and of `archives`.

set(tree "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")

# glibc comes with the machine, and the GPU driver's library with the driver.
set(stays_outside
  "^ld-linux.*" "^libc\\.so" "^libm\\.so" "^libmvec\\.so" "^libpthread\\.so" "^libdl\\.so" "^librt\\.so"
  "^libresolv\\.so" "^libutil\\.so" "^libnsl\\.so" "^libanl\\.so" "^libnss_.*" "^libcuda\\.so" "^libnvidia.*")
file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${tree}/bin/sluice
  PRE_EXCLUDE_REGEXES ${stays_outside}
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR unresolved
  CONFLICTING_DEPENDENCIES_PREFIX conflicts)
if(unresolved)
  message(FATAL_ERROR "shared libraries of bin/sluice were not found: ${unresolved}")
endif()

find_program(DPKG_QUERY dpkg-query)

# Copies the licence of the package that a library is of. The package database knows /lib/… and /usr/lib/… as different names of one file.
function(sluice_copy_licence library)
  file(REAL_PATH ${library} real)
  foreach(candidate ${real} ${library} "/usr${library}")
    execute_process(COMMAND ${DPKG_QUERY} -S ${candidate}
      OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE failed)
    if(failed AND candidate MATCHES "^/usr(/lib.*)$")
      execute_process(COMMAND ${DPKG_QUERY} -S ${CMAKE_MATCH_1}
        OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE failed)
    endif()
    if(NOT failed AND owner MATCHES "^([^:,]+)")
      set(package ${CMAKE_MATCH_1})
      if(EXISTS /usr/share/doc/${package}/copyright)
        file(MAKE_DIRECTORY ${tree}/share/doc/sluice/licences)
        file(COPY_FILE /usr/share/doc/${package}/copyright ${tree}/share/doc/sluice/licences/${package}.txt)
      endif()
      break()
    endif()
  endforeach()
endfunction()

foreach(library IN LISTS libraries)
  # A tree installed over an older one finds its own copies: nothing to do for those.
  if(library MATCHES "^${tree}/")
    continue()
  endif()
  file(INSTALL ${library} DESTINATION ${tree}/lib TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
  if(DPKG_QUERY)
    sluice_copy_licence(${library})
  endif()
endforeach()
if(DPKG_QUERY)
  foreach(archive IN LISTS archives) # what was linked in
    sluice_copy_licence(${archive})
  endforeach()
endif()
# Debian's copyright files point at these for the full texts.
if(DPKG_QUERY AND IS_DIRECTORY /usr/share/common-licenses)
  file(COPY /usr/share/common-licenses DESTINATION ${tree}/share/doc/sluice/licences)
endif()
