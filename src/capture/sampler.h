/* SPDX-License-Identifier: MIT */
/*
 * One round of samples: which threads have run since their last sample, and asking those to stop.
 */
#ifndef CAPTURE_SAMPLER_H
#define CAPTURE_SAMPLER_H

#include "capture/session.h"

/* Every thread of every process is sampled, repeated, or asked and to be sampled when it stops. */
void sampler_round(struct capture *cap);

/* Processes that were left, and all of whose known threads have ended: have they others now? */
void sampler_find_others(struct capture *cap);

#endif
