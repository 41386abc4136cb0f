/* SPDX-License-Identifier: MIT */
/*
 * Reports code for which no unwind row exists, where chains may end, in modules that samples led
 * to. For --stats.
 */
#ifndef GRAPH_ROWLESS_REPORT_H
#define GRAPH_ROWLESS_REPORT_H

#include <stdio.h>

#include "base/status.h"
#include "symbol/module.h"

/* Bytes of code up to which a module is searched; larger ones are only named, as it takes long. */
#define ROWLESS_CODE_MAX (UINT64_C(64) << 20)

/*
 * Prints a heading, and for each open module with code a line: the share of code bytes without a
 * row, and the functions with most of them. Prints nothing if no module is open. IO; NO_MEMORY.
 */
MUST_CHECK enum status rowless_report(struct module_set *modules, FILE *out);

#endif
