/* The formats of cgunwind that are graphs, as DOT text or as what Graphviz makes of it. */
#include <stdio.h>
#include <stdlib.h>

#include "output/render.h"
#include "tools/cgunwind/cgunwind.h"

/* False: the text itself is what is asked for. */
static bool kind_of_picture(enum format format, enum render_format *kind)
{
    *kind = format == PNG ? RENDER_PNG : format == PDF ? RENDER_PDF : RENDER_SVG;
    return format != DOT && format != THREADS_DOT && format != WAITS_DOT;
}

/* For whoever has another program to draw it. */
static void keep_text(const struct cgunwind_options *options, const char *dot, struct diag *diag)
{
    const char *base = options->output ? options->output : "callgraph";
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
                  format_tells_threads(options->format) ? "" : "; try fewer --nodes");
    else
        remove(path);
}

enum status picture_write(const struct cgunwind_options *options, picture_dot *dot,
                          const void *context, FILE *out, struct diag *diag)
{
    enum render_format kind;
    enum status status;
    char *text = NULL;
    size_t size;
    FILE *memory;

    if (!kind_of_picture(options->format, &kind))
        return dot(context, out);
    memory = open_memstream(&text, &size);
    status = memory ? dot(context, memory) : STATUS_NO_MEMORY;
    if (memory && fclose(memory) != 0)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        status = render_dot(text, kind, options->render_seconds, out, diag);
        if (status == STATUS_UNSUPPORTED)
            keep_text(options, text, diag);
    }
    free(text);
    return status;
}
