# HDF5 and cairo, as sluice_hdf5 and sluice_cairo: from their archives where these are there and link, else as shared libraries.
#
# As shared libraries both drag in what Sluice never calls: HDF5's driver for object stores curl, with gnutls, krb5 and ldap,
# cairo's windows X11. The linker takes from an archive only what is called, and with --as-needed names no library of which
# nothing is: 18 shared libraries are left of 56 (Debian 12).
include(CheckCSourceCompiles)

option(SLUICE_STATIC "Take HDF5 and cairo from their archives where these are there: far fewer shared libraries" ON)
if(SLUICE_SANITIZE) # what HDF5 keeps until the end is no leak, but only in a shared library the sanitizer sees that
  set(SLUICE_STATIC OFF)
endif()

# sluice_prefer_archive(<target> <imported target> <file names of the archive> <libraries behind it> <includes> <program to try>)
function(sluice_prefer_archive target shared names behind includes program)
  string(TOUPPER ${target} upper)
  add_library(${target} INTERFACE)
  if(SLUICE_STATIC)
    find_library(${upper}_ARCHIVE NAMES ${names} HINTS ${ARGN} DOC "Archive of ${target}")
    mark_as_advanced(${upper}_ARCHIVE)
  endif()
  if(SLUICE_STATIC AND ${upper}_ARCHIVE)
    set(CMAKE_REQUIRED_INCLUDES ${includes})
    set(CMAKE_REQUIRED_LIBRARIES ${${upper}_ARCHIVE} ${behind})
    set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,--as-needed)
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("${program}" ${upper}_ARCHIVE_LINKS)
  endif()
  if(SLUICE_STATIC AND ${upper}_ARCHIVE_LINKS)
    target_include_directories(${target} SYSTEM INTERFACE ${includes})
    target_link_libraries(${target} INTERFACE ${${upper}_ARCHIVE} ${behind})
    target_link_options(${target} INTERFACE LINKER:--as-needed)
    set_property(GLOBAL APPEND PROPERTY SLUICE_ARCHIVES ${${upper}_ARCHIVE})
  else()
    target_link_libraries(${target} INTERFACE ${shared})
  endif()
endfunction()

set(hdf5_behind ${HDF5_C_LIBRARIES})
list(FILTER hdf5_behind EXCLUDE REGEX "libhdf5[^/]*$")
foreach(library IN LISTS HDF5_C_LIBRARIES)
  if(library MATCHES "libhdf5[^/]*$")
    get_filename_component(hdf5_folder ${library} DIRECTORY)
  endif()
endforeach()
if(NOT hdf5_behind AND EXISTS ${hdf5_folder}/libhdf5.settings) # found without HDF5's compiler script, which says the same
  file(STRINGS ${hdf5_folder}/libhdf5.settings hdf5_behind REGEX "Extra libraries:")
  string(REGEX MATCHALL "-l[^ ]+" hdf5_behind "${hdf5_behind}")
endif()
sluice_prefer_archive(sluice_hdf5 hdf5::hdf5 "libhdf5.a;libhdf5_serial.a" "${hdf5_behind};${CMAKE_DL_LIBS};m"
  "${HDF5_C_INCLUDE_DIRS}" "#include <hdf5.h>\nint main(void) { return H5open() + (int)H5Fcreate(\"a\", 0, 0, 0); }" ${hdf5_folder})

set(cairo_behind ${Cairo_STATIC_LDFLAGS})
list(REMOVE_ITEM cairo_behind -lcairo)
sluice_prefer_archive(sluice_cairo PkgConfig::Cairo libcairo.a "${cairo_behind}" "${Cairo_INCLUDE_DIRS}"
  "#include <cairo.h>\n#include <cairo-pdf.h>\n#include <cairo-svg.h>\nint main(void) { cairo_surface_t* s = cairo_svg_surface_create(\"a\", 1, 1); cairo_show_text(cairo_create(s), \"a\"); return cairo_pdf_surface_create(\"b\", 1, 1) == s || cairo_surface_write_to_png(s, \"c\"); }"
  ${Cairo_LIBRARY_DIRS})
