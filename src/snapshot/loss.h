/* SPDX-License-Identifier: MIT */
/* Lost samples by reason (enum snap_loss), and the reasons in words. Ticks are no samples. */
#ifndef SNAPSHOT_LOSS_H
#define SNAPSHOT_LOSS_H

#include <stdint.h>
#include <stdio.h>

#include "snapshot/format.h"

/* Returns the reason as a key: "gone"; "unknown" for unknown ones. */
const char *snap_loss_name(unsigned reason);

/* Returns the reason in words: "threads ended"; NULL: the losses of this reason are no samples. */
const char *snap_loss_words(unsigned reason);

/* Returns the number of lost samples, without ticks. */
uint64_t snap_loss_sum(const uint64_t lost[SNAP_LOSS_REASONS]);

/* Prints " (2: threads ended, 1: the machine was busy)"; nothing if no sample was lost. */
void snap_loss_print_reasons(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out);

/* Prints "3 samples lost" and the reasons. */
void snap_loss_print(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out);

#endif
