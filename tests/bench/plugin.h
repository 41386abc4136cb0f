/* SPDX-License-Identifier: MIT */
/* What `deep plugins` calls: a library that calls the next one. */
#ifndef BENCH_PLUGIN_H
#define BENCH_PLUGIN_H

#include <stdint.h>

#define PLUGIN_DEPTH_MAX 1024

struct plugin_path;
/* Calls the `next`-th of the path, or after the last one its leaf. */
typedef uint64_t plugin_call(struct plugin_path *path, unsigned next, uint64_t x);

struct plugin_path {
    plugin_call **calls;
    unsigned count;
    uint64_t (*leaf)(struct plugin_path *path, uint64_t x);
};

#endif
