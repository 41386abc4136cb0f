/* SPDX-License-Identifier: MIT */
/* An RTOS's words about a thread, for a sample of the json format. */
#ifndef OUTPUT_JSON_TASK_H
#define OUTPUT_JSON_TASK_H

#include <jansson.h>

#include "snapshot/event.h"

/* Returns {"system":"FreeRTOS","state":"blocked", ...}, known facts only; NULL: out of memory. */
json_t *json_of_task(const struct snap_task *task);

#endif
