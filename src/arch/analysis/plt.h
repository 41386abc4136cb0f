/* SPDX-License-Identifier: MIT */
/* Decoding stubs of procedure linkage tables, for symbol/elf/plt.h. */
#ifndef ARCH_ANALYSIS_PLT_H
#define ARCH_ANALYSIS_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

struct plt_code {         /* a PLT section, from the stub to decode to its end */
    const uint8_t *bytes; /* borrowed; `size` of them */
    size_t size;
    uint64_t vaddr;     /* address of bytes[0] in the file */
    uint64_t got_vaddr; /* _GLOBAL_OFFSET_TABLE_, the base of i386 stubs' GOT words; 0: not known */
};

struct plt_stub {       /* a decoded stub */
    uint64_t got_vaddr; /* unless by_index: the word with the address that the stub jumps to */
    uint32_t reloc;     /* if by_index: index in .rela.plt or .rel.plt that the stub pushes */
    bool by_index;      /* the stub tells `reloc`, not got_vaddr */
    bool thumb;         /* the stub begins with T32 code */
    bool all_thumb;     /* and so does the resolver's entry: nothing switches to A32 */
    uint8_t size;       /* bytes of the stub */
    uint8_t lazy_off;   /* of its code, in bytes, to which the word leads at first; 0: none */
    /*
     * The code in the resolver's entry that the stub calls to jump on, and that takes the return
     * address of this call off the stack; 0: none.
     */
    uint64_t thunk_vaddr;
};

/* Decodes the stub at the beginning of `code`. False: the decoder knows no stub like that. */
typedef bool plt_decode_fn(const struct plt_code *code, struct plt_stub *out);

/* Declares the decoder of each architecture: plt_x86_64_decode ..., in its plt.c. */
#define PLT_DECLARE(id, name) plt_decode_fn plt_##name##_decode;
ARCH_LIST(PLT_DECLARE)
#undef PLT_DECLARE

/*
 * The way PLT sections are searched: where `decode` finds no stub, the search goes on `step` bytes
 * further: on x86 an entry's size, as its code must not be decoded from the middle of an entry; for
 * fixed-width instruction sets a word.
 */
struct plt_shape {
    plt_decode_fn *decode;
    uint8_t step, got_step; /* bytes: in other PLT sections than .plt.got; in .plt.got */
    uint8_t first;          /* least size in bytes of the resolver's entry at the start of .plt */
};

/* Reads the 32-bit little-endian word at code->bytes + off; the caller checks that it is inside. */
static inline uint32_t plt_word(const struct plt_code *code, size_t off)
{
    const uint8_t *bytes = code->bytes + off;

    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

#endif
