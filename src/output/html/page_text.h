/* SPDX-License-Identifier: MIT */
/*
 * Pieces of a page's head that several parts of it have. What fails is noted where it is put.
 */
#ifndef OUTPUT_HTML_PAGE_TEXT_H
#define OUTPUT_HTML_PAGE_TEXT_H

#include <stdint.h>

#include "output/json_line.h"
#include "threads/blocking/wait_words.h"

/* Adds a value to a list of what `line` will have. Takes it, also where it is NULL. */
void page_append(struct json_line *line, json_t *list, json_t *value);

/* The same of an object in the making, which is done. */
void page_append_line(struct json_line *line, json_t *list, struct json_line *object);

/* Puts an object in the making, which is done. */
void page_put_line(struct json_line *line, const char *key, struct json_line *object);

/* Puts what was malloc'ed, and frees it; NULL is a failure. */
void page_put_taken(struct json_line *line, const char *key, char *text);

/* Leaves it out where it is NULL or empty. */
void page_put_text(struct json_line *line, const char *key, const char *text);

/* Leaves it out where it is 0. */
void page_put_number(struct json_line *line, const char *key, uint64_t number);

/* A chain in the words of -f waits, the innermost first; of PAGE_NONE nothing. */
void page_put_chain(struct json_line *line, const char *key, const struct wait_words *words,
                    uint32_t chain);

#endif
