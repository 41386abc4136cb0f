/* SPDX-License-Identifier: MIT */
/*
 * What a stub of a procedure linkage table looks like, for symbol/elf/plt.h.
 */
#ifndef ARCH_ANALYSIS_PLT_H
#define ARCH_ANALYSIS_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

struct plt_code {         /* what a decoder looks at: a PLT section from some place on */
    const uint8_t *bytes; /* `size` of them */
    size_t size;
    uint64_t vaddr;
    uint64_t got_vaddr; /* _GLOBAL_OFFSET_TABLE_, to which i386 stubs are relative; 0: not known */
};

struct plt_stub {       /* what a stub does */
    uint64_t got_vaddr; /* it jumps to what this word holds; valid when !by_index */
    uint32_t reloc;     /* it pushes this index into .rela.plt or .rel.plt */
    bool by_index;
    bool thumb; /* it begins with the T32 code that switches to A32 */
    uint8_t size;
};

/* Decodes the stub that begins with `code`; false: not understood. */
typedef bool plt_decode_fn(const struct plt_code *code, struct plt_stub *out);

/* Of an architecture's plt.c: plt_x86_64_decode … */
#define PLT_DECLARE(id, name) plt_decode_fn plt_##name##_decode;
ARCH_LIST(PLT_DECLARE)
#undef PLT_DECLARE

/*
 * How the sections are searched. What to try next where no stub is: x86 code cannot be entered in
 * the middle of an entry, the fixed instruction sets are looked at word by word.
 */
struct plt_shape {
    plt_decode_fn *decode;
    uint8_t step, got_step; /* in .plt and .plt.sec; in .plt.got */
    uint8_t first;          /* the least that the resolver's entry, which begins .plt, takes */
};

/* The 32-bit little-endian word `off` bytes into the code, which must be there. */
static inline uint32_t plt_word(const struct plt_code *code, size_t off)
{
    const uint8_t *bytes = code->bytes + off;

    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/*
 * The size of an x86 stub whose jump ends at `end`: 16 bytes when the lazy binding's push and jump
 * follow, else padded to a multiple of 8.
 */
static inline uint8_t plt_x86_stub_size(const struct plt_code *code, size_t end)
{
    size_t size = end < code->size && code->bytes[end] == 0x68 ? 16 : (end + 7) & ~(size_t)7;

    return (uint8_t)(size < code->size ? size : code->size);
}

#endif
