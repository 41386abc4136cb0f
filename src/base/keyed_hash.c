/* SPDX-License-Identifier: MIT */
#include "base/keyed_hash.h"

#include <string.h>
#include <sys/auxv.h>

#include "base/hash.h"

uint64_t keyed_secret[4];

/* A dlopened copy of this file gets the same words: its tables may be the program's. */
__attribute__((constructor)) static void make_secret(void)
{
    const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
    uint64_t words[2] = {(uintptr_t)&random, 0}; /* without AT_RANDOM: where the stack is */

    if (random)
        memcpy(words, random, sizeof(words));
    for (size_t i = 0; i < sizeof(keyed_secret) / sizeof(keyed_secret[0]); i++)
        keyed_secret[i] = hash_words(words[0] + i, words[1]);
}

uint64_t keyed_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    const size_t all = size;
    uint64_t word = 0;

    for (; size > sizeof(word); size -= sizeof(word), byte += sizeof(word)) {
        memcpy(&word, byte, sizeof(word));
        hash = keyed_fold(hash ^ word ^ keyed_secret[2], keyed_secret[3]);
    }
    word = 0;
    if (size)
        memcpy(&word, byte, size);
    return keyed_words(hash ^ word, all);
}

uint64_t keyed_text(const char *text)
{
    return keyed_bytes(0, text, strlen(text));
}
