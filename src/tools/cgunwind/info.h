/* SPDX-License-Identifier: MIT */
/* --info: what an input is of, and which of its modules are found, without unwinding a sample. */
#ifndef TOOLS_CGUNWIND_INFO_H
#define TOOLS_CGUNWIND_INFO_H

#include <stdio.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"

/*
 * Reads the source to its end and writes what it tells: what is not known is left out. As
 * snap_source_next; what came before an error is written.
 */
MUST_CHECK enum status info_print(struct snap_source *source, const char *name,
                                  struct module_set *modules, FILE *out, struct diag *diag);

#endif
