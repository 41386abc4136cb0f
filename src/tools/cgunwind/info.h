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
 * Reads the source to its end and writes a description to `out`; what is not known is left out.
 * `name`: the input's. After an error, what came before is described if a process was known, and
 * the error is returned: as snap_source_next, or of writing, with `diag` filled.
 */
MUST_CHECK enum status info_print(struct snap_source *source, const char *name,
                                  struct module_set *modules, FILE *out, struct diag *diag);

#endif
