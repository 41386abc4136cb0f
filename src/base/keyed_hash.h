/* SPDX-License-Identifier: MIT */
/*
 * Hashes for tables in memory (map.h, index.h), whose keys come from files. They depend on secret
 * words of the process, so that no file can hold keys made to collide:
 *
 *     hash.h          the same in every run: what is printed, kept in files, or an identity
 *     keyed_hash.h    another one in every run: the place in a table, and nothing else
 *
 * What is computed must not depend on the value: nothing may sort by it or go through a table in
 * its order.
 *
 * keyed_words is wyhash64 of wyhash, version 4 (Wang Yi, public domain): two multiplications, each
 * with all 128 bits of the product. It withstands keys that are chosen without seeing a hash or
 * measuring times of this process; it is no cryptographic function.
 */
#ifndef BASE_KEYED_HASH_H
#define BASE_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Set before main from the 16 random bytes that the kernel gives each program (AT_RANDOM). */
extern uint64_t keyed_secret[4];

/* Returns the low half of x * y; *high: the high half. */
static inline uint64_t keyed_product(uint64_t x, uint64_t y, uint64_t *high)
{
#ifdef __SIZEOF_INT128__
    __extension__ const unsigned __int128 product = (unsigned __int128)x * y;

    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
#else
    /*
     *     x1 x0 * y1 y0 =  x1y1 * 2^64 + (x1y0 + x0y1) * 2^32 + x0y0
     *     middle = x1y0 + high(x0y0) + low(x0y1) fits 64 bits
     */
    const uint64_t low = (x & UINT32_MAX) * (y & UINT32_MAX);
    const uint64_t cross = (x & UINT32_MAX) * (y >> 32);
    const uint64_t middle = (x >> 32) * (y & UINT32_MAX) + (low >> 32) + (cross & UINT32_MAX);

    *high = (x >> 32) * (y >> 32) + (cross >> 32) + (middle >> 32);
    return middle << 32 | (low & UINT32_MAX);
#endif
}

/* Returns the two halves of x * y XORed. */
static inline uint64_t keyed_fold(uint64_t x, uint64_t y)
{
    uint64_t high;
    const uint64_t low = keyed_product(x, y, &high);

    return low ^ high;
}

/* Returns the hash of two words. */
static inline uint64_t keyed_words(uint64_t a, uint64_t b)
{
    uint64_t high;
    const uint64_t low = keyed_product(a ^ keyed_secret[0], b ^ keyed_secret[1], &high);

    return keyed_fold(low ^ keyed_secret[2], high ^ keyed_secret[3]);
}

/* Returns the hash of `size` bytes behind what `hash` is of; 0: they are the first. */
uint64_t keyed_bytes(uint64_t hash, const void *bytes, size_t size);

/* Returns the hash of a NUL-terminated text. */
uint64_t keyed_text(const char *text);

#endif
