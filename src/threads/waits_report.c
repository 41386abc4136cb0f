#include "threads/waits_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "graph/text.h"
#include "threads/report_text.h"

struct writer {
    const struct waits_report *report;
    const struct wait_graph *graph;
    const struct history *history;
    struct report_text text;
    FILE *out;
    bool has_times;
    struct map told; /* thread and chain: those that a deadlock has told already */
};

static bool shows_thread(const struct writer *w, uint32_t thread)
{
    const struct history_thread *t = &w->history->threads[thread];

    return !w->report->filter ||
           graph_filter_thread(w->report->filter, t->tid, t->name ? t->name : "");
}

static const char *time_text(char buffer[TEXT_NUMBER_MAX], uint64_t ns)
{
    return ns ? text_weight(buffer, WEIGHT_WALL, ns) : "0 s";
}

/* Words of the caller's making, which are freed; NULL: there was no memory for them. */
static enum status put_words(struct writer *w, const char *gap, char *words)
{
    if (!words)
        return STATUS_NO_MEMORY;
    if (words[0])
        report_text_put(&w->text, gap, words);
    free(words);
    return STATUS_OK;
}

/* Words that need not stay together. */
static void put_sentence(struct writer *w, const char *sentence)
{
    char word[64];

    while (*sentence) {
        size_t length = strcspn(sentence, " ");

        snprintf(word, sizeof(word), "%.*s", (int)length, sentence);
        report_text_put(&w->text, " ", word);
        sentence += length + strspn(sentence + length, " ");
    }
}

static enum status put_thread(struct writer *w, const char *gap, uint32_t thread)
{
    return put_words(w, gap, wait_words_thread(&w->report->words, thread));
}

static enum status put_object(struct writer *w, const char *gap, enum wait_kind kind,
                              uint32_t object)
{
    return put_words(w, gap, wait_words_object(&w->report->words, kind, object));
}

static enum status put_node_name(struct writer *w, const char *gap, uint32_t object)
{
    return put_words(w, gap, wait_words_node(&w->report->words, object));
}

static enum status put_function(void *context, const char *text)
{
    struct writer *w = context;

    report_text_put(&w->text, " \xe2\x86\x90 ", text);
    return STATUS_OK;
}

/* "      in: f (a.c:1) ← main (a.c:9)" */
static enum status put_chain(struct writer *w, size_t indent, const char *label, uint32_t chain)
{
    enum status status;

    if (chain == HISTORY_NONE)
        return STATUS_OK;
    fprintf(w->out, "%*s%-10s", (int)indent, "", label);
    report_text_begin(&w->text, 0, indent + 12);
    w->text.column = indent + 10;
    status = wait_words_chain(&w->report->words, chain, put_function, w);
    report_text_end(&w->text);
    return status;
}

/* Of one that waits in a deadlock, or took what it holds there: it is not told once more below. */
static enum status put_told(struct writer *w, const char *label, uint32_t thread, uint32_t chain)
{
    return map_put(&w->told, (uint64_t)thread << 32 | chain, 1) ? put_chain(w, 6, label, chain)
                                                                : STATUS_NO_MEMORY;
}

static enum status put_untold(struct writer *w, size_t indent, const char *label, uint32_t thread,
                              uint32_t chain)
{
    return map_get(&w->told, (uint64_t)thread << 32 | chain) ? STATUS_OK
                                                             : put_chain(w, indent, label, chain);
}

static const struct wait *wait_of(const struct writer *w, uint32_t thread)
{
    return &w->history->waits->list[wait_graph_last(w->graph, thread)->wait];
}

static const struct hold_edge *find_hold(const struct writer *w, uint32_t node, uint32_t thread)
{
    const struct wait_node *n = &w->graph->nodes[node];

    for (uint32_t i = 0; i < n->hold_count; i++)
        if (w->graph->holds[n->first_hold + i].thread == thread)
            return &w->graph->holds[n->first_hold + i];
    return NULL;
}

