/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/asker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/plural.h"
#include "base/vec.h"
#include "variables/dwarf/child_memory.h"
#include "variables/dwarf/child_notes.h"
#include "variables/dwarf/serve.h"

#define UNIT_DEATHS_MAX 3 /* at questions about a unit; then it is not read any more */
#define SECONDS_DEFAULT 10
#define MEMORY_DEFAULT  (UINT64_C(2) << 30)

enum status asker_begin(struct asker *asker, struct module_set *set, struct module *module,
                        const struct debug_info_limits *limits)
{
    enum status status;

    if (limits)
        asker->limits = *limits;
    if (asker->limits.seconds == 0)
        asker->limits.seconds = SECONDS_DEFAULT;
    if (asker->limits.memory == 0)
        asker->limits.memory = MEMORY_DEFAULT;
    status = numbered_files_begin(&asker->files, set, module);
    if (status == STATUS_OK)
        asker->pc_mask = ~(uint64_t)elf_image_arch(asker->files.main)->isa_bit;
    return status;
}

void asker_end(struct asker *asker)
{
    child_end(&asker->child);
    numbered_files_end(&asker->files);
    map_deinit(&asker->unit_deaths);
    free(asker->bad_units);
    free(asker->answer);
}

static enum status begin_child(struct asker *asker)
{
    const struct child_limits limits = {.memory = asker->limits.memory,
                                        .seconds = asker->limits.seconds * DEBUG_INFO_WAITS};
    struct serve_context context = {.files = asker->files.list,
                                    .file_count = asker->files.count,
                                    .bad_units = asker->bad_units,
                                    .bad_unit_count = asker->bad_count,
                                    .pc_mask = asker->pc_mask,
                                    .seconds = asker->limits.seconds};

    if (asker->child.pid)
        return STATUS_OK;
    if (child_start(&asker->child, &limits, serve_questions, &context) == STATUS_OK)
        return STATUS_OK;
    asker->begin_error = errno;
    asker->has_given_up = true;
    return STATUS_IO;
}

