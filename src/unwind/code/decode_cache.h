/* SPDX-License-Identifier: MIT */
/*
 * Finds decoded instructions by their bytes; two in three of a file's are found. Private to code.c.
 * Unlike the hash tables of base/ each place holds the last instruction that was put there, so that
 * nothing is probed and nothing grows.
 */
#ifndef UNWIND_CODE_DECODE_CACHE_H
#define UNWIND_CODE_DECODE_CACHE_H

#include <stdint.h>

#include "arch/analysis/insn.h"

#define CODE_MEMO_BYTES     8 /* longer instructions are not remembered */
#define CODE_MEMO_BITS      13
#define CODE_MEMO_ITEMS     (1u << CODE_MEMO_BITS)
#define CODE_MEMO_SIZE_BITS 14

struct code_memo {
    struct code_memo_item {
        uint64_t bytes; /* little-endian, zero behind the last */
        uint32_t insn;  /* index into code->insns; 0: none */
        uint8_t size, mode, context;
    } items[CODE_MEMO_ITEMS];
    /* size of the last instruction of 3 bytes or more, by the hash of its first 3 bytes */
    uint8_t sizes[1u << CODE_MEMO_SIZE_BITS];
};

/* Returns the first CODE_MEMO_BYTES of `bytes`, or as many as there are, little-endian. */
uint64_t code_memo_word(const uint8_t *bytes, uint64_t avail);

/* Returns the index of a remembered instruction whose bytes begin `word`; 0: none. */
uint32_t code_memo_recall(const struct code_memo *memo, uint64_t word, uint64_t avail,
                          enum code_mode mode, uint8_t context);

/* Remembers instruction `insn`, which means the same at every address; may replace another. */
void code_memo_remember(struct code_memo *memo, uint64_t word, unsigned size, enum code_mode mode,
                        uint8_t context, uint32_t insn);

#endif
