/* SPDX-License-Identifier: MIT */
/*
 * Ties samples to the mappings of their time, where the CPUs' clock tells when programs map code:
 *
 *     sample ──── other code is mapped where it refers to ──── mappings are read ──── is written
 *        └─ is lost: a reader would take the other code for its own
 *
 * Without that (--clock ptrace, no privileges) mappings are as old as mappings.h says.
 */
#ifndef CAPTURE_REMAPPED_H
#define CAPTURE_REMAPPED_H

#include "capture/session.h"

/*
 * Reads the mappings of processes that have mapped code since they were read, as far as there is
 * credit (mappings.h). To be called before pending samples are written.
 */
void remapped_settle(struct capture *cap);

/*
 * Marks the sample, tick or creation as outdated if it refers to a place (by PC, LR or a word of
 * the stack) where code was mapped since, or since the mappings were read, and these have code
 * there. To be called right before it is written, as that of others may read mappings again.
 */
void remapped_mark(struct capture *cap, struct pending_sample *sample);

#endif
