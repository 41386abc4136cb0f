/* SPDX-License-Identifier: MIT */
#include "output/html/page_head.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/html/page_text.h"
#include "graph/weight_choice.h"
#include "snapshot/loss.h"
#include "symbol/module_set.h"
#include "threads/window.h"

static const char *const WEIGHT_NAMES[] = {"samples", "wall", "cpu", "offcpu", "calls"};

static void put_title(const struct output *o, struct json_line *head)
{
    char number[24];

    json_line_put(head, "version", json_integer(1));
    json_line_put(head, "generator", json_string("cgunwind " CG_VERSION));
    json_line_put(head, "title", json_of_text(o->title ? o->title : ""));
    page_put_text(head, "base_title", o->base_title);
    if (o->start_ns) { /* a string: other programs' numbers are less exact */
        snprintf(number, sizeof(number), "%" PRIu64, o->start_ns);
        json_line_put(head, "start_ns", json_string(number));
    }
    page_put_number(head, "duration_ns", o->duration_ns);
    page_put_number(head, "period_ns", o->period_ns);
}

/* "--focus main" */
static void put_filter(struct json_line *head, json_t *list, const char *option, const char *value)
{
    char *text = NULL;

    if (asprintf(&text, "%s %s", option, value) < 0)
        text = NULL;
    page_append(head, list, text ? json_of_text(text) : NULL);
    free(text);
}

static void put_filters(const struct output *o, struct json_line *head)
{
    static const char *const names[FILTER_COUNT] = {"--focus", "--ignore", "--hide", "--module",
                                                    "--thread"};
    const struct graph_filter *filter = o->filter;
    const struct window *window = o->history ? &o->history->window : NULL;
    char text[WINDOW_TEXT_MAX];
    json_t *list = json_array();

    for (enum filter_kind kind = 0; kind < FILTER_COUNT; kind++)
        if (filter->set[kind])
            put_filter(head, list, names[kind], filter->pattern[kind]);
    if (filter->has_tid) {
        snprintf(text, sizeof(text), "%" PRIu32, filter->tid);
        put_filter(head, list, "--thread", text);
    }
    if (filter->has_states)
        put_filter(head, list, "--state", filter->state_list);
    if (window && window_is_part(window))
        page_append(head, list, json_of_text(window_text(text, window)));
    json_line_put(head, "filters", list);
}

static void put_caveats(const struct output *o, struct json_line *head)
{
    json_t *list = json_array();
    const char *at = o->caveats ? o->caveats : "";

    while (*at) {
        const size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);

        page_append(head, list, line ? json_of_text(line) : NULL);
        free(line);
        at += length + (at[length] == '\n');
    }
    json_line_put(head, "caveats", list);
}

/* Puts counts of all inputs. */
static void put_counts(const struct quality *quality, struct json_line *line)
{
    struct json_line trusts = json_line_begin(NULL), stops = json_line_begin(NULL);

    for (enum trust trust = 0; trust < TRUST_COUNT; trust++)
        page_put_number(&trusts, trust_name(trust), quality->frames_by_trust[trust]);
    for (enum stop_reason stop = 0; stop < STOP_COUNT; stop++)
        page_put_number(&stops, stop_reason_name(stop), quality->chains_by_stop[stop]);
    page_put_line(line, "frames_by_trust", &trusts);
    page_put_line(line, "by_stop", &stops);
}

/* Puts facts about the captures of one side of a comparison. */
static void put_account(const struct capture_account *account, struct json_line *line)
{
    struct json_line lost = json_line_begin(NULL);

    for (unsigned reason = 0; reason < SNAP_LOSS_REASONS; reason++)
        page_put_number(&lost, snap_loss_name(reason), account->lost[reason]);
    page_put_line(line, "lost", &lost);
    if (account->rate.asked_mhz) {
        json_line_put(line, "asked_hz", json_real((double)account->rate.asked_mhz / 1000));
        json_line_put(line, "reached_hz", json_real((double)account->rate.reached_mhz / 1000));
    }
    page_put_number(line, "captures", account->captures);
    page_put_number(line, "cpu_ns", account->cpu.used_ns);
    page_put_number(line, "cpu_placed_ns", account->cpu.placed_ns);
    page_put_number(line, "ready_ns", account->cpu.waited_ns);
    page_put_number(line, "ticks", account->cpu.ticks);
}

