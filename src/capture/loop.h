/* SPDX-License-Identifier: MIT */
/*
 * The main loop: begins rounds as the permitted cost allows, answers events between them, and
 * writes what has happened. Internal to capture/.
 */
#ifndef CAPTURE_LOOP_H
#define CAPTURE_LOOP_H

#include "capture/session.h"

/* Runs until a limit, a signal, a failure or the target's end; sets cap->result.end. */
void loop_run(struct capture *cap);

/* Writes what has happened, and frees what has ended. */
void loop_settle_books(struct capture *cap);

/*
 * For snap_writer_use_pump; `context` is the struct capture. Waits a little for the output, which
 * takes nothing now, and answers stops without taking samples, as there is no room for them. Before
 * the capture's end the output may take any time, then only as long as it makes progress. False:
 * give up.
 */
bool loop_wait_for_output(void *context, uint32_t progress);

#endif
