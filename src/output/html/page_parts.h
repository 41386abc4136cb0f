/* SPDX-License-Identifier: MIT */
/*
 * The fixed parts of a page, made of page.html, page.css and the scripts by cmake/embed_page.cmake:
 * up to the title, from there to the data, and from there to the end.
 */
#ifndef OUTPUT_HTML_PAGE_PARTS_H
#define OUTPUT_HTML_PAGE_PARTS_H

extern const char page_begin[], page_middle[], page_end[];

#endif
