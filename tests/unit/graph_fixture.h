/* SPDX-License-Identifier: MIT */
/*
 * A profile made by hand for the tests of graph/: functions by alias, chains as text.
 *
 *     fixture_add(&fixture, "worker", 8, "start main f/4 g!fp", 3);
 *
 * adds 3 samples of thread 8, "worker": outermost first, "/4" is an offset in the function (in hex;
 * its line is the function's first line + offset), "!fp" the trust. The default is eh_frame, for
 * the innermost context.
 */
#ifndef TESTS_GRAPH_FIXTURE_H
#define TESTS_GRAPH_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/callgraph.h"
#include "graph/profile.h"
#include "golden_fixture.h"
#include "graph/view.h"

#define FIXTURE_SIZE  0x1000 /* of every function */
#define FIXTURE_DEPTH 70000

struct fixture_function {
    const char *alias; /* NULL ends the table */
    uint32_t module;
    uint64_t start;
    const char *name; /* NULL: has no name */
    const char *file;
    uint32_t line;
    const char *inlined; /* inlined at offsets from 0x800; NULL: nothing is */
    bool no_start;
};

struct fixture {
    const struct fixture_function *functions;
    struct module modules[4];
    struct source_frame frames[2];
    struct source_frames answer;
    unsigned lookups;
    /* The symbol of the function there has no size; behind so much another one begins. */
    uint64_t unsized_vaddr, unsized_size;
    uint64_t inlined_real_vaddr; /* where what is inlined has its real function; 0: not known */
    bool compare;                /* with the baseline: what fixture_add_base adds */
    bool inverted, relative;     /* as in struct view_options */
    struct names *names;
    struct profile *profile;
    struct view *view;
};

static inline enum status fixture_lookup(void *context, struct module *module, uint64_t vaddr,
                                         const struct source_frames **out)
{
    struct fixture *fixture = context;
    struct source_frame *frame = fixture->frames;

    fixture->lookups++;
    fixture->answer = (struct source_frames){.frames = fixture->frames};
    for (const struct fixture_function *f = fixture->functions; f->alias; f++) {
        uint64_t offset = vaddr - f->start;

        if (f->module != module->id || offset >= FIXTURE_SIZE)
            continue;
        if (f->inlined && offset >= 0x800)
            *frame++ = (struct source_frame){.function = f->inlined,
                                             .file = f->file,
                                             .line = 900,
                                             .is_inline = true,
                                             .real_vaddr = fixture->inlined_real_vaddr};
        *frame++ = (struct source_frame){.function = f->name,
                                         .raw_function = f->name,
                                         .file = f->file,
                                         .line = f->line ? f->line + (uint32_t)offset : 0};
        fixture->answer.function_vaddr = f->start;
        fixture->answer.has_function = f->name && !f->no_start;
        fixture->answer.is_unsized = f->start == fixture->unsized_vaddr;
        break;
    }
    if (frame == fixture->frames)
        *frame++ = (struct source_frame){0};
    fixture->answer.count = (size_t)(frame - fixture->frames);
    *out = &fixture->answer;
    return STATUS_OK;
}

/* Knows the range of the functions that have a start. */
static inline enum status fixture_range(void *context, struct module *module, uint64_t vaddr,
                                        uint64_t *start, uint64_t *end)
{
    struct fixture *fixture = context;

    for (const struct fixture_function *f = fixture->functions; f->alias; f++) {
        if (f->module == module->id && vaddr - f->start < FIXTURE_SIZE && !f->no_start) {
            *start = f->start;
            if (f->start == fixture->unsized_vaddr && vaddr - f->start >= fixture->unsized_size)
                *start += fixture->unsized_size;
            *end = f->start + FIXTURE_SIZE;
            return STATUS_OK;
        }
    }
    return STATUS_NOT_FOUND;
}

static inline void fixture_init(struct fixture *fixture, const struct fixture_function *functions)
{
    static char *const paths[] = {"/usr/bin/prog", "/usr/lib/libc.so.6", "/opt/libx.so", "[anon]"};
    struct names_source source = {fixture_lookup, fixture_range, fixture};

    *fixture = (struct fixture){.functions = functions};
    for (uint32_t i = 0; i < 4; i++)
        fixture->modules[i] =
            (struct module){.id = i, .kind = MODULE_FILE, .state = MODULE_OPEN, .path = paths[i]};
    fixture->modules[3].kind = MODULE_ANON;
    assert_int_equal(names_create_from(&source, &fixture->names), STATUS_OK);
    assert_int_equal(profile_create(&fixture->profile), STATUS_OK);
}

static inline void fixture_deinit(struct fixture *fixture)
{
    view_destroy(fixture->view);
    profile_destroy(fixture->profile);
    names_destroy(fixture->names);
}

static inline enum trust fixture_trust(const char *name)
{
    for (enum trust trust = 0; trust < TRUST_COUNT; trust++)
        if (strcmp(trust_name(trust), name) == 0)
            return trust;
    fail_msg("no trust '%s'", name);
    return TRUST_CONTEXT;
}

/*
 * "alias", "alias/off", "alias!trust"; "@addr": in no mapping; "anon@addr": in [anon];
 * "lib@offset": in libx.so, whose file is missing.
 */
