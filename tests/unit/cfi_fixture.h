/* SPDX-License-Identifier: MIT */
/*
 * A little assembler for .eh_frame and .debug_frame sections, for CFI that no compiler would emit.
 *
 *     struct asm_section s = asm_begin(true);                  .eh_frame
 *     size_t cie = asm_cie(&s, "zR", "\x1b", 1, ENTRY);  lengths are filled in
 *     asm_fde(&s, cie, 0x400000, 0x80, PROGRAM(0x41, 0x0e, 0x10));
 */
#ifndef TESTS_CFI_FIXTURE_H
#define TESTS_CFI_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unwind/sources/cfi_entry.h"

#define SECTION_VADDR UINT64_C(0x1000)
#define TEXT_VADDR    UINT64_C(0x2000)
#define DATA_VADDR    UINT64_C(0x3000)

struct asm_section {
    uint8_t bytes[8192];
    size_t size;
    bool eh_frame;
    bool long_form; /* entries begin with the 64-bit length */
    enum arch_id arch;
};

/* The instructions of a program, for asm_cie and asm_fde. */
struct program_bytes {
    uint8_t bytes[512];
    size_t size;
};

#define PROGRAM(...)                                                                               \
    ((struct program_bytes){.bytes = {__VA_ARGS__}, .size = sizeof((uint8_t[]){__VA_ARGS__})})
/* CFA = rsp + 8, RA at CFA-8: what every x86-64 CIE begins with. */
#define ENTRY      PROGRAM(0x0c, 7, 8, 0x90, 1)
#define NO_PROGRAM ((struct program_bytes){.size = 0})

static inline void asm_uint(struct asm_section *s, uint64_t value, unsigned size)
{
    assert_true(s->size + size <= sizeof(s->bytes));
    for (unsigned i = 0; i < size; i++)
        s->bytes[s->size++] = (uint8_t)(value >> (8 * i));
}

static inline void asm_bytes(struct asm_section *s, const void *bytes, size_t size)
{
    assert_true(s->size + size <= sizeof(s->bytes));
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

static inline struct asm_section asm_begin(bool eh_frame)
{
    return (struct asm_section){.eh_frame = eh_frame, .arch = ARCH_X86_64};
}

static inline struct cfi_section asm_end(const struct asm_section *s)
{
    return (struct cfi_section){.arch = arch_get(s->arch),
                                .bytes = s->bytes,
                                .size = s->size,
                                .vaddr = SECTION_VADDR,
                                .eh_frame = s->eh_frame,
                                .data_vaddr = DATA_VADDR,
                                .text_vaddr = TEXT_VADDR};
}

/* Where the entry begins; its length is set by asm_entry_end. */
static inline size_t asm_entry_begin(struct asm_section *s)
{
    size_t start = s->size;

    if (s->long_form)
        asm_uint(s, UINT32_MAX, 4);
    asm_uint(s, 0, s->long_form ? 8 : 4);
    return start;
}

static inline void asm_entry_end(struct asm_section *s, size_t start)
{
    size_t at = start + (s->long_form ? 4 : 0), size = s->long_form ? 8 : 4;
    uint64_t length = s->size - at - size;

    memcpy(s->bytes + at, &length, size);
}

/* The field that tells CIE from FDE: `cie` is where the CIE begins, SIZE_MAX in a CIE itself. */
static inline void asm_id(struct asm_section *s, size_t cie)
{
    if (s->eh_frame)
        asm_uint(s, cie == SIZE_MAX ? 0 : s->size - cie, 4);
    else
        asm_uint(s, cie == SIZE_MAX ? UINT64_MAX : cie, s->long_form ? 8 : 4);
}

/*
 * A CIE with alignment factors 1 and -8 and return address column 16. `data` are the augmentation's
 * bytes (with 'z': behind their length; "eh": the pointer, which comes first).
 */
static inline size_t asm_cie(struct asm_section *s, const char *augmentation, const void *data,
                             size_t data_size, uint8_t version, struct program_bytes program)
{
    size_t start = asm_entry_begin(s);

    asm_id(s, SIZE_MAX);
    asm_uint(s, version, 1);
    asm_bytes(s, augmentation, strlen(augmentation) + 1);
    if (augmentation[0] == 'e')
        asm_bytes(s, data, data_size);
    if (version >= 4) {
        asm_uint(s, arch_get(s->arch)->word_size, 1);
        asm_uint(s, 0, 1);
    }
    asm_uint(s, 1, 1);    /* code alignment */
    asm_uint(s, 0x78, 1); /* data alignment: -8 */
    asm_uint(s, 16, 1);   /* RA column: the same as byte and as ULEB128 */
    if (augmentation[0] == 'z') {
        asm_uint(s, data_size, 1);
        asm_bytes(s, data, data_size);
    }
    asm_bytes(s, program.bytes, program.size);
    asm_entry_end(s, start);
    return start;
}

/*
 * An FDE as gcc's: in .eh_frame PC-relative with four bytes (CIE "zR" 0x1b), in .debug_frame
 * absolute.
 */
static inline size_t asm_fde(struct asm_section *s, size_t cie, uint64_t start_vaddr, uint64_t size,
                             struct program_bytes program)
{
    size_t start = asm_entry_begin(s);

    asm_id(s, cie);
    if (s->eh_frame) {
        asm_uint(s, start_vaddr - (SECTION_VADDR + s->size), 4);
        asm_uint(s, size, 4);
        asm_uint(s, 0, 1); /* augmentation data */
    } else {
        asm_uint(s, start_vaddr, 8);
        asm_uint(s, size, 8);
    }
    asm_bytes(s, program.bytes, program.size);
    asm_entry_end(s, start);
    return start;
}

static inline size_t asm_gcc_cie(struct asm_section *s)
{
    return s->eh_frame ? asm_cie(s, "zR", "\x1b", 1, 1, ENTRY) : asm_cie(s, "", "", 0, 4, ENTRY);
}

#endif
