/* SPDX-License-Identifier: MIT */
/*
 * Landlock, landlock(7): rules for files that bind this process and its children, whatever user
 * they run as. Linux 5.13 and later; uses what later versions add.
 */
#ifndef CONFINE_LANDLOCK_H
#define CONFINE_LANDLOCK_H

#include <stdbool.h>

#include "confine/readable.h"

/*
 * Restricts this process: files below `readable` can be opened to read and, with `runs`, executed;
 * nothing else can be done to files by name. Where the kernel's version can forbid it: no new TCP
 * connections, no signals to processes other than children. Open files stay as they are; missing
 * paths are ignored. Returns 0, or an errno if nothing has changed. Needs no_new_privs.
 */
int landlock_confine(const struct readable *readable, bool runs);

#endif
