/* SPDX-License-Identifier: MIT */
/*
 * Restricts access to files by Landlock, landlock(7), for this process and its children, whatever
 * user they run as. Needs Linux 5.13; uses more if the kernel is later.
 */
#ifndef CONFINE_LANDLOCK_H
#define CONFINE_LANDLOCK_H

#include <stdbool.h>

#include "confine/readable.h"

/*
 * Restricts the calling thread and its later threads and children: files below `readable` can be
 * opened to read and, with `runs`, executed; nothing else can be done to files by name. Where the
 * kernel's version can forbid them: no new TCP connections, no signals to processes other than
 * children. Open files stay as they are; missing paths are ignored. Returns 0, or an errno: nothing
 * has changed. The thread must have no_new_privs.
 */
int landlock_confine(const struct readable *readable, bool runs);

#endif
