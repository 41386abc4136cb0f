/* SPDX-License-Identifier: MIT */
#include "graph/calltrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

#define BUFFER_SIZE 65536 /* bytes; a longer line is no record */

struct trace_callee {
    uint32_t frame; /* in the profile */
    uint32_t open;  /* entries without exit */
};

struct open_call {
    uint32_t callee; /* in callees */
    uint32_t node;   /* in the profile's trie; TRIE_NONE: on no path */
    uint32_t depth;  /* of the node */
};

struct tracer {
    const struct calltrace_options *options;
    struct profile *profile;
    struct calltrace *out;
    struct diag *diag;
    snap_read_fn *read;
    void *context;
    struct map callee_index; /* address -> index into callees */
    struct trace_callee *callees;
    size_t callee_count, callee_cap;
    struct map sites; /* address -> frame in the profile */
    struct open_call *stack;
    size_t depth, stack_cap;
    uint64_t too_deep; /* open calls beyond CALLTRACE_DEPTH_MAX */
    uint64_t *counts;  /* by trie node, like profile->first_call */
    size_t count_cap, first_cap, node_count;
    char buffer[BUFFER_SIZE];
    size_t pos, len;
    bool skipping; /* within a line that is too long; rest is skipped */
};

static enum status fault(struct tracer *t, struct calltrace_faults *faults, const char *what,
                         const char *line, size_t size)
{
    char copy[80];
    char *clean;

    if (faults->count++ > 0)
        return STATUS_OK;
    faults->line = t->out->lines;
    size = size < sizeof(copy) - 1 ? size : sizeof(copy) - 1;
    memcpy(copy, line, size);
    copy[size] = '\0';
    clean = text_clean(copy, TEXT_REPLACE_CONTROLS);
    if (!clean)
        return STATUS_NO_MEMORY;
    snprintf(faults->text, sizeof(faults->text), "%s '%.60s'", what, clean);
    free(clean);
    return STATUS_OK;
}

static bool is_in_code(const struct tracer *t, uint64_t vaddr)
{
    uint64_t start, end;

    return elf_image_exec_range(t->options->module->image, vaddr, &start, &end) == STATUS_OK;
}

/*
 * Finds the frame of a callee or of a call site, which is looked up one byte before, like a caller.
 * *inside: the address is in code.
 */
static enum status find_frame(struct tracer *t, uint64_t addr, bool is_call, uint32_t *id,
                              bool *inside)
{
    uint64_t code = is_call ? addr : addr & ~t->options->isa_bit;
    struct frame frame = {.pc_addr = code, .is_call = is_call};
    uint64_t vaddr = code - t->options->load_bias - is_call;

    *inside = is_in_code(t, vaddr);
    if (*inside) {
        frame.module = t->options->module;
        frame.lookup_vaddr = vaddr;
        frame.vaddr_known = true;
    }
    return profile_frame(t->profile, &frame, id);
}

static enum status count_address(struct tracer *t)
{
    if (t->callee_count + map_len(&t->sites) < CALLTRACE_ADDRESSES_MAX)
        return STATUS_OK;
    diag_set(t->diag, t->options->name,
             "has more than %u addresses of code up to line %" PRIu64 ": it is of no program",
             CALLTRACE_ADDRESSES_MAX, t->out->lines);
    return STATUS_BAD_DATA;
}

static enum status find_callee(struct tracer *t, uint64_t addr, uint32_t *id)
{
    uint64_t *known = map_get(&t->callee_index, addr);
    struct trace_callee callee = {.open = 0};
    enum status status;
    bool inside;

    if (known) {
        *id = (uint32_t)*known;
        return STATUS_OK;
    }
    status = count_address(t);
    if (status == STATUS_OK)
        status = find_frame(t, addr, false, &callee.frame, &inside);
    if (status != STATUS_OK)
        return status;
    if (vec_reserve(&t->callees, &t->callee_cap, t->callee_count + 1, sizeof(*t->callees)) !=
            STATUS_OK ||
        !map_put(&t->callee_index, addr, t->callee_count))
        return STATUS_NO_MEMORY;
    *id = (uint32_t)t->callee_count;
    t->callees[t->callee_count++] = callee;
    t->out->functions++;
    t->out->functions_outside += !inside;
    return STATUS_OK;
}

static enum status find_site(struct tracer *t, uint64_t addr, uint32_t *frame)
{
    uint64_t *known = map_get(&t->sites, addr);
    enum status status;
    bool inside;

