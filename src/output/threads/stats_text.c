/* SPDX-License-Identifier: MIT */
#include "output/threads/stats_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/label.h"
#include "base/text.h"
#include "graph/amount.h"
#include "output/threads/output_timeline.h"
#include "threads/report_text.h"
#include "threads/stacks.h"
#include "threads/tally.h"

#define NAME_WIDTH 28
#define NAME_END   10 /* cells at the end of a cut name that stay, as "#a6219681" */
#define KINDS_MAX  (WAIT_KIND_COUNT + TIMELINE_STATE_COUNT)
#define WORDS_MAX  24 /* functions of a chain that are shown */

/* The threads of an identity that are shown. */
struct stats_group {
    uint32_t identity;
    uint32_t *threads; /* in writer.threads */
    size_t count;
};

struct stats_writer {
    const struct report *report;
    const struct timeline *timeline;
    struct stats_group *groups;
    size_t count;
    uint32_t *threads;
    struct tally_functions *functions;
    struct stack_size *stacks; /* by thread of the history */
    FILE *out;
};

/* Lists the identities in the order of the hierarchy, each with all its threads. */
static enum status find_groups(struct stats_writer *w)
{
    const struct report *report = w->report;
    const struct hierarchy *tree = report->hierarchy;
    size_t identities = report->identities->count, threads = report->history->thread_count;
    uint32_t *group_of = calloc(identities + 1, sizeof(*group_of)); /* + 1 */
    uint32_t next = 0;

    w->groups = calloc(identities + 1, sizeof(*w->groups));
    w->threads = calloc(threads + 1, sizeof(*w->threads));
    if (!group_of || !w->groups || !w->threads) {
        free(group_of);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < threads; i++) {
        uint32_t identity = report->identities->of_thread[tree->order[i]];

        if (!report->shown[tree->order[i]])
            continue;
        if (!group_of[identity]) {
            w->groups[w->count].identity = identity;
            group_of[identity] = (uint32_t)++w->count;
        }
        w->groups[group_of[identity] - 1].count++;
    }
    for (size_t i = 0; i < w->count; i++) {
        w->groups[i].threads = w->threads + next;
        next += (uint32_t)w->groups[i].count;
        w->groups[i].count = 0;
    }
    for (size_t i = 0; i < threads; i++) {
        uint32_t thread = tree->order[i];
        struct stats_group *group;

        if (!report->shown[thread])
            continue;
        group = &w->groups[group_of[report->identities->of_thread[thread]] - 1];
        group->threads[group->count++] = thread;
    }
    free(group_of);
    return STATUS_OK;
}

/* Writes a name in NAME_WIDTH columns, without its middle if it is longer. */
static void put_name(const struct stats_writer *w, const char *name)
{
    size_t width = report_text_width(name), at = 0;

    if (width <= NAME_WIDTH) {
        fprintf(w->out, "%s%*s", name, (int)(NAME_WIDTH - width), "");
        return;
    }
    for (const char *c = name; *c; c++) {
        bool begins = ((unsigned char)*c & 0xc0) != 0x80;

        at += begins;
        if (begins && at == NAME_WIDTH - NAME_END)
            fputs("…", w->out);
        if (at < NAME_WIDTH - NAME_END || at > width - NAME_END)
            fputc(*c, w->out);
    }
}

static enum status put_thread_name(const struct stats_writer *w, uint32_t thread)
{
    const struct history_thread *given = &w->report->history->threads[thread];
    char *clean = text_clean(given->name, TEXT_REPLACE_CONTROLS), *text = NULL;
    int length = clean ? asprintf(&text, "    %" PRIu32 " %s", given->tid, clean) : -1;

    free(clean);
    if (length < 0)
        return STATUS_NO_MEMORY;
    put_name(w, text);
    free(text);
    return STATUS_OK;
}

struct share {
    const char *name;
    uint64_t amount;
};

static int largest_first(const void *a, const void *b)
{
    const struct share *x = a, *y = b;

    return x->amount != y->amount ? (x->amount > y->amount ? -1 : 1) : strcmp(x->name, y->name);
}

