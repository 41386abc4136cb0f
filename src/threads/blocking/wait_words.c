/* SPDX-License-Identifier: MIT */
#include "threads/blocking/wait_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/label.h"
#include "base/plural.h"
#include "base/text.h"
#include "graph/amount.h"
#include "threads/chain_ends.h"
#include "threads/chain_words.h"
#include "threads/runtime.h"
#include "threads/waits/wait_functions.h"

static bool has_processes(const struct wait_words *words)
{
    for (size_t i = 1; i < words->history->process_count; i++)
        if (words->history->processes[i].pid != words->history->processes[0].pid)
            return true;
    return false;
}

char *wait_words_thread(const struct wait_words *words, uint32_t thread)
{
    const struct history_thread *t = &words->history->threads[thread];
    const struct identities *identities = words->identities;
    char *name = text_clean(history_thread_name(words->history, t), TEXT_REPLACE_CONTROLS);
    const char *identity = identities ? identities->list[identities->of_thread[thread]].name : NULL;
    char process[32] = "", *text = NULL;

    if (has_processes(words))
        snprintf(process, sizeof(process), " of process %" PRIu32, t->pid);
    if (name && asprintf(&text, "'%s' (tid %" PRIu32 "%s%s%s)", name, t->tid, process,
                         identity ? ", " : "", identity ? identity : "") < 0)
        text = NULL;
    free(name);
    return text;
}

static bool has_descriptor(enum wait_kind kind)
{
    return (kind >= WAIT_READ && kind <= WAIT_CONNECT) || kind == WAIT_FILE_LOCK;
}

/* "mutex queue->lock in worker (heap+0x12a0, recursive)": the place tells locks apart. */
static char *variable_text(const struct wait_object *o, const char *what)
{
    const char *detail = o->detail ? o->detail : "";
    char *text;

    if (asprintf(&text, "%s %s (%s%s%s)", what, o->variable, o->name, detail[0] ? ", " : "",
                 detail) < 0)
        return NULL;
    return text;
}

static char *object_text(const struct wait_object *o, const char *what, bool descriptor)
{
    const char *name = o->name ? o->name : "";
    const char *detail = o->detail && o->detail[0] ? o->detail : NULL;
    char *text = NULL;
    int length;

    if (o->variable && name[0])
        return variable_text(o, what);
    if (descriptor && strncmp(name, "descriptor ", strlen("descriptor ")) == 0)
        length = asprintf(&text, "%s of %s", what, name); /* no link was captured */
    else if (descriptor)
        length = asprintf(&text, "%s of descriptor %" PRIu32 "%s%s%s", what, o->fd,
                          name[0] ? " (" : "", name, name[0] ? ")" : "");
    else if (name[0])
        length = asprintf(&text, "%s %s%s%s%s", what, name, detail ? " (" : "",
                          detail ? detail : "", detail ? ")" : "");
    else
        length = asprintf(&text, "%s 0x%" PRIx64 "%s%s%s", what, o->addr, detail ? " (" : "",
                          detail ? detail : "", detail ? ")" : "");
    return length < 0 ? NULL : text;
}

/* Returns the last thread with the object's tid; HISTORY_NONE: none is known. */
static uint32_t joined_thread(const struct wait_words *words, const struct wait_object *o)
{
    const struct history *history = words->history;

    for (uint32_t i = (uint32_t)history->thread_count; o->tid && i-- > 0;)
        if (history->threads[i].tid == o->tid && history->threads[i].pid == o->pid)
            return i;
    return HISTORY_NONE;
}

/* "join 'worker' (tid 12, …)" */
static char *join_text(const struct wait_words *words, uint32_t thread)
{
    char *name = wait_words_thread(words, thread), *text = NULL;

    if (name && asprintf(&text, "join %s", name) < 0)
        text = NULL;
    free(name);
    return text;
}

static char *with_process(const struct wait_words *words, const struct wait_object *o, char *text)
{
    char *whole = NULL;

    if (!text || !has_processes(words))
        return text;
    if (asprintf(&whole, "%s of process %" PRIu32, text, o->pid) < 0)
        whole = NULL;
    free(text);
    return whole;
}

static char *name_object(const struct wait_words *words, const struct wait_object *o,
                         const char *what, enum wait_kind kind)
{
    uint32_t joined = kind == WAIT_JOIN ? joined_thread(words, o) : HISTORY_NONE;

    return joined != HISTORY_NONE
               ? join_text(words, joined)
               : with_process(words, o, object_text(o, what, has_descriptor(kind)));
}

