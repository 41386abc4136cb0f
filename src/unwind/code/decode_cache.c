/* SPDX-License-Identifier: MIT */
#include "unwind/code/decode_cache.h"

#include <endian.h>
#include <string.h>

static uint64_t hash(uint64_t word, unsigned bits)
{
    return word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
}

/* Returns the first `size` bytes of `word`. */
static uint64_t first_bytes(uint64_t word, unsigned size)
{
    return size < 8 ? word & ((UINT64_C(1) << 8 * size) - 1) : word;
}

uint64_t code_memo_word(const uint8_t *bytes, uint64_t avail)
{
    uint64_t word = 0;

    memcpy(&word, bytes, avail < CODE_MEMO_BYTES ? (size_t)avail : CODE_MEMO_BYTES);
    return le64toh(word);
}

uint32_t code_memo_recall(const struct code_memo *memo, uint64_t word, uint64_t avail,
                          enum code_mode mode, uint8_t context)
{
    const unsigned sizes[] = {memo->sizes[hash(first_bytes(word, 3), CODE_MEMO_SIZE_BITS)], 2, 1};

    /* No instruction's bytes begin another's: a match of any size is the instruction. */
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint64_t bytes = first_bytes(word, sizes[i]);
        const struct code_memo_item *item = &memo->items[hash(bytes, CODE_MEMO_BITS)];

        if (item->insn && sizes[i] <= avail && item->bytes == bytes && item->size == sizes[i] &&
            item->mode == mode && item->context == context)
            return item->insn;
    }
    return 0;
}

void code_memo_remember(struct code_memo *memo, uint64_t word, unsigned size, enum code_mode mode,
                        uint8_t context, uint32_t insn)
{
    uint64_t bytes = first_bytes(word, size);

    if (size > 2)
        memo->sizes[hash(first_bytes(word, 3), CODE_MEMO_SIZE_BITS)] = (uint8_t)size;
    memo->items[hash(bytes, CODE_MEMO_BITS)] = (struct code_memo_item){.bytes = bytes,
                                                                       .insn = insn,
                                                                       .size = (uint8_t)size,
                                                                       .mode = (uint8_t)mode,
                                                                       .context = context};
}