static inline struct frame fixture_frame(struct fixture *fixture, char *token, bool innermost)
{
    struct frame frame = {.is_call = !innermost,
                          .trust = innermost ? TRUST_CONTEXT : TRUST_EH_FRAME};
    char *mark = strchr(token, '!');
    uint64_t offset = 0x10;

    if (mark) {
        *mark = '\0';
        frame.trust = fixture_trust(mark + 1);
    }
    mark = strchr(token, '@');
    if (mark) {
        frame.pc_addr = strtoull(mark + 1, NULL, 16);
        frame.lookup_vaddr = frame.pc_addr - frame.is_call;
        if (mark > token)
            frame.module = &fixture->modules[*token == 'a' ? 3 : 2];
        return frame;
    }
    mark = strchr(token, '/');
    if (mark) {
        *mark = '\0';
        offset = strtoull(mark + 1, NULL, 16);
    }
    for (const struct fixture_function *f = fixture->functions; f->alias; f++) {
        if (strcmp(f->alias, token) == 0) {
            frame.module = &fixture->modules[f->module];
            frame.vaddr_known = true;
            frame.lookup_vaddr = f->start + offset;
            frame.pc_addr = 0x550000000000 + frame.lookup_vaddr + frame.is_call;
            return frame;
        }
    }
    fail_msg("no function '%s'", token);
    return frame;
}

/* The chain is yours to chain_deinit. */
static inline struct chain fixture_chain(struct fixture *fixture, const char *text)
{
    char *copy = strdup(text);
    char *tokens[64];
    struct chain chain = {.stop = STOP_THREAD_START};
    char *rest = NULL;

    for (char *t = strtok_r(copy, " ", &rest); t; t = strtok_r(NULL, " ", &rest))
        tokens[chain.count++] = t;
    chain.cap = chain.count;
    chain.frames = calloc(chain.count + 1, sizeof(*chain.frames));
    for (size_t i = 0; i < chain.count; i++)
        chain.frames[i] = fixture_frame(fixture, tokens[chain.count - 1 - i], i == 0);
    free(copy);
    return chain;
}

/* With the state of a thread and any weights. */
static inline void fixture_weigh(struct fixture *fixture, const char *thread, uint32_t tid,
                                 const char *text, char state, struct weights weights)
{
    struct chain chain = fixture_chain(fixture, text);
    uint32_t thread_id;
    uint32_t chain_id;

    assert_int_equal(profile_thread(fixture->profile, 7, tid, thread, &thread_id), STATUS_OK);
    assert_int_equal(profile_chain(fixture->profile, &chain, NULL, &chain_id), STATUS_OK);
    fixture->profile->chains_unwound++;
    assert_int_equal(profile_weigh(fixture->profile, thread_id, chain_id, state, &weights),
                     STATUS_OK);
    chain_deinit(&chain);
}

static inline void fixture_add(struct fixture *fixture, const char *thread, uint32_t tid,
                               const char *text, uint64_t samples)
{
    fixture_weigh(fixture, thread, tid, text, 'R',
                  (struct weights){.value = {samples, samples * 1000, samples * 10}});
}

/* One sample with a chain as deep as can be, of two functions that call each other. */
static inline void fixture_add_deepest(struct fixture *fixture, const char *one, const char *other)
{
    const struct weights weights = {.value = {1, 1000, 10}};
    struct chain chain = {.frames = calloc(CHAIN_DEPTH_MAX, sizeof(*chain.frames)),
                          .count = CHAIN_DEPTH_MAX,
                          .cap = CHAIN_DEPTH_MAX,
                          .stop = STOP_DEPTH};
    uint32_t thread_id;
    uint32_t chain_id;

    for (size_t i = 0; i < chain.count; i++) {
        char alias[16];

        snprintf(alias, sizeof(alias), "%s", i % 2 ? one : other);
        chain.frames[i] = fixture_frame(fixture, alias, i == 0);
    }
    assert_int_equal(profile_thread(fixture->profile, 7, 1, "deep", &thread_id), STATUS_OK);
    assert_int_equal(profile_chain(fixture->profile, &chain, NULL, &chain_id), STATUS_OK);
    assert_int_equal(profile_weigh(fixture->profile, thread_id, chain_id, 'R', &weights),
                     STATUS_OK);
    chain_deinit(&chain);
}

static inline void fixture_add_base(struct fixture *fixture, const char *thread, uint32_t tid,
                                    const char *text, uint64_t samples)
{
    profile_weigh_base(fixture->profile, true);
    fixture_add(fixture, thread, tid, text, samples);
    profile_weigh_base(fixture->profile, false);
    fixture->compare = true;
}

static inline struct view *fixture_view(struct fixture *fixture, enum graph_by by,
                                        enum weight_kind weight, const struct graph_filter *filter)
{
    struct view_options options = {.by = by,
                                   .weight = weight,
                                   .filter = filter,
                                   .compare = fixture->compare,
                                   .inverted = fixture->inverted,
                                   .relative = fixture->relative};

    view_destroy(fixture->view);
    fixture->view = NULL;
    assert_int_equal(profile_resolve(fixture->profile, fixture->names), STATUS_OK);
    assert_int_equal(view_create(fixture->profile, &options, &fixture->view), STATUS_OK);
    return fixture->view;
}

#endif
