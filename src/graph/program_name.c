/* SPDX-License-Identifier: MIT */
#include "graph/program_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define THREAD_NAME_MAX 15 /* bytes that the kernel keeps */

/* Returns the bytes of the first argument; 0: none, or one without end, as in a core. */
static size_t argument_length(const struct snap_process *process)
{
    const size_t size = process->command_line_size;
    const size_t length = size ? strnlen((const char *)process->command_line, size) : 0;

    return length < size && length <= PROGRAM_NAME_MAX ? length : 0;
}

/* Returns whether only zeroes follow the first argument, as behind a title. */
static bool is_alone(const struct snap_process *process, size_t length)
{
    for (size_t i = length; i < process->command_line_size; i++)
        if (process->command_line[i])
            return false;
    return true;
}

enum status program_name_read(struct program_name *out, const struct snap_process *process)
{
    const size_t length = argument_length(process);
    const char *argument = length ? (const char *)process->command_line : "";
    const size_t login = argument[0] == '-'; /* before the name of a login shell */

    *out = (struct program_name){.exe = strdup(process->exe ? process->exe : ""),
                                 .argument = strndup(argument + login, length - login),
                                 .is_alone = is_alone(process, length)};
    if (out->exe && out->argument)
        return STATUS_OK;
    program_name_deinit(out);
    return STATUS_NO_MEMORY;
}

/* Returns where the base name begins in a path of `length` bytes. */
static size_t base_at(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length;
}

/* Returns whether the thread has this name, as far as the kernel keeps it. */
static bool is_called(const char *thread, const char *name, size_t length)
{
    if (length > THREAD_NAME_MAX)
        length = THREAD_NAME_MAX;
    return strlen(thread) == length && strncmp(thread, name, length) == 0;
}

/* Returns whether `name` is `file` without its end: "python3" of "python3.11", "prog" of "prog". */
static bool says_less(const char *name, size_t length, const char *file)
{
    return strncmp(name, file, length) == 0 && !isalpha((unsigned char)file[length]);
}

/* Takes the name of a started link: an absolute path as it is, else the base name. */
static enum status take_started(struct program_name *name, const char *thread, size_t length)
{
    const char *argument = name->argument;
    const size_t at = base_at(argument, length);
    const size_t from = argument[0] == '/' ? 0 : at;

    if (at == length || !is_called(thread, argument + at, length - at) ||
        says_less(argument + at, length - at, text_basename(name->exe)))
        return STATUS_OK;
    name->started = strndup(argument + from, length - from);
    return name->started ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Copies at most PROGRAM_TITLE_MAX bytes of a title, without blanks at its end. */
static char *copy_title(const char *title)
{
    size_t length = strlen(title);
    const bool is_long = length > PROGRAM_TITLE_MAX;
    char *copy;

    if (is_long)
        length = PROGRAM_TITLE_MAX;
    while (is_long && length && ((unsigned char)title[length] & 0xc0) == 0x80)
        length--; /* within a UTF-8 character */
    while (length && title[length - 1] == ' ')
        length--;
    return asprintf(&copy, "%.*s%s", (int)length, title, is_long ? "\xe2\x80\xa6" : "") < 0 ? NULL
                                                                                            : copy;
}

/*
 * Takes the title if its first word, of `word` bytes, is the program's name, or it begins with the
 * thread's.
 */
static enum status take_title(struct program_name *name, const char *thread, size_t word)
{
    const size_t at = base_at(name->argument, word);
    const char *title = name->argument + at, *file = text_basename(name->exe);
    const size_t length = strlen(thread);

    if ((word - at != strlen(file) || strncmp(title, file, word - at) != 0) &&
        (length == 0 || strncmp(title, thread, length) != 0))
        return STATUS_OK;
    name->title = copy_title(title);
    return name->title ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status program_name_thread(struct program_name *name, const struct snap_thread *thread)
{
    const char *called = thread->name ? thread->name : "";
    enum status status = STATUS_OK;
    bool may_be_title;
    size_t length;

    if (!name->argument)
        return STATUS_OK;
    may_be_title = name->is_alone && strcmp(name->argument, name->exe) != 0 &&
                   name->argument[strcspn(name->argument, " ")];
    length = may_be_title ? strcspn(name->argument, " :") : strlen(name->argument);
    if (length && !name->started)
        status = take_started(name, called, length);
    if (status == STATUS_OK && may_be_title && !name->title)
        status = take_title(name, called, length);
    if (thread->pid == thread->tid || name->started) {
        free(name->argument);
        name->argument = NULL;
    }
    return status;
}

void program_name_deinit(struct program_name *name)
{
    free(name->exe);
    free(name->started);
    free(name->title);
    free(name->argument);
    *name = (struct program_name){.exe = NULL};
}

const char *program_name_text(const struct program_name *name)
{
    return name->started ? name->started : name->exe;
}