/* "T1 'a' (tid 7) holds mutex x, waits for mutex y, held by T2", and in which chains. */
static enum status put_member(struct writer *w, const struct deadlock *d, uint32_t number)
{
    const uint32_t *members = w->report->deadlocks->members + d->first;
    uint32_t thread = members[number], before = members[(number + d->count - 1) % d->count];
    uint32_t process = w->history->threads[thread].process;
    const struct wait *held = wait_of(w, before), *wait = wait_of(w, thread);
    uint32_t node = held->object == WAIT_NONE ? WAIT_GRAPH_NONE
                                              : wait_graph_node(w->graph, process, held->object);
    const struct hold_edge *hold = node == WAIT_GRAPH_NONE ? NULL : find_hold(w, node, thread);
    char label[64];
    enum status status;

    snprintf(label, sizeof(label), "T%" PRIu32, number + 1);
    report_text_begin(&w->text, 2, 8);
    report_text_put(&w->text, "", label);
    status = put_thread(w, " ", thread);
    if (status == STATUS_OK && held->kind != WAIT_JOIN && held->object != WAIT_NONE) {
        report_text_put(&w->text, " ", "holds");
        status = put_node_name(w, " ", held->object);
        if (held->owner_evidence == WAIT_INFERRED)
            report_text_put(&w->text, " ", "[inferred]");
        report_text_put(&w->text, "", ",");
    }
    report_text_put(&w->text, " ", "waits for");
    if (status == STATUS_OK)
        status = put_object(w, " ", wait->kind, wait->object);
    if (wait->kind_evidence == WAIT_INFERRED)
        report_text_put(&w->text, " ", "[kind inferred]");
    snprintf(label, sizeof(label), "%s T%" PRIu32,
             wait->kind == WAIT_JOIN ? "the end of" : "held by", (number + 1) % d->count + 1);
    report_text_put(&w->text, ", ", label);
    report_text_end(&w->text);
    if (status == STATUS_OK)
        status = put_told(w, "waits in:", thread, wait_graph_last(w->graph, thread)->chain);
    if (status == STATUS_OK && hold && held->kind != WAIT_JOIN)
        status = put_told(w, "took in:", thread, hold->take_chain);
    return status;
}

static const char *certainty(const struct deadlock *d)
{
    if (!d->proved)
        return "Possible deadlock";
    if (d->timed)
        return "Temporary deadlock";
    return d->inferred ? "Likely deadlock" : "Deadlock";
}

static void put_evidence(struct writer *w, const struct deadlock *d)
{
    const struct history_thread *first =
        &w->history->threads[w->report->deadlocks->members[d->first]];
    bool moment = w->history->processes[first->process].one_moment;

    report_text_begin(&w->text, 2, 2);
    if (!d->proved)
        put_sentence(w, "seen in one look, not at one moment, so that it may have been over: "
                        "capture for a second or more, or with --together");
    else if (moment)
        put_sentence(w, "all of one moment, as the core has it");
    else
        put_sentence(w, "all were blocked at the same time, and are so when the capture ends");
    if (d->inferred)
        report_text_put(&w->text, "; ", "an owner is inferred, not read off its lock");
    if (d->timed)
        report_text_put(&w->text, "; ", "a wait has a time limit, at which it ends by itself");
    report_text_end(&w->text);
}

static enum status put_deadlock(struct writer *w, const struct deadlock *d)
{
    uint32_t first = w->report->deadlocks->members[d->first];
    uint64_t last_ns = history_last_ns(w->history, w->history->threads[first].process);
    char time[TEXT_NUMBER_MAX];
    enum status status = STATUS_OK;

    if (d->count == 1)
        fprintf(w->out, "%s: a thread waits for what it holds itself", certainty(d));
    else
        fprintf(w->out, "%s: %" PRIu32 " threads wait for one another", certainty(d), d->count);
    if (w->has_times)
        fprintf(w->out, ", for %s", time_text(time, last_ns - d->since_ns));
    fputc('\n', w->out);
    put_evidence(w, d);
    for (uint32_t i = 0; i < d->count && status == STATUS_OK; i++)
        status = put_member(w, d, i);
    if (d->behind)
        fprintf(w->out, "  %" PRIu32 " more thread%s wait%s for them.\n", d->behind,
                d->behind == 1 ? "" : "s", d->behind == 1 ? "s" : "");
    fputc('\n', w->out);
    return status;
}

