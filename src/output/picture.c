/* SPDX-License-Identifier: MIT */
#include "output/picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/out_file.h"
#include "base/text.h"
#include "output/render.h"

static enum render_format kind_of(enum output_drawing drawing)
{
    switch (drawing) {
    case DRAWN_PNG:
        return RENDER_PNG;
    case DRAWN_PDF:
        return RENDER_PDF;
    case DRAWN_SVG:
    case DRAWN_WITHIN:
    case DRAWN_NOT:
        break;
    }
    return RENDER_SVG;
}

enum status picture_begin(enum output_drawing drawing, bool confined, struct renderer **out,
                          struct diag *diag)
{
    *out = NULL;
    return drawing == DRAWN_NOT ? STATUS_OK : render_begin(kind_of(drawing), confined, out, diag);
}

void picture_text_path(const char *output, char path[PICTURE_PATH_MAX])
{
    snprintf(path, PICTURE_PATH_MAX, "%s.dot", output ? output : "callgraph");
}

/* Leaves the DOT text in a file, for another program to draw. */
static void keep_text(const struct output *o, const char *dot, bool too_large, struct diag *diag)
{
    char path[PICTURE_PATH_MAX];
    struct diag ignored;
    FILE *file;
    bool written;

    picture_text_path(o->path, path);
    file = o->opener ? opener_open(o->opener, OUTPUT_PICTURE_TEXT, &ignored)
                     : out_file_stream(path, o->path ? o->replaces : NULL, &ignored);
    if (!file)
        return;
    written = fputs(dot, file) >= 0;
    if (fclose(file) == 0 && written)
        diag_hint(diag, "the graph is in %.120s%s", path,
                  too_large && !(o->format->needs & NEEDS_HISTORY) ? "; try fewer --nodes" : "");
    else if (o->opener)
        opener_remove(o->opener, OUTPUT_PICTURE_TEXT);
    else
        out_file_remove(path);
}

enum status picture_write(const struct output *o, picture_dot *dot, const void *context,
                          struct diag *diag)
{
    enum status status;
    char *text = NULL;
    size_t size;
    FILE *memory;

    if (o->format->drawing == DRAWN_NOT)
        return dot(context, o->file);
    memory = open_memstream(&text, &size);
    status = memory ? dot(context, memory) : STATUS_NO_MEMORY;
    if (memory && text_close(memory, &text) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        const struct render_options options = {.format = kind_of(o->format->drawing),
                                               .seconds = o->render_seconds,
                                               .confined = o->confined,
                                               .renderer = o->renderer};

        status = render_dot(text, &options, o->file, diag);
        if (status == STATUS_UNSUPPORTED || status == STATUS_NOT_FOUND)
            keep_text(o, text, status == STATUS_UNSUPPORTED, diag);
    }
    free(text);
    return status;
}
