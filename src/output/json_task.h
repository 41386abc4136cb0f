/* SPDX-License-Identifier: MIT */
/* The state of a task by its RTOS, as a part of a sample of the json format. */
#ifndef OUTPUT_JSON_TASK_H
#define OUTPUT_JSON_TASK_H

#include <jansson.h>

#include "snapshot/event.h"

/*
 * Returns {"system":"FreeRTOS","state":"blocked", ...}, known facts only, owned by the caller;
 * NULL: out of memory.
 */
json_t *json_of_task(const struct snap_task *task);

#endif
