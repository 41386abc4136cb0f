/* SPDX-License-Identifier: MIT */
#include "output/render_child.h"

bool render_has_library(void)
{
    return false;
}

enum status render_library_start(struct render_child *child, const char *dot,
                                 const struct render_options *options, struct diag *diag)
{
    (void)child, (void)dot, (void)options;
    diag_set(diag, NULL, "cgunwind was built without Graphviz, and its program was not begun");
    return STATUS_UNSUPPORTED;
}
