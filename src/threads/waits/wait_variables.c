/* SPDX-License-Identifier: MIT */
/*
 * Names locks by variables of the frames that wait, from the innermost frame outside of the C
 * library outwards.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/label.h"
#include "base/text.h"
#include "threads/waits/wait_private.h"

#define LOOKS_MAX  8  /* samples to search for a lock's name */
#define FRAMES_MAX 32 /* frames of a chain to search */

void waits_set_variables(struct waits *waits, struct variables *variables)
{
    waits->private->variables = variables;
}

char *wait_object_text(const struct wait_object *object)
{
    char *text;
    const int length = object->variable ? asprintf(&text, "%s (%s)", object->variable, object->name)
                                        : asprintf(&text, "%s", object->name);

    return length < 0 ? NULL : text;
}

/* Returns the least size of such a lock in any C library; 0: not known, or not is_read. */
static uint64_t least_size(const struct arch *arch, const struct lock_found *found)
{
    const bool is_wide = arch->word_size == 8;

    if (!found->is_read)
        return 0;
    switch (found->kind) {
    case WAIT_MUTEX:
        return is_wide ? 40 : 24;
    case WAIT_RWLOCK_READ:
    case WAIT_RWLOCK_WRITE:
        return is_wide ? 56 : 32;
    case WAIT_CONDITION:
        return 48;
    case WAIT_SEMAPHORE:
        return is_wide ? 32 : 16;
    case WAIT_BARRIER:
        return is_wide ? 32 : 20;
    case WAIT_ONCE:
        return 4;
    default:
        return 0;
    }
}

/* Sets the object's variable to "queue->lock in worker". */
static enum status set_variable(struct finding *finding, uint32_t object,
                                const struct variable_address *found)
{
    char *function = found->function ? label_line(found->function) : NULL;
    char *raw = NULL, *clean = NULL;
    enum status status = STATUS_NO_MEMORY;

    if (found->function && !function)
        return status;
    if (asprintf(&raw, "%s%s%s", found->text, function ? " in " : "", function ? function : "") < 0)
        raw = NULL;
    if (raw)
        clean = text_clean(raw, TEXT_REPLACE_CONTROLS);
    if (clean)
        status = wait_intern_text(finding->waits, clean, &finding->waits->objects[object].variable);
    free(function);
    free(raw);
    free(clean);
    return status;
}

/* Frames of the C library have other names for locks than the program. */
static bool is_asked(const struct frame *frame)
{
    return frame->module && wait_functions_library(frame->module) == LIBRARY_UNKNOWN;
}

enum status wait_name_variable(struct finding *finding, uint32_t object,
                               const struct lock_found *found)
{
    struct waits_private *p = finding->waits->private;
    struct object_life *life = &p->lives[object];
    struct variables_frame at = {.space = finding->given->space,
                                 .sample = finding->given->sample,
                                 .chain = finding->given->chain};
    const uint64_t size = least_size(p->arch, found);
    enum status status = STATUS_OK;
    size_t asked = 0;

    if (!p->variables || life->is_variable || life->is_named || life->looks == LOOKS_MAX ||
        p->keys[object].tid)
        return STATUS_OK;
    life->looks++;
    for (; at.index < at.chain->count && asked < FRAMES_MAX && !life->is_named; at.index++) {
        struct variable_address name;

        if (!is_asked(&at.chain->frames[at.index]))
            continue;
        asked++;
        status = variables_name_address(p->variables, &at, found->addr, size, &name);
        if (status == STATUS_OK && name.text) {
            status = set_variable(finding, object, &name);
            life->is_named = !name.is_bare;
        }
        free(name.text);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
