/* SPDX-License-Identifier: MIT */
/* A struct debug_file as libdwarf reads it: sections numbered from 1 on. */
#ifndef VARIABLES_DWARF_READER_FILE_METHODS_H
#define VARIABLES_DWARF_READER_FILE_METHODS_H

#include "variables/dwarf/reader/libdwarf_calls.h"

/* Returns the functions that libdwarf calls, with a struct debug_file as `object`. */
Dwarf_Obj_Access_Methods_a file_methods(void);

#endif
