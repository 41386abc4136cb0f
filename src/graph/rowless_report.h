/* SPDX-License-Identifier: MIT */
/*
 * Which of the modules that samples led to have code without a row, and where that is: there chains
 * are to be expected to end. For --stats.
 */
#ifndef GRAPH_ROWLESS_REPORT_H
#define GRAPH_ROWLESS_REPORT_H

#include <stdio.h>

#include "base/status.h"
#include "symbol/module.h"

/* More code than this is left out, and said to be: to know it takes as long as to analyse it. */
#define ROWLESS_CODE_MAX (UINT64_C(64) << 20)

/* A line for each module whose file was found, in their order. */
MUST_CHECK enum status rowless_report(struct module_set *modules, FILE *out);

#endif
