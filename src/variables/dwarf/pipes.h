/* SPDX-License-Identifier: MIT */
/* The child's ends of its pipes. When the parent has closed them the child exits. */
#ifndef VARIABLES_DWARF_PIPES_H
#define VARIABLES_DWARF_PIPES_H

#include <stddef.h>

#define CHILD_EXIT_PIPE     4 /* a pipe cannot be read or written */
#define CHILD_EXIT_CONFUSED 5 /* the parent's message makes no sense */

void pipe_read_or_exit(int fd, void *buffer, size_t size);
void pipe_write_or_exit(int fd, const void *bytes, size_t size);

#endif
