/* SPDX-License-Identifier: MIT */
#include "output/picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "output/render.h"

static enum render_format kind_of(enum output_drawing drawing)
{
    switch (drawing) {
    case DRAWN_PNG:
        return RENDER_PNG;
    case DRAWN_PDF:
        return RENDER_PDF;
    case DRAWN_SVG:
    case DRAWN_NOT:
        break;
    }
    return RENDER_SVG;
}

/* For whoever has another program to draw it. */
static void keep_text(const struct output *o, const char *dot, struct diag *diag)
{
    const char *base = o->path ? o->path : "callgraph";
    char path[4096];
    FILE *file;
    bool written;

    snprintf(path, sizeof(path), "%s.dot", base);
    file = fopen(path, "w");
    if (!file)
        return;
    written = fputs(dot, file) >= 0;
    if (fclose(file) == 0 && written)
        diag_hint(diag, "the graph is in %.120s%s", path,
                  o->format->needs & NEEDS_HISTORY ? "" : "; try fewer --nodes");
    else
        remove(path);
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
    if (memory && fclose(memory) != 0)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        status = render_dot(text, kind_of(o->format->drawing), o->render_seconds, o->file, diag);
        if (status == STATUS_UNSUPPORTED)
            keep_text(o, text, diag);
    }
    free(text);
    return status;
}
