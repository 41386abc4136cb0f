/* SPDX-License-Identifier: MIT */
/*
 * Counts of lost samples by reason (enum snap_loss), and the reasons in words. SNAP_LOSS_TICK
 * counts ticks, which are no samples.
 */
#ifndef SNAPSHOT_LOSS_H
#define SNAPSHOT_LOSS_H

#include <stdint.h>
#include <stdio.h>

#include "snapshot/format.h"

/*
 * Returns a word for the reason, as "gone", to use as a key; "unknown" if it is none of the enum.
 */
const char *snap_loss_name(unsigned reason);

/* Returns the reason in words, as "threads ended"; NULL for SNAP_LOSS_TICK. */
const char *snap_loss_words(unsigned reason);

/* Returns the sum of `lost`, which is by reason, without ticks. */
uint64_t snap_loss_sum(const uint64_t lost[SNAP_LOSS_REASONS]);

/* Prints " (2: threads ended, 1: not stopped in time)"; nothing if no sample was lost. */
void snap_loss_print_reasons(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out);

/* Prints "3 samples lost" and what snap_loss_print_reasons prints. */
void snap_loss_print(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out);

#endif
