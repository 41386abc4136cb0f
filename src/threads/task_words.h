/* SPDX-License-Identifier: MIT */
/* How what an RTOS says of a thread is told. */
#ifndef THREADS_TASK_WORDS_H
#define THREADS_TASK_WORDS_H

#include "threads/history.h"

#define TASK_WORDS_MAX 256

/* "running", "ready", …, "unknown"; static storage. */
const char *task_state_name(uint8_t state);

/*
 * "blocked, priority 3 (raised from 1), 20 ticks to go, 124 of 384 bytes of its stack used", put
 * into `text`.
 */
const char *task_words(char text[TASK_WORDS_MAX], const struct history_task *task);

#endif
