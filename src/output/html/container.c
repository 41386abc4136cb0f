/* SPDX-License-Identifier: MIT */
#include "output/html/container.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "output/gzip.h"
#include "output/html/base64.h"
#include "output/html/page_parts.h"
#include "output/svg.h"

static enum status put_data(struct gzip *gzip, const char *head, const struct page_columns *columns)
{
    const size_t length = strlen(head);
    const uint8_t size[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
                             (uint8_t)(length >> 24)};
    enum status status = length > UINT32_MAX ? STATUS_NO_MEMORY : gzip_write(gzip, size, 4);

    if (status == STATUS_OK)
        status = gzip_write(gzip, head, length);
    for (size_t i = 0; i < columns->count && status == STATUS_OK; i++)
        status = gzip_write(gzip, columns->list[i].bytes, columns->list[i].size);
    return status;
}

/* Writes `text`, with `columns` as the head of the data, as base64 of gzip. */
static enum status put_compressed(const char *text, const struct page_columns *columns, FILE *out)
{
    struct gzip *gzip = NULL;
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);
    enum status status = memory ? gzip_create(memory, &gzip) : STATUS_NO_MEMORY;

    if (status == STATUS_OK)
        status = columns ? put_data(gzip, text, columns) : gzip_write(gzip, text, strlen(text));
    if (status == STATUS_OK)
        status = gzip_end(gzip);
    gzip_destroy(gzip);
    if (memory && text_close(memory, &bytes) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        base64_write(bytes, size, out);
    free(bytes);
    return status == STATUS_IO ? STATUS_NO_MEMORY : status;
}

static enum status put_title(const char *title, FILE *out)
{
    char *clean = text_clean(title, TEXT_REPLACE_CONTROLS);

    if (clean)
        svg_text(out, clean);
    free(clean);
    return clean ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status container_write(const char *title, const json_t *head,
                            const struct page_columns *columns, FILE *out)
{
    char *text = json_dumps(head, JSON_COMPACT);
    enum status status = text ? STATUS_OK : STATUS_NO_MEMORY;

    fputs(page_to_title, out);
    if (status == STATUS_OK)
        status = put_title(title, out);
    fputs(page_to_data, out);
    if (status == STATUS_OK)
        status = put_compressed(text, columns, out);
    free(text);
    fputs(page_to_style, out);
    if (status == STATUS_OK)
        status = put_compressed(page_style, NULL, out);
    fputs(page_to_script, out);
    if (status == STATUS_OK)
        status = put_compressed(page_script, NULL, out);
    fputs(page_to_end, out);
    return status == STATUS_OK ? text_finish(out) : status;
}
