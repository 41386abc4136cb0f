# SPDX-License-Identifier: MIT
# CG_STATIC: all programs need no file of the system, as cgsnap does (decision 52). The libraries
# are linked as archives, also those that are loaded otherwise (add_loaded; base/library.h). Two
# cannot be: Graphviz draws as a program where it is installed, and no debuginfod server is asked.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PKG_CONFIG_ARGN --static)
set(CG_STATIC_AGENT ON)
set(CG_GRAPHVIZ OFF)
set(CG_DEBUGINFOD OFF)
add_compile_definitions(CG_LINKED)

# Once the libraries are known: Debian 13's libelf.a lacks functions that it calls itself.
function(check_archives)
  set(CMAKE_REQUIRED_LIBRARIES -static ${ELF_LINK_LIBRARIES} ${ZLIB_LINK_LIBRARIES}
                               ${ZSTD_LINK_LIBRARIES} Threads::Threads)
  check_c_source_compiles("#include <libelf.h>
int main(void) { return elf_end(elf_begin(0, ELF_C_READ, 0)); }" CG_LIBELF_IS_WHOLE)
  if(NOT CG_LIBELF_IS_WHOLE)
    message(FATAL_ERROR "static programs cannot be linked here: libelf.a is not whole, as Debian "
                        "13's; build them on Debian 12")
  endif()
endfunction()
cmake_language(DEFER CALL check_archives)
