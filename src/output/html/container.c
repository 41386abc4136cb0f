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

static enum status put_data(struct gzip *gzip, const char *head, const struct columns *columns)
{
    const size_t length = strlen(head);
    const uint8_t size[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
                             (uint8_t)(length >> 24)};
    enum status status = length > UINT32_MAX ? STATUS_NO_MEMORY : gzip_write(gzip, size, 4);

    if (status == STATUS_OK)
        status = gzip_write(gzip, head, length);
    for (size_t i = 0; i < columns->count && status == STATUS_OK; i++)
        status = gzip_write(gzip, columns->list[i].bytes, columns->list[i].size);
    return status == STATUS_OK ? gzip_end(gzip) : status;
}

/* *bytes is malloc'ed. */
static enum status compress(const char *head, const struct columns *columns, char **bytes,
                            size_t *size)
{
    struct gzip *gzip = NULL;
    FILE *memory = open_memstream(bytes, size);
    enum status status = memory ? gzip_create(memory, &gzip) : STATUS_NO_MEMORY;

    if (status == STATUS_OK)
        status = put_data(gzip, head, columns);
    gzip_destroy(gzip);
    if (memory && text_close(memory, bytes) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    return status == STATUS_IO ? STATUS_NO_MEMORY : status;
}

static enum status put_page(const char *title, const char *bytes, size_t size, FILE *out)
{
    char *clean = text_clean(title, TEXT_REPLACE_CONTROLS);

    if (!clean)
        return STATUS_NO_MEMORY;
    fputs(page_begin, out);
    svg_text(out, clean);
    free(clean);
    fputs(page_middle, out);
    base64_write(bytes, size, out);
    fputs(page_end, out);
    return text_finish(out);
}

enum status container_write(const char *title, const json_t *head, const struct columns *columns,
                            FILE *out)
{
    char *text = json_dumps(head, JSON_COMPACT), *bytes = NULL;
    size_t size = 0;
    enum status status = text ? compress(text, columns, &bytes, &size) : STATUS_NO_MEMORY;

    free(text);
    if (status == STATUS_OK)
        status = put_page(title, bytes, size, out);
    free(bytes);
    return status;
}
