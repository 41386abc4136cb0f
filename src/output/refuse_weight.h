/* SPDX-License-Identifier: MIT */
/*
 * The message where samples have no time of the kind that --weight asks for: an output of them
 * would be empty.
 */
#ifndef OUTPUT_REFUSE_WEIGHT_H
#define OUTPUT_REFUSE_WEIGHT_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/status.h"
#include "graph/profile.h"
#include "snapshot/import/source.h"

/*
 * Fills `diag` with that `what` ("the samples") have none, and where `is_all`, they are all of one
 * input of this kind, with why. NOT_FOUND.
 */
enum status refuse_weight(enum weight_kind weight, enum source_kind kind, bool is_all,
                          const char *what, struct diag *diag);

#endif
