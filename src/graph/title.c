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
        program_name_deinit(&title->programs[i].name);
    free(title->programs);
    for (size_t i = 0; i < title->current_count; i++)
        program_name_deinit(&title->current[i].name);
    free(title->current);
    *title = (struct title){.count = 0};
}

/* Returns the process's program; NULL: not in the title. */
static struct title_program *find_current(const struct title *title, uint32_t pid)
{
    for (size_t i = 0; i < title->current_count; i++)
        if (title->current[i].pid == pid)
            return &title->current[i];
    return NULL;
}

enum status title_process(struct title *title, const struct snap_process *process, bool is_asked)
{
    struct title_program *known = find_current(title, process->pid);
    struct program_name name;

    if (known ? !process->exec : title->current_count && !is_asked)
        return STATUS_OK;
    if (program_name_read(&name, process) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (known) {
        program_name_deinit(&known->name);
        known->name = name;
        return STATUS_OK;
    }
    if (vec_reserve(&title->current, &title->current_cap, title->current_count + 1,
                    sizeof(*title->current)) != STATUS_OK) {
        program_name_deinit(&name);
        return STATUS_NO_MEMORY;
    }
    title->current[title->current_count++] =
        (struct title_program){.name = name, .pid = process->pid};
    return STATUS_OK;
}

enum status title_thread(struct title *title, const struct snap_thread *thread)
{
    struct title_program *known = find_current(title, thread->pid);

    return known ? program_name_thread(&known->name, thread) : STATUS_OK;
}

enum status title_board(struct title *title, uint32_t pid, const char *machine)
{
    struct title_program *known = find_current(title, pid);
    char *text;

    if (!known)
        return STATUS_OK;
    known->is_board = true;
    if (known->name.exe[0])
        return STATUS_OK;
    if (asprintf(&text, machine[0] ? "board (%s)" : "board%s", machine) < 0)
        return STATUS_NO_MEMORY;
    free(known->name.exe);
    known->name.exe = text;
    return STATUS_OK;
}

static void write_text(struct title *title)
{
    size_t named = title->count < TITLE_PROGRAMS_MAX ? title->count : TITLE_PROGRAMS_MAX;
    size_t len = 0;

    for (size_t i = 0; i < named && len < sizeof(title->text); i++) {
        const char *name = program_name_text(&title->programs[i].name);
        size_t size = strlen(name);

        if (title->count > 1 && size > TITLE_PATH_MAX)
            name += size - TITLE_PATH_MAX;
        len += (size_t)snprintf(title->text + len, sizeof(title->text) - len,
                                title->programs[i].pid ? "%s" PROGRAM_WITH_PID : "%s" PROGRAM,
                                i ? ", " : "", name, title->programs[i].pid);
    }
    if (title->count > named && len < sizeof(title->text))
        snprintf(title->text + len, sizeof(title->text) - len, " and %zu more",
                 title->count - named);
}

static int compare(const struct program_name *a, const struct program_name *b)
{
    const int by_file = strcmp(a->exe, b->exe);

    return by_file ? by_file : strcmp(program_name_text(a), program_name_text(b));
}

/* Returns the index of the program with this name, or where it would be. */
static size_t place_of(const struct title *title, const struct program_name *name)
{
    size_t low = 0, high = title->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(&title->programs[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds a program; owns `name` from its call on, also when it fails. */
static enum status add_program(struct title *title, struct program_name *name, uint32_t pid)
{
    size_t place = place_of(title, name);
    struct title_program *program;

    if (place < title->count && compare(&title->programs[place].name, name) == 0) {
        if (title->programs[place].pid != pid)
            title->programs[place].pid = 0; /* of several */
        program_name_deinit(name);
        return STATUS_OK;
    }
    if (vec_reserve(&title->programs, &title->cap, title->count + 1, sizeof(*title->programs)) !=
        STATUS_OK) {
        program_name_deinit(name);
        return STATUS_NO_MEMORY;
    }
    program = &title->programs[place];
    memmove(program + 1, program, (title->count++ - place) * sizeof(*program));
    *program = (struct title_program){.name = *name, .pid = pid};
    return STATUS_OK;
}

enum status title_end(struct title *title)
{
    enum status status = STATUS_OK;
    size_t i = 0;

    for (; i < title->current_count && status == STATUS_OK; i++)
        status = add_program(title, &title->current[i].name,
                             title->current[i].is_board ? 0 : title->current[i].pid);
    for (; i < title->current_count; i++)
        program_name_deinit(&title->current[i].name);
    if (title->current_count && status == STATUS_OK)
        write_text(title);
    title->current_count = 0;
    return status;
}

char *title_program_text(const struct title *title, size_t program)
{
    const struct title_program *p = &title->programs[program];
    const char *name = program_name_text(&p->name);
    char *text;

    return asprintf(&text, p->pid ? PROGRAM_WITH_PID : PROGRAM, name, p->pid) < 0 ? NULL : text;
}

/* Cuts " (pid 7)" off and returns the pid; 0: no such end. */
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
    struct program_name name = {.exe = strdup(text)};
    enum status status;
    uint32_t pid;

    if (!name.exe)
        return STATUS_NO_MEMORY;
    pid = cut_pid(name.exe);
    status = add_program(title, &name, pid);
    if (status == STATUS_OK)
        write_text(title);
    return status;
}

const char *title_program(const struct title *title)
{
    return title->count > 0 ? title->programs[0].name.exe : "";
}
