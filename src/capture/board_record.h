/* SPDX-License-Identifier: MIT */
/*
 * The parts of samples and of pacing that only boards (targets without Linux) have: BOARD, SYSTEM
 * and TASK records, masks of unknown registers, limits on how long the target is halted. Not in
 * agents. Internal to capture/.
 */
#ifndef CAPTURE_BOARD_RECORD_H
#define CAPTURE_BOARD_RECORD_H

#include "capture/session.h"

/*
 * In a stop, after the registers were copied: adds to `sample` the mask of unknown registers, the
 * system registers (in the arena) and the RTOS's task, as far as the backend knows them.
 */
void board_record_copy(struct capture *cap, struct pending_sample *sample);

/*
 * In a stop: copies the thread's stacks by the backend's copy_stacks; errors as of stack_copy.
 * UNSUPPORTED: the backend has no such function, and stack_copy has to find them by the mappings.
 */
MUST_CHECK enum status board_record_copy_stacks(struct capture *cap, struct pending_sample *sample);

/* Writes BOARD if the process is an announced board's, unless one of the same time was written. */
void board_record_process(struct capture *cap, struct process *process);

/* Writes SYSTEM, and TASK if it differs from the thread's last one, ahead of the SAMPLE. */
void board_record_write(struct capture *cap, const struct pending_sample *sample);

/*
 * board_record_registers returns how many registers a SAMPLE has; board_record_end puts the mask of
 * those that are not known at the record's end, if the backend tells them.
 */
unsigned board_record_registers(const struct capture *cap);
void board_record_end(struct capture *cap, const struct pending_sample *sample);

/*
 * Before the first round: tells the backend that the capture ends at `end_ns` (CLOCK_MONOTONIC;
 * UINT64_MAX: open) at the latest, and paces the first round.
 */
void board_record_begin(struct capture *cap, uint64_t end_ns);

/* After a round: paces the next one, so that the target is not halted more than permitted. */
void board_record_pace(struct capture *cap);

/* At the end: fills the result's counts of halts. True: the target was lost; `diag` says how. */
bool board_record_finish(struct capture *cap, struct diag *diag);

#endif