/* Writes the kinds of waits, with their shares of the threads' time. */
static void put_kinds(const struct stats_writer *w, const struct tally *tally)
{
    struct share shares[KINDS_MAX];
    char number[AMOUNT_TEXT_MAX];
    size_t count = 0, at = 4 + strlen("blocked:");
    const size_t width = report_text_columns(w->report->columns);

    for (unsigned i = 0; i < WAIT_KIND_COUNT; i++)
        if (tally->by_kind[i])
            shares[count++] = (struct share){wait_kind_name((enum wait_kind)i), tally->by_kind[i]};
    for (enum timeline_state i = 0; i < TIMELINE_STATE_COUNT; i++)
        if (tally->kindless[i])
            shares[count++] = (struct share){timeline_state_name(i), tally->kindless[i]};
    if (count == 0)
        return;
    qsort(shares, count, sizeof(*shares), largest_first);
    fputs("    blocked:", w->out);
    for (size_t i = 0; i < count; i++) {
        size_t wide = strlen(shares[i].name) + 9;

        if (at + wide > width) {
            fputs("\n            ", w->out);
            at = 12;
        }
        fprintf(w->out, " %s %s%s", shares[i].name,
                amount_share(number, shares[i].amount, tally->total), i + 1 < count ? "," : "");
        at += wide;
    }
    fputc('\n', w->out);
}

/* Sums of samples do not tell running threads from ready ones. */
static void put_shares(const struct stats_writer *w, const struct tally *tally)
{
    const uint64_t *state = tally->by_state;
    char number[AMOUNT_TEXT_MAX];

    if (tally->by_samples) {
        fprintf(w->out, " %9s",
                amount_share(number, state[TIMELINE_RUNNING] + state[TIMELINE_READY],
                             tally->total));
        fprintf(w->out, " %9s", "-");
    } else {
        fprintf(w->out, " %9s", amount_share(number, state[TIMELINE_RUNNING], tally->total));
        fprintf(w->out, " %9s", amount_share(number, state[TIMELINE_READY], tally->total));
    }
    fprintf(w->out, " %9s\n", amount_share(number, tally_blocked(tally), tally->total));
}

/* Writes the share of time that is not known, which the other shares lack to 100 %. */
static void put_unknown(const struct stats_writer *w, const struct tally *tally)
{
    const uint64_t unknown = tally->by_state[TIMELINE_UNKNOWN];
    char number[AMOUNT_TEXT_MAX];

    if (unknown && amount_basis_points(unknown, tally->total))
        fprintf(w->out, "    %s: %s\n", timeline_state_name(TIMELINE_UNKNOWN),
                amount_share(number, unknown, tally->total));
}

static void put_times(const struct stats_writer *w, size_t threads, const struct tally *tally)
{
    char number[AMOUNT_TEXT_MAX];

    fprintf(w->out, " %7zu %8" PRIu64, threads, tally->samples);
    if (!w->report->is_core) {
        fputc(' ', w->out);
        report_put_cpu(tally->cpu_ns, tally->unsampled > 0, 10, w->out);
        amount_weight(number, WEIGHT_WALL, tally->by_samples ? 0 : tally->total);
        fprintf(w->out, " %*s", amount_width(number, 10), number);
    }
    put_shares(w, tally);
}

static enum status put_time_table(const struct stats_writer *w)
{
    enum status status = STATUS_OK;

    fprintf(w->out, "%-*s %7s %8s", NAME_WIDTH, "time", "threads", "samples");
    if (!w->report->is_core)
        fprintf(w->out, " %10s %10s", "CPU time", "wall time");
    fprintf(w->out, " %9s %9s %9s\n", "running", "ready", "blocked");
    for (size_t i = 0; i < w->count && status == STATUS_OK; i++) {
        const struct stats_group *group = &w->groups[i];
        struct tally tally;

        tally_threads(w->timeline, group->threads, group->count, &tally);
        put_name(w, identity_label(&w->report->identities->list[group->identity]));
        put_times(w, group->count, &tally);
        put_kinds(w, &tally);
        put_unknown(w, &tally);
        for (size_t j = 0; w->report->verbose && group->count > 1 && j < group->count; j++) {
            tally_threads(w->timeline, &group->threads[j], 1, &tally);
            status = put_thread_name(w, group->threads[j]);
            if (status != STATUS_OK)
                return status;
            put_times(w, 1, &tally);
        }
    }
    return status;
}

