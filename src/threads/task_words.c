/* SPDX-License-Identifier: MIT */
#include "threads/task_words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"

const char *task_state_name(uint8_t state)
{
    switch ((enum snap_task_state)state) {
    case SNAP_TASK_RUNNING:
        return "running";
    case SNAP_TASK_READY:
        return "ready";
    case SNAP_TASK_BLOCKED:
        return "blocked";
    case SNAP_TASK_SUSPENDED:
        return "suspended";
    case SNAP_TASK_ENDED:
        return "ended";
    case SNAP_TASK_UNKNOWN:
        break;
    }
    return "unknown";
}

PRINTF_LIKE(2, 3) static void add(char text[TASK_WORDS_MAX], const char *format, ...)
{
    const size_t len = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + len, TASK_WORDS_MAX - len, format, args);
    va_end(args);
}

const char *task_words(char text[TASK_WORDS_MAX], const struct history_task *task)
{
    text[0] = '\0';
    add(text, "%s, priority %" PRId32, task_state_name(task->state), task->priority);
    if (task->priority != task->own_priority)
        add(text, " (raised from %" PRId32 ")", task->own_priority);
    if (task->wake_tick > task->tick && task->state == SNAP_TASK_BLOCKED)
        add(text, ", %" PRIu64 " tick%s to go", task->wake_tick - task->tick,
            plural(task->wake_tick - task->tick));
    if (task->stack_used)
        add(text, ", %" PRIu64 " of %" PRIu64 " bytes of its stack used", task->stack_used,
            task->stack_size);
    else if (task->stack_size)
        add(text, ", a stack of %" PRIu64 " bytes", task->stack_size);
    return text;
}
