# SPDX-License-Identifier: MIT
# Run at installation: agent-ARCH/cgsnap below `built_agents` become `directory`/cgsnap-ARCH, below
# the prefix.
file(GLOB agents ${built_agents}/agent-*/cgsnap)
if(NOT agents)
  message(FATAL_ERROR "no agents below ${built_agents}: build them, as "
                      "`cmake --preset agent-arm64` and `cmake --build --preset agent-arm64` do")
endif()
foreach(agent IN LISTS agents)
  string(REGEX REPLACE ".*/agent-([^/]+)/cgsnap" "cgsnap-\\1" name ${agent})
  file(INSTALL ${agent} DESTINATION "${CMAKE_INSTALL_PREFIX}/${directory}" TYPE PROGRAM
       RENAME ${name})
endforeach()
