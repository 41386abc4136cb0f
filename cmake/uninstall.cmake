# SPDX-License-Identifier: MIT
# Removes the files that `cmake --install` wrote last: those of install_manifest.txt in the current
# directory. Directories stay, as others may use them. DESTDIR is honoured as by the installation.
set(manifest ${CMAKE_CURRENT_SOURCE_DIR}/install_manifest.txt)
if(NOT EXISTS ${manifest})
  message(FATAL_ERROR "no ${manifest}: nothing was installed from here")
endif()
file(STRINGS ${manifest} files)
foreach(file IN LISTS files)
  set(file "$ENV{DESTDIR}${file}")
  if(EXISTS "${file}" OR IS_SYMLINK "${file}")
    message(STATUS "Removing ${file}")
    file(REMOVE "${file}")
  else()
    message(STATUS "Not there: ${file}")
  endif()
endforeach()
