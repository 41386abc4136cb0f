/* SPDX-License-Identifier: MIT */
#include "graph/title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void title_deinit(struct title *title)
{
    for (size_t i = 0; i < title->count; i++)
        free(title->programs[i].exe);
    free(title->programs);
    free(title->current.exe);
    *title = (struct title){.count = 0};
}

enum status title_process(struct title *title, const struct snap_process *process)
{
    struct title_program *current = &title->current;
    char *exe;

    if (current->exe && !(process->exec && process->pid == current->pid))
        return STATUS_OK;
    exe = strdup(process->exe ? process->exe : "");
    if (!exe)
        return STATUS_NO_MEMORY;
    free(current->exe);
    *current = (struct title_program){.exe = exe, .pid = process->pid};
    return STATUS_OK;
}

static void write_text(struct title *title)
{
    size_t named = title->count < TITLE_PROGRAMS_MAX ? title->count : TITLE_PROGRAMS_MAX;
    size_t len = 0;

    for (size_t i = 0; i < named && len < sizeof(title->text); i++) {
        const char *exe = title->programs[i].exe;
        size_t size = strlen(exe);

        if (title->count > 1 && size > TITLE_PATH_MAX)
            exe += size - TITLE_PATH_MAX;
        len += (size_t)snprintf(title->text + len, sizeof(title->text) - len,
                                title->programs[i].pid ? "%s%s (pid %u)" : "%s%s", i ? ", " : "",
                                exe, title->programs[i].pid);
    }
    if (title->count > named && len < sizeof(title->text))
        snprintf(title->text + len, sizeof(title->text) - len, " and %zu more",
                 title->count - named);
}

enum status title_end(struct title *title)
{
    enum status status;

    if (!title->current.exe)
        return STATUS_OK;
    for (size_t i = 0; i < title->count; i++) {
        if (strcmp(title->programs[i].exe, title->current.exe) != 0)
            continue;
        if (title->programs[i].pid != title->current.pid)
            title->programs[i].pid = 0; /* of several */
        free(title->current.exe);
        title->current.exe = NULL;
        write_text(title);
        return STATUS_OK;
    }
    status = vec_reserve(&title->programs, &title->cap, title->count + 1, sizeof(*title->programs));
    if (status != STATUS_OK)
        return status;
    title->programs[title->count++] = title->current;
    title->current.exe = NULL;
    write_text(title);
    return STATUS_OK;
}

const char *title_program(const struct title *title)
{
    return title->count > 0 ? title->programs[0].exe : "";
}
