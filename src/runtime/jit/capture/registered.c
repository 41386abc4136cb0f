/* SPDX-License-Identifier: MIT */
#include "runtime/jit/capture/registered.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/hash.h"
#include "base/vec.h"

#define VERSION 1
/* Bytes of a file: read at a time; of its section headers, at most; of its end. */
#define PRINT_BYTES   4096u
#define PRINT_HEADERS (UINT32_C(64) << 10)
#define PRINT_END     (UINT32_C(32) << 10)

struct jit_layout jit_layout_of(const struct elf_head *head)
{
    const struct arch *arch = arch_by_elf(head->machine, head->is_64 ? 8 : 4);
    const unsigned align = arch ? arch->u64_align : 8, pointers = 3 * (head->is_64 ? 8 : 4);

    return (struct jit_layout){.is_64 = head->is_64,
                               .size_off = (pointers + align - 1) / align * align};
}

static unsigned word_size(const struct jit_layout *layout)
{
    return layout->is_64 ? 8 : 4;
}

/* Returns the `index`-th pointer of `bytes`. */
static uint64_t pointer(const struct jit_layout *layout, const uint8_t *bytes, unsigned index)
{
    uint64_t wide;
    uint32_t narrow;

    memcpy(&narrow, bytes + (size_t)index * 4, sizeof(narrow));
    if (!layout->is_64)
        return narrow;
    memcpy(&wide, bytes + (size_t)index * 8, sizeof(wide));
    return wide;
}

size_t jit_descriptor_size(const struct jit_layout *layout)
{
    return 8 + (size_t)2 * word_size(layout);
}

bool jit_descriptor_read(const struct target_bytes *memory, const struct jit_layout *layout,
                         uint64_t addr, struct jit_descriptor *out)
{
    uint8_t bytes[24];
    uint32_t version;

    if (!target_bytes_read(memory, addr, bytes, jit_descriptor_size(layout)))
        return false;
    memcpy(&version, bytes, sizeof(version));
    memcpy(&out->action, bytes + 4, sizeof(out->action));
    out->relevant_addr = pointer(layout, bytes + 8, 0);
    out->first_addr = pointer(layout, bytes + 8, 1);
    return version == VERSION;
}

bool jit_descriptor_same(const struct jit_descriptor *a, const struct jit_descriptor *b)
{
    return a->action == b->action && a->relevant_addr == b->relevant_addr &&
           a->first_addr == b->first_addr;
}

bool jit_entry_read(const struct target_bytes *memory, const struct jit_layout *layout,
                    uint64_t addr, struct jit_entry *out)
{
    uint8_t bytes[32];

    if (!target_bytes_read(memory, addr, bytes, layout->size_off + 8))
        return false;
    out->addr = addr;
    out->next_addr = pointer(layout, bytes, 0);
    out->file_addr = pointer(layout, bytes, 2);
    memcpy(&out->file_size, bytes + layout->size_off, sizeof(out->file_size));
    return true;
}

void jit_entries_deinit(struct jit_entries *entries)
{
    free(entries->list);
    *entries = (struct jit_entries){.count = 0};
}

/* Finds loops by Brent's algorithm: compares with the entry at the last power of two. */
enum status jit_entries_read(const struct target_bytes *memory, const struct jit_layout *layout,
                             uint64_t first_addr, struct jit_entries *out)
{
    uint64_t addr = first_addr, met_addr = 0;

    out->count = 0;
    while (addr && addr != met_addr && out->count < JIT_ENTRIES_MAX) {
        if (vec_reserve(&out->list, &out->cap, out->count + 1, sizeof(*out->list)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        if (!jit_entry_read(memory, layout, addr, &out->list[out->count]))
            break;
        if ((out->count & (out->count + 1)) == 0)
            met_addr = addr;
        addr = out->list[out->count++].next_addr;
    }
    return STATUS_OK;
}

bool jit_entries_have(const struct jit_entries *entries, const struct jit_entry *entry)
{
    for (size_t i = 0; i < entries->count; i++)
        if (entries->list[i].addr == entry->addr &&
            entries->list[i].file_addr == entry->file_addr &&
            entries->list[i].file_size == entry->file_size)
            return true;
    return false;
}

/* Returns the offset of the section headers, and their size. */
static uint64_t headers_of(const uint8_t *bytes, bool is_64, uint64_t *size)
{
    Elf64_Ehdr wide;
    Elf32_Ehdr narrow;

    memcpy(&wide, bytes, sizeof(wide));
    memcpy(&narrow, bytes, sizeof(narrow));
    *size = is_64 ? (uint64_t)wide.e_shnum * wide.e_shentsize
                  : (uint64_t)narrow.e_shnum * narrow.e_shentsize;
    return is_64 ? wide.e_shoff : narrow.e_shoff;
}

/* Continues the hash over this part of the file; 0: unreadable. */
static uint64_t print_part(const struct target_bytes *memory, uint64_t print, uint64_t addr,
                           uint64_t size)
{
    uint8_t bytes[PRINT_BYTES];

    for (uint64_t done = 0; done < size; done += PRINT_BYTES) {
        const size_t n = (size_t)(size - done < PRINT_BYTES ? size - done : PRINT_BYTES);

        if (!target_bytes_read(memory, addr + done, bytes, n))
            return 0;
        print = hash_bytes(print, bytes, n);
    }
    return print;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

uint64_t jit_file_print(const struct target_bytes *memory, const struct jit_layout *layout,
                        const struct jit_entry *entry)
{
    const size_t head_size = layout->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    const uint64_t end_size = at_most(entry->file_size, PRINT_END);
    uint8_t bytes[sizeof(Elf64_Ehdr)] = {0};
    uint64_t print, off, size;

    if (entry->file_size < head_size ||
        !target_bytes_read(memory, entry->file_addr, bytes, head_size) ||
        memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        bytes[EI_CLASS] != (layout->is_64 ? ELFCLASS64 : ELFCLASS32))
        return 0;
    off = headers_of(bytes, layout->is_64, &size);
    if (off > entry->file_size || size > entry->file_size - off)
        return 0;
    print = hash_bytes(HASH_BYTES, bytes, head_size);
    print = print_part(memory, print, entry->file_addr + off, at_most(size, PRINT_HEADERS));
    return print
               ? print_part(memory, print, entry->file_addr + entry->file_size - end_size, end_size)
               : 0;
}
