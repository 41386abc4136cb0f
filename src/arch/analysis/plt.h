/* SPDX-License-Identifier: MIT */
/* Decoding stubs of procedure linkage tables, for symbol/elf/plt.h. */
#ifndef ARCH_ANALYSIS_PLT_H
#define ARCH_ANALYSIS_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

struct plt_code {         /* the rest of a PLT section from some place on */
    const uint8_t *bytes; /* `size` of them */
    size_t size;
    uint64_t vaddr;
    uint64_t got_vaddr; /* _GLOBAL_OFFSET_TABLE_, the base of i386 stubs' GOT words; 0: not known */
};

struct plt_stub {       /* what a decoder found */
    uint64_t got_vaddr; /* the word with the address that the stub jumps to; unless by_index */
    uint32_t reloc;     /* if by_index: index in .rela.plt or .rel.plt that it pushes */
    bool by_index;
    bool thumb; /* it begins with T32 code that switches to A32 */
    uint8_t size;
};

/* Decodes the stub at the beginning of `code`. False: it is not a stub that the decoder knows. */
typedef bool plt_decode_fn(const struct plt_code *code, struct plt_stub *out);

/* In each architecture's plt.c: plt_x86_64_decode ... */
#define PLT_DECLARE(id, name) plt_decode_fn plt_##name##_decode;
ARCH_LIST(PLT_DECLARE)
#undef PLT_DECLARE

/*
 * How PLT sections are searched: where the decoder finds no stub, the search goes on `step` bytes
 * further. x86 code cannot be entered in the middle of an entry, so that its step is an entry's
 * size; fixed-width instruction sets are searched word by word.
 */
struct plt_shape {
    plt_decode_fn *decode;
    uint8_t step, got_step; /* bytes: in all sections but .plt.got; in .plt.got */
    uint8_t first;          /* least size of the resolver's entry at the start of .plt */
};

/* Reads the 32-bit little-endian word at code->bytes + off. The caller has checked the size. */
static inline uint32_t plt_word(const struct plt_code *code, size_t off)
{
    const uint8_t *bytes = code->bytes + off;

    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/*
 * Returns the size of an x86 stub whose jump ends at `end`: 16 bytes if the push of lazy binding
 * follows, else `end` rounded up to a multiple of 8; at most code->size.
 */
static inline uint8_t plt_x86_stub_size(const struct plt_code *code, size_t end)
{
    size_t size = end < code->size && code->bytes[end] == 0x68 ? 16 : (end + 7) & ~(size_t)7;

    return (uint8_t)(size < code->size ? size : code->size);
}

#endif
