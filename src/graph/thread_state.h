/* SPDX-License-Identifier: MIT */
/* Names of threads' states. */
#ifndef GRAPH_THREAD_STATE_H
#define GRAPH_THREAD_STATE_H

/* Returns "running", ... for a state of snapshot/event.h; NULL: unknown. */
const char *thread_state_name(char state);

#endif