    if (known) {
        *frame = (uint32_t)*known;
        return STATUS_OK;
    }
    status = count_address(t);
    if (status == STATUS_OK)
        status = find_frame(t, addr, true, frame, &inside);
    if (status != STATUS_OK)
        return status;
    return map_put(&t->sites, addr, *frame) ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Sets *node to the node of `frame` below `parent`, added if there are below `most`; else NONE. */
static enum status follow(struct tracer *t, uint32_t parent, uint32_t frame, size_t most,
                          uint32_t *node)
{
    struct profile *profile = t->profile;
    enum status status;

    *node = trie_find(&profile->trie, parent, frame);
    if (*node != TRIE_NONE || profile->trie.len >= most)
        return STATUS_OK;
    status = profile_step(profile, parent, frame, node);
    if (status == STATUS_OK)
        status = vec_reserve(&t->counts, &t->count_cap, profile->trie.len, sizeof(*t->counts));
    if (status == STATUS_OK)
        status = vec_reserve(&profile->first_call, &t->first_cap, profile->trie.len,
                             sizeof(*profile->first_call));
    if (status != STATUS_OK)
        return status;
    for (; t->node_count < profile->trie.len; t->node_count++)
        t->counts[t->node_count] = profile->first_call[t->node_count] = 0;
    return STATUS_OK;
}

/*
 * Finds the path of a call of `frame`: below the innermost open call or, with `caller` or where
 * paths are too long or many, anew below the caller.
 */
static enum status find_path(struct tracer *t, uint32_t caller, uint32_t frame,
                             struct open_call *call)
{
    const struct open_call *top = t->depth ? &t->stack[t->depth - 1] : NULL;
    uint32_t parent = top ? top->node : TRIE_ROOT;
    enum status status = STATUS_OK;

    call->node = TRIE_NONE;
    call->depth = top ? top->depth + 1 : 1;
    if (caller == UINT32_MAX && parent != TRIE_NONE && call->depth <= CALLTRACE_PATH_MAX)
        status = follow(t, parent, frame, CALLTRACE_PATHS_MAX, &call->node);
    if (status != STATUS_OK || call->node != TRIE_NONE)
        return status;
    if (caller == UINT32_MAX && top) {
        t->out->begun_anew++;
        caller = t->callees[top->callee].frame;
    }
    call->depth = 2;
    parent = TRIE_ROOT;
    if (caller != UINT32_MAX)
        status = follow(t, TRIE_ROOT, caller, 2 * CALLTRACE_PATHS_MAX, &parent);
    if (status == STATUS_OK && parent != TRIE_NONE)
        status = follow(t, parent, frame, 2 * CALLTRACE_PATHS_MAX, &call->node);
    return status;
}

static void count_call(struct tracer *t, uint32_t node)
{
    t->out->calls++;
    if (node == TRIE_NONE) {
        t->out->left_out++;
        return;
    }
    if (t->counts[node]++ == 0)
        t->profile->first_call[node] = t->out->calls;
    t->profile->last_call = node;
}

static enum status on_entry(struct tracer *t, uint64_t addr)
{
    struct open_call call;
    enum status status;

    if (t->depth + t->too_deep >= t->out->max_depth)
        t->out->max_depth = t->depth + t->too_deep + 1;
    if (t->depth >= CALLTRACE_DEPTH_MAX) {
        t->too_deep++;
        count_call(t, TRIE_NONE);
        return STATUS_OK;
    }
    status = find_callee(t, addr, &call.callee);
    if (status == STATUS_OK)
        status = find_path(t, UINT32_MAX, t->callees[call.callee].frame, &call);
    if (status == STATUS_OK)
        status = vec_reserve(&t->stack, &t->stack_cap, t->depth + 1, sizeof(*t->stack));
    if (status != STATUS_OK)
        return status;
    count_call(t, call.node);
    t->callees[call.callee].open++;
    t->stack[t->depth++] = call;
    return STATUS_OK;
}

static enum status on_exit_line(struct tracer *t, uint64_t addr, const char *line, size_t size)
{
    uint64_t *known = map_get(&t->callee_index, addr);
    bool is_open = known && t->callees[*known].open > 0;