/* Writes depth, bytes used and mapped, and the share used; "-": not known. */
static void put_stack(const struct stats_writer *w, size_t depth, const struct stack_size *stack)
{
    char number[AMOUNT_TEXT_MAX];

    fprintf(w->out, " %8zu", depth);
    if (stack->used)
        fprintf(w->out, " %10" PRIu64, stack->used);
    else
        fprintf(w->out, " %10s", "-");
    if (stack->mapped) {
        fprintf(w->out, " %11" PRIu64, stack->mapped);
        fprintf(w->out, " %8s", amount_share(number, stack->used, stack->mapped));
    } else {
        fprintf(w->out, " %11s %8s", "-", "-");
    }
}

static size_t chain_length(const struct stats_writer *w, uint32_t chain)
{
    const struct trie *trie = &w->report->profile->trie;
    size_t length = 0;

    if (chain == HISTORY_NONE)
        return 0;
    for (uint32_t node = w->report->profile->chains[chain].leaf; node != TRIE_ROOT;
         node = trie->nodes[node].parent)
        length++;
    return length;
}

static enum status put_deep_chain(const struct stats_writer *w, const char *what, uint32_t chain)
{
    const struct report_layout layout = {.margin = "        ",
                                         .first = strlen("    : ") + strlen(what),
                                         .width = report_text_columns(w->report->columns),
                                         .words_max = WORDS_MAX,
                                         .brief = !w->report->verbose};
    const struct trie *trie = &w->report->profile->trie;
    size_t length = chain_length(w, chain), count = 0;
    uint32_t *frames = calloc(length + 1, sizeof(*frames));
    enum status status;

    if (!frames)
        return STATUS_NO_MEMORY;
    for (uint32_t node = w->report->profile->chains[chain].leaf; node != TRIE_ROOT;
         node = trie->nodes[node].parent)
        frames[count++] = trie->nodes[node].key;
    if (count)
        fprintf(w->out, "    %s: ", what);
    status = report_put_frames(w->report, frames, count, &layout, w->out);
    if (count)
        fputc('\n', w->out);
    free(frames);
    return status;
}

/* Writes the greatest stack of a group, since each thread needs one of its own. */
static enum status put_group_stack(const struct stats_writer *w, const struct stats_group *group)
{
    const struct history_thread *threads = w->report->history->threads;
    uint32_t used = group->threads[0], deep = group->threads[0];
    uint32_t used_chain;
    enum status status = STATUS_OK;

    for (size_t i = 1; i < group->count; i++) {
        uint32_t thread = group->threads[i];

        if (w->stacks[thread].used > w->stacks[used].used)
            used = thread;
        if (threads[thread].depth > threads[deep].depth)
            deep = thread;
    }
    used_chain = w->stacks[used].used ? threads[used].stack_used_chain : HISTORY_NONE;
    put_name(w, identity_label(&w->report->identities->list[group->identity]));
    put_stack(w, threads[deep].depth, &w->stacks[used]);
    fprintf(w->out, "  %" PRIu32 "\n", threads[used].tid);
    if (used_chain != HISTORY_NONE)
        status = put_deep_chain(w, "most bytes", used_chain);
    if (status == STATUS_OK && threads[deep].depth_chain != HISTORY_NONE &&
        threads[deep].depth > chain_length(w, used_chain))
        status = put_deep_chain(w, "most frames", threads[deep].depth_chain);
    for (size_t i = 0; w->report->verbose && group->count > 1 && i < group->count; i++) {
        if (status == STATUS_OK)
            status = put_thread_name(w, group->threads[i]);
        put_stack(w, threads[group->threads[i]].depth, &w->stacks[group->threads[i]]);
        fputc('\n', w->out);
    }
    return status;
}

static enum status put_stack_table(const struct stats_writer *w)
{
    enum status status = STATUS_OK;

    fprintf(w->out, "\n%-*s %8s %10s %11s %8s  %s\n", NAME_WIDTH, "stack, at the most", "frames",
            "bytes used", "mapped", "used", "tid");
    for (size_t i = 0; i < w->count && status == STATUS_OK; i++)
        status = put_group_stack(w, &w->groups[i]);
    return status;
}

static enum status put_function(const struct stats_writer *w, const struct tally_function *function,
                                uint64_t total)
{
    const struct function *f = names_function(w->report->profile->names, function->function);
    char *name = label_line(f->name);
    char number[AMOUNT_TEXT_MAX];
    enum status status = STATUS_OK;

    if (!name)
        return STATUS_NO_MEMORY;
    fprintf(w->out, "%9s", amount_share(number, function->self, total));
    fprintf(w->out, " %9s  %s", amount_share(number, function->total, total), name);
    free(name);
    if (f->module) {
        const char *module = text_basename(f->module->file.path);

        fputs(module[0] == '[' ? " " : " [", w->out);
        status = text_put_clean(module, w->out);
        fputs(module[0] == '[' ? "" : "]", w->out);
    }
    fputc('\n', w->out);
    return status;
}