static bool shows_deadlock(const struct writer *w, const struct deadlock *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (shows_thread(w, w->report->deadlocks->members[d->first + i]))
            return true;
    return false;
}

/* Processes of which not each thread is in a deadlock, or waits for one, which says it all. */
static bool *find_untold(const struct writer *w)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;
    bool *untold = calloc(w->history->process_count + 1, sizeof(*untold));

    for (uint32_t i = 0; untold && i < w->history->thread_count; i++)
        if (!w->history->threads[i].end_ns && (deadlocks->of_thread[i] == WAIT_GRAPH_NONE ||
                                               !deadlocks->list[deadlocks->of_thread[i]].proved))
            untold[w->history->threads[i].process] = true;
    return untold;
}

static const char *standstill_name(const struct standstill *still, bool one_moment)
{
    if (!still->locks_only)
        return "Standstill";
    return one_moment ? "Deadlock" : "Likely deadlock";
}

static void put_standstill(struct writer *w, const struct standstill *still)
{
    const struct history_process *process = &w->history->processes[still->process];

    fprintf(w->out, "%s: %s%" PRIu32 " thread%s of process %" PRIu32 " wait%s for %s\n",
            standstill_name(still, process->one_moment), still->thread_count > 1 ? "all " : "the ",
            still->thread_count, still->thread_count > 1 ? "s" : "", process->pid,
            still->thread_count > 1 ? "" : "s",
            still->locks_only ? "one another" : "what only one of themselves gives");
    report_text_begin(&w->text, 2, 2);
    if (still->locks_only)
        put_sentence(w,
                     "some of them hold what others wait for, and nothing tells which; who waits "
                     "for what is below;");
    put_sentence(w, "none can go on, but by a signal handler, or another process that shares an "
                    "object with it");
    if (!process->one_moment)
        report_text_put(&w->text, "; ", "if the capture has all threads of the process");
    report_text_end(&w->text);
    fputc('\n', w->out);
}

static enum status put_deadlocks(struct writer *w)
{
    const struct deadlocks *deadlocks = w->report->deadlocks;
    bool *untold = find_untold(w), any = false;
    enum status status = untold ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; i < deadlocks->count && status == STATUS_OK; i++) {
        if (!shows_deadlock(w, &deadlocks->list[i]))
            continue;
        any = true;
        status = put_deadlock(w, &deadlocks->list[i]);
    }
    for (size_t i = 0; untold && i < deadlocks->standstill_count; i++) {
        const struct standstill *still = &deadlocks->standstills[i];

        if (!untold[still->process])
            continue;
        any |= still->locks_only;
        put_standstill(w, still);
    }
    if (!any)
        fputs("No deadlock was found.\n\n", w->out);
    free(untold);
    return status;
}

/* Threads that wait for one thing in one chain are told as one. */
struct blocked {
    uint32_t thread;         /* the first of them */
    uint32_t chain, process; /* of all */
    uint32_t wait, owner;
    uint32_t count;
    uint64_t since_ns; /* the earliest */
};

static int compare_blocked(const void *a, const void *b)
{
    const struct blocked *ba = a, *bb = b;

    if (ba->process != bb->process)
        return ba->process < bb->process ? -1 : 1;
    if (ba->wait != bb->wait)
        return ba->wait < bb->wait ? -1 : 1;
    if (ba->chain != bb->chain)
        return ba->chain < bb->chain ? -1 : 1;
    if (ba->owner != bb->owner)
        return ba->owner < bb->owner ? -1 : 1;
    return ba->thread < bb->thread ? -1 : ba->thread > bb->thread;
}

