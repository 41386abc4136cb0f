/* SPDX-License-Identifier: MIT */
#include "threads/chain_ends.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"
#include "threads/runtime.h"

#define PREFIX_MAX 16  /* frames of pthread_create and what it calls */
#define CLONE_SIZE 128 /* bytes of clone from its system call on */

enum phase {
    PHASE_OUTSIDE, /* so far only frames of the C library */
    PHASE_CLONED,  /* the next frame is the C library's start of each thread */
    PHASE_ENTERED, /* behind a trampoline of another library */
    PHASE_STARTED, /* start was found, named was not */
    PHASE_NAMED,
};

struct chain_marks { /* facts about frames, found before the pass */
    const struct profile *profile;
    bool has_c_library; /* some frame is in a C library; else that is linked into the program */
    bool *around;       /* by frame: nameless, between clone and the caller of pthread_create */
    struct map cloning; /* module and address / CLONE_SIZE -> the least address of a system call */
};

uint32_t chain_ends_function_id(const struct profile *profile, uint32_t frame)
{
    const struct places *places = profile->places[frame];

    return places->list[places->count - 1].function;
}

const struct function *chain_ends_function(const struct profile *profile, uint32_t frame)
{
    return names_function(profile->names, chain_ends_function_id(profile, frame));
}

const char *chain_ends_name(const struct profile *profile, uint32_t frame)
{
    const struct place *place = chain_ends_place(profile, frame);

    return place ? names_function(profile->names, place->function)->name
                 : chain_ends_function(profile, frame)->name;
}

bool chain_ends_is_language(const struct profile *profile, const struct place *place)
{
    const struct function *function = names_function(profile->names, place->function);

    return runtime_is_language_function(function->name, place->file) ||
           runtime_is_language_library(function->module) ||
           (place->file && runtime_is_language_file(place->file));
}

const struct place *chain_ends_place(const struct profile *profile, uint32_t frame)
{
    const struct places *places = profile->places[frame];

    for (uint32_t i = places->count; i-- > 0;)
        if (!chain_ends_is_language(profile, &places->list[i]))
            return &places->list[i];
    return NULL;
}

bool chain_ends_is_complete(enum stop_reason stop)
{
    return stop == STOP_THREAD_START || stop == STOP_UNDEFINED_RA || stop == STOP_STACK_END;
}

uint64_t chain_ends_hash(uint64_t before, const struct module *module, uint64_t addr)
{
    /* Code made at run time is elsewhere in each run. */
    if (!module || module->kind == MODULE_ANON || module->kind == MODULE_JIT)
        return hash_words(before, 0);
    if (module->file.build_id_size)
        for (size_t i = 0; i < module->file.build_id_size; i++)
            before = hash_words(before, module->file.build_id[i]);
    else
        before = hash_words(before, hash_text(text_basename(module->file.path)));
    return hash_words(before, addr);
}

static uint64_t cloning_key(const struct module *module, uint64_t addr)
{
    return hash_words((uintptr_t)module, addr / CLONE_SIZE);
}

/* Notes the address of the system call that makes threads: the maker's innermost frame. */
static enum status mark_cloning(struct chain_marks *marks, uint32_t chain)
{
    uint32_t leaf = marks->profile->chains[chain].leaf;
    const struct profile_frame *frame;
    uint64_t *least;

