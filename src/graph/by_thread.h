/* SPDX-License-Identifier: MIT */
/*
 * Makes a profile whose chains begin with their threads, for --by-thread: views of it show each
 * thread apart without further support.
 *
 * Each label (profile_thread_label) that has samples gets a frame of its own, outermost in its
 * chains, and its own copies of the frames in them (profile_frame.thread).
 */
#ifndef GRAPH_BY_THREAD_H
#define GRAPH_BY_THREAD_H

#include "base/status.h"
#include "graph/profile.h"

/*
 * Makes such a profile of `profile`, which is resolved and has to outlive *out. *out is the
 * caller's to profile_destroy. NO_MEMORY.
 */
MUST_CHECK enum status profile_by_thread(const struct profile *profile, struct profile **out);

#endif
