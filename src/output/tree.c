/* SPDX-License-Identifier: MIT */
#include "output/tree.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/vec.h"
#include "graph/amount.h"
#include "output/fold.h"
#include "output/fold_starts.h"
#include "output/format.h"
#include "output/hottest.h"
#include "output/view_head.h"

/* Columns before the names; more with a baseline; columns kept for a name. */
#define NUMBERS_WIDTH  31u
#define COMPARED_WIDTH 18u
#define NAME_WIDTH_MIN 24u

/* A line to write: a node, or (node TRIE_NONE) the children that were cut. */
struct tree_entry {
    uint32_t node;
    uint32_t cut_count;
    uint64_t weight, base;
    uint32_t level; /* of indentation */
    bool branch;    /* has a mark before it */
    bool last;      /* no branch follows */
};

struct tree_writer {
    const struct view *view;
    struct fold *fold;
    uint64_t cutoff; /* totals below it are cut */
    double node_fraction;
    struct tree_entry *stack;
    size_t count, cap;
    uint32_t *kids; /* children of the node at hand that stay */
    size_t kids_cap;
    uint32_t indent_max; /* levels, at most TREE_INDENT_MAX */
    bool brief;
    bool open[TREE_INDENT_MAX + 1]; /* by level: branches follow there */
    FILE *out;
};

static enum status push(struct tree_writer *w, struct tree_entry entry)
{
    enum status status = vec_reserve(&w->stack, &w->cap, w->count + 1, sizeof(*w->stack));

    if (status == STATUS_OK)
        w->stack[w->count++] = entry;
    return status;
}

/* Pushes the children of a node, the heaviest last, as the stack is popped from the end. */
static enum status push_children(struct tree_writer *w, uint32_t node, uint32_t level)
{
    const struct fold *fold = w->fold;
    struct tree_entry cut = {.node = TRIE_NONE, .level = level, .branch = true, .last = true};
    enum status status = STATUS_OK;
    size_t count = 0;

    for (uint32_t kid = fold->first[node]; kid != TRIE_NONE; kid = fold->next[kid]) {
        if (fold->total[kid] == 0 && fold->base_total[kid] == 0)
            continue;
        if (view_importance(w->view, fold->total[kid], fold->base_total[kid]) < w->cutoff) {
            cut.cut_count++;
            cut.weight = weight_add(cut.weight, fold->total[kid]);
            cut.base = weight_add(cut.base, fold->base_total[kid]);
            continue;
        }
        status = vec_reserve(&w->kids, &w->kids_cap, count + 1, sizeof(*w->kids));
        if (status != STATUS_OK)
            return status;
        w->kids[count++] = kid;
    }
    if (count)
        qsort_r(w->kids, count, sizeof(*w->kids), fold_compare, w->fold);
    if (cut.cut_count)
        status = push(w, cut);
    for (size_t i = count; i-- > 0 && status == STATUS_OK;)
        status = push(w, (struct tree_entry){.node = w->kids[i],
                                             .weight = fold->total[w->kids[i]],
                                             .base = fold->base_total[w->kids[i]],
                                             .level = level,
                                             .branch = count > 1 || cut.cut_count,
                                             .last = i + 1 == count && !cut.cut_count});
    return status;
}

static void print_indent(struct tree_writer *w, const struct tree_entry *entry)
{
    uint32_t level = entry->level < w->indent_max ? entry->level : w->indent_max;

    for (uint32_t i = 0; i < level; i++)
        fputs(w->open[i] ? "|   " : "    ", w->out);
    if (entry->branch)
        fputs(entry->last ? "`-- " : "|-- ", w->out);
    if (entry->level > w->indent_max)
        fprintf(w->out, "[level %" PRIu32 "] ", entry->level);
    w->open[level] = entry->branch && !entry->last;
}

static void print_weights(struct tree_writer *w, const struct tree_entry *entry)
{
    const struct view *view = w->view;
    char number[AMOUNT_TEXT_MAX];

    fprintf(w->out, "%8s ", amount_share(number, entry->weight, view->total));
    if (view->compare) {
        fprintf(w->out, "%8s ", amount_share(number, entry->base, view->base_total));
        fprintf(w->out, "%8s%c", amount_delta(number, view_delta(view, entry->weight, entry->base)),
                view_is_noise(view, entry->weight, entry->base) ? '~' : ' ');
    }
    if (entry->node != TRIE_NONE)
        amount_share(number, w->fold->self[entry->node], view->total);
    fprintf(w->out, "%8s ", entry->node != TRIE_NONE ? number : "");
    /* A trace's totals count the calls made from there; the row has the calls of the function. */
    amount_weight(number, view->weight,
                  view->has_calls && !view->inverted && entry->node != TRIE_NONE
                      ? w->fold->self[entry->node]
                      : entry->weight);
    fprintf(w->out, "%*s  ", amount_width(number, 11), number);
}

