/* SPDX-License-Identifier: MIT */
#include "threads/chain_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "threads/chain_ends.h"
#include "threads/language_name.h"
#include "threads/runtime.h"

#define ELLIPSIS "…"

static enum chain_owner owner_of(const struct profile *profile, uint32_t frame,
                                 const struct place *place)
{
    if (runtime_is_c_library(profile->frames[frame].module))
        return CHAIN_C_LIBRARY;
    return chain_ends_is_language(profile, place) ? CHAIN_LANGUAGE : CHAIN_PROGRAM;
}

enum status chain_words_add(struct chain_words *words, uint32_t frame, uint32_t skip)
{
    const struct places *places = words->profile->places[frame];
    size_t want = words->count + places->count;
    bool is_interrupted = words->count && !words->profile->frames[frame].is_call;

    if (vec_reserve(&words->list, &words->cap, want, sizeof(*words->list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (uint32_t i = skip; i < places->count; i++)
        words->list[words->count++] =
            (struct chain_word){.owner = owner_of(words->profile, frame, &places->list[i]),
                                .place = &places->list[i],
                                .is_interrupted = is_interrupted && i == skip,
                                .count = 1};
    return STATUS_OK;
}

/*
 * Returns the end of a run: behind its last function of the language, before the next function of
 * the program or interruption. `begin`: there is no run.
 */
static size_t run_end(const struct chain_words *words, size_t begin)
{
    size_t end = begin;

    for (size_t i = begin; i < words->count; i++) {
        if (words->list[i].owner == CHAIN_PROGRAM || (i > begin && words->list[i].is_interrupted))
            break;
        if (words->list[i].owner == CHAIN_LANGUAGE)
            end = i + 1;
    }
    return end;
}

/* Returns the function's public name, cleaned; "": internal; NULL: out of memory. */
static char *public_name(const struct chain_words *words, size_t at)
{
    const struct chain_word *word = &words->list[at];
    const struct function *function = names_function(words->profile->names, word->place->function);
    char *name, *clean;

    if (!function->has_name || word->owner == CHAIN_C_LIBRARY)
        return strdup("");
    name = language_public_name(function->name);
    clean = name ? text_clean(name, TEXT_REPLACE_CONTROLS) : NULL;
    free(name);
    return clean;
}

/* Returns a run's outermost public name, or the innermost one. NULL: out of memory. */
static char *run_name(const struct chain_words *words, size_t begin, size_t end, bool innermost)
{
    for (size_t i = 0; i < end - begin; i++) {
        char *name = public_name(words, innermost ? begin + i : end - 1 - i);

        if (!name || name[0])
            return name;
        free(name);
    }
    return strdup(ELLIPSIS);
}

/* `outermost`: from program_end. */
static enum status shorten_run(const struct chain_words *words, size_t begin, size_t end,
                               size_t outermost, struct chain_word *out)
{
    bool is_called = !outermost || end < outermost;
    char *name = is_called ? run_name(words, begin, end, !outermost) : strdup(ELLIPSIS);

    *out = (struct chain_word){.owner = CHAIN_LANGUAGE,
                               .name = name,
                               .count = (uint32_t)(end - begin)};
    return name ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Returns the place behind the outermost function of the program; 0: there is none. */
static size_t program_end(const struct chain_words *words)
{
    size_t end = words->count;

    while (end > 0 && words->list[end - 1].owner != CHAIN_PROGRAM)
        end--;
    return end;
}

enum status chain_words_shorten(struct chain_words *words)
{
    size_t outermost = program_end(words), to = 0, end;
    enum chain_owner before = CHAIN_C_LIBRARY;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < words->count && status == STATUS_OK; i = end) {
        struct chain_word word = words->list[i];
        enum chain_owner owner = word.owner;

        /* The C library's functions right outside of the program's belong to a run, too. */
        end = owner == CHAIN_LANGUAGE || (before == CHAIN_PROGRAM && !word.is_interrupted)
                  ? run_end(words, i)
                  : i;
        if (end > i)
            status = shorten_run(words, i, end, outermost, &word);
        else
            end++;
        before = owner;
        words->list[to++] = word;
    }
    words->count = to;
    return status;
}

void chain_words_deinit(struct chain_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i].name);
    free(words->list);
    words->list = NULL;
    words->count = 0;
}
