/* SPDX-License-Identifier: MIT */
/*
 * The part of a page's head about the captures as a whole: title, choice of samples, and how far
 * the result may be trusted.
 */
#ifndef OUTPUT_HTML_PAGE_HEAD_H
#define OUTPUT_HTML_PAGE_HEAD_H

#include "output/format.h"
#include "output/json_line.h"

/* Puts that part into `head`, where failures are noted. */
void page_head_write(const struct output *output, struct json_line *head);

#endif
