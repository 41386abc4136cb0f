/* SPDX-License-Identifier: MIT */
/* Turns what an RTOS says about a thread into text. */
#ifndef THREADS_TASK_WORDS_H
#define THREADS_TASK_WORDS_H

#include "threads/history.h"

#define TASK_WORDS_MAX 256

/* Returns "running", "ready", ..., "unknown" for an enum snap_task_state; static storage. */
const char *task_state_name(uint8_t state);

/*
 * Writes a text such as "blocked, priority 3 (raised from 1), 20 ticks to go, 124 of 384 bytes of
 * its stack used" to `text`, and returns `text`.
 */
const char *task_words(char text[TASK_WORDS_MAX], const struct history_task *task);

#endif
