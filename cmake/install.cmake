# SPDX-License-Identifier: MIT
# What is installed, in components: "common" everywhere; "plain" by `cmake --install`, and "debian"
# in its place by the package (package.cmake), where Debian wants the same things elsewhere or
# compressed. The target uninstall removes what `cmake --install` has installed last.

# A manual page docs/man/NAME.SECTION.
function(install_manual page)
  string(REGEX MATCH "[0-9]$" section ${page})
  install(FILES docs/man/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT plain)
  set_property(GLOBAL APPEND PROPERTY cg_manuals ${page})
endfunction()

# A program with its manual page and its completions, which it prints itself: none of them where it
# cannot run here, or has none.
function(install_program name)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT common)
  install_manual(${name}.1)
  if(CMAKE_CROSSCOMPILING OR CG_AGENT_ONLY)
    return()
  endif()
  set(directory ${CMAKE_BINARY_DIR}/completion)
  file(MAKE_DIRECTORY ${directory})
  set(bash ${directory}/${name})
  set(zsh ${directory}/_${name})
  set(fish ${directory}/${name}.fish)
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${${shell}} VERBATIM
                       COMMAND ${name} --completion ${shell} > ${${shell}}
                       DEPENDS ${name} COMMENT "Completion of ${name} for ${shell}")
  endforeach()
  add_custom_target(${name}_completion ALL DEPENDS ${bash} ${zsh} ${fish})
  install(FILES ${bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          COMPONENT common)
  install(FILES ${fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT common)
  install(FILES ${zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT plain)
  install(FILES ${zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
          COMPONENT debian EXCLUDE_FROM_ALL)
endfunction()

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
                  WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMENT "Uninstall" VERBATIM)
