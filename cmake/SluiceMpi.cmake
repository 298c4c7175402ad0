# SLUICE_HAVE_MPI: whether the library is built by which `mpirun -n N sluice run` makes ranks of processes.
# Builds with sanitizers do without unless they are told: they would report what MPI's own libraries do.

set(SLUICE_HAVE_MPI OFF)
if(SLUICE_MPI STREQUAL "ON" OR (SLUICE_MPI STREQUAL "AUTO" AND NOT (SLUICE_SANITIZE OR SLUICE_TSAN OR SLUICE_FUZZ)))
  find_package(MPI 3.0 QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(SLUICE_HAVE_MPI ON)
  elseif(SLUICE_MPI STREQUAL "ON")
    message(FATAL_ERROR "SLUICE_MPI=ON, but no MPI 3 was found: load its module, set MPI_HOME, or install a package "
      "(on Debian or Ubuntu: apt-get install libopenmpi-dev openmpi-bin)")
  endif()
endif()
if(SLUICE_HAVE_MPI)
  message(STATUS "MPI: ON (${MPI_C_INCLUDE_DIRS})")
else()
  message(STATUS "MPI: OFF (ranks of a run are threads of one process)")
endif()

# For tests: more processes than cores, and root may start them (Open MPI 4, and 5 and later).
set(SLUICE_MPI_TEST_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1
  PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe)
