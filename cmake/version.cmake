# SPDX-License-Identifier: MIT
# What `--version` says behind the program's name and version: lines of a fixed form.
#
#     cgunwind 0.1.0
#     with: capstone=4.0.2 libelf=0.188 … variables graphviz
#     without: debuginfod
#     static
#
# `with` are the libraries, with the versions that it was built with, and the parts that may be left
# out (libraries.cmake); `without` are the parts that were; `static` needs no file of the system.
pkg_check_modules(EXPAT QUIET expat)
pkg_check_modules(LIBDWARF QUIET libdwarf) # Debian 12's has no file for pkg-config

# tell_built(PROGRAM LIBRARIES prefix… PARTS part…): prefixes are those of pkg_check_modules, parts
# the names behind CG_WITH_.
function(tell_built program)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LIBRARIES;PARTS")
  foreach(library IN LISTS ARG_LIBRARIES)
    if(${library}_FOUND)
      list(APPEND with "${${library}_MODULE_NAME}=${${library}_VERSION}")
    endif()
  endforeach()
  foreach(part IN LISTS ARG_PARTS)
    string(TOLOWER ${part} word)
    if(CG_WITH_${part})
      list(APPEND with ${word})
    else()
      list(APPEND without ${word})
    endif()
  endforeach()
  list(JOIN with " " with)
  set(text "with: ${with}\\n")
  if(without)
    list(JOIN without " " without)
    string(APPEND text "without: ${without}\\n")
  endif()
  get_target_property(is_static ${program} CG_STATIC)
  if(is_static)
    string(APPEND text "static\\n")
  endif()
  target_compile_definitions(${program} PRIVATE "CG_BUILT=\"${text}\"")
endfunction()
