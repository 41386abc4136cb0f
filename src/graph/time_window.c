/* SPDX-License-Identifier: MIT */
#include "graph/time_window.h"

bool time_window_begin(struct time_window *window, uint64_t time_ns)
{
    if (window->has_origin)
        return false;
    window->origin_ns = time_ns;
    window->has_origin = true;
    return true;
}

void time_window_end(struct time_window *window)
{
    window->has_origin = window->has_counted = false;
}

/* Returns the time since the first sample; 0 before it. */
static uint64_t since_origin(const struct time_window *window, uint64_t time_ns)
{
    return window->has_origin && time_ns > window->origin_ns ? time_ns - window->origin_ns : 0;
}

static bool is_behind(const struct time_window *window, uint64_t since_ns)
{
    return window->to_ns && since_ns >= window->to_ns;
}

bool time_window_has(const struct time_window *window, uint64_t time_ns)
{
    const uint64_t since_ns = since_origin(window, time_ns);

    return since_ns >= window->from_ns && !is_behind(window, since_ns);
}

uint64_t time_window_cut_end(const struct time_window *window, uint64_t time_ns)
{
    return is_behind(window, since_origin(window, time_ns)) ? 0 : time_ns;
}

static uint64_t at_most(uint64_t ns, uint64_t most_ns)
{
    return ns < most_ns ? ns : most_ns;
}

const struct snap_sample *time_window_cut(struct time_window *window,
                                          const struct snap_sample *sample, bool *counted,
                                          struct snap_sample *copy)
{
    const uint64_t since_ns = since_origin(window, sample->time_ns);

    if (since_ns > window->span_ns)
        window->span_ns = since_ns;
    if (!time_window_has(window, sample->time_ns)) {
        window->samples_outside++;
        return NULL;
    }
    if (window->from_ns == 0 || *counted)
        return sample;
    *counted = true;
    *copy = *sample;
    if (copy->repeat) /* may have changed since */
        copy->pointee_count = 0;
    copy->repeat = false;
    copy->wall_ns = at_most(copy->wall_ns, since_ns - window->from_ns);
    copy->cpu_ns = at_most(copy->cpu_ns, since_ns - window->from_ns);
    return copy;
}

void time_window_count(struct time_window *window, uint64_t time_ns)
{
    if (!window->has_counted || time_ns < window->first_ns)
        window->first_ns = time_ns;
    if (!window->has_counted || time_ns > window->last_ns)
        window->last_ns = time_ns;
    window->has_counted = true;
}