static int compare_first(const void *a, const void *b)
{
    const struct blocked *ba = a, *bb = b;

    return ba->thread < bb->thread ? -1 : ba->thread > bb->thread;
}

static size_t collect_blocked(const struct writer *w, struct blocked *list)
{
    size_t count = 0, groups = 0;

    for (uint32_t i = 0; i < w->history->thread_count; i++) {
        const struct span *span = wait_graph_last(w->graph, i);

        if (!span || w->history->waits->list[span->wait].kind > WAIT_FUTEX || !shows_thread(w, i))
            continue;
        list[count++] = (struct blocked){.thread = i,
                                         .process = w->history->threads[i].process,
                                         .chain = span->chain,
                                         .wait = span->wait,
                                         .owner = w->report->deadlocks->owner[i],
                                         .count = 1,
                                         .since_ns = wait_graph_since(w->graph, i)};
    }
    qsort(list, count, sizeof(*list), compare_blocked);
    for (size_t i = 0; i < count; i++) {
        struct blocked *group = groups ? &list[groups - 1] : NULL;

        if (group && group->process == list[i].process && group->wait == list[i].wait &&
            group->chain == list[i].chain && group->owner == list[i].owner) {
            group->count++;
            if (list[i].since_ns < group->since_ns)
                group->since_ns = list[i].since_ns;
        } else {
            list[groups++] = list[i];
        }
    }
    qsort(list, groups, sizeof(*list), compare_first);
    return groups;
}

/* It has not gone on since its first sample, which was there when the capture began. */
static bool waits_always(const struct writer *w, const struct blocked *b)
{
    const struct history_thread *thread = &w->history->threads[b->thread];

    return w->has_times && b->count == 1 && thread->found_running &&
           b->since_ns == thread->spans[0].start_ns;
}

static void put_since(struct writer *w, const struct blocked *b)
{
    const struct wait *wait = &w->history->waits->list[b->wait];
    char words[TEXT_NUMBER_MAX + 80], time[TEXT_NUMBER_MAX];

    if (!w->has_times)
        return;
    time_text(time, history_last_ns(w->history, b->process) - b->since_ns);
    if (!waits_always(w, b))
        snprintf(words, sizeof(words), "%s%s", b->count > 1 ? "up to " : "for ", time);
    else if (wait->kind == WAIT_CONDITION || wait->kind == WAIT_SEMAPHORE)
        snprintf(words, sizeof(words), "for all of the capture (%s): nothing has woken it", time);
    else
        snprintf(words, sizeof(words), "for all of the capture (%s)", time);
    report_text_put(&w->text, ", ", words);
}

static enum status put_blocked(struct writer *w, const struct blocked *b)
{
    const struct wait *wait = &w->history->waits->list[b->wait];
    char more[32];
    enum status status;

    report_text_begin(&w->text, 2, 6);
    status = put_thread(w, "", b->thread);
    if (b->count > 1) {
        snprintf(more, sizeof(more), "and %" PRIu32 " more", b->count - 1);
        report_text_put(&w->text, " ", more);
    }
    report_text_put(&w->text, ": ", "");
    if (status == STATUS_OK)
        status = put_object(w, "", wait->kind, wait->object);
    if (wait->kind_evidence == WAIT_INFERRED)
        report_text_put(&w->text, " ", "[kind inferred]");
    if (status == STATUS_OK)
        status = put_words(w, ", ", wait_words_holder(&w->report->words, wait, b->owner));
    put_since(w, b);
    report_text_end(&w->text);
    return status == STATUS_OK ? put_untold(w, 6, "in:", b->thread, b->chain) : status;
}

static enum status put_all_blocked(struct writer *w)
{
    struct blocked *list = calloc(w->history->thread_count + 1, sizeof(*list));
    size_t count = list ? collect_blocked(w, list) : 0;
    enum status status = list ? STATUS_OK : STATUS_NO_MEMORY;

