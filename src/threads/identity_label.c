/* SPDX-License-Identifier: MIT */
#include "threads/identity_label.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/text.h"

#define PREFIX_MIN      3  /* bytes; shorter names say nothing */
#define THREAD_NAME_MAX 15 /* bytes that the kernel keeps */
#define OTHERS_MAX      1  /* threads of an identity that may not have its name yet */
#define LISTED_MAX      3  /* different names in a label */

/* The common beginning of the names of an identity's threads. */
struct common {
    const char *name; /* one of them; NULL: none */
    size_t length;    /* bytes that all names begin with */
    uint32_t threads, others;
    bool whole; /* the names are equal */
    bool cut;   /* the beginning ends within some names' numbers */
};

struct labels {
    const struct history *history;
    const char **first_names; /* by process: its first thread's name; NULL: not known */
};

/* Whether the text is a name, as far as the kernel keeps it. */
static bool is_text(const char *text, size_t length, const char *name)
{
    return strnlen(name, THREAD_NAME_MAX) == length && strncmp(text, name, length) == 0;
}

/* Whether a name is just that of its process, which threads have if they were given none. */
static bool is_own_name(const struct labels *labels, const struct history_thread *thread,
                        const char *name, size_t length)
{
    const struct history_process *process = &labels->history->processes[thread->process];
    const char *first = labels->first_names[thread->process];

    return is_text(name, length, text_basename(process->exe)) ||
           is_text(name, length, history_process_name(process)) ||
           (!thread->is_main && first && strlen(first) == length &&
            strncmp(name, first, length) == 0);
}

