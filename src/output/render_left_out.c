/* SPDX-License-Identifier: MIT */
#include "output/render.h"

enum status render_dot(const char *dot, const struct render_options *options, FILE *out,
                       struct diag *diag)
{
    (void)dot, (void)options, (void)out;
    diag_set(diag, NULL, "cgunwind was built without Graphviz");
    diag_hint(diag, "draw the DOT text with dot, or build it with -DCG_GRAPHVIZ=ON");
    return STATUS_UNSUPPORTED;
}
