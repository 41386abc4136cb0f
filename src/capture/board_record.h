/* SPDX-License-Identifier: MIT */
/*
 * The parts of samples and of pacing that only boards (targets without Linux) have: BOARD, SYSTEM
 * and TASK records (FORMAT.md), masks of unknown registers, limits on how long the target is
 * halted. Not compiled into the agents that run on targets. Internal to capture/.
 */
#ifndef CAPTURE_BOARD_RECORD_H
#define CAPTURE_BOARD_RECORD_H

#include "capture/session.h"

/*
 * Adds to `sample` the mask of unknown registers, the system registers (in cap->arena) and the
 * RTOS's task, as far as the backend knows them. To be called in a stop, after the registers were
 * copied. If all threads stop together, counts sample->repeats as lost (SNAP_LOSS_LATE) and sets
 * them to 0.
 */
void board_record_copy(struct capture *cap, struct pending_sample *sample);

/*
 * Copies the stacks of sample->thread, in a stop, by the backend's copy_stacks, whose errors are
 * those of stack_copy. UNSUPPORTED: the backend has no copy_stacks; stack_copy has to find the
 * stacks by the mappings.
 */
MUST_CHECK enum status board_record_copy_stacks(struct capture *cap, struct pending_sample *sample);

/*
 * Writes a BOARD record if the process was announced in the snapshot and is a board's, unless a
 * BOARD record of the same time was written.
 */
void board_record_process(struct capture *cap, struct process *process);

/*
 * Writes the SYSTEM record of the sample, and its TASK record if that differs from the thread's
 * last one. To be called before the SAMPLE record is written.
 */
void board_record_write(struct capture *cap, const struct pending_sample *sample);

/*
 * board_record_registers returns how many registers a SAMPLE record has; board_record_end appends
 * the mask of the unknown ones to the record being written, if the backend can tell them.
 */
unsigned board_record_registers(const struct capture *cap);
void board_record_end(struct capture *cap, const struct pending_sample *sample);

/*
 * Tells the backend, before the first round, that the capture ends at `end_ns` (CLOCK_MONOTONIC) at
 * the latest (UINT64_MAX: no limit), and paces the first round.
 */
void board_record_begin(struct capture *cap, uint64_t end_ns);

/*
 * Sets, after a round, when the next is due, so that the target is halted no more than permitted.
 */
void board_record_pace(struct capture *cap);

/*
 * Fills the counts of halts in cap->result, at the capture's end. True: the connection to the
 * target was lost; `diag` says how.
 */
bool board_record_finish(struct capture *cap, struct diag *diag);

#endif
