/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "output/threads/waits_writer.h"

#define ARROW      " \xe2\x86\x90 "
#define ARROW_WIDE 3

/* What a chain is told by where it has been told before. */
struct gist {
    uint64_t hash; /* of all its words */
    size_t width;  /* of them on one line */
    char *place;   /* the innermost word of the program; owned; NULL: there is none */
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

    gist->hash = hash_words(gist->hash, hash_text(text));
    gist->width += (gist->width ? ARROW_WIDE : 0) + report_text_width(text);
    if (!is_program || gist->place)
        return STATUS_OK;
    gist->place = strdup(text);
    return gist->place ? STATUS_OK : STATUS_NO_MEMORY;
}

/* "take_stock() (tasks.cc:28), as tid 7 above"; malloc'ed; NULL: out of memory. */
static char *reference(const struct waits_writer *w, const struct gist *gist, uint32_t thread)
{
    char *text, whose[32] = "";

    if (thread != HISTORY_NONE)
        snprintf(whose, sizeof(whose), " tid %" PRIu32, w->history->threads[thread].tid);
    if (asprintf(&text, "%s%sas%s above", gist->place ? gist->place : "", gist->place ? ", " : "",
                 whose) < 0)
        return NULL;
    return text;
}

/* The chain, or where it is above, if that is shorter. */
static enum status put_told(struct waits_writer *w, const struct gist *gist, uint32_t thread,
                            uint32_t chain)
{
    const uint64_t *before = map_get(&w->chains, gist->hash);
    char *text = before ? reference(w, gist, (uint32_t)*before) : NULL;
    enum status status = STATUS_OK;

    if (before && !text)
        return STATUS_NO_MEMORY;
    if (!text || gist->width <= report_text_width(text))
        status = wait_words_chain(&w->report->words, chain, put_function, w);
    else
        report_text_put(&w->text, "", text);
    free(text);
    return status == STATUS_OK && !map_put(&w->chains, gist->hash, thread) ? STATUS_NO_MEMORY
                                                                           : status;
}

enum status waits_put_chain(struct waits_writer *w, size_t indent, const char *label,
                            uint32_t thread, uint32_t chain)
{
    struct gist gist = {0};
    enum status status;

    if (chain == HISTORY_NONE)
        return STATUS_OK;
    status = wait_words_chain(&w->report->words, chain, take_function, &gist);
    if (status == STATUS_OK) {
        fprintf(w->out, "%*s%-10s", (int)indent, "", label);
        report_text_begin(&w->text, 0, indent + 12);
        w->text.column = indent + 10;
        status = put_told(w, &gist, thread, chain);
        report_text_end(&w->text);
    }
    free(gist.place);
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
