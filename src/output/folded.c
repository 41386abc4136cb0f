/* SPDX-License-Identifier: MIT */
#include "output/folded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "output/fold.h"
#include "output/format.h"

/*
 * The next part of a line: a name with frames below it, or a name that ends the line. An entry's
 * text is the beginning of another's only if its line is: so sorting the entries of each level
 * sorts whole lines.
 */
struct folded_entry {
    const char *name;
    uint32_t node;
    size_t prefix;   /* bytes of the line before the name */
    char suffix[48]; /* ";", or " N", or " BASE N" */
};

struct folded_writer {
    const struct fold *fold;
    bool compare;
    struct folded_entry *stack;
    size_t count, cap;
    char *line;
    size_t line_cap;
    FILE *out;
};

/* Descending: the stack is popped from its end. */
static int compare_entries(const void *a, const void *b)
{
    const struct folded_entry *ea = b, *eb = a;
    const char *at = ea->name, *bt = eb->name;
    bool in_suffix_a = false, in_suffix_b = false;

    for (;; at++, bt++) {
        if (!*at && !in_suffix_a) {
            in_suffix_a = true;
            at = ea->suffix;
        }
        if (!*bt && !in_suffix_b) {
            in_suffix_b = true;
            bt = eb->suffix;
        }
        if (*at != *bt)
            return (unsigned char)*at < (unsigned char)*bt ? -1 : 1;
        if (!*at)
            return 0;
    }
}

static enum status push(struct folded_writer *w, uint32_t node, size_t prefix, bool ends)
{
    struct folded_entry *entry;
    enum status status = vec_reserve(&w->stack, &w->cap, w->count + 1, sizeof(*w->stack));

    if (status != STATUS_OK)
        return status;
    entry = &w->stack[w->count++];
    *entry = (struct folded_entry){.name = w->fold->texts.texts[w->fold->trie.nodes[node].key],
                                   .node = node,
                                   .prefix = prefix};
    if (ends && w->compare)
        snprintf(entry->suffix, sizeof(entry->suffix), " %" PRIu64 " %" PRIu64,
                 w->fold->base_self[node], w->fold->self[node]);
    else if (ends)
        snprintf(entry->suffix, sizeof(entry->suffix), " %" PRIu64, w->fold->self[node]);
    else
        snprintf(entry->suffix, sizeof(entry->suffix), ";");
    return STATUS_OK;
}

static enum status push_children(struct folded_writer *w, uint32_t node, size_t prefix)
{
    const struct fold *fold = w->fold;
    size_t before = w->count;

    for (uint32_t child = fold->first[node]; child != TRIE_NONE; child = fold->next[child]) {
        enum status status = STATUS_OK;

        if (fold->self[child] || fold->base_self[child])
            status = push(w, child, prefix, true);
        if (status == STATUS_OK && (fold->total[child] > fold->self[child] ||
                                    fold->base_total[child] > fold->base_self[child]))
            status = push(w, child, prefix, false);
        if (status != STATUS_OK)
            return status;
    }
    if (w->count > before)
        qsort(w->stack + before, w->count - before, sizeof(*w->stack), compare_entries);
    return STATUS_OK;
}

/* Takes the last entry: writes its line, or pushes its children. */
static enum status take(struct folded_writer *w)
{
    struct folded_entry entry = w->stack[--w->count];
    size_t name = strlen(entry.name);
    size_t suffix = strlen(entry.suffix);
    size_t end = entry.prefix + name + suffix;
    enum status status = vec_reserve(&w->line, &w->line_cap, end + 1, 1);

    if (status != STATUS_OK)
        return status;
    memcpy(w->line + entry.prefix, entry.name, name);
    memcpy(w->line + entry.prefix + name, entry.suffix, suffix);
    if (entry.suffix[0] == ';')
        return push_children(w, entry.node, end);
    w->line[end] = '\n';
    return fwrite(w->line, 1, end + 1, w->out) == end + 1 ? STATUS_OK : STATUS_IO;
}

enum status folded_write(const struct view *view, FILE *out)
{
    struct folded_writer w = {.out = out, .compare = view->compare};
    struct fold *fold = NULL;
    enum status status = fold_create(view, FOLD_TEXT, &fold);

    if (status != STATUS_OK)
        return status;
    w.fold = fold;
    status = push_children(&w, TRIE_ROOT, 0);
    while (status == STATUS_OK && w.count)
        status = take(&w);
    free(w.stack);
    free(w.line);
    fold_destroy(fold);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    (void)diag;
    return folded_write(o->view, o->file);
}

const struct output_format output_format_folded = {
    .name = "folded",
    .suffixes = {".folded"},
    .help = "a line for each stack, for flamegraph.pl and speedscope",
    .begins = "^[^\n]* -?[0-9]+( [0-9]+)?\n",
    .needs = NEEDS_VIEW | NEEDS_PLAIN_CHAINS, /* a line begins with its thread */
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(BY) | HONOURS(BY_THREAD) |
               HONOURS(HIDE) | HONOURS(DIFF_BASE) | HONOURS(INVERT),
    .calls = CALLS_PATHS,
    .finish = finish,
};
