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
 * Fills `diag` with "WHAT have no WEIGHT" ("the samples have no CPU time"), and with a hint at
 * other weights. `is_all`: WHAT are all samples, of one input, whose kind is `kind`; `diag` then
 * says why this kind has none. Returns NOT_FOUND.
 */
enum status refuse_weight(enum weight_kind weight, enum source_kind kind, bool is_all,
                          const char *what, struct diag *diag);

#endif
