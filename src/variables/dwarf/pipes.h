/* SPDX-License-Identifier: MIT */
/*
 * Reads from and writes to the pipes between child and parent, in the child. Where that fails, the
 * child exits: with status 0 if the parent has closed the pipe that is read, else CHILD_EXIT_PIPE.
 */
#ifndef VARIABLES_DWARF_PIPES_H
#define VARIABLES_DWARF_PIPES_H

#include <stddef.h>

#define CHILD_EXIT_PIPE     4 /* exit status: a pipe cannot be read or written */
#define CHILD_EXIT_CONFUSED 5 /* exit status: the parent's message makes no sense */

void pipe_read_or_exit(int fd, void *buffer, size_t size);
void pipe_write_or_exit(int fd, const void *bytes, size_t size);

#endif
