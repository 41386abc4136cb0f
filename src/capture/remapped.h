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
 * Reads the mappings of processes that have mapped code since the last call, and marks the pending
 * samples and ticks as outdated that are older and refer to the same place: by PC, LR or a word of
 * the stack. Where no credit is left to read them (mappings.h), also those that are not older. To
 * be called right before pending samples are written.
 */
void remapped_settle(struct capture *cap);

#endif
