/* SPDX-License-Identifier: MIT */
/*
 * Waits of an RTOS's threads: the RTOS's memory tells them (snap_task). Everything is of the
 * sample's moment, as the target was halted.
 */
#include "threads/waits/wait_private.h"

static enum wait_kind kind_of(const struct snap_task *task)
{
    switch ((enum snap_task_wait)task->wait_kind) {
    case SNAP_TASK_WAIT_DELAY:
        return WAIT_SLEEP;
    case SNAP_TASK_WAIT_RECEIVE:
        return WAIT_RECEIVE;
    case SNAP_TASK_WAIT_SEND:
        return WAIT_SEND;
    case SNAP_TASK_WAIT_MUTEX:
        return WAIT_MUTEX;
    case SNAP_TASK_WAIT_SEMAPHORE:
        return WAIT_SEMAPHORE;
    case SNAP_TASK_WAIT_EVENT:
        return WAIT_EVENT;
    case SNAP_TASK_WAIT_NONE:
    case SNAP_TASK_WAIT_OTHER:
        break;
    }
    return WAIT_UNKNOWN;
}

bool wait_take_task(struct finding *finding, enum status *status)
{
    const struct snap_task *task = finding->sample->task;
    const enum wait_kind kind = kind_of(task);

    if (task->state != SNAP_TASK_BLOCKED)
        return false;
    finding->wait.kind = kind;
    finding->now.timed = task->wake_tick != 0 || task->flags & SNAP_TASK_TIMED;
    if (kind == WAIT_MUTEX)
        finding->wait.owner_tid = task->holder_tid;
    if (task->object_addr && kind != WAIT_UNKNOWN)
        *status = wait_take_object(finding, kind == WAIT_SEND ? WAIT_RECEIVE : kind,
                                   task->object_addr, task->object ? task->object : "");
    return *status == STATUS_OK;
}
