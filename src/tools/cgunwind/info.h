/* SPDX-License-Identifier: MIT */
/* --info: describes an input and which of its modules' files are found, without unwinding. */
#ifndef TOOLS_CGUNWIND_INFO_H
#define TOOLS_CGUNWIND_INFO_H

#include <stdio.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"

/*
 * Reads the source to its end and writes what it has; unknown things are left out. After an error,
 * what came before it is written if a process was known. OK at the source's end; else as
 * snap_source_next.
 */
MUST_CHECK enum status info_print(struct snap_source *source, const char *name,
                                  struct module_set *modules, FILE *out, struct diag *diag);

#endif
