/* SPDX-License-Identifier: MIT */
/*
 * Private to gopclntab*.c: the layout of the table. The header has the offset of each part from the
 * table's beginning:
 *
 *     header     magic, 0, 0, minLC, ptrSize; words: functions, files, [text,] offsets of the parts
 *     funcname   names, each with a NUL
 *     cu         offsets in filetab, for each compilation unit those of its files
 *     filetab    paths, each with a NUL
 *     pctab      tables of values by address
 *     pcln       functab: address and offset of each function, ascending, and the last one's end;
 *                behind it struct _func of each function
 */
#ifndef RUNTIME_GO_GOPCLNTAB_PRIVATE_H
#define RUNTIME_GO_GOPCLNTAB_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "runtime/go/gopclntab.h"

/* Named after the first version of Go that has it. */
enum go_layout {
    GO_1_16, /* addresses are words */
    GO_1_18, /* addresses and funcdata are 32 bits, relative to the text and to gofunc */
    GO_1_20, /* functions have their first line; inlined calls are shorter */
};

#define GO_TEXTS_MAX 64 /* more than 1 GiB of code */

#define GO_SEGMENTS_MAX 64   /* searched; the rest is not */
#define GO_PLACES_MAX   1000 /* that look like a table; the rest is not tried */

/* One of several sections of text: its offset in the whole text, and its address. */
struct go_text {
    uint64_t off, vaddr;
};

struct gopclntab {
    struct elf_image *image; /* borrowed */
    const uint8_t *bytes;    /* borrowed from the image */
    uint64_t size, vaddr;
    enum go_layout layout;
    unsigned word, quantum; /* bytes of an address; bytes that a length of code counts in */
    size_t count;
    uint64_t funcname_off, cu_off, filetab_off, pctab_off, pcln_off; /* at most `size` */
    uint64_t text_vaddr;                                             /* Go 1.18 on */
    uint64_t funcdata_vaddr; /* gofunc, Go 1.18 on; 0: not known */
    struct go_text texts[GO_TEXTS_MAX];
    size_t text_count; /* 0: one section */
    /*
     * Address of each relocated word whose value the file does not hold -> that value. Empty after
     * gopclntab_create from Go 1.18 on.
     */
    struct map pointers;
};

/* struct _func of runtime/runtime2.go. */
struct go_func {
    uint64_t entry; /* as the file has it: an address, or Go 1.18 on an offset in the text */
    uint32_t name_off, pcsp_off, pcfile_off, pcln_off, pcdata_count, cu_index;
    uint8_t flags, funcdata_count;
    uint64_t pcdata_off; /* in the table; funcdata follows */
};

/* Reads the struct at `off` of the table; false: it is not all there. */
MUST_CHECK bool go_func_read(const struct gopclntab *table, uint64_t off, struct go_func *out);

/* Returns the NUL-terminated text `off` bytes behind `part_off`; NULL: none, or above 64 KiB. */
const char *go_text_at(const struct gopclntab *table, uint64_t part_off, uint32_t off);

/* Reads `size` bytes, at most 8, at `off` of the table, as the file has them. */
MUST_CHECK bool go_uint(const struct gopclntab *table, uint64_t off, unsigned size, uint64_t *out);

/* Reads the word at `vaddr`, in the table or elsewhere, as it is once the program is loaded. */
MUST_CHECK bool go_pointer(const struct gopclntab *table, uint64_t vaddr, uint64_t *out);

/*
 * Sets where functions and funcdata are: by the runtime's moduledata of this table, else by the
 * header or .text. BAD_DATA: the functions would not be in code.
 */
MUST_CHECK enum status go_module_read(struct gopclntab *table);

/* Returns where function `index` starts; at the count, where the last one ends; 0: not known. */
uint64_t go_entry_vaddr(const struct gopclntab *table, size_t index);

#endif
