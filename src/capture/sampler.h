/* SPDX-License-Identifier: MIT */
/* Does one round: finds which threads have run since their last sample, and asks these to stop. */
#ifndef CAPTURE_SAMPLER_H
#define CAPTURE_SAMPLER_H

#include "capture/session.h"

/*
 * For every thread of every process: samples it, repeats its last sample, or asks it to stop and
 * leaves its sample to that stop. Writes the records.
 */
void sampler_round(struct capture *cap);

/* For processes that were left and whose known threads have all ended: looks for other threads. */
void sampler_find_others(struct capture *cap);

#endif
