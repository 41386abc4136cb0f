/* SPDX-License-Identifier: MIT */
/*
 * The fixed parts of a page, which cmake/embed_page.cmake makes from page.html, the styles and the
 * scripts, NUL-terminated. page_to_X is the text of page.html before X, behind the part before it.
 * page_style and page_script are written compressed.
 */
#ifndef OUTPUT_HTML_PAGE_PARTS_H
#define OUTPUT_HTML_PAGE_PARTS_H

extern const char page_to_title[], page_to_data[], page_to_style[], page_to_script[], page_to_end[];
extern const char page_style[], page_script[];

#endif