/* Puts how many samples carry the CPU time. */
static void put_carriers(const struct capture_account *account, const char *key,
                         struct json_line *head)
{
    struct json_line line = json_line_begin(NULL);

    page_put_number(&line, WEIGHT_NAMES[WEIGHT_CPU], weight_worth(account));
    page_put_line(head, key, &line);
}

static void put_base(const struct output *o, struct json_line *head)
{
    struct json_line line = json_line_begin(NULL);

    page_put_number(&line, "duration_ns", o->base_duration_ns);
    put_account(&o->quality->base, &line);
    page_put_line(head, "base", &line);
    put_carriers(&o->quality->base, "base_carriers", head);
}

/* Without the time spent, so that the same input gives the same page. */
static void put_quality(const struct quality *quality, struct json_line *head)
{
    struct json_line line = json_line_begin(NULL);

    json_line_put(&line, "samples", json_of_number(quality->samples));
    json_line_put(&line, "repeats", json_of_number(quality->repeats));
    json_line_put(&line, "frames", json_of_number(quality->frames));
    json_line_put(&line, "unnamed", json_of_number(quality->frames_unnamed));
    json_line_put(&line, "running", json_of_number(quality->running));
    json_line_put(&line, "running_complete", json_of_number(quality->running_complete));
    json_line_put(&line, "chains_unwound", json_of_number(quality->chains_unwound));
    json_line_put(&line, "chains_distinct", json_of_number(quality->chains_distinct));
    put_counts(quality, &line);
    put_account(&quality->own, &line);
    if (quality->has_capture) {
        json_line_put(&line, "rounds", json_of_number(quality->capture.rounds));
        json_line_put(&line, "stopped_ns", json_of_number(quality->capture.stopped_ns));
        json_line_put(&line, "stopped_max_ns", json_of_number(quality->capture.stopped_max_ns));
    }
    if (quality->cut_short)
        json_line_put(&line, "cut_short", json_true());
    page_put_line(head, "quality", &line);
}

static void put_missing(const struct module_set *modules, struct json_line *head)
{
    json_t *list = json_array();

    for (size_t i = 0; i < module_set_count(modules); i++) {
        const struct module *module = module_set_at(modules, i);
        struct json_line line;
        char problem[sizeof(struct diag)];

        if (!quality_module_missing(module))
            continue;
        line = json_line_begin(NULL);
        json_line_put(&line, "path", json_of_text(module->file.path));
        if (module->file.build_id_size)
            json_line_put(&line, "build_id",
                          json_of_bytes(module->file.build_id, module->file.build_id_size));
        if (module->problem.what[0])
            json_line_put(&line, "problem",
                          json_of_text(diag_format(&module->problem, problem, sizeof(problem))));
        page_append_line(head, list, &line);
    }
    json_line_put(head, "missing", list);
}

void page_head_write(const struct output *o, struct json_line *head)
{
    char summary[VIEW_SUMMARY_MAX];

    put_title(o, head);
    json_line_put(head, "weight", json_string(WEIGHT_NAMES[o->view->weight]));
    json_line_put(head, "summary", json_of_text(view_summary(o->view, summary)));
    put_filters(o, head);
    put_caveats(o, head);
    if (o->quality) {
        put_quality(o->quality, head);
        put_carriers(&o->quality->own, "carriers", head);
        if (o->view->compare)
            put_base(o, head);
    }
    if (o->quality && o->quality->modules)
        put_missing(o->quality->modules, head);
}
