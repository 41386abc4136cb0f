/* SPDX-License-Identifier: MIT */
/* Does one round: finds which threads have run since their last sample, and asks these to stop. */
#ifndef CAPTURE_SAMPLER_H
#define CAPTURE_SAMPLER_H

#include "capture/session.h"

/*
 * Does a round: each thread of each process is sampled, or its last sample is repeated, or it is
 * asked to stop and sampled in that stop, perhaps later. Writes the records.
 */
void sampler_round(struct capture *cap);

/* Adds unknown threads of processes whose known threads have all ended; while threads are left. */
void sampler_find_others(struct capture *cap);

#endif
