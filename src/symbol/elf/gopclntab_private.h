/* SPDX-License-Identifier: MIT */
/*
 * Private to gopclntab*.c: the table as it is read. Its parts, each at an offset from its beginning
 * that the header gives:
 *
 *     header     magic, 0, 0, minLC, ptrSize; words: functions, files, [text,] offsets of the parts
 *     funcname   names, each with a NUL
 *     cu         offsets in filetab, for each compilation unit those of its files
 *     filetab    paths, each with a NUL
 *     pctab      tables of values by address
 *     pcln       functab: address and offset of each function, ascending, and the last one's end;
 *                behind it struct _func of each function
 */
#ifndef SYMBOL_ELF_GOPCLNTAB_PRIVATE_H
#define SYMBOL_ELF_GOPCLNTAB_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "symbol/elf/gopclntab.h"

/* What differs, by the first version of Go that has it. */
enum go_layout {
    GO_1_16, /* addresses are words */
    GO_1_18, /* addresses are 32 bits, relative to the text; so is what funcdata points to */
    GO_1_20, /* functions tell their first line; inlined calls are shorter */
};

#define GO_TEXTS_MAX 64 /* more than 1 GiB of code */

#define GO_SEGMENTS_MAX 64   /* those behind are not searched */
#define GO_PLACES_MAX   1000 /* nor what looks like a table behind so many that do */

/* Code for which the linker made several sections: an offset in the whole text, and its address. */
struct go_text {
    uint64_t off, vaddr;
};

struct gopclntab {
    struct elf_image *image; /* borrowed */
    const uint8_t *bytes;    /* of the image */
    uint64_t size, vaddr;
    enum go_layout layout;
    unsigned word, quantum; /* bytes of an address; what lengths of code are counted in */
    size_t count;
    uint64_t funcname_off, cu_off, filetab_off, pctab_off, pcln_off; /* at most `size` */
    uint64_t text_vaddr;                                             /* from Go 1.18 on */
    uint64_t funcdata_vaddr; /* what funcdata is relative to, from Go 1.18 on; 0: not known */
    struct go_text texts[GO_TEXTS_MAX];
    size_t text_count; /* 0: there is one section */
    /*
     * The address of each relocated word that the file does not hold the value of -> that value.
     * After gopclntab_create of Go before 1.18 only.
     */
    struct map pointers;
};

/* struct _func of runtime/runtime2.go. */
struct go_func {
    uint64_t entry; /* as the file has it */
    uint32_t name_off, pcsp_off, pcfile_off, pcln_off, pcdata_count, cu_index;
    uint8_t flags, funcdata_count;
    uint64_t pcdata_off; /* in the table; the funcdata is behind it */
};

/* At that offset in the table; false: it is not all there. */
MUST_CHECK bool go_func_read(const struct gopclntab *table, uint64_t off, struct go_func *out);

/* The NUL-terminated text that is `off` bytes behind `part_off`, or NULL. */
const char *go_text_at(const struct gopclntab *table, uint64_t part_off, uint32_t off);

/* `size` bytes, at most 8, at an offset in the table, as the file has them. */
MUST_CHECK bool go_uint(const struct gopclntab *table, uint64_t off, unsigned size, uint64_t *out);

/* The word at `vaddr`, of the table or elsewhere, as it is once the program is loaded. */
MUST_CHECK bool go_pointer(const struct gopclntab *table, uint64_t vaddr, uint64_t *out);

/*
 * Looks for the runtime's moduledata of this table and takes from it where functions and funcdata
 * are, else from the header, or from .text. BAD_DATA: functions would not be in code.
 */
MUST_CHECK enum status go_module_read(struct gopclntab *table);

/* The address of the function, below the count, or of the last one's end. */
uint64_t go_entry_vaddr(const struct gopclntab *table, size_t index);

#endif
