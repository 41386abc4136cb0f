/* SPDX-License-Identifier: MIT */
/* libdwarf's view of a file: the sections of a struct debug_file, numbered from 1 on. */
#ifndef VARIABLES_DWARF_READER_FILE_METHODS_H
#define VARIABLES_DWARF_READER_FILE_METHODS_H

#include "variables/dwarf/reader/libdwarf_calls.h"

/* What libdwarf calls; `object` is the struct debug_file. */
Dwarf_Obj_Access_Methods_a file_methods(void);

#endif
