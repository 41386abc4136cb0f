/* SPDX-License-Identifier: MIT */
/* What an RTOS says of a thread, in a sample of json. */
#ifndef OUTPUT_JSON_TASK_H
#define OUTPUT_JSON_TASK_H

#include <jansson.h>

#include "snapshot/event.h"

/* {"system":"FreeRTOS","state":"blocked",…}; what is not known is left out. NULL: no memory. */
json_t *json_of_task(const struct snap_task *task);

#endif
