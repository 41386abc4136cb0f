# SPDX-License-Identifier: MIT
# CG_STATIC: all programs need no file of the system, as cgsnap does (decision 52). The libraries
# are linked as archives, also those that are loaded otherwise (add_loaded; base/library.h). Two
# cannot be: Graphviz draws as a program where it is installed, and debuginfod servers are not asked.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PKG_CONFIG_ARGN --static)
set(CG_STATIC_AGENT ON)
set(CG_GRAPHVIZ OFF)
set(CG_DEBUGINFOD OFF)
add_compile_definitions(CG_LINKED)
