/* SPDX-License-Identifier: MIT */
/*
 * What only targets without Linux have: what samples tell besides, the BOARD, SYSTEM and TASK
 * records, and that they are not halted for longer than is permitted. Not in agents. Internal to
 * capture/.
 */
#ifndef CAPTURE_BOARD_RECORD_H
#define CAPTURE_BOARD_RECORD_H

#include "capture/session.h"

/* In a stop: what the backend tells of the sample's thread, whose registers were copied. */
void board_record_copy(struct capture *cap, struct pending_sample *sample);

/* In a stop: the thread's stacks. UNSUPPORTED: the mappings tell of them. Else as stack_copy. */
MUST_CHECK enum status board_record_copy_stacks(struct capture *cap, struct pending_sample *sample);

/* Writes BOARD of the process, if it is one's, and was not written as of this time. */
void board_record_process(struct capture *cap, struct process *process);

/* Writes SYSTEM and TASK of the sample, which follows. */
void board_record_write(struct capture *cap, const struct pending_sample *sample);

/* How many registers a sample has, and the mask of those that are not known at its end. */
unsigned board_record_registers(const struct capture *cap);
void board_record_end(struct capture *cap, const struct pending_sample *sample);

/* Before the first round, of a capture that ends then, at the latest. */
void board_record_begin(struct capture *cap, uint64_t end_ns);

/* After a round: the next is due when the target may be halted again. */
void board_record_pace(struct capture *cap);

/* At the end: how long it was halted. True: the target was lost, `diag` says how. */
bool board_record_finish(struct capture *cap, struct diag *diag);

#endif
