/* SPDX-License-Identifier: MIT */
/* Lets libdwarf read a struct debug_file, whose sections get numbers from 1 on. */
#ifndef VARIABLES_DWARF_READER_FILE_METHODS_H
#define VARIABLES_DWARF_READER_FILE_METHODS_H

#include "variables/dwarf/reader/libdwarf_calls.h"

/*
 * Returns the functions that libdwarf calls to read a file; their `object` is a struct debug_file.
 */
Dwarf_Obj_Access_Methods_a file_methods(void);

#endif
