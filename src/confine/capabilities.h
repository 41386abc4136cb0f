/* SPDX-License-Identifier: MIT */
/* Gives up capabilities(7), which root has. The user stays the same: decision 24. */
#ifndef CONFINE_CAPABILITIES_H
#define CONFINE_CAPABILITIES_H

#include <stdbool.h>

/*
 * Gives up all capabilities; with `keep_reading` all but CAP_DAC_READ_SEARCH, to read files of
 * other users (if missing, CAP_DAC_OVERRIDE), and CAP_SYSLOG, to see the addresses of
 * /proc/kallsyms. Returns 0, or an errno.
 */
int capabilities_drop(bool keep_reading);

#endif
