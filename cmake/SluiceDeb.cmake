# Read by cpack for each generator: what the Debian package has otherwise than the folder.
if(CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  # The component without a name alone: neither the libraries in lib/ nor the MPI library, which would ask for one certain MPI.
  list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 sluice_build)
  set(CPACK_INSTALL_CMAKE_PROJECTS "${sluice_build};sluice;Unspecified;/")
endif()
