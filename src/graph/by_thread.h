/* SPDX-License-Identifier: MIT */
/*
 * A profile whose chains begin with their threads, for --by-thread: what makes a view shows each
 * thread apart, without knowing of it.
 *
 * Each label (profile_thread_label) that has samples gets a frame of its own, which is outermost in
 * its chains, and its own copies of the frames in them (profile_frame.thread).
 */
#ifndef GRAPH_BY_THREAD_H
#define GRAPH_BY_THREAD_H

#include "base/status.h"
#include "graph/profile.h"

/* `profile` is resolved, and has to outlive what is made, which profile_destroy ends. */
MUST_CHECK enum status profile_by_thread(const struct profile *profile, struct profile **out);

#endif
