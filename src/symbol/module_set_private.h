/* SPDX-License-Identifier: MIT */
/* Private to symbol/: what a module_set is made of. */
#ifndef SYMBOL_MODULE_SET_PRIVATE_H
#define SYMBOL_MODULE_SET_PRIVATE_H

#include "base/map.h"
#include "symbol/given_files.h"
#include "symbol/module_set.h"

struct module_entry {
    struct module *module;
    size_t next; /* index + 1 of the next one with the same hash; 0: none */
};

struct module_set {
    struct module_options options;
    struct module_entry *entries;
    size_t count, cap;
    struct map by_hash; /* module_set_hash → index of an entry + 1 */
    struct given_files given;
    struct process_memory memory; /* of the process being read */
    uint64_t processes;           /* that had memory, so far */
    uint64_t last_stamp;
};

static inline uint64_t module_set_hash(enum module_kind kind, const struct file_identity *file)
{
    return file_identity_hash(file, kind);
}

#endif
