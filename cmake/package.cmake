# SPDX-License-Identifier: MIT
# `cmake --build DIR --target package`: a Debian package, by CPack, of what install.cmake installs
# but for agents. debian_files.cmake makes of it what Debian's policy asks for.
#
# What is loaded when it is first needed (add_loaded) is no dependency that dpkg-shlibdeps finds:
# capstone, without which no code is analysed, is one; Graphviz, for pictures, libdwarf, for
# variables, and libdebuginfod, for files that are not here, are recommended.
find_program(CG_DPKG_QUERY dpkg-query)
mark_as_advanced(CG_DPKG_QUERY)
if(NOT CG_DPKG_QUERY)
  return()
endif()

# The packages that the libraries' files are of, with ", " between.
function(owning_packages out)
  set(packages)
  foreach(library IN LISTS ARGN)
    file(REAL_PATH ${library} path)
    execute_process(COMMAND ${CG_DPKG_QUERY} -S ${path} OUTPUT_VARIABLE line ERROR_QUIET)
    if(line MATCHES "^([^:]+):")
      list(APPEND packages ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES packages)
  list(JOIN packages ", " packages)
  set(${out} "${packages}" PARENT_SCOPE)
endfunction()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cgsnap)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the cgsnap authors")
set(CPACK_PACKAGE_CONTACT "the cgsnap authors <cgsnap@cgsnap.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "post-mortem unwinder and call graphs of running processes")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "cgsnap stops a running process for some microseconds at a time and copies the
registers and stacks of its threads to a file. cgunwind finds the call chains
in it afterwards, on any machine: by call frame information, or where there is
none by analysis of the machine code. It prints them as trees, folded stacks,
call graphs and timelines, and says who waits for whom. It reads ELF core files
and recordings of perf as well.
.
cgtop shows live what a process does. cgrules prints the unwind rules of an ELF
file.
.
Processes and files are of x86-64, i386, ARM, AArch64 or RISC-V.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
owning_packages(CPACK_DEBIAN_PACKAGE_DEPENDS ${CAPSTONE_LINK_LIBRARIES})
set(pictures ${GVC_LINK_LIBRARIES})
list(FILTER pictures INCLUDE REGEX "/lib(gvc|cgraph)\\.so$")
owning_packages(CPACK_DEBIAN_PACKAGE_RECOMMENDS ${pictures} ${DWARF_LIBRARY})
string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libdebuginfod1t64 | libdebuginfod1")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
include(CPack)
