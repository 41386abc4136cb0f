/* SPDX-License-Identifier: MIT */
/*
 * Finds decoded instructions by their bytes; two in three of a file's instructions are found.
 * Private to code.c. Unlike in the hash tables of base/, each place holds the last instruction that
 * was put there, so that nothing is probed and nothing grows.
 */
#ifndef UNWIND_CODE_DECODE_CACHE_H
#define UNWIND_CODE_DECODE_CACHE_H

#include <stdint.h>

#include "arch/analysis/insn.h"

#define CODE_MEMO_BYTES     8 /* the longest instruction that is remembered, in bytes */
#define CODE_MEMO_BITS      13
#define CODE_MEMO_ITEMS     (1u << CODE_MEMO_BITS)
#define CODE_MEMO_SIZE_BITS 14

struct code_memo {
    struct code_memo_item {
        uint64_t bytes; /* the instruction's bytes, little-endian, with zeros behind */
        uint32_t insn;  /* the decoded instruction: index into code->insns; 0: the entry is free */
        uint8_t size, mode, context;
    } items[CODE_MEMO_ITEMS];
    /*
     * by the hash of the first 3 bytes: size of the last instruction of 3 or more bytes with that
     * hash
     */
    uint8_t sizes[1u << CODE_MEMO_SIZE_BITS];
};

/*
 * Returns the first CODE_MEMO_BYTES of `bytes`, or `avail` if that is less, as a little-endian
 * number.
 */
uint64_t code_memo_word(const uint8_t *bytes, uint64_t avail);

/*
 * Returns the index of a remembered instruction in this mode and context whose bytes are the first
 * of `word` (code_memo_word), at most `avail` of them; 0: none.
 */
uint32_t code_memo_recall(const struct code_memo *memo, uint64_t word, uint64_t avail,
                          enum code_mode mode, uint8_t context);

/*
 * Remembers instruction number `insn`, the first `size` bytes of `word`, which must mean the same
 * at every address; may replace another.
 */
void code_memo_remember(struct code_memo *memo, uint64_t word, unsigned size, enum code_mode mode,
                        uint8_t context, uint32_t insn);

#endif
