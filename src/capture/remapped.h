/* SPDX-License-Identifier: MIT */
/*
 * Ties samples to the mappings of their time. The CPUs' clock tells when programs map code:
 *
 *     sample ──── other code is mapped where it refers to ──── mappings are read ──── is written
 *        └─ is lost: a reader would take the other code for its own
 *
 * Without it (--clock ptrace, no privileges) each sample looks in its stop (code_stamps.h).
 */
#ifndef CAPTURE_REMAPPED_H
#define CAPTURE_REMAPPED_H

#include "capture/session.h"

/* Whether the CPUs' clock runs, and tells. */
bool remapped_is_told(const struct capture *cap);

/*
 * Notes, if no clock tells it, what the new mappings `maps` of the process, just read, have no more
 * of the old ones.
 */
void remapped_note_changes(const struct capture *cap, struct process *process,
                           const struct maps *maps);

/*
 * Notes that the code of the mapping, one that is or was the process's, has been replaced: what is
 * there will be written again, also if nothing else of it has changed.
 */
void remapped_note_replaced(struct process *process, const struct exec_map *map);

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