    if (count)
        fputs(w->has_times ? "Blocked when the capture ends\n" : "Blocked\n", w->out);
    for (size_t i = 0; i < count && i < WAITS_REPORT_BLOCKED_MAX && status == STATUS_OK; i++)
        status = put_blocked(w, &list[i]);
    if (count > WAITS_REPORT_BLOCKED_MAX)
        fprintf(w->out, "  ... and %zu more\n", count - WAITS_REPORT_BLOCKED_MAX);
    if (count)
        fputc('\n', w->out);
    free(list);
    return status;
}

static bool shows_node(const struct writer *w, const struct wait_node *node)
{
    for (uint32_t i = 0; i < node->wait_count; i++)
        if (shows_thread(w, w->graph->waits[node->first_wait + i].thread))
            return true;
    for (uint32_t i = 0; i < node->hold_count; i++)
        if (shows_thread(w, w->graph->holds[node->first_hold + i].thread))
            return true;
    return false;
}

static enum wait_kind kind_of(const struct writer *w, const struct wait_node *node)
{
    return w->history->waits->objects[node->object].kind;
}

/* What is lost while others have it; to wait for a condition is no loss. */
static bool is_lock(enum wait_kind kind)
{
    return kind == WAIT_MUTEX || kind == WAIT_RWLOCK_READ || kind == WAIT_RWLOCK_WRITE ||
           kind == WAIT_ONCE;
}

static enum status put_holders(struct writer *w, const struct wait_node *node)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0;
         i < node->hold_count && i < WAITS_REPORT_HOLDERS_MAX && status == STATUS_OK; i++) {
        const struct hold_edge *hold = &w->graph->holds[node->first_hold + i];
        char words[TEXT_NUMBER_MAX + 32], time[TEXT_NUMBER_MAX];

        if (kind_of(w, node) == WAIT_JOIN) { /* its name says who that is */
            status = put_untold(w, 6, "does:", hold->thread, hold->chain);
            continue;
        }
        report_text_begin(&w->text, 6, 8);
        report_text_put(&w->text, "", "held by");
        status = put_thread(w, " ", hold->thread);
        if (w->has_times) {
            snprintf(words, sizeof(words), "for %s", time_text(time, hold->held_ns));
            report_text_put(&w->text, " ", words);
        }
        if (hold->inferred)
            report_text_put(&w->text, " ", "[inferred]");
        report_text_end(&w->text);
        if (status == STATUS_OK)
            status = put_untold(w, 8, "took in:", hold->thread, hold->take_chain);
        if (status == STATUS_OK)
            status = put_untold(w, 8, "does:", hold->thread, hold->chain);
    }
    if (node->hold_count > WAITS_REPORT_HOLDERS_MAX)
        fprintf(w->out, "      and by %" PRIu32 " more\n",
                node->hold_count - WAITS_REPORT_HOLDERS_MAX);
    return status;
}

/* The mean is of the threads that waited, over the whole time. */
static void put_numbers(struct writer *w, const struct wait_node *node)
{
    uint64_t first_ns = history_first_ns(w->history, node->process), waits = 0;
    uint64_t duration = history_last_ns(w->history, node->process) - first_ns;
    uint64_t mean = duration / 100 ? node->wait_ns / (duration / 100) : 0;
    char time[TEXT_NUMBER_MAX];

    for (uint32_t i = 0; i < node->wait_count; i++)
        waits += w->graph->waits[node->first_wait + i].count;
    if (w->has_times)
        fprintf(w->out, "  %10s %8" PRIu64 " %6" PRIu64 ".%02" PRIu64,
                time_text(time, node->wait_ns), waits, mean / 100, mean % 100);
    fprintf(w->out, "%s%8" PRIu32 " %8" PRIu32 "  ", w->has_times ? " " : "  ", node->wait_count,
            node->waiters_max);
}

static enum status put_node(struct writer *w, const struct wait_node *node)
{
    size_t column;
    enum status status;

