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
 * Fills `diag`: "the samples have no CPU time", with `what` for "the samples", and a hint; if
 * `is_all`, they are all samples of one input of this kind, also the reason. Returns NOT_FOUND.
 */
enum status refuse_weight(enum weight_kind weight, enum source_kind kind, bool is_all,
                          const char *what, struct diag *diag);

#endif
