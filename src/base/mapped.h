/* SPDX-License-Identifier: MIT */
/*
 * A guard for mapped files that another process may make shorter. Without it, touching a page that
 * is gone ends the program (SIGBUS, mmap(2)). With it, the rest of the mapping reads as zeroes from
 * that page on, and the program can report the file when it is done.
 *
 * The list of mappings belongs to the process, as its signal handlers do. Any thread may use it.
 */
#ifndef BASE_MAPPED_H
#define BASE_MAPPED_H

#include <stddef.h>

#define MAPPED_NAME_MAX 192 /* bytes of a name, NUL included; the rest is cut off */

/*
 * Installs the SIGBUS handler; to be called by a program's main. SIGBUS at other addresses than
 * those of guarded mappings acts as before the call.
 */
void mapped_guard(void);

/*
 * Guards the mapping [bytes, bytes + size) of the file `name` (copied). `bytes` is aligned to
 * pages; `size` is rounded up to whole pages. Does nothing if 4096 mappings are guarded already.
 */
void mapped_add(const void *bytes, size_t size, const char *name);

/* Ends the guard of the mapping at `bytes`, if it has one. To be called before unmapping. */
void mapped_remove(const void *bytes);

/* Returns the name of the first file that was found cut short; valid for ever. NULL: none was. */
const char *mapped_cut(void);

#endif
