/* SPDX-License-Identifier: MIT */
/* Names of threads' states. */
#ifndef GRAPH_THREAD_STATE_H
#define GRAPH_THREAD_STATE_H

/* Returns a static name, as "running", for a state of snapshot/event.h; NULL: no such state. */
const char *thread_state_name(char state);

#endif
