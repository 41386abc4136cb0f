# SPDX-License-Identifier: MIT
# Finds the libraries, and decides what is built with them. Parts that need one of their own may be
# left out, and are when it is not there:
#
#   CG_GRAPHVIZ    call graphs as svg, png and pdf               Graphviz; else its program draws
#   CG_VARIABLES   cgunwind --variables, --split, --where        libdwarf
#   CG_TUI         cgtop                                         ncurses
#   CG_BOARDS      cgsnap --gdb: boards and gdb stubs            expat
#   CG_STATIC_AGENT  cgsnap as a static program                  static libc, zstd, expat
#   CG_DEBUGINFOD  debug files from servers                      none: loaded when it is asked for
#   BUILD_TESTING  the tests                                     cmocka, and all of the above
#
# Each is AUTO (so), ON (it is an error when it cannot be) or OFF. What was decided is
# CG_WITH_<name>, and a line of the summary at the end.
include(CheckCSourceCompiles)
include(CheckIncludeFile)

# part(OPTION "what it is" "what it needs" CONDITION…): sets CG_WITH_<OPTION without CG_>.
function(part option what needs)
  set(${option} AUTO CACHE STRING "${what}: AUTO, ON or OFF")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  set(can ON)
  foreach(condition IN LISTS ARGN)
    if(NOT ${condition})
      set(can OFF)
    endif()
  endforeach()
  set(with ${can})
  set(why ", for lack of ${needs}")
  if(NOT ${option} STREQUAL AUTO)
    if(${option} AND NOT can)
      message(FATAL_ERROR "${option}=${${option}}, ${what}, needs ${needs}")
    endif()
    set(with ${${option}})
    set(why ", as ${option}=${${option}}")
  endif()
  string(REGEX REPLACE "^CG_" "" name ${option})
  set(CG_WITH_${name} ${with} PARENT_SCOPE)
  if(with)
    set_property(GLOBAL APPEND PROPERTY cg_parts_in "${what}")
  else()
    set_property(GLOBAL APPEND PROPERTY cg_parts_out "${what}${why}")
  endif()
endfunction()

# Said at the end of configuring.
function(summarize_parts)
  get_property(in GLOBAL PROPERTY cg_parts_in)
  get_property(out GLOBAL PROPERTY cg_parts_out)
  message(STATUS "cgsnap ${PROJECT_VERSION} for ${CMAKE_SYSTEM_PROCESSOR}, "
                 "by ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}")
  foreach(line IN LISTS in)
    message(STATUS "  with     ${line}")
  endforeach()
  foreach(line IN LISTS out)
    message(STATUS "  without  ${line}")
  endforeach()
endfunction()

# Of src/capture, which is linked with the static cgsnap as well.
check_include_file(expat.h CG_HAS_EXPAT)
check_include_file(zstd.h CG_HAS_ZSTD)
part(CG_BOARDS "boards and gdb stubs (cgsnap --gdb)" expat CG_HAS_EXPAT)
set(capture_libraries zstd)
if(CG_WITH_BOARDS)
  list(APPEND capture_libraries expat)
endif()
set(CMAKE_REQUIRED_LIBRARIES -static ${capture_libraries} Threads::Threads)
check_c_source_compiles("unsigned ZSTD_versionNumber(void);
int main(void) { return (int)ZSTD_versionNumber(); }" CG_LINKS_STATICALLY)
unset(CMAKE_REQUIRED_LIBRARIES)
part(CG_STATIC_AGENT "a static cgsnap, to be copied to other machines" "static libraries"
     CG_LINKS_STATICALLY)

# What everything else needs.
find_package(PkgConfig REQUIRED)
pkg_check_modules(ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(CAPSTONE REQUIRED IMPORTED_TARGET capstone>=4.0.2)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(LZMA REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
# Instead of zlib, for debug files: a third of the time.
pkg_check_modules(DEFLATE IMPORTED_TARGET libdeflate)
# The numbers of the DWARF standard: libdwarf's header, or elfutils'.
find_path(DWARF_INCLUDE_DIR dwarf.h
          PATH_SUFFIXES libdwarf libdwarf-2 libdwarf-1 libdwarf-0 elfutils REQUIRED)
find_path(IBERTY_INCLUDE_DIR demangle.h PATH_SUFFIXES libiberty REQUIRED)
find_library(IBERTY_LIBRARY iberty REQUIRED)

pkg_check_modules(GVC IMPORTED_TARGET libgvc libcgraph)
part(CG_GRAPHVIZ "pictures of call graphs by Graphviz's library (else its program draws)" libgvc
     GVC_FOUND)

find_path(LIBDWARF_INCLUDE_DIR libdwarf.h
          PATH_SUFFIXES libdwarf libdwarf-2 libdwarf-1 libdwarf-0)
find_library(DWARF_LIBRARY dwarf) # Debian 12's has no file for pkg-config
part(CG_VARIABLES "variables of frames (--variables, --split, --where)" libdwarf
     LIBDWARF_INCLUDE_DIR DWARF_LIBRARY)
if(CG_WITH_VARIABLES)
  set(CMAKE_REQUIRED_INCLUDES ${LIBDWARF_INCLUDE_DIR})
  check_c_source_compiles("#include <libdwarf.h>
int main(void) { Dwarf_Obj_Access_Interface_a *a = 0; return a != 0 || !dwarf_dealloc_ranges; }"
                          CG_LIBDWARF_HAS_DEALLOC_RANGES)
  unset(CMAKE_REQUIRED_INCLUDES)
  # With those that it needs itself, in a static program.
  set(DWARF_LINK_LIBRARIES ${DWARF_LIBRARY} ${ELF_LINK_LIBRARIES} ${ZLIB_LINK_LIBRARIES}
                           ${ZSTD_LINK_LIBRARIES})
  set(DWARF_INCLUDE_DIRS ${LIBDWARF_INCLUDE_DIR})
endif()

pkg_check_modules(NCURSES IMPORTED_TARGET ncursesw)
part(CG_TUI "cgtop, live in a terminal" ncursesw NCURSES_FOUND)
part(CG_DEBUGINFOD "debug files from servers (debuginfod)" nothing)

pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
part(BUILD_TESTING "the tests" "cmocka, or one of the parts" CMOCKA_FOUND CG_WITH_BOARDS
     CG_WITH_GRAPHVIZ CG_WITH_VARIABLES CG_WITH_TUI CG_WITH_DEBUGINFOD)
