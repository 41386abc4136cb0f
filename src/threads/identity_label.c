/* SPDX-License-Identifier: MIT */
#include "threads/identity_label.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define PREFIX_MIN 3  /* what is shorter says nothing */
#define NAME_MAX   15 /* of a thread, as far as the kernel keeps it */
#define OTHERS_MAX 1  /* threads of an identity that may be called otherwise: not so called yet */

/* What the names of an identity's threads have in common. */
struct common {
    const char *name; /* one of them; NULL: none */
    size_t length;    /* of what all begin with */
    uint32_t threads, others;
    bool whole; /* they are all the same */
    bool cut;   /* the numbers of some go on behind it */
};

struct labels {
    const struct history *history;
    const char **first_names; /* by process: of its first thread; NULL: it is not known */
};

/* A thread that was given no name of its own has that of its process. */
static bool is_own_name(const struct labels *labels, const struct history_thread *thread,
                        const char *name, size_t length)
{
    const char *exe = text_basename(labels->history->processes[thread->process].exe);
    const char *first = labels->first_names[thread->process];

    return (strnlen(exe, NAME_MAX) == length && strncmp(name, exe, length) == 0) ||
           (first && strlen(first) == length && strncmp(name, first, length) == 0);
}

static size_t common_length(const char *a, const char *b, size_t most)
{
    size_t length = 0;

    while (length < most && a[length] && a[length] == b[length])
        length++;
    while (length && ((unsigned char)b[length] & 0xc0) == 0x80) /* within a character */
        length--;
    return length;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void take_name(const struct labels *labels, const struct history_thread *thread,
                      struct common *common)
{
    const char *name = thread->name;
    size_t length = strlen(name), shared = length;

    if (common->name)
        shared = common_length(common->name, name, common->length);
    common->threads++;
    if (shared < PREFIX_MIN || is_own_name(labels, thread, name, length)) {
        common->others++;
        return;
    }
    if (!common->name) {
        *common = (struct common){.name = name,
                                  .threads = common->threads,
                                  .others = common->others,
                                  .whole = true};
    } else if (common->whole && strcmp(common->name, name) != 0) {
        common->whole = false;
    }
    if (shared < common->length)
        common->cut = is_digit(common->name[shared]);
    common->cut |= !common->whole && is_digit(name[shared]);
    common->length = shared;
}

/* The first thread may be the one that is called otherwise: then the others say so. */
static struct common find_common(const struct labels *labels, const uint32_t *threads, size_t count)
{
    struct common common;

    for (size_t skipped = 0; skipped <= OTHERS_MAX; skipped++) {
        common = (struct common){.threads = (uint32_t)skipped, .others = (uint32_t)skipped};
        for (size_t i = skipped; i < count; i++)
            take_name(labels, &labels->history->threads[threads[i]], &common);
        if (common.others <= OTHERS_MAX)
            break;
    }
    while (!common.whole && common.cut && common.length && is_digit(common.name[common.length - 1]))
        common.length--;
    return common;
}

/* Not what the identity's name begins with in any case. */
static bool says_more(const struct identity *identity, const struct common *common)
{
    size_t length = common->length;

    while (length && !isalnum((unsigned char)common->name[length - 1]))
        length--;
    return strncmp(identity->name, common->name, length) != 0;
}

static enum status set_label(const struct labels *labels, const uint32_t *threads, size_t count,
                             struct identity *identity)
{
    struct common common = find_common(labels, threads, count);
    char name[NAME_MAX + 1], *clean;
    int length;

    if (!common.name || common.length < PREFIX_MIN || common.length > NAME_MAX ||
        common.others > OTHERS_MAX || (common.others && common.threads - common.others < 2) ||
        is_own_name(labels, &labels->history->threads[threads[0]], common.name, common.length) ||
        !says_more(identity, &common))
        return STATUS_OK;
    snprintf(name, sizeof(name), "%.*s", (int)common.length, common.name);
    clean = text_clean(name, TEXT_REPLACE_CONTROLS);
    length = clean ? asprintf(&identity->label, "'%s%s' %s", clean, common.whole ? "" : "*",
                              identity->name)
                   : -1;
    free(clean);
    if (length >= 0)
        return STATUS_OK;
    identity->label = NULL;
    return STATUS_NO_MEMORY;
}

static enum status set_all(const struct labels *labels, struct identities *identities,
                           uint32_t *ends, uint32_t *order)
{
    const struct history *history = labels->history;
    enum status status = STATUS_OK;
    uint32_t begin = 0;

    for (size_t i = 0, end = 0; i < identities->count; i++) {
        ends[i] = (uint32_t)end;
        end += identities->list[i].thread_count;
    }
    for (uint32_t i = 0; i < history->thread_count; i++) {
        order[ends[identities->of_thread[i]]++] = i;
        if (history->threads[i].is_main)
            labels->first_names[history->threads[i].process] = history->threads[i].name;
    }
    for (size_t i = 0; i < identities->count && status == STATUS_OK; begin = ends[i++])
        if (!identities->list[i].is_main)
            status = set_label(labels, order + begin, ends[i] - begin, &identities->list[i]);
    return status;
}

enum status identity_labels_set(const struct history *history, struct identities *identities)
{
    struct labels labels = {.history = history};
    uint32_t *ends = calloc(identities->count + 1, sizeof(*ends));
    uint32_t *order = calloc(history->thread_count + 1, sizeof(*order));
    enum status status = STATUS_NO_MEMORY;

    labels.first_names = calloc(history->process_count + 1, sizeof(*labels.first_names));
    if (ends && order && labels.first_names)
        status = set_all(&labels, identities, ends, order);
    free(labels.first_names);
    free(ends);
    free(order);
    return status;
}