char *wait_words_object(const struct wait_words *words, enum wait_kind kind, uint32_t object)
{
    return object == WAIT_NONE ? strdup(wait_kind_name(kind))
                               : name_object(words, &words->history->waits->objects[object],
                                             wait_kind_name(kind), kind);
}

char *wait_words_node(const struct wait_words *words, uint32_t object)
{
    const struct wait_object *o = &words->history->waits->objects[object];
    const char *what = wait_kind_name(o->kind);

    if (o->kind == WAIT_RWLOCK_READ || o->kind == WAIT_RWLOCK_WRITE)
        what = "rwlock";
    else if (o->kind == WAIT_RECEIVE)
        what = "queue";
    return name_object(words, o, what, o->kind);
}

char *wait_words_nodes(const struct wait_words *words, const struct wait_node *node)
{
    const struct wait_object *o = &words->history->waits->objects[node->object];
    char *text;

    if (node->joined < 2)
        return wait_words_node(words, node->object);
    if (asprintf(&text, "join %s \xc3\x97%" PRIu32,
                 identity_label(&words->graph->identities->list[node->identity]), node->joined) < 0)
        return NULL;
    return with_process(words, o, text);
}

char *wait_words_holder(const struct wait_words *words, const struct wait *wait, uint32_t owner)
{
    const char *inferred = wait->owner_evidence == WAIT_INFERRED ? " [inferred]" : "";
    char *text = NULL, *thread;
    int length;

    if (wait->doubt) {
        length = wait->owner_tid
                     ? asprintf(&text, "owner tid %" PRIu32 " [%s]", wait->owner_tid, wait->doubt)
                     : asprintf(&text, "%s[%s]", wait_is_lock(wait->kind) ? "owner not known " : "",
                                wait->doubt);
    } else if (wait->kind == WAIT_JOIN && owner != HISTORY_NONE) {
        return strdup(""); /* the object is the thread */
    } else if (wait->owner_tid && owner != HISTORY_NONE) {
        thread = wait_words_thread(words, owner);
        length = thread ? asprintf(&text, "held by %s%s", thread, inferred) : -1;
        free(thread);
    } else if (wait->owner_tid) {
        length = asprintf(&text, "owner tid %" PRIu32 "%s, which was not seen", wait->owner_tid,
                          inferred);
    } else if (wait->readers) {
        length = asprintf(&text, "held by %" PRIu32 " reader%s, which it does not name",
                          wait->readers, plural(wait->readers));
    } else {
        return strdup(wait_is_lock(wait->kind) ? "owner not known" : "");
    }
    return length < 0 ? NULL : text;
}

/* "name (file:line)" */
static char *place_text(const struct profile *profile, const struct place *place)
{
    const struct function *function = names_function(profile->names, place->function);
    char *clean = text_clean(function->name, TEXT_REPLACE_CONTROLS);
    char *file = text_clean(place->file ? text_basename(place->file) : "", TEXT_REPLACE_CONTROLS);
    char *name = clean ? label_shorten(clean) : NULL;
    char *text = NULL, *to = name;
    int length = -1;

    for (const char *from = name; name && *from; from++)
        if (*from != '\n')
            *to++ = *from;
    if (name)
        *to = '\0';
    if (name && file)
        length = place->file && place->line
                     ? asprintf(&text, "%s (%s:%" PRIu32 ")", name, file, place->line)
                     : asprintf(&text, "%s", name);
    free(clean);
    free(file);
    free(name);
    return length < 0 ? NULL : text;
}

/* The frames of a chain that are reported, by distance from the innermost. */
struct reported {
    size_t first, end;
    bool call; /* the first frame is a call of the C library, without functions inlined into it */
};

static const struct profile_frame *frame_at(const struct profile *profile, uint32_t node)
{
    return node == TRIE_ROOT ? NULL : &profile->frames[profile->trie.nodes[node].key];
}

static const struct function *function_at(const struct profile *profile, uint32_t node)
{
    return chain_ends_function(profile, profile->trie.nodes[node].key);
}

