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

/* Layouts of the table, named after the first version of Go that has them. */
enum go_layout {
    GO_1_16, /* addresses in the table are words */
    GO_1_18, /* addresses and funcdata are 32 bits, relative to the text and to gofunc */
    GO_1_20, /* functions have their first line; inlined calls are shorter */
};

#define GO_TEXTS_MAX 64 /* most sections of text: more than 1 GiB of code */

#define GO_SEGMENTS_MAX 64 /* segments that are searched for the table, the first ones */
/* Most places tried in each search, for the table and for its moduledata: the first ones. */
#define GO_PLACES_MAX 1000

/* One of several sections of text: its offset in the whole text, and its address. */
struct go_text {
    uint64_t off, vaddr;
};

struct gopclntab {
    struct elf_image *image; /* borrowed */
    const uint8_t *bytes;    /* the table's bytes; borrowed from the image */
    uint64_t size, vaddr;    /* of `bytes`: number, address of the first one */
    enum go_layout layout;
    unsigned word, quantum; /* bytes of an address; bytes of a unit of code lengths */
    size_t count;           /* number of functions */
    /* offsets of the parts in the table, at most `size` */
    uint64_t funcname_off, cu_off, filetab_off, pctab_off, pcln_off;
    uint64_t text_vaddr;     /* start of the text, from Go 1.18 on */
    uint64_t funcdata_vaddr; /* address of gofunc, from Go 1.18 on; 0: not known */
    struct go_text texts[GO_TEXTS_MAX];
    size_t text_count; /* 0: the text is one section */
    /*
     * Address of each relocated word whose value the file does not have -> the value. Empty from Go
     * 1.18 on, once gopclntab_create has returned.
     */
    struct map pointers;
};

/* struct _func of runtime/runtime2.go. */
struct go_func {
    uint64_t entry; /* as in the file: an address, or from Go 1.18 on an offset in the text */
    uint32_t name_off, pcsp_off, pcfile_off, pcln_off, pcdata_count, cu_index;
    uint8_t flags, funcdata_count;
    uint64_t pcdata_off; /* offset of pcdata in the table; funcdata is behind */
};

/* Sets *out to the struct at offset `off` of the table; false: it is not all in the table. */
MUST_CHECK bool go_func_read(const struct gopclntab *table, uint64_t off, struct go_func *out);

/* Returns the NUL-terminated text `off` bytes behind `part_off`; NULL: none, or above 64 KiB. */
const char *go_text_at(const struct gopclntab *table, uint64_t part_off, uint32_t off);

/*
 * Reads an integer of `size` bytes, at most 8, at offset `off` of the table, as in the file. False:
 * it is not all in the table.
 */
MUST_CHECK bool go_uint(const struct gopclntab *table, uint64_t off, unsigned size, uint64_t *out);

/*
 * Reads the word at `vaddr`, in the table or elsewhere in the image, with the value that it has
 * once the program is loaded, as a vaddr. False: neither file nor relocations have the word.
 */
MUST_CHECK bool go_pointer(const struct gopclntab *table, uint64_t vaddr, uint64_t *out);

/*
 * Sets text_vaddr, funcdata_vaddr and texts: by the runtime's moduledata of this table, else by the
 * header or .text. BAD_DATA: the functions would not be in code.
 */
MUST_CHECK enum status go_module_read(struct gopclntab *table);

/* Returns the start of function `index`; for table->count the end of the last one; 0: not known. */
uint64_t go_entry_vaddr(const struct gopclntab *table, size_t index);

#endif
