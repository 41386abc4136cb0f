/* SPDX-License-Identifier: MIT */
#include "graph/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph/splits.h"
#include "graph/thread_state.h"

void graph_filter_deinit(struct graph_filter *filter)
{
    for (size_t i = 0; i < FILTER_COUNT; i++)
        if (filter->set[i]) {
            regfree(&filter->regex[i]);
            free(filter->pattern[i]);
        }
    free(filter->state_list);
    *filter = (struct graph_filter){0};
}

/* Parses a thread id: all digits, and not too large. */
static bool parse_tid(const char *text, uint32_t *tid)
{
    unsigned long long value;
    char *end;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (*end || errno || value > UINT32_MAX)
        return false;
    *tid = (uint32_t)value;
    return true;
}

enum status graph_filter_set(struct graph_filter *filter, enum filter_kind kind,
                             const char *pattern, struct diag *diag)
{
    regex_t regex;
    char why[128];
    char *copy;
    int error;

    if (kind == FILTER_THREAD) {
        filter->has_tid = parse_tid(pattern, &filter->tid);
        if (filter->has_tid)
            return STATUS_OK;
    }
    error = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);
    if (error) {
        regerror(error, &regex, why, sizeof(why));
        if (error == REG_ESPACE) {
            diag_set(diag, NULL, "the regular expression '%s': %s", pattern, why);
            return STATUS_NO_MEMORY;
        }
        diag_set(diag, NULL, "'%s' is not a regular expression: %s", pattern, why);
        return STATUS_BAD_DATA;
    }
    copy = strdup(pattern);
    if (!copy) {
        regfree(&regex);
        diag_set(diag, NULL, "%s", status_name(STATUS_NO_MEMORY));
        return STATUS_NO_MEMORY;
    }
    if (filter->set[kind]) {
        regfree(&filter->regex[kind]);
        free(filter->pattern[kind]);
    }
    filter->regex[kind] = regex;
    filter->pattern[kind] = copy;
    filter->set[kind] = true;
    return STATUS_OK;
}

static void add_state(struct graph_filter *filter, char state)
{
    size_t count = strlen(filter->states);

    if (!strchr(filter->states, state))
        filter->states[count] = state; /* there is room for all that exist, and zeroes behind */
}

/* Adds the states of a name; false: there is none. */
static bool add_states(struct graph_filter *filter, const char *name, size_t len)
{
    static const char all[] = "RQSDTtZXxIP"; /* snapshot/event.h */
    static const char blocked[] = "blocked";
    bool is_blocked = len == strlen(blocked) && strncmp(name, blocked, len) == 0;
    bool found = false;

    for (const char *state = all; *state; state++) {
        const char *known = thread_state_name(*state);
        bool is_it = strlen(known) == len && strncmp(name, known, len) == 0;

        if (!is_it && !(is_blocked && !snap_state_is_runnable(*state)))
            continue;
        add_state(filter, *state);
        found = true;
    }
    return found;
}

enum status graph_filter_set_states(struct graph_filter *filter, const char *list,
                                    struct diag *diag)
{
    char *copy = strdup(list);

    if (!copy) {
        diag_set(diag, NULL, "%s", status_name(STATUS_NO_MEMORY));
        return STATUS_NO_MEMORY;
    }
    free(filter->state_list);
    filter->state_list = copy;
    filter->has_states = true;
    memset(filter->states, 0, sizeof(filter->states));
    for (const char *name = list;; name++) {
        size_t len = strcspn(name, ",");

        if (!add_states(filter, name, len)) {
            diag_set(diag, NULL,
                     "'%.*s' is no state: running, ready, blocked, sleeping, disk-sleep, stopped, "
                     "tracing-stop, zombie, dead, idle, parked",
                     (int)(len < 40 ? len : 40), name);
            return STATUS_BAD_DATA;
        }
        name += len;
        if (!*name)
            return STATUS_OK;
    }
}

bool graph_filter_text(const struct graph_filter *filter, enum filter_kind kind, const char *text)
{
    return filter->set[kind] && text && regexec(&filter->regex[kind], text, 0, NULL, 0) == 0;
}

bool graph_filter_thread(const struct graph_filter *filter, uint32_t tid, const char *name)
{
    if (filter->has_tid)
        return filter->tid == tid;
    return !filter->set[FILTER_THREAD] || graph_filter_text(filter, FILTER_THREAD, name);
}

bool graph_filter_state(const struct graph_filter *filter, char state)
{
    return !filter->has_states || (state && strchr(filter->states, state));
}

/* Returns whether the function's name, its file or its module's path matches. */
static bool match_place(const struct graph_filter *filter, enum filter_kind kind,
                        const struct names *names, const struct place *place)
{
    const struct function *function = names_function(names, place->function);

    return graph_filter_text(filter, kind, function->name) ||
           graph_filter_text(filter, kind, place->file) ||
           graph_filter_text(filter, kind, function->module ? function->module->file.path : NULL);
}

enum status graph_filter_chain(const struct graph_filter *filter, struct names *names,
                               const struct chain *chain, bool *passes)
{
    bool focus = !filter->set[FILTER_FOCUS];
    bool module = !filter->set[FILTER_MODULE];
    unsigned missing = filter->splits ? splits_all(filter->splits) : 0;

    for (size_t i = 0; i < chain->count && missing; i++)
        missing &= ~splits_passed(filter->splits, chain->frames[i].mark);
    *passes = focus && module && !missing;
    if (missing)
        return STATUS_OK;
    if (*passes && !filter->set[FILTER_IGNORE])
        return STATUS_OK;
    for (size_t i = 0; i < chain->count; i++) {
        const struct frame *frame = &chain->frames[i];
        const struct places *places;
        enum status status = names_find_frame(names, frame, &places);

        if (status != STATUS_OK)
            return status;
        if (!module && frame->module)
            module = graph_filter_text(filter, FILTER_MODULE, frame->module->file.path);
        for (uint32_t j = 0; j < places->count; j++) {
            focus = focus || match_place(filter, FILTER_FOCUS, names, &places->list[j]);
            if (match_place(filter, FILTER_IGNORE, names, &places->list[j])) {
                *passes = false;
                return STATUS_OK;
            }
        }
    }
    *passes = focus && module;
    return STATUS_OK;
}
