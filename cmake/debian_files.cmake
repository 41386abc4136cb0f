# SPDX-License-Identifier: MIT
# Run at installation, for the package only: the files that Debian's policy asks for. From
# package.cmake: source (the directory), manuals (files of docs/man), version (with Debian's
# revision), maintainer.
set(share "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share")
set(doc ${share}/doc/cgsnap)

# Without name and time in it, so that the same input gives the same package.
function(compress from to)
  get_filename_component(directory ${to} DIRECTORY)
  file(MAKE_DIRECTORY ${directory})
  execute_process(COMMAND gzip -9nc ${from} OUTPUT_FILE ${to} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD ${to} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

foreach(page IN LISTS manuals)
  string(REGEX MATCH "[0-9]$" section ${page})
  compress(${source}/docs/man/${page} ${share}/man/man${section}/${page}.gz)
endforeach()

file(READ ${source}/LICENSE license)
file(WRITE ${doc}/copyright "${license}
cgsnap is linked statically with the GNU C Library, which is under the GNU Lesser
General Public License, version 2.1 or later: /usr/share/common-licenses/LGPL-2.1.
cgunwind and cgrules contain the demanglers of GNU libiberty, which are under the GNU
General Public License, version 2 or later, with permission to link them into any
program, or the GNU Library General Public License, version 2 or later:
/usr/share/common-licenses/GPL-2, /usr/share/common-licenses/LGPL-2.
")
if(EXISTS ${source}/CHANGELOG.md)
  compress(${source}/CHANGELOG.md ${doc}/changelog.gz)
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # or that of SOURCE_DATE_EPOCH
set(changelog ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian)
file(WRITE ${changelog} "cgsnap (${version}) unstable; urgency=medium

  * What has changed is in changelog.gz.

 -- ${maintainer}  ${date}
")
compress(${changelog} ${doc}/changelog.Debian.gz)
file(REMOVE ${changelog})

file(WRITE ${share}/lintian/overrides/cgsnap
     "# It is copied to machines that have no libraries, or others.
cgsnap: statically-linked-binary [usr/bin/cgsnap]
cgsnap: embedded-library expat [usr/bin/cgsnap]
")
