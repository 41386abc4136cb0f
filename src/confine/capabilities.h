/* SPDX-License-Identifier: MIT */
/*
 * What root may do besides others: capabilities(7). The identity stays, see decision 24.
 */
#ifndef CONFINE_CAPABILITIES_H
#define CONFINE_CAPABILITIES_H

#include <stdbool.h>

/*
 * Gives up all, or with `keep_reading` all but two: CAP_DAC_READ_SEARCH, to read files of other
 * users, or where that is missing CAP_DAC_OVERRIDE; and CAP_SYSLOG, to see the addresses of
 * /proc/kallsyms. 0, or an errno.
 */
int capabilities_drop(bool keep_reading);

#endif