    if (leaf == TRIE_ROOT)
        return STATUS_OK;
    frame = &marks->profile->frames[marks->profile->trie.nodes[leaf].key];
    least = map_put(&marks->cloning, cloning_key(frame->module, frame->addr), frame->addr);
    if (least && *least > frame->addr)
        *least = frame->addr;
    return least ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Whether a frame is clone: a new thread's first call is close behind the maker's system call. */
static bool is_cloning(const struct chain_marks *marks, uint32_t frame)
{
    static const char *const names[] = {"clone", "clone3"};
    const struct function *function = chain_ends_function(marks->profile, frame);
    const struct profile_frame *info = &marks->profile->frames[frame];

    for (size_t i = 0; function->has_name && i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(function->name + strspn(function->name, "_"), names[i]) == 0)
            return true;
    for (uint64_t back = 0; back <= CLONE_SIZE && back <= info->addr; back += CLONE_SIZE) {
        const uint64_t *at = map_get(&marks->cloning, cloning_key(info->module, info->addr - back));

        if (at && info->addr >= *at && info->addr - *at < CLONE_SIZE)
            return true;
    }
    return false;
}

/* Up to PREFIX_MAX frames, innermost first. */
static size_t innermost(const struct profile *profile, uint32_t chain, uint32_t *frames)
{
    uint32_t node = profile->chains[chain].leaf;
    size_t count = 0;

    for (; node != TRIE_ROOT && count < PREFIX_MAX; node = profile->trie.nodes[node].parent)
        frames[count++] = profile->trie.nodes[node].key;
    return count;
}

/*
 * Where the C library is linked into a program without names: the innermost frames that all
 * creation chains have in common are pthread_create and its callees. One chain alone does not tell
 * where they end: then all its frames are marked.
 */
static void mark_around(struct chain_marks *marks, const uint32_t *chains, size_t count)
{
    uint32_t common[PREFIX_MAX], frames[PREFIX_MAX];
    size_t length = count ? innermost(marks->profile, chains[0], common) : 0;

    for (size_t i = 1; i < count; i++) {
        size_t have = innermost(marks->profile, chains[i], frames), same = 0;

        while (same < length && same < have && frames[same] == common[same])
            same++;
        length = same;
    }
    for (size_t i = 0; i < length; i++)
        marks->around[common[i]] = true;
    if (count != 1)
        return;
    for (uint32_t node = marks->profile->chains[chains[0]].leaf; node != TRIE_ROOT;
         node = marks->profile->trie.nodes[node].parent)
        marks->around[marks->profile->trie.nodes[node].key] = true;
}

/* Sets *out to the distinct chains that made threads, not processes; the caller frees it. */
static enum status creation_chains(const struct history *history, const struct profile *profile,
                                   uint32_t **out, size_t *count)
{
    bool *seen = calloc(profile->chain_count + 1, sizeof(*seen));

    *count = 0;
    *out = calloc(history->thread_count + 1, sizeof(**out));
    for (size_t i = 0; seen && *out && i < history->thread_count; i++) {
        uint32_t chain = history->threads[i].creation_chain;

        if (chain == HISTORY_NONE || history->threads[i].is_main || seen[chain])
            continue;
        seen[chain] = true;
        (*out)[(*count)++] = chain;
    }
    free(seen);
    return seen && *out ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status marks_init(struct chain_marks *marks, const struct history *history)
{
    const struct profile *profile = marks->profile;
    uint32_t *chains = NULL;
    size_t count;
    enum status status = creation_chains(history, profile, &chains, &count);

    marks->around = calloc(profile->frame_count + 1, sizeof(*marks->around));
    if (!marks->around)
        status = STATUS_NO_MEMORY;
    for (size_t i = 0; i < profile->frame_count; i++)
        marks->has_c_library |= runtime_is_c_library(profile->frames[i].module);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = mark_cloning(marks, chains[i]);
    if (status == STATUS_OK && !marks->has_c_library)
        mark_around(marks, chains, count);
    free(chains);
    return status;
}

static void marks_deinit(struct chain_marks *marks)
{
    free(marks->around);
    map_deinit(&marks->cloning);
}

/* Takes the frame behind the C library's for the start routine's, unless it is a trampoline. */
static void enter(const struct chain_marks *marks, struct chain_end *end, uint32_t frame)
{
    if (end->phase != PHASE_ENTERED &&
        runtime_has_trampoline(marks->profile->frames[frame].module)) {
        end->phase = PHASE_ENTERED;
        return;
    }
    end->start = frame;
    end->phase = PHASE_STARTED;
}

/* The outermost frames of a chain; `is_first`: the outermost of all. */
static void take_start(const struct chain_marks *marks, struct chain_end *end, uint32_t frame,
                       bool is_first)
{
    const struct function *function = chain_ends_function(marks->profile, frame);

    if (end->phase == PHASE_CLONED) {
        end->phase = PHASE_OUTSIDE;
        return;
    }
    if (end->phase == PHASE_OUTSIDE && runtime_is_c_library(marks->profile->frames[frame].module))
        return;
    if (is_first && is_cloning(marks, frame)) {
        end->phase = PHASE_CLONED;
        return;
    }
    if (!marks->has_c_library && end->phase == PHASE_OUTSIDE) {
        if (function->has_name && runtime_is_c_function(function->name))
            return;
        /* In all C libraries clone calls one function, and that calls the start routine. */
        if (is_first && !function->has_name && map_len(&marks->cloning) == 0) {
            end->phase = PHASE_CLONED;
            end->inferred = true;
            return;
        }
    }
    enter(marks, end, frame);
}

/* Takes the frame if it has a place of the program itself. */
static void take_named(const struct chain_marks *marks, struct chain_end *end, uint32_t frame)
{
    const struct module *module = marks->profile->frames[frame].module;

    if (!chain_ends_place(marks->profile, frame) || runtime_is_c_library(module) ||
        runtime_is_thread_library(module))
        return;
    end->named = frame;
    end->phase = PHASE_NAMED;
}

static bool is_program(const struct chain_marks *marks, uint32_t frame)
{
    const struct module *module = marks->profile->frames[frame].module;
    const struct function *function = chain_ends_function(marks->profile, frame);

    if (runtime_is_c_library(module) || runtime_is_thread_library(module) ||
        !chain_ends_place(marks->profile, frame))
        return false;
    if (marks->has_c_library)
        return true;
    return function->has_name ? !runtime_is_c_function(function->name) : !marks->around[frame];
}

/* Adds a frame to the chain that `end` is of. */
static void take(const struct chain_marks *marks, struct chain_end *end, uint32_t frame,
                 bool is_first)
{
    const struct profile_frame *info = &marks->profile->frames[frame];

    if (!runtime_is_c_library(info->module) && !runtime_is_thread_library(info->module))
        end->hash = chain_ends_hash(end->hash, info->module, info->addr);
    if (is_program(marks, frame))
        end->site = frame;
    if (end->phase < PHASE_STARTED)
        take_start(marks, end, frame, is_first);
    if (end->phase == PHASE_STARTED)
        take_named(marks, end, frame);
}

enum status chain_ends_create(const struct history *history, const struct profile *profile,
                              struct chain_ends *out)
{
    const struct trie *trie = &profile->trie;
    struct chain_marks marks = {.profile = profile};
    enum status status = marks_init(&marks, history);
    struct chain_end *list = calloc(trie->len, sizeof(*list));

    *out = (struct chain_ends){.list = list};
    if (!list)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        list[TRIE_ROOT] = (struct chain_end){.start = CHAIN_ENDS_NONE,
                                             .named = CHAIN_ENDS_NONE,
                                             .site = CHAIN_ENDS_NONE};
    /* A parent comes before its children. */
    for (size_t i = 1; i < trie->len && status == STATUS_OK; i++) {
        list[i] = list[trie->nodes[i].parent];
        take(&marks, &list[i], trie->nodes[i].key, trie->nodes[i].parent == TRIE_ROOT);
    }
    marks_deinit(&marks);
    return status;
}

void chain_ends_deinit(struct chain_ends *ends)
{
    free(ends->list);
    ends->list = NULL;
}