    put_numbers(w, node);
    column = w->has_times ? 51 : 21;
    report_text_begin(&w->text, 0, column);
    w->text.column = column;
    status = put_node_name(w, "", node->object);
    report_text_end(&w->text);
    if (status == STATUS_OK)
        status = put_untold(w, 6, "waits in:", w->graph->waits[node->first_wait].thread,
                            w->graph->waits[node->first_wait].chain);
    return status == STATUS_OK ? put_holders(w, node) : status;
}

static void put_table_head(struct writer *w, bool locks)
{
    const char *what = locks ? "Locks" : "Other objects";

    if (w->has_times)
        fprintf(w->out, "%s, by the time that threads %s\n  %10s %8s %9s %8s %8s  object\n", what,
                locks ? "lost in waiting for them" : "waited for them", locks ? "lost" : "waited",
                "waits", "mean", "threads", "at once");
    else
        fprintf(w->out, "%s that are waited for\n  %8s %8s  object\n", what, "threads", "at once");
}

/* Locks, or what else threads give to one another. */
static enum status put_nodes(struct writer *w, bool locks)
{
    enum status status = STATUS_OK;
    size_t shown = 0, left_out = 0;

    for (size_t i = 0; i < w->graph->node_count && status == STATUS_OK; i++) {
        const struct wait_node *node = &w->graph->nodes[i];

        if (kind_of(w, node) > WAIT_FUTEX || is_lock(kind_of(w, node)) != locks ||
            !shows_node(w, node))
            continue;
        if (shown == WAITS_REPORT_OBJECTS_MAX) {
            left_out++;
            continue;
        }
        if (shown++ == 0)
            put_table_head(w, locks);
        status = put_node(w, node);
    }
    if (left_out)
        fprintf(w->out, "  ... and %zu more\n", left_out);
    if (shown)
        fputc('\n', w->out);
    return status;
}

static enum status put_step(struct writer *w, const struct lock_order *order)
{
    const struct wait_node *from = &w->graph->nodes[order->from];
    const struct wait_node *to = &w->graph->nodes[order->to];
    const struct hold_edge *hold = find_hold(w, order->from, order->thread);
    uint64_t first_ns = history_first_ns(w->history, from->process);
    char time[TEXT_NUMBER_MAX], at[TEXT_NUMBER_MAX + 16];
    enum status status;

    report_text_begin(&w->text, 4, 8);
    status = put_thread(w, "", order->thread);
    report_text_put(&w->text, " ", "held");
    if (status == STATUS_OK)
        status = put_node_name(w, " ", from->object);
    report_text_put(&w->text, ", ", "waited for");
    if (status == STATUS_OK)
        status = put_node_name(w, " ", to->object);
    if (w->has_times) {
        snprintf(at, sizeof(at), "at %s", time_text(time, order->time_ns - first_ns));
        report_text_put(&w->text, ", ", at);
    }
    report_text_end(&w->text);
    if (status == STATUS_OK)
        status = put_chain(w, 8, "waits in:", order->chain);
    return status == STATUS_OK && hold ? put_chain(w, 8, "took in:", hold->take_chain) : status;
}

static enum status put_orders(struct writer *w)
{
    const struct lock_orders *orders = w->report->orders;
    enum status status = STATUS_OK;

    if (orders->circle_count)
        fputs("Locks taken in contradictory orders: a deadlock may come of it\n", w->out);
    for (size_t i = 0; i < orders->circle_count && status == STATUS_OK; i++) {
        const struct lock_circle *circle = &orders->circles[i];

        fprintf(w->out, "  %zu.\n", i + 1);
        for (uint32_t s = 0; s < circle->count && status == STATUS_OK; s++)
            status = put_step(w, &orders->list[orders->steps[circle->first + s]]);
    }
    if (orders->circle_count)
        fputc('\n', w->out);
    return status;
}

struct kind_sum {
    uint64_t ns, waits;
    uint32_t threads, last_thread; /* last_thread + 1 */
};

/* Descriptors, sleeps and the like: one line a kind, with what most of the time went to. */
static enum status put_kind(struct writer *w, enum wait_kind kind, const struct kind_sum *sum)
{
    char words[TEXT_NUMBER_MAX + 96], time[TEXT_NUMBER_MAX];
    enum status status = STATUS_OK;
    unsigned named = 0;

