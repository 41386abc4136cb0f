/* SPDX-License-Identifier: MIT */
#include "output/html/captures.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "output/html/page_text.h"

static void capture_deinit(struct page_capture *capture)
{
    free(capture->name);
    free(capture->exe);
    free(capture->command);
    free(capture->host);
    free(capture->kernel);
}

void captures_deinit(struct captures *captures)
{
    for (size_t i = 0; i < captures->count; i++)
        capture_deinit(&captures->list[i]);
    free(captures->list);
    *captures = (struct captures){.list = NULL};
}

static const char *kind_name(const struct output *o)
{
    if (o->trace)
        return "trace";
    switch (o->kind) {
    case SOURCE_SNAPSHOT:
        return "snapshot";
    case SOURCE_CORE:
        return "core";
    case SOURCE_PERF:
        return "perf.data";
    case SOURCE_PROFILE:
        return "profile";
    }
    return "snapshot";
}

/* Adds an entry without a process. */
static enum status add(struct captures *captures, const char *name, const char *kind, bool is_base)
{
    struct page_capture capture = {.name = strdup(name), .kind = kind, .is_base = is_base};

    if (!capture.name || vec_reserve(&captures->list, &captures->cap, captures->count + 1,
                                     sizeof(*captures->list)) != STATUS_OK) {
        free(capture.name);
        return STATUS_NO_MEMORY;
    }
    captures->list[captures->count++] = capture;
    return STATUS_OK;
}

enum status captures_input(struct captures *captures, const struct output *o, const char *name)
{
    const bool is_base = o->profile->weighs_base;

    captures->has_sums |= o->kind == SOURCE_PROFILE && !o->trace && !is_base;
    captures->input = captures->count;
    if (captures->count >= CAPTURES_MAX)
        return STATUS_OK;
    return add(captures, name, kind_name(o), is_base);
}

/* Copies a text; NULL: it is empty. */
static char *copy(const char *text)
{
    return text && text[0] ? strdup(text) : NULL;
}

/* Copies the command line with spaces for the NULs between its words. */
static char *copy_command(const struct snap_process *process)
{
    const uint32_t size = process->command_line_size;
    char *text = size ? malloc((size_t)size + 1) : NULL;

    if (!text)
        return NULL;
    memcpy(text, process->command_line, size);
    text[size] = '\0';
    for (uint32_t i = 0; i + 1 < size; i++)
        if (!text[i])
            text[i] = ' ';
    return text;
}

static enum status fill(struct page_capture *capture, const struct snap_process *process)
{
    struct page_capture new = {.name = capture->name,
                               .exe = copy(process->exe),
                               .command = copy_command(process),
                               .host = copy(process->host),
                               .kernel = copy(process->kernel),
                               .kind = capture->kind,
                               .pid = process->pid,
                               .is_base = capture->is_base};

    capture->name = NULL;
    capture_deinit(capture);
    *capture = new;
    return (process->exe && process->exe[0] && !new.exe) ||
                   (process->command_line_size && !new.command)
               ? STATUS_NO_MEMORY
               : STATUS_OK;
}

/* A process that runs another program keeps its entry. */
enum status captures_process(struct captures *captures, const struct snap_process *process)
{
    struct page_capture *capture = NULL;
    enum status status;

    for (size_t i = captures->input; i < captures->count; i++)
        if (!captures->list[i].pid || captures->list[i].pid == process->pid)
            capture = &captures->list[i];
    if (capture)
        return fill(capture, process);
    if (captures->count >= CAPTURES_MAX || captures->input >= captures->count) {
        captures->left_out++;
        return STATUS_OK;
    }
    capture = &captures->list[captures->input];
    status = add(captures, capture->name, capture->kind, capture->is_base);
    return status == STATUS_OK ? fill(&captures->list[captures->count - 1], process) : status;
}

void captures_write(const struct captures *captures, struct json_line *head)
{
    json_t *list = json_array();

    for (size_t i = 0; i < captures->count; i++) {
        const struct page_capture *capture = &captures->list[i];
        struct json_line line = json_line_begin(NULL);

        json_line_put(&line, "name", json_of_text(capture->name));
        json_line_put(&line, "kind", json_string(capture->kind));
        page_put_number(&line, "pid", capture->pid);
        page_put_text(&line, "exe", capture->exe);
        page_put_text(&line, "command", capture->command);
        page_put_text(&line, "host", capture->host);
        page_put_text(&line, "kernel", capture->kernel);
        if (capture->is_base)
            json_line_put(&line, "base", json_true());
        page_append_line(head, list, &line);
    }
    json_line_put(head, "captures", list);
    page_put_number(head, "captures_left_out", captures->left_out);
}
