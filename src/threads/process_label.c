/* SPDX-License-Identifier: MIT */
#include "threads/process_label.h"

#include <stdio.h>
#include <stdlib.h>

/* What the process calls itself. Else its program; if that is not known, its thread's name. */
static enum status set_label(const struct history *history, uint32_t thread, uint32_t index,
                             struct profile *profile)
{
    const struct history_process *process = &history->processes[history->threads[thread].process];
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

enum status processes_label_threads(const struct history *history, struct profile *profile)
{
    enum status status = STATUS_OK;

    profile->by_process = true;
    for (uint32_t i = 0; i < history->profile_thread_count && status == STATUS_OK; i++)
        if (history->by_profile_thread[i])
            status = set_label(history, history->by_profile_thread[i] - 1, i, profile);
    return status;
}
