# SPDX-License-Identifier: MIT
# What makes an error in a release build harder to use: canaries on stacks, checks of buffers in
# libc, no jump over a guard page, marks where calls and branches may arrive, addresses that are not
# known in advance, and no relocation that is writable after the start. Each is asked for where the
# compiler has it for the target. Agents: decision 55.
# tests/system/hardened.py reads the programs that were built.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

set(release $<CONFIG:Release>)
# CG_STATIC is a property of a program that is linked with -static-pie instead.
set(program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
set(plugin $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
set(pie $<AND:${release},${program},$<NOT:$<BOOL:$<TARGET_PROPERTY:CG_STATIC>>>>)
add_compile_options($<$<AND:${release},$<NOT:${plugin}>>:-fPIE>)
add_link_options($<${pie}:-pie> $<${release}:LINKER:-z,relro,-z,now>)
# libc.a of i386 has a memset with checks that is not for that.
set(CMAKE_REQUIRED_FLAGS "-O2 -fPIE -D_FORTIFY_SOURCE=2")
set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
check_c_source_compiles("#include <string.h>
int main(int size, char **unused) { char a[9]; memset(a, size, size); return !unused + a[size]; }"
                        CG_HAS_STATIC_PIE)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
unset(CMAKE_REQUIRED_FLAGS)
set(static_pie $<AND:${release},$<BOOL:${CG_HAS_STATIC_PIE}>>)
if(NOT CG_SANITIZE) # which have checks of their own
  add_compile_options($<${release}:-U_FORTIFY_SOURCE> $<${release}:-D_FORTIFY_SOURCE=3>)
  set(CMAKE_REQUIRED_FLAGS -Werror) # clang warns of flags that are for other targets
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection
               -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "CG_HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
      add_compile_options($<${release}:${flag}>)
    endif()
  endforeach()
  unset(CMAKE_REQUIRED_FLAGS)
endif()
