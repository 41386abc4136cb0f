# SPDX-License-Identifier: MIT
# `cmake --build DIR --target tarball`: cgsnap-VERSION-linux-ARCH.tar.gz in DIR, which runs on any
# Linux of this architecture: static programs (CG_STATIC), agents, man pages, completions, terminals
# for cgtop, licences. make_tarball.cmake builds them below DIR/tarball.
add_custom_target(tarball
                  COMMAND ${CMAKE_COMMAND} -D source=${CMAKE_SOURCE_DIR}
                          -D work=${CMAKE_BINARY_DIR}/tarball -D output=${CMAKE_BINARY_DIR}
                          -D name=cgsnap-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}
                          -D compiler=${CMAKE_C_COMPILER} -D werror=${CG_WERROR}
                          -P ${CMAKE_CURRENT_LIST_DIR}/make_tarball.cmake
                  USES_TERMINAL VERBATIM)
