/* SPDX-License-Identifier: MIT */
/*
 * Finds rows by the analysis of code that a snapshot itself contains (CODE records), for modules
 * without a file: a deleted program, a JIT's code, a target whose files are elsewhere.
 *
 * The code comes in pieces with holes between; more pieces come while the snapshot is read. A
 * look-up makes an image of the pieces around the address (code_window.h), analyses the image and
 * caches the row. A failure is cached until more code of the module comes. Holes are treated as
 * unknown, so that a row stays right when more pieces come.
 *
 *     chunks     |     64 KiB     |     64 KiB     |     64 KiB     |
 *     pieces       ====   ======================      =======  ===
 *     window     [....................... * .........]      for an address (*) in the second chunk
 *
 * Mappings of a file with a build-id share their code; other code belongs to the one mapping that
 * it was read from.
 */
#ifndef UNWIND_CODE_STORE_H
#define UNWIND_CODE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/address_space.h"
#include "unwind/row/row.h"

/* Limits of all modules together (PIECES: of one chunk); further code is ignored. */
#define CODE_STORES_BYTES_MAX  (UINT64_C(256) << 20)
#define CODE_STORES_CHUNKS_MAX 65536
#define CODE_STORES_MAX        65536
#define CODE_CHUNK_PIECES_MAX  64

struct code_stores;

/*
 * Creates an empty store; *out is the caller's, and borrows `set`. UNSUPPORTED: the architecture
 * has no instruction set here; NO_MEMORY.
 */
MUST_CHECK enum status code_stores_create(struct module_set *set, const struct arch *arch,
                                          struct code_stores **out);
void code_stores_destroy(struct code_stores *stores);

/*
 * Adds a copy of `size` bytes of code at the run-time address `addr` in the mapping; does nothing
 * if the module's file is open. Bytes that were added for an address before stay if the file has a
 * build-id, else the new ones replace them (a JIT reuses memory). Fails with NO_MEMORY only.
 */
MUST_CHECK enum status code_stores_add(struct code_stores *stores, struct mapping *mapping,
                                       uint64_t addr, const uint8_t *bytes, uint64_t size);

/* An address of code in a mapping whose module has no image. */
struct code_place {
    const struct mapping *mapping;
    uint64_t vaddr;      /* *vaddr of mapping_vaddr: file offset; MODULE_ANON: run-time address */
    struct jit_map *jit; /* the address space's functions made at run time; NULL: not known */
};

/*
 * Sets *out to the row for `place`, owned by the stores and valid until the next call. NOT_FOUND:
 * no code there, the analysis fails or has no row, or too much was analysed already (the module's
 * `problem` says so); NO_MEMORY.
 */
MUST_CHECK enum status code_stores_find(struct code_stores *stores, const struct code_place *place,
                                        const struct row **out);

/* Forgets that look-ups have failed, for when more functions made at run time are known. */
void code_stores_ask_again(struct code_stores *stores);

/* As module_rows_is_sigreturn, by the code of the mapping that was added; false without code. */
bool code_stores_is_sigreturn(const struct code_stores *stores, const struct mapping *mapping,
                              uint64_t vaddr, struct row *row);

/*
 * As module_rows_ends_thread, by the code of the mapping that was added, or behind what programs
 * begin with (insn_is_behind_start); false without code.
 */
bool code_stores_ends_thread(const struct code_stores *stores, const struct mapping *mapping,
                             uint64_t vaddr);

/* As module_rows_clones_before, by the code of the mapping that was added; false without code. */
bool code_stores_clones_before(const struct code_stores *stores, const struct mapping *mapping,
                               uint64_t vaddr);

/*
 * As module_rows_after_call, by the code of the mapping that was added; true also if the bytes
 * before `vaddr` were not.
 */
bool code_stores_after_call(const struct code_stores *stores, const struct mapping *mapping,
                            uint64_t vaddr, enum code_mode mode);

/* As module_rows_is_absent, by the code of the mapping that was added; false without code. */
bool code_stores_is_absent(const struct code_stores *stores, const struct mapping *mapping,
                           uint64_t vaddr);

#endif
