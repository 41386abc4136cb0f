/* SPDX-License-Identifier: MIT */
/*
 * The modules of a run, what they have in common (options, --elf files), and the memory of the
 * process that is being read.
 */
#ifndef SYMBOL_MODULE_SET_H
#define SYMBOL_MODULE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "symbol/module.h"
#include "symbol/process_memory.h"

struct arch;
struct cache;
struct fetcher; /* fetch/fetcher.h */
struct live;    /* fetch/live.h */
struct offers;  /* offers.h */

/* Options of a set of modules. All pointers are borrowed and must outlive the set. */
struct module_options {
    const char *const *elf_files;
    size_t elf_file_count;
    /* root of the target's files; NULL: none; else paths outside it are not used */
    const char *sysroot;
    const char *const *debug_dirs;
    /* path of a copy of /proc/kallsyms; NULL: kallsyms_open searches for one */
    const char *kallsyms;
    /* of debug_dirs; 0: /usr/lib/debug, below the sysroot if there is one */
    size_t debug_dir_count;
    const struct arch *arch; /* files for another architecture are refused; NULL: any will do */
    struct cache *cache;     /* keeps inflated sections; NULL: none */
    struct fetcher *fetcher; /* fetches missing files; NULL: nothing is fetched */
    struct live *live;       /* opens files of live processes; NULL: none */
    struct offers *offers;   /* ELF files that inputs carry; NULL: none */
};

struct module_set;

MUST_CHECK enum status module_set_create(const struct module_options *options,
                                         struct module_set **out);
void module_set_destroy(struct module_set *set);

/*
 * Begins a process, whose mappings the caller adds next. Copies *memory, and calls memory->read
 * until the next process begins; zeroed: the process's memory is not known. Clears `place` of
 * all modules.
 */
void module_set_memory(struct module_set *set, const struct process_memory *memory);

/*
 * Notes `mapping` as a place of mapping->module in the process begun last. `is_executable`: the
 * module is the process's executable; used only where the memory's entry_addr is 0.
 */
void module_set_place(struct module_set *set, const struct mapping *mapping, bool is_executable);

/* Returns a new number each time, from 1 on. */
uint64_t module_set_stamp(struct module_set *set);

/*
 * Finds or adds a module, which lives as long as the set and never moves. Uses at most
 * BUILD_ID_MAX bytes of the build-id. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_set_get(struct module_set *set, enum module_kind kind,
                                      const char *path, const uint8_t *build_id,
                                      size_t build_id_size, bool deleted, struct module **out);

/*
 * Finds or adds the module of a mapping as module_set_get does, and sets its origin to the
 * mapping's. A MODULE_FILE without build-id becomes exact where file->is_exact or the process's
 * memory is known; file->process is not read.
 */
MUST_CHECK enum status module_set_get_mapped(struct module_set *set, enum module_kind kind,
                                             const struct file_identity *file, struct module **out);

/*
 * Adds a piece of the file's code that is mapped by `mapping` at `addr` (module_add_piece). If the
 * mapping's module has other bytes there, its file has been replaced: the mapping then is of
 * another module with the same path, one that has the bytes, if need be a new one. Pieces of a
 * mapping come by ascending address. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_set_add_piece(struct module_set *set, struct mapping *mapping,
                                            uint64_t addr, const uint8_t *bytes, size_t size);

/* Finds or adds the set's one MODULE_JIT, for all named functions made at run time. NO_MEMORY. */
MUST_CHECK enum status module_set_jit(struct module_set *set, struct module **out);

size_t module_set_count(const struct module_set *set);
struct module *module_set_at(const struct module_set *set, size_t index);

/*
 * Returns the path of number `index`, from 0 on, of the --elf files that no module has used so far;
 * NULL: there are no more. Sets *why (may be NULL) to why the file cannot be used at all; otherwise
 * `what` in it is empty.
 */
const char *module_set_unused_elf(const struct module_set *set, size_t index, struct diag *why);

/*
 * Returns number `index`, from 0 on, of the programs among the --elf files; owned by the set; NULL:
 * there are no more.
 */
struct elf_image *module_set_program(const struct module_set *set, size_t index);
/* Marks program number `index` as used: module_set_unused_elf leaves it out. */
void module_set_use_program(struct module_set *set, size_t index);

/*
 * Makes program number `index` the file of `module`, whatever its name, and marks it as used.
 * `module` must not have been opened yet.
 */
void module_set_choose(struct module_set *set, struct module *module, size_t index);
/*
 * Opens the target's file `path` (absolute), below the sysroot if there is one. Returns a
 * descriptor, which the caller closes; -1: no regular file there, or it cannot be read.
 */
int module_set_open_file(const struct module_set *set, const char *path);
bool module_set_has_sysroot(const struct module_set *set);

#endif