/* Returns the name given to a thread, or a first thread's title; "": none that says more. */
static const char *called(const struct labels *labels, const struct history_thread *thread)
{
    const struct history_process *process = &labels->history->processes[thread->process];

    if (thread->is_main && process->program.title)
        return process->program.title;
    if ((thread->is_main && !process->exe[0]) || strlen(thread->name) < PREFIX_MIN ||
        is_own_name(labels, thread, thread->name, strlen(thread->name)))
        return "";
    return thread->name;
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
    const char *name = called(labels, thread);
    size_t shared = strlen(name);

    if (common->name)
        shared = common_length(common->name, name, common->length);
    common->threads++;
    if (shared < PREFIX_MIN) {
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

/* If the first thread's name differs from all others, tries again without that thread. */
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

/* Whether the identity's name does not begin with the common beginning anyway. */
static bool says_more(const struct identity *identity, const struct common *common)
{
    size_t length = common->length;

    while (length && !isalnum((unsigned char)common->name[length - 1]))
        length--;
    return strncmp(identity->name, common->name, length) != 0;
}

/* Sets *out to "'render*'", malloc'ed. */
static enum status quote(const char *name, size_t length, bool whole, char **out)
{
    char *part = strndup(name, length);
    char *clean = part ? text_clean(part, TEXT_REPLACE_CONTROLS) : NULL;

    if (!clean || asprintf(out, "'%s%s'", clean, whole ? "" : "*") < 0)
        *out = NULL;
    free(part);
    free(clean);
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Sets *out to the quoted names, a space and the identity's name; frees `quoted`. */
static enum status join(char *quoted, const struct identity *identity, char **out)
{
    if (!quoted || asprintf(out, "%s %s", quoted, identity->name) < 0)
        *out = NULL;
    free(quoted);
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Labels the identity by a common beginning. *is_set: the threads' names have one. */
static enum status set_common(const struct labels *labels, const uint32_t *threads, size_t count,
                              struct identity *identity, bool *is_set)
{
    struct common common = find_common(labels, threads, count);
    enum status status;
    char *quoted;

    *is_set = common.name && common.length >= PREFIX_MIN && common.others <= OTHERS_MAX &&
              !(common.others && common.threads - common.others < 2);
    if (!*is_set ||
        is_own_name(labels, &labels->history->threads[threads[0]], common.name, common.length) ||
        !says_more(identity, &common))
        return STATUS_OK;
    status = quote(common.name, common.length, common.whole, &quoted);
    return status == STATUS_OK ? join(quoted, identity, &identity->label) : status;
}

/* Returns the length of a name without the number at its end: "GC Thread" of "GC Thread#0". */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);

    while (length && is_digit(name[length - 1]))
        length--;
    if (!name[length])
        return length;
    while (length && ispunct((unsigned char)name[length - 1]))
        length--;
    return length >= PREFIX_MIN ? length : strlen(name);
}

/* The names of an identity's threads, without the numbers at their ends. */
struct stems {
    struct pool pool;
    const char **first; /* owned; by id in the pool: the first name with this stem */
    bool *whole;        /* owned; by id: all names with this stem are equal */
    uint32_t *ids;      /* owned; by thread of the identity; STEM_NONE: it has no name */
    size_t named;       /* threads with a stem */
};

#define STEM_NONE UINT32_MAX

static void stems_deinit(struct stems *stems)
{
    pool_deinit(&stems->pool);
    free(stems->first);
    free(stems->whole);
    free(stems->ids);
}

/* Titles keep the numbers at their ends. */
static enum status add_stem(const struct labels *labels, const struct history_thread *thread,
                            struct stems *stems, uint32_t *id)
{
    const char *name = called(labels, thread);
    const size_t known = stems->pool.len;
    enum status status;
    char *stem;

    *id = STEM_NONE;
    if (!*name)
        return STATUS_OK;
    stem = strndup(name, thread->is_main ? strlen(name) : stem_length(name));
    status = stem ? pool_intern(&stems->pool, stem, id) : STATUS_NO_MEMORY;
    free(stem);
    if (status != STATUS_OK)
        return status;
    if (*id == known) {
        stems->first[*id] = name;
        stems->whole[*id] = true;
    }
    stems->whole[*id] &= strcmp(stems->first[*id], name) == 0;
    stems->named++;
    return STATUS_OK;
}

static enum status find_stems(const struct labels *labels, const uint32_t *threads, size_t count,
                              struct stems *stems)
{
    enum status status = STATUS_OK;

    *stems = (struct stems){.first = calloc(count + 1, sizeof(*stems->first)),
                            .whole = calloc(count + 1, sizeof(*stems->whole)),
                            .ids = calloc(count + 1, sizeof(*stems->ids))};
    pool_init(&stems->pool);
    if (!stems->first || !stems->whole || !stems->ids)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = add_stem(labels, &labels->history->threads[threads[i]], stems, &stems->ids[i]);
    return status;
}

static enum status quote_stem(const struct stems *stems, uint32_t id, char **out)
{
    const char *name = stems->whole[id] ? stems->first[id] : stems->pool.texts[id];

    return quote(name, strlen(name), stems->whole[id], out);
}

/* "'checkpointer', 'bgwriter', …" */
static enum status list_stems(const struct stems *stems, char **out)
{
    enum status status = STATUS_OK;
    FILE *memory;
    size_t size;

    *out = NULL;
    memory = open_memstream(out, &size);
    if (!memory)
        return STATUS_NO_MEMORY;
    for (uint32_t id = 0; id < stems->pool.len && id < LISTED_MAX && status == STATUS_OK; id++) {
        char *quoted;

        status = quote_stem(stems, id, &quoted);
        fprintf(memory, "%s%s", id ? ", " : "", status == STATUS_OK ? quoted : "");
        free(quoted);
    }
    if (stems->pool.len > LISTED_MAX || stems->pool.len == 1)
        fputs(", \xe2\x80\xa6", memory);
    return text_close(memory, out) == STATUS_OK ? status : STATUS_NO_MEMORY;
}

/* Labels each thread by its own name, or else by the identity's. */
static enum status set_thread_labels(const struct stems *stems, const uint32_t *threads,
                                     size_t count, const struct identity *identity, char **labels)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        char *quoted;

        if (stems->ids[i] == STEM_NONE) {
            labels[threads[i]] = strdup(identity->name);
            status = labels[threads[i]] ? STATUS_OK : STATUS_NO_MEMORY;
            continue;
        }
        status = quote_stem(stems, stems->ids[i], &quoted);
        if (status == STATUS_OK)
            status = join(quoted, identity, &labels[threads[i]]);
    }
    return status;
}

/* Labels threads by each name, if names have no common beginning or are processes'. */
static enum status set_different(const struct labels *labels, const uint32_t *threads, size_t count,
                                 struct identity *identity, char **thread_labels)
{
    enum status status;
    struct stems stems;
    char *list;

    status = find_stems(labels, threads, count, &stems);
    /* For processes one name is enough: some may lack it. */
    if (status == STATUS_OK && stems.pool.len > !identity->is_main &&
        (count - stems.named <= OTHERS_MAX || stems.named >= count / 2)) {
        status = set_thread_labels(&stems, threads, count, identity, thread_labels);
        if (status == STATUS_OK && !identity->label) {
            status = list_stems(&stems, &list);
            if (status == STATUS_OK)
                status = join(list, identity, &identity->label);
            else
                free(list);
        }
    }
    stems_deinit(&stems);
    return status;
}

static enum status set_label(const struct labels *labels, const uint32_t *threads, size_t count,
                             struct identity *identity, char **thread_labels)
{
    bool is_set;
    enum status status = set_common(labels, threads, count, identity, &is_set);

    if (status != STATUS_OK || (is_set && !identity->is_main))
        return status;
    return set_different(labels, threads, count, identity, thread_labels);
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
        status = set_label(labels, order + begin, ends[i] - begin, &identities->list[i],
                           identities->thread_labels);
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
