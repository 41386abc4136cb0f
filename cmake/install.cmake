# SPDX-License-Identifier: MIT
# What is installed, in components. `cmake --install DIR --component NAME` takes one of them:
#
#     programs      bin/
#     man           share/man/
#     completions   share/, where bash, zsh and fish look
#     agents        lib/cgsnap/cgsnap-ARCH, for targets; installed only when it is asked for
#
# What was not built is left out. So all of this works after a build of some programs. The target
# uninstall removes what was installed from this directory.

# A manual page docs/man/NAME.SECTION.
function(install_manual page)
  string(REGEX MATCH "[0-9]$" section ${page})
  install(FILES docs/man/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT man)
endfunction()

# A program with its manual page and its completions, which it prints itself as soon as it is built:
# none of them where it cannot run here, or has none.
function(install_program name)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs OPTIONAL)
  install_manual(${name}.1)
  if(CMAKE_CROSSCOMPILING OR CG_AGENT_ONLY)
    return()
  endif()
  set(directory ${CMAKE_BINARY_DIR}/completion)
  file(MAKE_DIRECTORY ${directory})
  set(bash ${directory}/${name})
  set(zsh ${directory}/_${name})
  set(fish ${directory}/${name}.fish)
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM
                     COMMAND ${name} --completion bash > ${bash}
                     COMMAND ${name} --completion zsh > ${zsh}
                     COMMAND ${name} --completion fish > ${fish}
                     BYPRODUCTS ${bash} ${zsh} ${fish})
  foreach(place bash:bash-completion/completions zsh:zsh/site-functions
                fish:fish/vendor_completions.d)
    string(REGEX MATCH "^([a-z]+):(.*)" place ${place})
    install(FILES ${${CMAKE_MATCH_1}} DESTINATION ${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2}
            COMPONENT completions OPTIONAL)
  endforeach()
endfunction()

# The agents are built elsewhere, each with its preset agent-ARCH: below CG_AGENTS.
set(CG_AGENTS ${CMAKE_SOURCE_DIR}/build CACHE PATH "Where agent-*/cgsnap are, to be installed")
mark_as_advanced(CG_AGENTS)
install(CODE "set(built_agents \"${CG_AGENTS}\")
set(directory lib/cgsnap)"
        COMPONENT agents EXCLUDE_FROM_ALL)
install(SCRIPT cmake/install_agents.cmake COMPONENT agents EXCLUDE_FROM_ALL)

# What was installed, for `uninstall`: CMake's own list is one of a package's files after CPack.
function(remember_installed)
  install(CODE "set(list ${CMAKE_BINARY_DIR}/installed.txt)" ALL_COMPONENTS)
  install(CODE [[
  if(NOT "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}" MATCHES "/_CPack_Packages/")
    list(JOIN CMAKE_INSTALL_MANIFEST_FILES "\n" files)
    file(APPEND ${list} "${files}\n")
  endif()]] ALL_COMPONENTS)
endfunction()
cmake_language(DEFER CALL remember_installed) # when all has been named that is installed

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
                  WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMENT "Uninstall" VERBATIM)
