/* SPDX-License-Identifier: MIT */
/*
 * The message for samples without any weight of the kind that --weight asks for, whose output would
 * be empty.
 */
#ifndef OUTPUT_REFUSE_WEIGHT_H
#define OUTPUT_REFUSE_WEIGHT_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/status.h"
#include "graph/profile.h"
#include "snapshot/import/source.h"

/*
 * Fills `diag` with "WHAT have no CPU time" and a hint; `what`: "the samples", ... `is_all`: these
 * are all samples of one input of this kind, and the reason is given, too. Returns NOT_FOUND.
 */
enum status refuse_weight(enum weight_kind weight, enum source_kind kind, bool is_all,
                          const char *what, struct diag *diag);

#endif
