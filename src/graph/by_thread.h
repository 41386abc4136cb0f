/* SPDX-License-Identifier: MIT */
/*
 * Makes a profile whose chains begin with their threads, for --by-thread: its views show each
 * thread apart without further support.
 *
 * Each thread label (profile_thread_label) that has samples gets a frame of its own, the outermost
 * in the label's chains, and its own copies of these chains' frames (profile_frame.thread).
 */
#ifndef GRAPH_BY_THREAD_H
#define GRAPH_BY_THREAD_H

#include "base/status.h"
#include "graph/profile.h"

/*
 * Makes a copy of `profile` in which each chain begins with its thread's label. `profile` must be
 * resolved (profile_resolve) and outlive *out; the caller calls profile_destroy(*out). NO_MEMORY.
 */
MUST_CHECK enum status profile_by_thread(const struct profile *profile, struct profile **out);

#endif
