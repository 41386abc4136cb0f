/* SPDX-License-Identifier: MIT */
/* Samples that were lost, by enum snap_loss, and why in words. Ticks are no samples. */
#ifndef SNAPSHOT_LOSS_H
#define SNAPSHOT_LOSS_H

#include <stdint.h>
#include <stdio.h>

#include "snapshot/format.h"

/* For a key; of any reason. */
const char *snap_loss_name(unsigned reason);

/* Samples, without ticks. */
uint64_t snap_loss_sum(const uint64_t lost[SNAP_LOSS_REASONS]);

/* "3 samples lost (2: their threads ended, 1: the machine was busy)" */
void snap_loss_print(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out);

#endif
