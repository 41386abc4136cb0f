/* SPDX-License-Identifier: MIT */
#include "output/threads/waits_writer.h"

#include <stdlib.h>
#include <string.h>

bool waits_shows_thread(const struct waits_writer *w, uint32_t thread)
{
    const struct history_thread *t = &w->history->threads[thread];

    return !w->report->filter ||
           graph_filter_thread(w->report->filter, t->tid, t->name ? t->name : "");
}

bool waits_shows_node(const struct waits_writer *w, const struct wait_node *node)
{
    for (uint32_t i = 0; i < node->wait_count; i++)
        if (waits_shows_thread(w, w->graph->waits[node->first_wait + i].thread))
            return true;
    for (uint32_t i = 0; i < node->hold_count; i++)
        if (waits_shows_thread(w, w->graph->holds[node->first_hold + i].thread))
            return true;
    return false;
}

enum wait_kind waits_node_kind(const struct waits_writer *w, const struct wait_node *node)
{
    return w->history->waits->objects[node->object].kind;
}

enum status waits_put_words(struct waits_writer *w, const char *gap, char *words)
{
    if (!words)
        return STATUS_NO_MEMORY;
    if (words[0])
        report_text_put(&w->text, gap, words);
    free(words);
    return STATUS_OK;
}

void waits_put_sentence(struct waits_writer *w, const char *sentence)
{
    char word[64];

    while (*sentence) {
        size_t length = strcspn(sentence, " ");

        snprintf(word, sizeof(word), "%.*s", (int)length, sentence);
        report_text_put(&w->text, " ", word);
        sentence += length + strspn(sentence + length, " ");
    }
}

enum status waits_put_thread(struct waits_writer *w, const char *gap, uint32_t thread)
{
    return waits_put_words(w, gap, wait_words_thread(&w->report->words, thread));
}

enum status waits_put_object(struct waits_writer *w, const char *gap, enum wait_kind kind,
                             uint32_t object)
{
    return waits_put_words(w, gap, wait_words_object(&w->report->words, kind, object));
}

enum status waits_put_node_name(struct waits_writer *w, const char *gap, uint32_t object)
{
    return waits_put_words(w, gap, wait_words_node(&w->report->words, object));
}

const char *waits_count_sign(const struct wait_node *node)
{
    return node->all_seen ? "" : "\xe2\x89\xa5 ";
}

const struct hold_edge *waits_find_hold(const struct waits_writer *w, uint32_t node,
                                        uint32_t thread)
{
    const struct wait_node *n = &w->graph->nodes[node];

    for (uint32_t i = 0; i < n->hold_count; i++)
        if (w->graph->holds[n->first_hold + i].thread == thread)
            return &w->graph->holds[n->first_hold + i];
    return NULL;
}
