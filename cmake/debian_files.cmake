# SPDX-License-Identifier: MIT
# Run by CPack between installation and packing, with its variables: what Debian's policy asks for.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${share}/doc/cgsnap)

# Without name and time in it, so that the same input gives the same package.
function(compress from to)
  get_filename_component(directory ${to} DIRECTORY)
  file(MAKE_DIRECTORY ${directory})
  execute_process(COMMAND gzip -9nc ${from} OUTPUT_FILE ${to} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD ${to} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

file(GLOB pages ${share}/man/man*/*[0-9])
foreach(page IN LISTS pages)
  compress(${page} ${page}.gz)
  file(REMOVE ${page})
endforeach()
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)

file(READ ${CPACK_RESOURCE_FILE_LICENSE} license)
file(WRITE ${doc}/copyright "${license}
cgsnap is linked statically with the GNU C Library, which is under the GNU Lesser
General Public License, version 2.1 or later: /usr/share/common-licenses/LGPL-2.1.
cgunwind and cgrules contain the demanglers of GNU libiberty, which are under the GNU
General Public License, version 2 or later, with permission to link them into any
program, or the GNU Library General Public License, version 2 or later:
/usr/share/common-licenses/GPL-2, /usr/share/common-licenses/LGPL-2.
")
get_filename_component(source ${CPACK_RESOURCE_FILE_LICENSE} DIRECTORY)
compress(${source}/CHANGELOG.md ${doc}/changelog.gz)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # or that of SOURCE_DATE_EPOCH
set(changelog ${CPACK_TOPLEVEL_DIRECTORY}/changelog.Debian)
file(WRITE ${changelog}
     "cgsnap (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * What has changed is in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
compress(${changelog} ${doc}/changelog.Debian.gz)

file(WRITE ${share}/lintian/overrides/cgsnap
     "# It is copied to machines that have no libraries, or others.
cgsnap: statically-linked-binary [usr/bin/cgsnap]
cgsnap: embedded-library expat [usr/bin/cgsnap]
# Static and position independent is no shared library.
cgsnap: shared-library-lacks-prerequisites [usr/bin/cgsnap]
# It is not uploaded to Debian.
cgsnap: initial-upload-closes-no-bugs [usr/share/doc/cgsnap/changelog.Debian.gz:1]
")
