/* SPDX-License-Identifier: MIT */
/* What a thread was doing when its sample was taken, as text. */
#ifndef GRAPH_THREAD_STATE_H
#define GRAPH_THREAD_STATE_H

/* "running", … for a thread's state as in snapshot/event.h; NULL: none of these. */
const char *thread_state_name(char state);

#endif