static enum status add_bad_unit(struct asker *asker, die_ref unit)
{
    if (vec_reserve(&asker->bad_units, &asker->bad_cap, asker->bad_count + 1,
                    sizeof(*asker->bad_units)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    asker->bad_units[asker->bad_count++] = unit;
    return STATUS_OK;
}

/* Ends the child, and notes what killed it. */
static enum status mourn(struct asker *asker)
{
    struct child_notes notes = {0};
    uint64_t *deaths;

    asker->short_of_memory += child_kill(&asker->child) == CHILD_EXIT_MEMORY;
    if (asker->child.notes)
        memcpy(&notes, asker->child.notes, sizeof(notes));
    if (++asker->deaths >= DEBUG_INFO_DEATHS_MAX)
        asker->has_given_up = true;
    if (notes.unit)
        return add_bad_unit(asker, notes.unit - 1);
    if (!notes.asked_unit)
        return STATUS_OK;
    deaths = map_put(&asker->unit_deaths, notes.asked_unit, 0);
    if (!deaths)
        return STATUS_NO_MEMORY;
    return ++*deaths == UNIT_DEATHS_MAX ? add_bad_unit(asker, notes.asked_unit - 1) : STATUS_OK;
}

static enum status send_file(struct asker *asker, uint32_t number, struct child_wait wait)
{
    const struct debug_file *file = &asker->files.list[number];
    const struct wire_file head = {.sections = (uint32_t)file->count, .file = number};
    enum status status = child_send(&asker->child, &head, sizeof(head), wait);

    for (size_t i = 0; status == STATUS_OK && i < file->count; i++) {
        struct wire_section section = {.size = file->sections[i].size};

        while (debug_section_name(section.name) != file->sections[i].name)
            section.name++;
        status = child_send(&asker->child, &section, sizeof(section), wait);
        if (status == STATUS_OK)
            status = child_send(&asker->child, file->sections[i].bytes,
                                (size_t)file->sections[i].size, wait);
    }
    return status;
}

/* Answers the child's request for a split file. */
static enum status give_file(struct asker *asker, struct cursor c, struct child_wait wait)
{
    const struct wire_file none = {.sections = 0};
    struct split_wanted wanted = {.name = NULL};
    enum status status = STATUS_NOT_FOUND;
    uint32_t number;
    uint8_t has;

    if (cursor_u64(&c, &wanted.id) && cursor_u8(&c, &has) && has &&
        cursor_string(&c, &wanted.name) && cursor_u8(&c, &has) &&
        (!has || cursor_string(&c, &wanted.directory)))
        status = numbered_files_find(&asker->files, &wanted, &number);
    if (status == STATUS_NO_MEMORY)
        return status;
    return status == STATUS_OK ? send_file(asker, number, wait)
                               : child_send(&asker->child, &none, sizeof(none), wait);
}

/* Receives one message. END: the child cannot be relied on. */
static enum status receive(struct asker *asker, struct wire_head *head, struct child_wait wait)
{
    enum status status = child_receive(&asker->child, head, sizeof(*head), wait);

    if (status != STATUS_OK)
        return status;
    if (head->size > WIRE_ANSWER_MAX)
        return STATUS_END;
    if (vec_reserve(&asker->answer, &asker->answer_cap, head->size, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    return child_receive(&asker->child, asker->answer, head->size, wait);
}

static enum status exchange(struct asker *asker, const struct wire_question *question,
                            struct wire_head *head, struct child_wait wait)
{
    enum status status = child_send(&asker->child, question, sizeof(*question), wait);

    for (;;) {
        if (status == STATUS_OK)
            status = receive(asker, head, wait);
        if (status != STATUS_OK || head->result != WIRE_NEEDS_FILE)
            return status;
        /* it may request files for ever without making us wait */
        status = clock_now_ms() < wait.deadline_ms
                     ? give_file(asker, cursor_init(asker->answer, head->size), wait)
                     : STATUS_END;
    }
}

enum status asker_ask(struct asker *asker, const struct wire_question *question,
                      struct cursor *answer)
{
    const int64_t began = clock_now_ms();
    struct child_wait wait;
    struct wire_head head;
    enum status status;

    *answer = (struct cursor){0};
    if (asker->has_given_up || begin_child(asker) != STATUS_OK)
        return STATUS_BAD_DATA;
    asker->asked_ms = began;
    wait = child_wait_begin(asker->limits.seconds);
    status = exchange(asker, question, &head, wait);
    asker->waited_ms += clock_now_ms() - began;
    if (status == STATUS_END) {
        asker->late += clock_now_ms() >= wait.deadline_ms;
        status = mourn(asker);
        return status == STATUS_OK ? STATUS_BAD_DATA : status;
    }
    if (status != STATUS_OK) { /* the rest of its answer must not be taken for the next one */
        child_kill(&asker->child);
        return status;
    }
    if (asker->waited_ms > asker_wait_limit_ms(asker)) {
        asker->has_given_up = true;
        child_kill(&asker->child);
    }
    if (asker->damage < head.damage)
        asker->damage = head.damage;
    switch (head.result) {
    case WIRE_FOUND:
        *answer = cursor_init(asker->answer, head.size);
        return STATUS_OK;
    case WIRE_NOT_FOUND:
        return STATUS_NOT_FOUND;
    case WIRE_DAMAGED:
        return STATUS_BAD_DATA;
    default:
        status = mourn(asker);
        return status == STATUS_OK ? STATUS_BAD_DATA : status;
    }
}

int64_t asker_wait_limit_ms(const struct asker *asker)
{
    return (int64_t)asker->limits.seconds * 1000 * DEBUG_INFO_WAITS;
}

void asker_rest(struct asker *asker)
{
    child_kill(&asker->child);
    free(asker->answer);
    asker->answer = NULL;
    asker->answer_cap = 0;
}

void asker_distrust(struct asker *asker)
{
    if (mourn(asker) != STATUS_OK)
        asker->has_given_up = true;
}

/* Describes what the children died of. */
static void tell_deaths(const struct asker *asker, struct diag *problem)
{
    const char *path = elf_image_path(asker->files.main);
    const char *end = asker->has_given_up ? ", variables are not told any more" : "";

    if (asker->short_of_memory == asker->deaths)
        diag_set(problem, path, "to read its debug information takes more memory than there is%s",
                 end);
    else if (asker->late == asker->deaths)
        diag_set(problem, path, "to read its debug information took too long %u time%s%s",
                 asker->deaths, plural(asker->deaths), end);
    else
        diag_set(problem, path, "its debug information is damaged: reading failed %u time%s%s",
                 asker->deaths, plural(asker->deaths), end);
}

void asker_problem(const struct asker *asker, struct diag *problem)
{
    const char *path = elf_image_path(asker->files.main);

    diag_set(problem, NULL, "%s", "");
    if (asker->begin_error)
        diag_set(problem, path, "variables cannot be read: no process for that (%s)",
                 strerror(asker->begin_error));
    else if (asker->has_given_up && asker->deaths < DEBUG_INFO_DEATHS_MAX)
        diag_set(problem, path, "variables are not told any more: reading took too long");
    else if (asker->deaths > 0)
        tell_deaths(asker, problem);
    else if (asker->damage > 0)
        diag_set(problem, path, "its debug information is damaged: %" PRIu32 " part%s not read",
                 asker->damage, asker->damage == 1 ? " was" : "s were");
    else if (asker->files.list[DEBUG_FILE_MAIN].left_out)
        diag_set(problem, path, "its debug information is damaged: %s was not read",
                 asker->files.list[DEBUG_FILE_MAIN].left_out);
    else
        split_files_problem(asker->files.splits, problem);
}
