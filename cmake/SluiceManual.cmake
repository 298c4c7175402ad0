# Run by `cmake --install`: manual pages and completion of shells, which the installed program itself writes.
# A program for another processor (cross-compiled) cannot be run: then there are none, and a line says so.

set(tree "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(program ${tree}/bin/sluice)

function(sluice_write file)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE failed ERROR_VARIABLE message)
  if(failed)
    message(FATAL_ERROR "sluice ${ARGN}: ${message}")
  endif()
  file(WRITE ${tree}/share/${file} "${text}")
endfunction()

execute_process(COMMAND ${program} --help OUTPUT_VARIABLE help RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
  message(STATUS "no manual pages: ${program} does not run on this machine")
  return()
endif()
sluice_write(bash-completion/completions/sluice completion bash)
sluice_write(zsh/vendor-completions/_sluice completion zsh)
sluice_write(fish/vendor_completions.d/sluice.fish completion fish)
sluice_write(man/man1/sluice.1 manual)
string(REGEX REPLACE "^.*Subcommands:\n" "" commands "${help}")
string(REGEX MATCHALL "\n  [a-z]+ " commands "\n${commands}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  sluice_write(man/man1/sluice-${command}.1 manual ${command})
endforeach()
