/* SPDX-License-Identifier: MIT */
#include "capture/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void session_fail(struct capture *cap, enum status status, const char *format, ...)
{
    char what[sizeof(cap->diag.what)];
    va_list args;

    if (cap->status != STATUS_OK)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    cap->status = status;
    diag_set(&cap->diag, NULL, "%s", what);
}

void session_sweep(struct capture *cap)
{
    size_t kept_processes = 0;

    if (!cap->sweepable)
        return;
    cap->sweepable = false;
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        size_t kept = 0;
        for (size_t k = 0; k < process->thread_len; k++) {
            if (process->threads[k]->phase == THREAD_END_WRITTEN)
                thread_free(cap, process->threads[k]);
            else
                process->threads[kept++] = process->threads[k];
        }
        process->thread_len = kept;
        if (kept)
            cap->processes[kept_processes++] = process;
        else
            process_free(cap, process);
    }
    cap->process_len = kept_processes;
}
