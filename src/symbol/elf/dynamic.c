/* SPDX-License-Identifier: MIT */
#include "symbol/elf/dynamic.h"

#include <elf.h>

#include "base/cursor.h"

#define DYNAMIC_TAGS_MAX 4096

struct tags {
    uint64_t symtab, strtab, strsz, hash, gnu_hash; /* addresses and a size; 0: none */
};

enum status dynamic_value(struct elf_image *image, int64_t tag, uint64_t *value)
{
    unsigned word = elf_image_arch(image)->word_size;
    struct elf_section dynamic;
    struct cursor c;
    uint64_t found, entry;

    if (elf_image_section(image, ".dynamic", &dynamic) != STATUS_OK || !dynamic.bytes)
        return STATUS_NOT_FOUND;
    c = cursor_init(dynamic.bytes, (size_t)dynamic.size);
    for (unsigned i = 0; i < DYNAMIC_TAGS_MAX && cursor_uint(&c, word, &found) &&
                         cursor_uint(&c, word, &entry) && found != DT_NULL;
         i++) {
        if (found == (uint64_t)tag) {
            *value = entry;
            return STATUS_OK;
        }
    }
    return STATUS_NOT_FOUND;
}

static uint64_t value_or_zero(struct elf_image *image, int64_t tag)
{
    uint64_t value;

    return dynamic_value(image, tag, &value) == STATUS_OK ? value : 0;
}

static struct tags read_tags(struct elf_image *image)
{
    return (struct tags){.symtab = value_or_zero(image, DT_SYMTAB),
                         .strtab = value_or_zero(image, DT_STRTAB),
                         .strsz = value_or_zero(image, DT_STRSZ),
                         .hash = value_or_zero(image, DT_HASH),
                         .gnu_hash = value_or_zero(image, DT_GNU_HASH)};
}

/* A cursor over the file's bytes at `vaddr`, empty when there are none. */
static struct cursor cursor_at(const struct elf_image *image, uint64_t vaddr)
{
    uint64_t avail = 0;
    const uint8_t *bytes = vaddr ? elf_image_bytes_at(image, vaddr, &avail) : NULL;

    return bytes ? cursor_init(bytes, (size_t)avail) : cursor_init("", 0);
}

bool dynamic_relocates_text(struct elf_image *image)
{
    uint64_t value;

    return dynamic_value(image, DT_TEXTREL, &value) == STATUS_OK ||
           (dynamic_value(image, DT_FLAGS, &value) == STATUS_OK && value & DF_TEXTREL);
}

const char *dynamic_soname(struct elf_image *image)
{
    struct cursor names = cursor_at(image, value_or_zero(image, DT_STRTAB));
    const char *name;
    uint64_t off;

    return dynamic_value(image, DT_SONAME, &off) == STATUS_OK && cursor_skip(&names, off) &&
                   cursor_string(&names, &name) && name[0]
               ? name
               : NULL;
}

/*
 * DT_GNU_HASH: nbuckets, symoffset, bloom size, bloom shift; the bloom words; the buckets (lowest
 * symbol index of each); the chains, one word a symbol from symoffset on, whose bit 0 ends a chain.
 * The last symbol is the end of the chain of the highest bucket.
 */
static uint64_t count_by_gnu_hash(struct cursor c, unsigned word)
{
    uint32_t buckets, offset, bloom, shift, index, highest = 0, hash;

    if (!cursor_u32(&c, &buckets) || !cursor_u32(&c, &offset) || !cursor_u32(&c, &bloom) ||
        !cursor_u32(&c, &shift) || !cursor_skip(&c, (uint64_t)bloom * word))
        return 0;
    for (uint32_t i = 0; i < buckets; i++) {
        if (!cursor_u32(&c, &index))
            return 0;
        if (index > highest)
            highest = index;
    }
    if (highest < offset)
        return offset;
    if (!cursor_skip(&c, (uint64_t)(highest - offset) * 4))
        return 0;
    do {
        if (!cursor_u32(&c, &hash) || highest == UINT32_MAX)
            return 0;
        highest++;
    } while (!(hash & 1));
    return highest;
}

static uint64_t count_symbols(const struct elf_image *image, const struct tags *tags, unsigned word)
{
    struct cursor c = cursor_at(image, tags->hash);
    uint32_t buckets, chains;

    if (cursor_u32(&c, &buckets) && cursor_u32(&c, &chains))
        return chains;
    return count_by_gnu_hash(cursor_at(image, tags->gnu_hash), word);
}

enum status dynamic_find_symbols(struct elf_image *image, struct dynamic_symbols *out)
{
    unsigned word = elf_image_arch(image)->word_size;
    size_t entry = word == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    struct tags tags = read_tags(image);
    struct cursor symbols, names;
    uint64_t count;

    symbols = cursor_at(image, tags.symtab);
    names = cursor_at(image, tags.strtab);
    count = count_symbols(image, &tags, word);
    if (count == 0 || symbols.size == 0 || names.size == 0)
        return STATUS_NOT_FOUND;
    if (count > symbols.size / entry)
        return STATUS_BAD_DATA;
    *out =
        (struct dynamic_symbols){.symbols = symbols.data,
                                 .size = count * entry,
                                 .names = (const char *)names.data,
                                 .names_size = tags.strsz < names.size ? tags.strsz : names.size};
    return STATUS_OK;
}
