/* SPDX-License-Identifier: MIT */
/*
 * Puts values into objects of a page's head. A failure is noted in `line` (json_line.failed).
 */
#ifndef OUTPUT_HTML_PAGE_TEXT_H
#define OUTPUT_HTML_PAGE_TEXT_H

#include <stdint.h>

#include "output/json_line.h"
#include "threads/blocking/wait_words.h"

/* Appends `value`, and takes ownership of it, to a list; NULL is noted as a failure. */
void page_append(struct json_line *line, json_t *list, json_t *value);

/* Appends a complete object to a list, and takes ownership of it; a failed one fails `line`. */
void page_append_line(struct json_line *line, json_t *list, struct json_line *object);

/* Puts a complete object as `key`, and takes ownership of it; a failed one fails `line`. */
void page_put_line(struct json_line *line, const char *key, struct json_line *object);

/* Puts a malloc'ed text as `key`, and frees it; NULL is noted as a failure. */
void page_put_taken(struct json_line *line, const char *key, char *text);

/* Puts a copy of a text as `key`, unless the text is NULL or empty. */
void page_put_text(struct json_line *line, const char *key, const char *text);

/* Puts a number as `key`, unless the number is 0. */
void page_put_number(struct json_line *line, const char *key, uint64_t number);

/*
 * Puts as `key` a list of the functions of the history's chain as in -f waits, the innermost first;
 * PAGE_NONE: puts nothing.
 */
void page_put_chain(struct json_line *line, const char *key, const struct wait_words *words,
                    uint32_t chain);

#endif
