/* SPDX-License-Identifier: MIT */
#include "graph/title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define PROGRAM          "%s"
#define PROGRAM_WITH_PID "%s (pid %u)"

void title_deinit(struct title *title)
{
    for (size_t i = 0; i < title->count; i++)
        free(title->programs[i].exe);
    free(title->programs);
    for (size_t i = 0; i < title->current_count; i++)
        free(title->current[i].exe);
    free(title->current);
    *title = (struct title){.count = 0};
}

enum status title_process(struct title *title, const struct snap_process *process, bool is_asked)
{
    struct title_program *known = title->current;
    char *exe;

    while (known < title->current + title->current_count && known->pid != process->pid)
        known++;
    if (known < title->current + title->current_count ? !process->exec
                                                      : title->current_count && !is_asked)
        return STATUS_OK;
    exe = strdup(process->exe ? process->exe : "");
    if (!exe)
        return STATUS_NO_MEMORY;
    if (known < title->current + title->current_count) {
        free(known->exe);
        known->exe = exe;
        return STATUS_OK;
    }
    if (vec_reserve(&title->current, &title->current_cap, title->current_count + 1,
                    sizeof(*title->current)) != STATUS_OK) {
        free(exe);
        return STATUS_NO_MEMORY;
    }
    title->current[title->current_count++] =
        (struct title_program){.exe = exe, .pid = process->pid};
    return STATUS_OK;
}

enum status title_board(struct title *title, uint32_t pid, const char *machine)
{
    struct title_program *known = title->current;
    char *text;

    while (known < title->current + title->current_count && known->pid != pid)
        known++;
    if (known == title->current + title->current_count)
        return STATUS_OK;
    known->is_board = true;
    if (known->exe[0])
        return STATUS_OK;
    if (asprintf(&text, machine[0] ? "board (%s)" : "board%s", machine) < 0)
        return STATUS_NO_MEMORY;
    free(known->exe);
    known->exe = text;
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
                                title->programs[i].pid ? "%s" PROGRAM_WITH_PID : "%s" PROGRAM,
                                i ? ", " : "", exe, title->programs[i].pid);
    }
    if (title->count > named && len < sizeof(title->text))
        snprintf(title->text + len, sizeof(title->text) - len, " and %zu more",
                 title->count - named);
}

/* Where the program of that path is, or would be. */
static size_t place_of(const struct title *title, const char *exe)
{
    size_t low = 0, high = title->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(title->programs[middle].exe, exe) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Takes `exe` over, whatever it returns. */
static enum status add_program(struct title *title, char *exe, uint32_t pid)
{
    size_t place = place_of(title, exe);
    struct title_program *program;

    if (place < title->count && strcmp(title->programs[place].exe, exe) == 0) {
        if (title->programs[place].pid != pid)
            title->programs[place].pid = 0; /* of several */
        free(exe);
        return STATUS_OK;
    }
    if (vec_reserve(&title->programs, &title->cap, title->count + 1, sizeof(*title->programs)) !=
        STATUS_OK) {
        free(exe);
        return STATUS_NO_MEMORY;
    }
    program = &title->programs[place];
    memmove(program + 1, program, (title->count++ - place) * sizeof(*program));
    *program = (struct title_program){.exe = exe, .pid = pid};
    return STATUS_OK;
}

enum status title_end(struct title *title)
{
    enum status status = STATUS_OK;
    size_t i = 0;

    for (; i < title->current_count && status == STATUS_OK; i++)
        status = add_program(title, title->current[i].exe,
                             title->current[i].is_board ? 0 : title->current[i].pid);
    for (; i < title->current_count; i++)
        free(title->current[i].exe);
    if (title->current_count && status == STATUS_OK)
        write_text(title);
    title->current_count = 0;
    return status;
}

char *title_program_text(const struct title *title, size_t program)
{
    const struct title_program *p = &title->programs[program];
    char *text;

    return asprintf(&text, p->pid ? PROGRAM_WITH_PID : PROGRAM, p->exe, p->pid) < 0 ? NULL : text;
}

/* Cuts " (pid 7)" off; 0: it does not end so. */
static uint32_t cut_pid(char *text)
{
    char *mark = strrchr(text, '('), again[32];
    unsigned pid;

    if (!mark || mark == text || sscanf(mark, "(pid %u)", &pid) != 1)
        return 0;
    snprintf(again, sizeof(again), "(pid %u)", pid);
    if (mark[-1] != ' ' || strcmp(again, mark) != 0)
        return 0;
    mark[-1] = '\0';
    return pid;
}

enum status title_text(struct title *title, const char *text)
{
    char *exe = strdup(text);
    enum status status;
    uint32_t pid;

    if (!exe)
        return STATUS_NO_MEMORY;
    pid = cut_pid(exe);
    status = add_program(title, exe, pid);
    if (status == STATUS_OK)
        write_text(title);
    return status;
}

const char *title_program(const struct title *title)
{
    return title->count > 0 ? title->programs[0].exe : "";
}
