/* SPDX-License-Identifier: MIT */
/* Gives up root's capabilities(7). The user stays the same: docs/decisions/0024-*.md. */
#ifndef CONFINE_CAPABILITIES_H
#define CONFINE_CAPABILITIES_H

#include <stdbool.h>

/*
 * Gives up all capabilities of the calling thread; with `keep_reading` all but CAP_DAC_READ_SEARCH,
 * to read files of other users (CAP_DAC_OVERRIDE if the process lacks that), and CAP_SYSLOG, to see
 * the addresses of /proc/kallsyms. Returns 0, or an errno.
 */
int capabilities_drop(bool keep_reading);

#endif
