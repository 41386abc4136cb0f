/* SPDX-License-Identifier: MIT */
/*
 * The code that a snapshot itself brings (CODE records), of modules whose file is not there: a
 * deleted program, a JIT's code, a target whose files are elsewhere. Rows by the analysis of code
 * are made of it.
 *
 * It comes in pieces with holes between, ever more of them while the snapshot is read. For an
 * address that is asked for, the pieces around it are made an image (code_window.h) and analysed;
 * the row is cached. That there is none is cached until more code of the module comes. What pieces
 * lack is unknown: what was found in them holds with more of them, too.
 *
 *     chunks     |     64 KiB     |     64 KiB     |     64 KiB     |
 *     pieces       ====   ======================      =======  ===
 *     window     [....................... * .........]      for an address (*) in the second chunk
 *
 * A file with a build-id is the same wherever it is mapped; all other code belongs to the one
 * mapping that it was read from.
 */
#ifndef UNWIND_CODE_STORE_H
#define UNWIND_CODE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/module.h"
#include "unwind/row/row.h"

/* In all modules; what is beyond is left out. */
#define CODE_STORES_BYTES_MAX  (UINT64_C(256) << 20)
#define CODE_STORES_CHUNKS_MAX 65536
#define CODE_STORES_MAX        65536
#define CODE_CHUNK_PIECES_MAX  64

struct code_stores;

/* `set` is borrowed. UNSUPPORTED: no instruction set for the architecture; NO_MEMORY. */
MUST_CHECK enum status code_stores_create(struct module_set *set, const struct arch *arch,
                                          struct code_stores **out);
void code_stores_destroy(struct code_stores *stores);

/*
 * Copies the bytes at `addr` of the mapping in. Of a file with a build-id those that are there
 * already stay as they are; of a mapping they become these: it was made anew. Only NO_MEMORY fails.
 */
MUST_CHECK enum status code_stores_add(struct code_stores *stores, struct mapping *mapping,
                                       uint64_t addr, const uint8_t *bytes, uint64_t size);

/* An address of code in a mapping without image. */
struct code_place {
    const struct mapping *mapping;
    uint64_t vaddr;      /* mapping_vaddr's */
    struct jit_map *jit; /* which functions are where in its address space; NULL: not told */
};

/*
 * The row at the place. NOT_FOUND: there is no code, or none that is understood; NO_MEMORY.
 * Borrowed until the next call.
 */
MUST_CHECK enum status code_stores_find(struct code_stores *stores, const struct code_place *place,
                                        const struct row **out);

/* More functions are told: what was not found is looked for anew. */
void code_stores_ask_again(struct code_stores *stores);

/* As module_rows_is_sigreturn. */
bool code_stores_is_sigreturn(const struct code_stores *stores, const struct mapping *mapping,
                              uint64_t vaddr, struct row *row);

/* As module_rows_ends_thread. */
bool code_stores_ends_thread(const struct code_stores *stores, const struct mapping *mapping,
                             uint64_t vaddr);

/* As module_rows_after_call: true also when the code is not there. */
bool code_stores_after_call(const struct code_stores *stores, const struct mapping *mapping,
                            uint64_t vaddr, enum code_mode mode);

/* As module_rows_is_absent. */
bool code_stores_is_absent(const struct code_stores *stores, const struct mapping *mapping,
                           uint64_t vaddr);

#endif