static int widest_first(const void *a, const void *b)
{
    const struct tally_function *x = a, *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* The C library's and the program's entry are on every chain, and say nothing there. */
static bool says_nothing(const struct stats_writer *w, const struct tally_function *function)
{
    return report_is_runtime(w->report,
                             names_function(w->report->profile->names, function->function));
}

static enum status put_functions(const struct stats_writer *w, const struct tally_function *list,
                                 size_t count, uint64_t total)
{
    struct tally_function *rest;
    size_t shown = 0, rest_count = 0;
    enum status status = STATUS_OK;

    for (; shown < count && shown < STATS_FUNCTIONS_MAX && list[shown].self; shown++) {
        status = put_function(w, &list[shown], total);
        if (status != STATUS_OK)
            return status;
    }
    rest = calloc(count - shown + 1, sizeof(*rest));
    if (!rest)
        return STATUS_NO_MEMORY;
    for (size_t i = shown; i < count; i++)
        if (!says_nothing(w, &list[i]))
            rest[rest_count++] = list[i];
    if (rest_count)
        qsort(rest, rest_count, sizeof(*rest), widest_first);
    for (size_t i = 0; i < rest_count && i < STATS_FUNCTIONS_MAX && status == STATUS_OK; i++)
        status = put_function(w, &rest[i], total);
    free(rest);
    return status;
}

static enum status put_function_table(const struct stats_writer *w)
{
    enum status status = STATUS_OK;

    fprintf(w->out, "\n%9s %9s  function, of the samples of its threads\n", "self", "total");
    for (size_t i = 0; i < w->count && status == STATUS_OK; i++) {
        const struct stats_group *group = &w->groups[i];
        const struct tally_function *list;
        uint64_t samples = 0;
        size_t count;

        for (size_t j = 0; j < group->count; j++)
            samples += w->report->history->threads[group->threads[j]].samples;
        status = tally_functions_of(w->functions, w->report->history, group->threads, group->count,
                                    &list, &count);
        if (status != STATUS_OK || count == 0)
            continue;
        fprintf(w->out, "%s\n", identity_label(&w->report->identities->list[group->identity]));
        status = put_functions(w, list, count, samples);
    }
    return status;
}

static enum status put_head(const struct stats_writer *w)
{
    const struct report *report = w->report;
    const struct window *window = &report->history->window;
    enum status status = STATUS_OK;
    char part[WINDOW_TEXT_MAX];

    if (report->title) {
        status = text_put_clean(report->title, w->out);
        fputc('\n', w->out);
    }
    report_put_counts(report, w->out);
    if (window_is_part(window))
        fprintf(w->out, ", %s", window_text(part, window));
    if (report->history->full)
        fputs("; not all: there were more changes than can be kept", w->out);
    fprintf(w->out, "\n%s", report->caveats ? report->caveats : "");
    fputc('\n', w->out);
    return status;
}

enum status stats_text_write(const struct timeline *timeline, FILE *out)
{
    const struct report *report = timeline->source.report;
    struct stats_writer w = {.report = report, .timeline = timeline, .out = out};
    enum status status = tally_functions_create(report->profile, &w.functions);

    if (status == STATUS_OK)
        status = stacks_measure(report->history, &w.stacks);
    if (status == STATUS_OK)
        status = find_groups(&w);
    if (status == STATUS_OK)
        status = put_head(&w);
    if (status == STATUS_OK)
        status = put_time_table(&w);
    if (status == STATUS_OK)
        status = put_stack_table(&w);
    if (status == STATUS_OK)
        status = put_function_table(&w);
    tally_functions_destroy(w.functions);
    free(w.groups);
    free(w.threads);
    free(w.stacks);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct output_timeline made;
    enum status status = output_timeline_init(&made, o);

    (void)diag;
    if (status == STATUS_OK)
        status = stats_text_write(made.timeline, o->file);
    output_timeline_deinit(&made);
    return status;
}

const struct output_format output_format_stats = {
    .name = "stats",
    .help = "times, functions and stacks of threads, as tables",
    .begins = OUTPUT_BEGINS_THREADS,
    .medium = MEDIUM_TEXT,
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .finish = finish,
};
