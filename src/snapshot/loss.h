/* SPDX-License-Identifier: MIT */
/* Samples that were lost, by enum snap_loss, and why in words. Ticks are no samples. */
#ifndef SNAPSHOT_LOSS_H
#define SNAPSHOT_LOSS_H

#include <stdint.h>
#include <stdio.h>

#include "snapshot/format.h"

/* For a key; of any reason. */
const char *snap_loss_name(unsigned reason);

/* "threads ended"; NULL: what was lost for it are no samples. */
const char *snap_loss_words(unsigned reason);

/* Samples, without ticks. */
uint64_t snap_loss_sum(const uint64_t lost[SNAP_LOSS_REASONS]);

/* " (2: threads ended, 1: the machine was busy)"; nothing where no sample was lost. */
void snap_loss_print_reasons(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out);

/* "3 samples lost", and the reasons. */
void snap_loss_print(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out);

#endif