/* Whether a frame is one with which threads or programs begin, before their own functions. */
static bool is_beginning(const struct profile *profile, uint32_t node)
{
    const struct profile_frame *frame = frame_at(profile, node);
    const struct profile_frame *outer = frame_at(profile, profile->trie.nodes[node].parent);
    const struct function *function = function_at(profile, node);

    if (runtime_is_c_library(frame->module))
        return true;
    /* A program may have a function of this name; a library that is linked in is in one module. */
    return function->has_name && runtime_is_c_function(function->name) &&
           (function->name[0] == '_' || !outer || outer->module == frame->module);
}

/* Returns the number of innermost frames in the C library as a module of its own. */
static size_t skip_library(const struct profile *profile, uint32_t node)
{
    size_t count = 0;

    for (; node != TRIE_ROOT && runtime_is_c_library(frame_at(profile, node)->module);
         node = profile->trie.nodes[node].parent)
        count++;
    return count;
}

/* The same, by names, for a C library that is linked into the program; 0: they do not tell. */
static size_t skip_linked(const struct profile *profile, uint32_t node)
{
    const struct module *module = node == TRIE_ROOT ? NULL : frame_at(profile, node)->module;
    size_t count = 0;
    bool called = false;

    for (; node != TRIE_ROOT && frame_at(profile, node)->module == module;
         node = profile->trie.nodes[node].parent) {
        const struct function *function = function_at(profile, node);
        const char *name = function->has_name && function->raw_name ? function->raw_name : "";
        bool is_call = wait_functions_is_call(name);

        if (!is_call && (called || !wait_functions_is_inside(name)))
            break;
        called |= is_call;
        count++;
    }
    return called ? count : 0;
}

static struct reported find_known(const struct wait_words *words, uint32_t chain)
{
    const struct profile *profile = words->profile;
    uint32_t leaf = profile->chains[chain].leaf;
    struct reported reported = {0};
    size_t count = 0, calls;

    for (uint32_t node = leaf; node != TRIE_ROOT; node = profile->trie.nodes[node].parent) {
        count++;
        if (!words->whole_chains && !is_beginning(profile, node))
            reported.end = count;
    }
    if (words->whole_chains)
        return (struct reported){.end = count};
    calls = skip_library(profile, leaf);
    if (!calls)
        calls = skip_linked(profile, leaf);
    if (calls >= reported.end) /* all frames are the C library's */
        return (struct reported){.end = count};
    reported.call = calls > 0;
    reported.first = calls ? calls - 1 : 0;
    return reported;
}

/* Makes the words of a chain, without the functions inside a call of the C library. */
static enum status find_words(const struct wait_words *words, uint32_t chain,
                              struct chain_words *out)
{
    const struct profile *profile = words->profile;
    const struct reported reported = find_known(words, chain);
    uint32_t node = profile->chains[chain].leaf;
    enum status status = STATUS_OK;

    for (size_t at = 0; at < reported.end && status == STATUS_OK; at++) {
        uint32_t frame = profile->trie.nodes[node].key;
        bool is_call = reported.call && at == reported.first;

        if (at >= reported.first)
            status = chain_words_add(out, frame, is_call ? profile->places[frame]->count - 1 : 0);
        if (is_call && status == STATUS_OK) /* also if it is linked into the program */
            out->list[0].owner = CHAIN_C_LIBRARY;
        node = profile->trie.nodes[node].parent;
    }
    return status == STATUS_OK && !words->whole_chains ? chain_words_shorten(out) : status;
}

static enum status put_word(const struct wait_words *words, const struct chain_word *word,
                            wait_words_put *put, void *context)
{
    char *text = word->name ? NULL : place_text(words->profile, word->place);
    const char *shown = word->name ? word->name : text;
    enum status status =
        shown ? put(context, shown, word->owner == CHAIN_PROGRAM) : STATUS_NO_MEMORY;

    free(text);
    return status;
}

enum status wait_words_chain(const struct wait_words *words, uint32_t chain, wait_words_put *put,
                             void *context)
{
    struct chain_words found = {.profile = words->profile};
    enum status status = find_words(words, chain, &found);
    size_t rest = 0;

    for (size_t i = 0; i < found.count && status == STATUS_OK; i++) {
        if (i < WAIT_WORDS_FRAMES_MAX)
            status = put_word(words, &found.list[i], put, context);
        else
            rest += found.list[i].count;
    }
    if (status == STATUS_OK && rest) {
        char more[AMOUNT_TEXT_MAX + 16];

        snprintf(more, sizeof(more), "... and %zu more", rest);
        status = put(context, more, false);
    }
    chain_words_deinit(&found);
    return status;
}
