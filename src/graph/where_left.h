/* SPDX-License-Identifier: MIT */
/* Ranks how well a sample says where its thread's CPU time went, for cpu_stretch.h. */
#ifndef GRAPH_WHERE_LEFT_H
#define GRAPH_WHERE_LEFT_H

#include <stdbool.h>

#include "graph/cpu_stretch.h"
#include "snapshot/event.h"
#include "unwind/chain.h"

/*
 * Sets *rank for a sample with its chain: CPU_ON in state 'R', else, if the thread was ready for a
 * CPU, CPU_LEFT_IN_CALL or CPU_LEFT_IN_CODE by whether its innermost frame is just behind a call.
 * False: *rank is not set: the thread was not runnable, or the sample is a repeat.
 */
bool where_left_rank(const struct arch *arch, const struct snap_sample *sample,
                     const struct chain *chain, enum cpu_rank *rank);

#endif
