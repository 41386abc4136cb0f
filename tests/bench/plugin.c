/* SPDX-License-Identifier: MIT */
/* One of the libraries that `deep plugins` calls through; it is copied as often as needed. */
#include "plugin.h"

__attribute__((visibility("default"))) uint64_t plugin_step(struct plugin_path *path, unsigned next,
                                                            uint64_t x);

uint64_t plugin_step(struct plugin_path *path, unsigned next, uint64_t x)
{
    volatile uint64_t local[2] = {x};

    x = next < path->count ? path->calls[next](path, next + 1, x + 1) : path->leaf(path, x);
    return x + local[0];
}