static enum status take(struct tree_writer *w)
{
    struct tree_entry entry = w->stack[--w->count];
    enum status status;

    print_weights(w, &entry);
    print_indent(w, &entry);
    if (entry.node == TRIE_NONE) {
        uint32_t points = (uint32_t)(w->node_fraction * 10000 + 0.5);

        fprintf(w->out, "(%" PRIu32 " more below %" PRIu32 ".%02" PRIu32 "%%)\n", entry.cut_count,
                points / 100, points % 100);
        return ferror(w->out) ? STATUS_IO : STATUS_OK;
    }
    status = view_head_put_name(w->view, &w->view->nodes[w->fold->trie.nodes[entry.node].key],
                                w->brief, w->out);
    if (status != STATUS_OK)
        return status;
    fputc('\n', w->out);
    return ferror(w->out) ? STATUS_IO : push_children(w, entry.node, entry.level + entry.branch);
}

static enum status print_head(struct tree_writer *w, const struct tree_options *options)
{
    enum status status = view_head_write(w->view, options->title, options->caveats, w->out);

    if (status == STATUS_OK && options->hottest)
        status = hottest_write(w->view, w->out);
    view_head_put_fold(w->fold, w->out);
    fprintf(w->out, "\n%8s ", "total");
    if (w->view->compare)
        fprintf(w->out, "%8s %8s ", "baseline", "change");
    fprintf(w->out, "%8s %11s  %s\n", w->view->inverted ? "begins" : "self",
            view_head_weights(w->view), view_head_nodes(w->view));
    return status;
}

/* Returns the levels of indentation that leave room for a name. */
static uint32_t indent_max(const struct view *view, size_t columns)
{
    const size_t before = NUMBERS_WIDTH + (view->compare ? COMPARED_WIDTH : 0) + NAME_WIDTH_MIN;
    const size_t levels = columns > before ? (columns - before) / 4 : 0;

    return columns && levels < TREE_INDENT_MAX ? (uint32_t)levels : TREE_INDENT_MAX;
}

enum status tree_write(const struct view *view, const struct tree_options *options, FILE *out)
{
    struct tree_writer w = {.view = view,
                            .out = out,
                            .node_fraction = options->node_fraction,
                            .indent_max = indent_max(view, options->columns),
                            .brief = options->brief};
    enum status status = fold_create(view, FOLD_NODES, &w.fold);

    if (status != STATUS_OK)
        return status;
    /* In an inverted tree they are the leaves, and do not disturb. */
    if (w.brief && !view->inverted &&
        (status = fold_leave_out_starts(view, &w.fold)) != STATUS_OK) {
        fold_destroy(w.fold);
        return status;
    }
    w.cutoff = amount_cutoff(view->total, options->node_fraction);
    status = print_head(&w, options);
    if (status == STATUS_OK)
        status = push_children(&w, TRIE_ROOT, 0);
    while (status == STATUS_OK && w.count)
        status = take(&w);
    free(w.stack);
    free(w.kids);
    fold_destroy(w.fold);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    (void)diag;
    return tree_write(o->view,
                      &(struct tree_options){.node_fraction = o->trimming->node_fraction,
                                             .title = o->title,
                                             .caveats = o->caveats,
                                             .hottest = true,
                                             .brief = o->on_terminal && !o->verbose,
                                             .columns = o->columns},
                      o->file);
}

const struct output_format output_format_tree = {
    .name = "tree",
    .suffixes = {".txt"},
    .help = "who calls whom, as an indented text",
    .begins = "^([^\n]*\n)?(samples|[a-zA-Z-]* ?time|calls): ",
    .medium = MEDIUM_TEXT,
    .needs = NEEDS_VIEW,
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(BY) | HONOURS(BY_THREAD) |
               HONOURS(HIDE) | HONOURS(DIFF_BASE) | HONOURS(INVERT) | HONOURS(RELATIVE),
    .calls = CALLS_PATHS,
    .finish = finish,
};