    report_text_begin(&w->text, 2, 6);
    snprintf(words, sizeof(words), "%-12s %" PRIu32 " thread%s", wait_kind_name(kind), sum->threads,
             sum->threads == 1 ? "" : "s");
    report_text_put(&w->text, "", words);
    if (w->has_times)
        report_text_put(&w->text, ", ", time_text(time, sum->ns));
    for (size_t i = 0; i < w->graph->node_count && status == STATUS_OK; i++) {
        const struct wait_node *node = &w->graph->nodes[i];

        if (kind_of(w, node) != kind || !shows_node(w, node))
            continue;
        if (++named > WAITS_REPORT_NAMED_MAX) {
            report_text_put(&w->text, ", ", "...");
            break;
        }
        status = put_node_name(w, named == 1 ? ": " : ", ", node->object);
    }
    report_text_end(&w->text);
    return status;
}

static enum status put_rest(struct writer *w)
{
    struct kind_sum sums[WAIT_KIND_COUNT] = {0};
    enum status status = STATUS_OK;
    bool any = false;

    for (uint32_t i = 0; i < w->history->thread_count; i++) {
        const struct history_thread *thread = &w->history->threads[i];

        for (size_t s = 0; s < thread->span_count && shows_thread(w, i); s++) {
            const struct span *span = &thread->spans[s];
            struct kind_sum *sum;

            if (span->wait == WAIT_NONE)
                continue;
            sum = &sums[w->history->waits->list[span->wait].kind];
            sum->threads += sum->last_thread != i + 1;
            sum->last_thread = i + 1;
            sum->ns = weight_add(sum->ns, span->end_ns - span->start_ns);
        }
    }
    for (unsigned kind = WAIT_FUTEX + 1; kind < WAIT_KIND_COUNT && status == STATUS_OK; kind++) {
        if (!sums[kind].threads)
            continue;
        if (!any)
            fputs("Waited for the world outside\n", w->out);
        any = true;
        status = put_kind(w, (enum wait_kind)kind, &sums[kind]);
    }
    if (any)
        fputc('\n', w->out);
    return status;
}

static enum status put_head(struct writer *w)
{
    char *title = text_clean(w->report->title ? w->report->title : "", TEXT_REPLACE_CONTROLS);
    char time[TEXT_NUMBER_MAX];

    if (!title)
        return STATUS_NO_MEMORY;
    if (title[0])
        fprintf(w->out, "%s\n", title);
    free(title);
    fprintf(w->out, "%zu thread%s, %s", w->history->thread_count,
            w->history->thread_count == 1 ? "" : "s",
            w->has_times           ? ""
            : w->history->is_apart ? "one look"
                                   : "one moment");
    if (w->has_times)
        fputs(time_text(time, history_length_ns(w->history)), w->out);
    fputs("; what is not marked as inferred was read from the kernel or the object itself\n",
          w->out);
    if (w->history->full)
        fputs("The history is full: what came later is missing.\n", w->out);
    fputc('\n', w->out);
    return STATUS_OK;
}

enum status waits_report_write(const struct waits_report *report, FILE *out)
{
    struct writer w = {.report = report,
                       .graph = report->words.graph,
                       .history = report->words.history,
                       .text = {.out = out},
                       .out = out,
                       .has_times = history_has_times(report->words.history)};
    enum status status = put_head(&w);

    if (status == STATUS_OK)
        status = put_deadlocks(&w);
    if (status == STATUS_OK)
        status = put_all_blocked(&w);
    if (status == STATUS_OK)
        status = put_nodes(&w, true);
    if (status == STATUS_OK)
        status = put_nodes(&w, false);
    if (status == STATUS_OK)
        status = put_orders(&w);
    if (status == STATUS_OK)
        status = put_rest(&w);
    map_deinit(&w.told);
    return status == STATUS_OK ? text_finish(out) : status;
}
