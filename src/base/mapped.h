/* SPDX-License-Identifier: MIT */
/*
 * Files that are mapped while another process may make them shorter. To touch what is gone then
 * ends a program (SIGBUS, mmap(2)); with the guard zeroes take its place, and the program can say
 * so when it is done.
 *
 * The list of mappings is the process's, as its signal handlers are. Any thread may use it.
 */
#ifndef BASE_MAPPED_H
#define BASE_MAPPED_H

#include <stddef.h>

#define MAPPED_NAME_MAX 192 /* bytes of a name that are kept */

/* Installs the guard: for a program's main. Of other faults nothing changes. */
void mapped_guard(void);

/*
 * The pages of [bytes, bytes + size), which begins with one, are of the file `name` from now on.
 * Beyond some thousand mappings nothing is guarded.
 */
void mapped_add(const void *bytes, size_t size, const char *name);

/* Before they are unmapped. What was not added may be removed. */
void mapped_remove(const void *bytes);

/* The name of the first file that was found cut short, or NULL. Valid for ever. */
const char *mapped_cut(void);

#endif
