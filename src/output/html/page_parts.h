/* SPDX-License-Identifier: MIT */
/*
 * The fixed parts of a page, made of page.html, the styles and the scripts by
 * cmake/embed_page.cmake: up to the title, from there to the data, to the style, to the script, and
 * to the end; and the style and the script, which come compressed.
 */
#ifndef OUTPUT_HTML_PAGE_PARTS_H
#define OUTPUT_HTML_PAGE_PARTS_H

extern const char page_to_title[], page_to_data[], page_to_style[], page_to_script[], page_to_end[];
extern const char page_style[], page_script[];

#endif
