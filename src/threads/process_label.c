/* SPDX-License-Identifier: MIT */
#include "threads/process_label.h"

#include <stdio.h>
#include <stdlib.h>

/* Labels by the process's title, else its program, else its thread's name. */
static enum status set_label(const struct history_process *process, uint32_t index,
                             struct profile *profile)
{
    const char *program = history_process_name(process);
    const char *name = process->program.title ? process->program.title
                       : program[0]           ? program
                                              : profile->threads[index].name;
    char *label;
    enum status status;

    if (process->is_board)
        return profile_label_thread(profile, index, program[0] ? name : "board");
    if (asprintf(&label, "%s (pid %u)", name, process->pid) < 0)
        return STATUS_NO_MEMORY;
    status = profile_label_thread(profile, index, label);
    free(label);
    return status;
}

/* Returns the process of a thread that was seen, or of CPU time without a thread; or NULL. */
static const struct history_process *process_of(const struct history *history,
                                                const struct profile *profile, uint32_t index)
{
    const struct profile_thread *thread = &profile->threads[index];

    if (index < history->profile_thread_count && history->by_profile_thread[index])
        return &history->processes[history->threads[history->by_profile_thread[index] - 1].process];
    for (size_t i = history->process_count; i > 0 && thread->tid == 0; i--)
        if (history->processes[i - 1].pid == thread->pid)
            return &history->processes[i - 1];
    return NULL;
}

enum status processes_label_threads(const struct history *history, struct profile *profile)
{
    enum status status = STATUS_OK;

    profile->by_process = true;
    for (uint32_t i = 0; i < profile->thread_count && status == STATUS_OK; i++) {
        const struct history_process *process = process_of(history, profile, i);

        if (process)
            status = set_label(process, i, profile);
    }
    return status;
}
