/* SPDX-License-Identifier: MIT */
/*
 * Landlock, landlock(7): rules for files that hold for this process and its children, whoever they
 * run as. Linux 5.13 and later; what later versions of the kernel have is used there.
 */
#ifndef CONFINE_LANDLOCK_H
#define CONFINE_LANDLOCK_H

#include <stdbool.h>

#include "confine/readable.h"

/*
 * From here on files below `readable` can be opened to read and, with `runs`, run, and nothing else
 * can be done to files by name; no TCP connection can be made or accepted anew, no signal sent to
 * other processes but children, where the kernel's version has that. What is open already stays as
 * it is. A path that is not there is left out. 0, or an errno: nothing has changed. Needs
 * no_new_privs.
 */
int landlock_confine(const struct readable *readable, bool runs);

#endif
