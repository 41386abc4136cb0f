/* SPDX-License-Identifier: MIT */
/*
 * Puts values into objects of a page's head. A failure is noted in the line that is given.
 */
#ifndef OUTPUT_HTML_PAGE_TEXT_H
#define OUTPUT_HTML_PAGE_TEXT_H

#include <stdint.h>

#include "output/json_line.h"
#include "threads/blocking/wait_words.h"

/* Appends a value to a list that `line` will get, and owns it; NULL: a failure. */
void page_append(struct json_line *line, json_t *list, json_t *value);

/* Appends a complete object, and owns it. */
void page_append_line(struct json_line *line, json_t *list, struct json_line *object);

/* Puts a complete object, and owns it. */
void page_put_line(struct json_line *line, const char *key, struct json_line *object);

/* Puts a malloc'ed text, and frees it; NULL: a failure. */
void page_put_taken(struct json_line *line, const char *key, char *text);

/* Puts a text, unless it is NULL or empty. */
void page_put_text(struct json_line *line, const char *key, const char *text);

/* Puts a number, unless it is 0. */
void page_put_number(struct json_line *line, const char *key, uint64_t number);

/* Puts a list of a chain's functions as in -f waits, innermost first; PAGE_NONE: nothing. */
void page_put_chain(struct json_line *line, const char *key, const struct wait_words *words,
                    uint32_t chain);

#endif