    if (t->too_deep > 0) { /* the function is not known */
        t->too_deep--;
        return STATUS_OK;
    }
    if (!is_open)
        return fault(t, &t->out->unpaired, "the function is not open at", line, size);
    for (bool found = false, first = true; !found; first = false) {
        uint32_t callee = t->stack[--t->depth].callee;

        t->callees[callee].open--;
        found = callee == *known;
        if (first && !found &&
            fault(t, &t->out->unpaired, "functions called from it wrote no exit before", line,
                  size) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

static enum status on_pair(struct tracer *t, const struct calltrace_record *record)
{
    struct open_call call;
    uint32_t callee, site;
    enum status status = find_callee(t, record->callee_addr, &callee);

    if (status == STATUS_OK)
        status = find_site(t, record->site_addr, &site);
    if (status == STATUS_OK)
        status = find_path(t, site, t->callees[callee].frame, &call);
    if (status == STATUS_OK)
        count_call(t, call.node);
    return status;
}

static enum status on_line(struct tracer *t, const char *line, size_t size)
{
    struct calltrace_record record = calltrace_parse(line, size);
    bool is_pair = record.kind == CALLTRACE_PAIR;

    if (record.kind == CALLTRACE_NONE && calltrace_is_empty(line, size))
        return STATUS_OK;
    if (record.kind != CALLTRACE_NONE && t->out->calls == 0 && t->out->unpaired.count == 0)
        t->out->has_pairs = is_pair; /* all records are of the first one's kind */
    if (record.kind == CALLTRACE_NONE || is_pair != t->out->has_pairs)
        return fault(t, &t->out->bad,
                     record.kind == CALLTRACE_NONE ? "is no record:"
                                                   : "is of another kind than those before:",
                     line, size);
    if (is_pair)
        return on_pair(t, &record);
    if (record.kind == CALLTRACE_ENTRY)
        return on_entry(t, record.callee_addr);
    return on_exit_line(t, record.callee_addr, line, size);
}

/* Takes all whole lines of the buffer; moves the rest to its beginning. */
static enum status take_lines(struct tracer *t)
{
    enum status status = STATUS_OK;
    char *newline;

    while (status == STATUS_OK &&
           (newline = memchr(t->buffer + t->pos, '\n', t->len - t->pos)) != NULL) {
        const char *line = t->buffer + t->pos;

        t->pos = (size_t)(newline + 1 - t->buffer);
        if (t->skipping) {
            t->skipping = false;
            continue;
        }
        t->out->lines++;
        status = on_line(t, line, (size_t)(newline - line));
    }
    if (t->pos == 0 && t->len == sizeof(t->buffer) && status == STATUS_OK) {
        if (!t->skipping) {
            t->out->lines++;
            status = fault(t, &t->out->bad, "is longer than any record:", t->buffer, t->len);
        }
        t->skipping = true;
        t->pos = t->len;
    }
    memmove(t->buffer, t->buffer + t->pos, t->len - t->pos);
    t->len -= t->pos;
    t->pos = 0;
    return status;
}

static enum status read_lines(struct tracer *t)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK) {
        int64_t n = t->read(t->context, t->buffer + t->len, sizeof(t->buffer) - t->len);

        if (n < 0) {
            diag_set(t->diag, t->options->name, "%s", strerror((int)-n));
            return STATUS_IO;
        }
        if (n == 0)
            break;
        t->len += (size_t)n;
        status = take_lines(t);
    }
    t->out->cut_short = status == STATUS_OK && !t->skipping && t->len > 0;
    return status;
}

enum status calltrace_read(snap_read_fn *read, void *context,
                           const struct calltrace_options *options, struct profile *profile,
                           struct calltrace *out, struct diag *diag)
{
    struct tracer *t = calloc(1, sizeof(*t));
    enum status status, added;
    uint32_t thread;

    *out = (struct calltrace){.lines = 0};
    if (!t)
        return STATUS_NO_MEMORY;
    t->options = options;
    t->profile = profile;
    t->out = out;
    t->diag = diag;
    t->read = read;
    t->context = context;
    status = read_lines(t);
    out->left_open = t->depth + t->too_deep;
    added = profile_thread(profile, 0, 0, text_basename(options->module->file.path), &thread);
    if (added == STATUS_OK)
        added = profile_calls(profile, thread, t->counts, t->node_count);
    map_deinit(&t->callee_index);
    map_deinit(&t->sites);
    free(t->callees);
    free(t->stack);
    free(t->counts);
    free(t);
    return added != STATUS_OK ? added : status;
}
