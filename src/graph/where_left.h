/* SPDX-License-Identifier: MIT */
/* How well a sample says where its thread's CPU time went, for cpu_stretch.h. */
#ifndef GRAPH_WHERE_LEFT_H
#define GRAPH_WHERE_LEFT_H

#include <stdbool.h>

#include "graph/cpu_stretch.h"
#include "snapshot/event.h"
#include "unwind/chain.h"

/*
 * False: it says nothing, as the thread slept, or stands for a round in which it was late to stop.
 * The chain is the sample's.
 */
bool where_left_rank(const struct arch *arch, const struct snap_sample *sample,
                     const struct chain *chain, enum cpu_rank *rank);

#endif
