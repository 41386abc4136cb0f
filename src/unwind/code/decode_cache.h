/* SPDX-License-Identifier: MIT */
/*
 * Instructions that were decoded, by their bytes. Two in three of a file's are found here. Private
 * to code.c. No hash table of base/: each place holds the last instruction that fell on it, so that
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
        uint64_t bytes; /* the first in the lowest byte, zero behind the last */
        uint32_t insn;  /* the number it is known by; 0: none */
        uint8_t size, mode, context;
    } items[CODE_MEMO_ITEMS];
    /* Of the last instruction of three bytes or more that began with these three, by their hash. */
    uint8_t sizes[1u << CODE_MEMO_SIZE_BITS];
};

/* The first CODE_MEMO_BYTES of `bytes`, or as many as there are. */
uint64_t code_memo_word(const uint8_t *bytes, uint64_t avail);

/*
 * The number of an instruction that was decoded from the bytes that `word` begins with; 0: none is
 * remembered.
 */
uint32_t code_memo_recall(const struct code_memo *memo, uint64_t word, uint64_t avail,
                          enum code_mode mode, uint8_t context);

/* An instruction that means the same everywhere; it may take another's place. */
void code_memo_remember(struct code_memo *memo, uint64_t word, unsigned size, enum code_mode mode,
                        uint8_t context, uint32_t insn);

#endif
