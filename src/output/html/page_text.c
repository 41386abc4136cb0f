/* SPDX-License-Identifier: MIT */
#include "output/html/page_text.h"

#include <stdlib.h>

#include "output/html/page_chains.h"

void page_append(struct json_line *line, json_t *list, json_t *value)
{
    if (!value || json_array_append_new(list, value) != 0)
        line->failed = true;
}

void page_append_line(struct json_line *line, json_t *list, struct json_line *object)
{
    line->failed |= object->failed;
    page_append(line, list, object->json);
}

void page_put_line(struct json_line *line, const char *key, struct json_line *object)
{
    line->failed |= object->failed;
    json_line_put(line, key, object->json);
}

void page_put_taken(struct json_line *line, const char *key, char *text)
{
    json_line_put(line, key, text ? json_of_text(text) : NULL);
    free(text);
}

void page_put_text(struct json_line *line, const char *key, const char *text)
{
    if (text && text[0])
        json_line_put(line, key, json_of_text(text));
}

void page_put_number(struct json_line *line, const char *key, uint64_t number)
{
    if (number)
        json_line_put(line, key, json_of_number(number));
}

static enum status append_text(void *list, const char *text, bool is_program)
{
    json_t *value = json_of_text(text);

    (void)is_program;
    return value && json_array_append_new(list, value) == 0 ? STATUS_OK : STATUS_NO_MEMORY;
}

void page_put_chain(struct json_line *line, const char *key, const struct wait_words *words,
                    uint32_t chain)
{
    json_t *list;

    if (chain == PAGE_NONE)
        return;
    list = json_array();
    if (!list || wait_words_chain(words, chain, append_text, list) != STATUS_OK)
        line->failed = true;
    json_line_put(line, key, list);
}
