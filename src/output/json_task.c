/* SPDX-License-Identifier: MIT */
#include "output/json_task.h"

#include "output/json_line.h"
#include "threads/task_words.h"

/* NULL: nothing. */
static const char *wait_name(uint8_t kind)
{
    switch ((enum snap_task_wait)kind) {
    case SNAP_TASK_WAIT_DELAY:
        return "delay";
    case SNAP_TASK_WAIT_RECEIVE:
        return "queue-receive";
    case SNAP_TASK_WAIT_SEND:
        return "queue-send";
    case SNAP_TASK_WAIT_MUTEX:
        return "mutex";
    case SNAP_TASK_WAIT_SEMAPHORE:
        return "semaphore";
    case SNAP_TASK_WAIT_EVENT:
        return "event";
    case SNAP_TASK_WAIT_OTHER:
        return "other";
    case SNAP_TASK_WAIT_NONE:
        break;
    }
    return NULL;
}

static void put_wait(struct json_line *object, const struct snap_task *task)
{
    const char *wait = wait_name(task->wait_kind);

    if (!wait)
        return;
    json_line_put(object, "wait", json_string(wait));
    if (task->object_addr)
        json_line_put(object, "object_addr", json_of_hex(task->object_addr));
    if (task->object && task->object[0])
        json_line_put(object, "object", json_of_text(task->object));
    if (task->holder_tid)
        json_line_put(object, "holder_tid", json_of_number(task->holder_tid));
}

static void put_stack(struct json_line *object, const struct snap_task *task)
{
    if (task->stack_end_addr <= task->stack_start_addr)
        return;
    json_line_put(object, "stack_addr", json_of_hex(task->stack_start_addr));
    json_line_put(object, "stack_size",
                  json_of_number(task->stack_end_addr - task->stack_start_addr));
    if (task->stack_used_addr)
        json_line_put(object, "stack_used",
                      json_of_number(task->stack_end_addr - task->stack_used_addr));
}

json_t *json_of_task(const struct snap_task *task)
{
    struct json_line object = json_line_begin(NULL);

    if (task->system && task->system[0])
        json_line_put(&object, "system", json_of_text(task->system));
    json_line_put(&object, "addr", json_of_hex(task->handle_addr));
    json_line_put(&object, "state", json_string(task_state_name(task->state)));
    json_line_put(&object, "priority", json_integer(task->priority));
    json_line_put(&object, "own_priority", json_integer(task->base_priority));
    if (task->flags & SNAP_TASK_LOW_FIRST)
        json_line_put(&object, "low_first", json_true());
    put_wait(&object, task);
    if (task->wake_tick)
        json_line_put(&object, "wake_tick", json_of_number(task->wake_tick));
    if (task->tick)
        json_line_put(&object, "tick", json_of_number(task->tick));
    put_stack(&object, task);
    if (!object.failed)
        return object.json;
    json_decref(object.json);
    return NULL;
}
