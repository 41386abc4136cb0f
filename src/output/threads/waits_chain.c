/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "output/threads/waits_writer.h"

#define ARROW      " \xe2\x86\x90 "
#define ARROW_WIDE 3

#define AMBIGUOUS 0

/*
 * A chain's words, and its head, by which it is shortened: the innermost word of the program and
 * the word that it called.
 */
struct gist {
    uint64_t hash; /* of all its words; not AMBIGUOUS */
    size_t width;  /* of them on one line */
    uint64_t head; /* hash of the head */
    size_t head_width;
    size_t head_end; /* words up to the program's; 0: there is none */
    size_t count;
    uint64_t last; /* hash of the last word */
    size_t last_width;
};

struct put_head {
    struct waits_writer *w;
    size_t end, at; /* in words */
};

static enum status put_function(void *context, const char *text, bool is_program)
{
    struct waits_writer *w = context;

    (void)is_program;
    report_text_put(&w->text, ARROW, text);
    return STATUS_OK;
}

static enum status take_function(void *context, const char *text, bool is_program)
{
    struct gist *gist = context;
    uint64_t hash = keyed_text(text);
    size_t width = report_text_width(text);

    gist->count++;
    gist->hash = keyed_words(gist->hash, hash);
    gist->width += (gist->width ? ARROW_WIDE : 0) + width;
    if (is_program && !gist->head_end) {
        gist->head = keyed_words(gist->last, hash);
        gist->head_width = (gist->count > 1 ? gist->last_width + ARROW_WIDE : 0) + width;
        gist->head_end = gist->count;
    }
    gist->last = hash;
    gist->last_width = width;
    return STATUS_OK;
}

static enum status put_head_function(void *context, const char *text, bool is_program)
{
    struct put_head *head = context;

    head->at++;
    return head->at == head->end || head->at + 1 == head->end
               ? put_function(head->w, text, is_program)
               : STATUS_OK;
}

/* Returns the key of chains with this head written for the thread's tid, or for any thread. */
static uint64_t place_key(const struct waits_writer *w, const struct gist *gist, uint32_t thread)
{
    uint64_t tid = thread == HISTORY_NONE ? UINT64_MAX : w->history->threads[thread].tid;

    return keyed_words(gist->head, tid);
}

/* Notes that the chain was written for the thread. */
static enum status mark_place(struct waits_writer *w, const struct gist *gist, uint32_t thread)
{
    uint64_t *chain = map_put(&w->places, place_key(w, gist, thread), gist->hash);

    if (chain && *chain != gist->hash)
        *chain = AMBIGUOUS;
    return chain ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Whether the chain is the only one with its head written for the thread. */
static bool is_found(const struct waits_writer *w, const struct gist *gist, uint32_t thread)
{
    const uint64_t *chain = map_get(&w->places, place_key(w, gist, thread));

    return gist->head_end && chain && *chain == gist->hash;
}

/* "pthread_mutex_lock ← take_stock() (tasks.cc:28), as tid 7 above" */
static enum status put_reference(struct waits_writer *w, const struct gist *gist, uint32_t chain,
                                 const char *where)
{
    struct put_head head = {.w = w, .end = gist->head_end};
    enum status status = wait_words_chain(&w->report->words, chain, put_head_function, &head);

    report_text_put(&w->text, ", ", where);
    return status;
}

/* Writes the chain, or a reference to it above, if that is shorter and unique. */
static enum status put_told(struct waits_writer *w, const struct gist *gist, uint32_t thread,
                            uint32_t chain)
{
    const uint64_t *before = map_get(&w->chains, gist->hash);
    uint32_t teller = before ? (uint32_t)*before : HISTORY_NONE;
    char where[48] = "as above";
    enum status status;

    if (teller != HISTORY_NONE)
        snprintf(where, sizeof(where), "as tid %" PRIu32 " above", w->history->threads[teller].tid);
    if (before && is_found(w, gist, teller) &&
        gist->head_width + strlen(", ") + strlen(where) < gist->width)
        status = put_reference(w, gist, chain, where);
    else
        status = wait_words_chain(&w->report->words, chain, put_function, w);
    if (status == STATUS_OK && !map_put(&w->chains, gist->hash, thread))
        status = STATUS_NO_MEMORY;
    /* "as above" may refer to a chain of any thread. */
    if (status == STATUS_OK)
        status = mark_place(w, gist, HISTORY_NONE);
    return status == STATUS_OK && thread != HISTORY_NONE ? mark_place(w, gist, thread) : status;
}

enum status waits_put_chain(struct waits_writer *w, size_t indent, const char *label,
                            uint32_t thread, uint32_t chain)
{
    struct gist gist = {0};
    enum status status;

    if (chain == HISTORY_NONE)
        return STATUS_OK;
    status = wait_words_chain(&w->report->words, chain, take_function, &gist);
    gist.hash = gist.hash == AMBIGUOUS ? AMBIGUOUS + 1 : gist.hash;
    if (status == STATUS_OK) {
        fprintf(w->out, "%*s%-10s", (int)indent, "", label);
        report_text_begin(&w->text, 0, indent + 12);
        w->text.column = indent + 10;
        status = put_told(w, &gist, thread, chain);
        report_text_end(&w->text);
    }
    return status;
}

enum status waits_put_known(struct waits_writer *w, const char *label, uint32_t thread,
                            uint32_t chain)
{
    return map_put(&w->told, (uint64_t)thread << 32 | chain, 1)
               ? waits_put_chain(w, 6, label, thread, chain)
               : STATUS_NO_MEMORY;
}

bool waits_is_known(const struct waits_writer *w, uint32_t thread, uint32_t chain)
{
    return map_get(&w->told, (uint64_t)thread << 32 | chain) != NULL;
}

enum status waits_put_unknown(struct waits_writer *w, size_t indent, const char *label,
                              uint32_t thread, uint32_t chain)
{
    return waits_is_known(w, thread, chain) ? STATUS_OK
                                            : waits_put_chain(w, indent, label, thread, chain);
}
