/* SPDX-License-Identifier: MIT */
/* Reports code without a row, where chains may end, in modules that samples led to. For --stats. */
#ifndef GRAPH_ROWLESS_REPORT_H
#define GRAPH_ROWLESS_REPORT_H

#include <stdio.h>

#include "base/status.h"
#include "symbol/module.h"

/* Bytes of code. A module with more is only named: finding its rows would take too long. */
#define ROWLESS_CODE_MAX (UINT64_C(64) << 20)

/*
 * Prints a heading and a line for each open module with code, in their order; nothing if none is
 * open. IO; NO_MEMORY.
 */
MUST_CHECK enum status rowless_report(struct module_set *modules, FILE *out);

#endif
