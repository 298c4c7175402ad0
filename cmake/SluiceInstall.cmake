# A relocatable tree: `cmake --install build/release --prefix DIR` gives a folder that runs on another Linux
# machine of the same processor family whose glibc is not older than this one's.
#
#   bin/sluice                 finds its libraries through $ORIGIN/../lib
#   lib/                       every shared library that it needs, but glibc's own and the GPU driver's; and
#                              libsluice_mpi.so, which needs the MPI of the machine that it was built on
#   share/sluice/cases         the shipped cases
#   share/man/man1             manual pages, written by the program, as is
#   share/{bash-completion,zsh,fish}   what shells complete
#   share/doc/sluice           readme, documentation, licence, changelog; licences of the libraries in lib/
#
# The components `bundle` (the libraries in lib/) and `mpi` are left out of the Debian package, which takes the system's libraries.

include(GNUInstallDirs)

if(TARGET sluice)
  # DT_RPATH, not DT_RUNPATH: it holds for the libraries' own libraries, too, which carry no path themselves.
  set_target_properties(sluice PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  target_link_options(sluice PRIVATE -Wl,--disable-new-dtags -Wl,--as-needed)
  install(TARGETS sluice RUNTIME DESTINATION bin)
  if(TARGET sluice_mpi)
    install(TARGETS sluice_mpi LIBRARY DESTINATION lib COMPONENT mpi)
  endif()
  get_property(archives GLOBAL PROPERTY SLUICE_ARCHIVES)
  install(CODE "set(archives \"${archives}\")" COMPONENT bundle)
  install(SCRIPT cmake/SluiceBundle.cmake COMPONENT bundle)
  install(SCRIPT cmake/SluiceManual.cmake)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/cases)
  install(DIRECTORY cases/ DESTINATION share/sluice/cases)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/docs)
  install(DIRECTORY docs/ DESTINATION share/doc/sluice/docs)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/python)
  install(DIRECTORY python/ DESTINATION share/sluice/python
    PATTERN "*.egg-info" EXCLUDE PATTERN build EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN .mypy_cache EXCLUDE)
endif()
foreach(document README.md LICENSE CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${document})
    install(FILES ${document} DESTINATION share/doc/sluice)
  endif()
endforeach()
# The readme links to the cases, the manual of the Python package to the package.
install(CODE "file(CREATE_LINK ../../sluice/cases \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/sluice/cases\" SYMBOLIC)")
install(CODE "file(CREATE_LINK ../../sluice/python \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/sluice/python\" SYMBOLIC)")

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME sluice)
set(CPACK_PACKAGE_VENDOR "The Sluice authors")
set(CPACK_PACKAGE_CONTACT "The Sluice authors <sluice@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "smoothed particle hydrodynamics for free-surface flow")
set(CPACK_PACKAGE_DESCRIPTION "Computes free-surface flow, waves, floating bodies and open channels by weakly compressible SPH, on CPUs
and, where it is built so, on NVIDIA GPUs. Reads XML cases in the language of DualSPHysics; writes frames for ParaView, gauges, pictures and reports.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME sluice-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
# `cpack -G DEB`: installed in /usr, with the system's libraries, whose packages dpkg-shlibdeps finds.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/SluiceDeb.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, paraview, python3-h5py, python3-numpy")
include(CPack)
