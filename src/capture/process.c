/* SPDX-License-Identifier: MIT */
#include "capture/process.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/vec.h"
#include "capture/session.h"
#include "capture/thread.h"

struct process *process_find(const struct capture *cap, pid_t pid)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (cap->processes[i]->target.pid == pid)
            return cap->processes[i];
    return NULL;
}

struct process *process_add(struct capture *cap, pid_t pid)
{
    const struct capture_backend *backend = cap->target.backend;
    struct process *process = calloc(1, sizeof(*process) + backend->process_size);

    if (!process || vec_reserve(&cap->processes, &cap->process_cap, cap->process_len + 1,
                                sizeof(struct process *)) != STATUS_OK) {
        free(process);
        return NULL;
    }
    process->target.pid = pid;
    process->target.own = process + 1;
    backend->begin_process(cap->target.state, &process->target);
    process->since_ns = clock_now_ns();
    cap->processes[cap->process_len++] = process;
    cap->dirty = true;
    return process;
}

pid_t process_live_tid(const struct process *process)
{
    for (size_t i = process->thread_len; i-- > 0;)
        if (!thread_has_ended(process->threads[i]))
            return process->threads[i]->target.tid;
    return process->target.pid;
}

void process_free(struct capture *cap, struct process *process)
{
    cap->target.backend->forget_process(cap->target.state, &process->target);
    maps_deinit(&process->maps);
    code_stamps_deinit(&process->stamps);
    modules_deinit(&process->modules);
    code_deinit(&process->code);
    free(process->threads);
    free(process);
}
