/* SPDX-License-Identifier: MIT */
#include "arch/analysis/capstone_memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"

/* A decoder needs five blocks, the largest of 16 KiB. Memory hardly runs out in several at once. */
#define BLOCKS     24
#define BLOCK_SIZE ((size_t)32 << 10)

struct reserve {
    _Alignas(max_align_t) uint8_t block[BLOCKS][BLOCK_SIZE];
    atomic_flag taken[BLOCKS]; /* gcc for RISC-V has no other exchange of one byte */
};

static struct reserve reserve;

static void *take_reserve(size_t size)
{
    shortage_note(NULL, ENOMEM);
    for (size_t i = 0; size <= BLOCK_SIZE && i < BLOCKS; i++)
        if (!atomic_flag_test_and_set(&reserve.taken[i]))
            return memset(reserve.block[i], 0, BLOCK_SIZE);
    return NULL;
}

/* Returns the index of the block with `memory`; BLOCKS: it is in none. */
static size_t block_of(const void *memory)
{
    uintptr_t off = (uintptr_t)memory - (uintptr_t)reserve.block;

    return off < sizeof(reserve.block) ? off / BLOCK_SIZE : BLOCKS;
}

static void *take(size_t size)
{
    void *memory = malloc(size);

    return memory ? memory : take_reserve(size);
}

static void *take_zeroes(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    return memory || (size && count > BLOCK_SIZE / size) ? memory : take_reserve(count * size);
}

static void release(void *memory)
{
    size_t block = block_of(memory);

    if (block == BLOCKS)
        free(memory);
    else
        atomic_flag_clear(&reserve.taken[block]);
}

static void *resize(void *memory, size_t size)
{
    size_t block = memory ? block_of(memory) : BLOCKS;

    if (block == BLOCKS)
        return realloc(memory, size); /* only cs_disasm calls it, which is not used here */
    return size <= BLOCK_SIZE ? memory : NULL;
}

const cs_opt_mem *capstone_memory(void)
{
    static const cs_opt_mem memory = {.malloc = take,
                                      .calloc = take_zeroes,
                                      .realloc = resize,
                                      .free = release,
                                      .vsnprintf = vsnprintf};

    return &memory;
}
