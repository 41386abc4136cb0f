/* SPDX-License-Identifier: MIT */
#include "runtime/jit/capture/elf_symbol.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define PHDRS_MAX   64u
#define DYNAMIC_MAX 1024u                /* entries */
#define CHUNK_BYTES (UINT32_C(24) << 10) /* of symbols, of either size */

/* An integer of the file's word size. */
static uint64_t word_of(const void *bytes, bool is_64)
{
    uint32_t half;
    uint64_t whole;

    memcpy(&half, bytes, sizeof(half));
    if (!is_64)
        return half;
    memcpy(&whole, bytes, sizeof(whole));
    return whole;
}

/* Addresses of a 32-bit program wrap around. */
static uint64_t wrapped(const struct elf_mapped *file, uint64_t addr)
{
    return file->head.is_64 ? addr : addr & UINT32_MAX;
}

enum status elf_mapped_find(const struct target_bytes *memory, uint64_t head_addr,
                            struct elf_mapped *out)
{
    uint8_t bytes[ELF_HEAD_MAX];
    bool has_load = false;

    *out = (struct elf_mapped){.bias = 0};
    if (!target_bytes_read(memory, head_addr, bytes, sizeof(bytes)))
        return STATUS_FAULT;
    if (elf_head_parse(bytes, sizeof(bytes), &out->head) != STATUS_OK ||
        (out->head.type != ET_EXEC && out->head.type != ET_DYN))
        return STATUS_NOT_FOUND;
    for (unsigned i = 0; i < out->head.phnum && i < PHDRS_MAX; i++) {
        const uint64_t at = head_addr + out->head.phoff + (uint64_t)i * out->head.phentsize;
        struct elf_phdr phdr;

        if (!target_bytes_read(memory, at, bytes, elf_phdr_size(&out->head)))
            return STATUS_FAULT;
        elf_phdr_parse(bytes, &out->head, &phdr);
        if (phdr.type == PT_LOAD && !has_load) {
            out->bias = wrapped(out, head_addr - (phdr.vaddr - phdr.off));
            has_load = true;
        } else if (phdr.type == PT_DYNAMIC) {
            out->dynamic_addr = phdr.vaddr;
            out->dynamic_size = phdr.memsz;
        }
    }
    out->dynamic_addr = wrapped(out, out->dynamic_addr + out->bias);
    return has_load ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Run-time addresses from the dynamic section; 0: none. */
struct tables {
    uint64_t hash, gnu_hash, symbols, names;
};

/* Some loaders replace the value by the run-time address, others do not. */
static uint64_t loaded(const struct elf_mapped *file, uint64_t value)
{
    return value < file->bias ? wrapped(file, value + file->bias) : value;
}

static bool find_tables(const struct target_bytes *memory, const struct elf_mapped *file,
                        struct tables *out)
{
    const unsigned word = file->head.is_64 ? 8 : 4;
    const uint64_t count = file->dynamic_size / (2 * word);

    *out = (struct tables){.hash = 0};
    for (unsigned i = 0; i < count && i < DYNAMIC_MAX; i++) {
        uint8_t bytes[16];
        uint64_t tag, value;

        if (!target_bytes_read(memory, file->dynamic_addr + (uint64_t)i * 2 * word, bytes,
                               (size_t)2 * word))
            return false;
        tag = word_of(bytes, file->head.is_64);
        value = loaded(file, word_of(bytes + word, file->head.is_64));
        if (tag == DT_NULL)
            break;
        if (tag == DT_HASH)
            out->hash = value;
        else if (tag == DT_GNU_HASH)
            out->gnu_hash = value;
        else if (tag == DT_SYMTAB)
            out->symbols = value;
        else if (tag == DT_STRTAB)
            out->names = value;
    }
    return out->symbols && out->names;
}

struct elf_symbol {
    uint32_t name;
    unsigned type, section;
    uint64_t value, size;
};

static size_t symbol_size(bool is_64)
{
    return is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

static void parse_symbol(const uint8_t *bytes, bool is_64, struct elf_symbol *out)
{
    Elf64_Sym wide;
    Elf32_Sym narrow;

    if (is_64) {
        memcpy(&wide, bytes, sizeof(wide));
        *out = (struct elf_symbol){wide.st_name, ELF64_ST_TYPE(wide.st_info), wide.st_shndx,
                                   wide.st_value, wide.st_size};
    } else {
        memcpy(&narrow, bytes, sizeof(narrow));
        *out = (struct elf_symbol){narrow.st_name, ELF32_ST_TYPE(narrow.st_info), narrow.st_shndx,
                                   narrow.st_value, narrow.st_size};
    }
}

static bool has_name(const struct target_bytes *from, uint64_t at, const char *name)
{
    char text[ELF_SYMBOL_NAME_MAX];
    const size_t size = strlen(name) + 1;

    return size <= sizeof(text) && target_bytes_read(from, at, text, size) &&
           memcmp(text, name, size) == 0;
}

/* Is the symbol with this number the variable? */
static bool is_wanted(const struct target_bytes *memory, const struct elf_mapped *file,
                      const struct tables *tables, uint32_t index, const char *name, uint64_t *addr)
{
    const size_t size = symbol_size(file->head.is_64);
    uint8_t bytes[sizeof(Elf64_Sym)];
    struct elf_symbol symbol;

    if (!target_bytes_read(memory, tables->symbols + (uint64_t)index * size, bytes, size))
        return false;
    parse_symbol(bytes, file->head.is_64, &symbol);
    if (symbol.type != STT_OBJECT || symbol.section == SHN_UNDEF ||
        !has_name(memory, tables->names + symbol.name, name))
        return false;
    *addr = wrapped(file, symbol.value + file->bias);
    return true;
}

static uint32_t gnu_hash(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

/* u32 count of buckets, first symbol, words of the filter, its shift; filter, buckets, chains. */
static enum status find_by_gnu_hash(const struct target_bytes *memory,
                                    const struct elf_mapped *file, const struct tables *tables,
                                    const char *name, uint64_t *addr)
{
    const uint32_t hash = gnu_hash(name);
    uint64_t buckets, chains;
    uint32_t head[4], index, link;

    if (!target_bytes_read(memory, tables->gnu_hash, head, sizeof(head)))
        return STATUS_FAULT;
    if (!head[0])
        return STATUS_NOT_FOUND;
    buckets = tables->gnu_hash + sizeof(head) + (uint64_t)head[2] * (file->head.is_64 ? 8 : 4);
    chains = buckets + (uint64_t)head[0] * 4;
    if (!target_bytes_read(memory, buckets + (uint64_t)(hash % head[0]) * 4, &index, sizeof(index)))
        return STATUS_FAULT;
    for (unsigned i = 0; index >= head[1] && index && i < ELF_SYMBOL_CHAIN_MAX; i++, index++) {
        if (!target_bytes_read(memory, chains + (uint64_t)(index - head[1]) * 4, &link,
                               sizeof(link)))
            return STATUS_FAULT;
        if ((link | 1) == (hash | 1) && is_wanted(memory, file, tables, index, name, addr))
            return STATUS_OK;
        if (link & 1)
            break;
    }
    return STATUS_NOT_FOUND;
}

static uint32_t sysv_hash(const char *name)
{
    uint32_t hash = 0;

    for (; *name; name++) {
        hash = (hash << 4) + (uint8_t)*name;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    return hash;
}

/* u32 count of buckets, of symbols; buckets, chains. */
static enum status find_by_hash(const struct target_bytes *memory, const struct elf_mapped *file,
                                const struct tables *tables, const char *name, uint64_t *addr)
{
    uint64_t at;
    uint32_t head[2], index = 0;

    if (!target_bytes_read(memory, tables->hash, head, sizeof(head)))
        return STATUS_FAULT;
    if (!head[0])
        return STATUS_NOT_FOUND;
    at = tables->hash + sizeof(head) + (uint64_t)(sysv_hash(name) % head[0]) * 4;
    for (unsigned i = 0; i < ELF_SYMBOL_CHAIN_MAX; i++) {
        if (!target_bytes_read(memory, at, &index, sizeof(index)))
            return STATUS_FAULT;
        if (!index || index >= head[1])
            break;
        if (is_wanted(memory, file, tables, index, name, addr))
            return STATUS_OK;
        at = tables->hash + sizeof(head) + ((uint64_t)head[0] + index) * 4;
    }
    return STATUS_NOT_FOUND;
}

enum status elf_symbol_in_memory(const struct target_bytes *memory, const struct elf_mapped *file,
                                 const char *name, uint64_t *addr)
{
    struct tables tables;

    if (!find_tables(memory, file, &tables))
        return STATUS_NOT_FOUND;
    if (tables.gnu_hash)
        return find_by_gnu_hash(memory, file, &tables, name, addr);
    return tables.hash ? find_by_hash(memory, file, &tables, name, addr) : STATUS_NOT_FOUND;
}

struct file_section {
    uint32_t type, link;
    uint64_t off, size;
};

struct file_sections {
    struct elf_head head;
    unsigned entry_size, count;
};

static bool read_section(const struct target_bytes *file, const struct file_sections *sections,
                         uint32_t index, struct file_section *out)
{
    const bool is_64 = sections->head.is_64;
    uint8_t bytes[sizeof(Elf64_Shdr)] = {0};
    Elf64_Shdr wide;
    Elf32_Shdr narrow;

    if (index >= sections->count ||
        !target_bytes_read(file, sections->head.shoff + (uint64_t)index * sections->entry_size,
                           bytes, is_64 ? sizeof(wide) : sizeof(narrow)))
        return false;
    memcpy(&wide, bytes, sizeof(wide));
    memcpy(&narrow, bytes, sizeof(narrow));
    *out = is_64 ? (struct file_section){wide.sh_type, wide.sh_link, wide.sh_offset, wide.sh_size}
                 : (struct file_section){narrow.sh_type, narrow.sh_link, narrow.sh_offset,
                                         narrow.sh_size};
    return true;
}

static enum status read_sections(const struct target_bytes *file, struct file_sections *out)
{
    uint8_t bytes[sizeof(Elf64_Ehdr)];
    Elf64_Ehdr wide;
    Elf32_Ehdr narrow;

    if (!target_bytes_read(file, 0, bytes, sizeof(bytes)))
        return STATUS_FAULT;
    if (elf_head_parse(bytes, sizeof(bytes), &out->head) != STATUS_OK)
        return STATUS_NOT_FOUND;
    memcpy(&wide, bytes, sizeof(wide));
    memcpy(&narrow, bytes, sizeof(narrow));
    out->entry_size = out->head.is_64 ? wide.e_shentsize : narrow.e_shentsize;
    out->count = out->head.is_64 ? wide.e_shnum : narrow.e_shnum;
    return out->entry_size >= (out->head.is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr))
               ? STATUS_OK
               : STATUS_NOT_FOUND;
}

/*
 * Searches a symbol table, by size first: few symbols have just that one. Reads *left symbols at
 * most, and subtracts them.
 */
static enum status find_in_table(const struct target_bytes *file,
                                 const struct file_sections *sections,
                                 const struct file_section *table, const char *name, uint64_t size,
                                 uint64_t *left, uint64_t *vaddr)
{
    const size_t each = symbol_size(sections->head.is_64);
    const uint64_t count = table->size / each < *left ? table->size / each : *left;
    uint8_t *chunk = malloc(CHUNK_BYTES);
    enum status status = chunk ? STATUS_NOT_FOUND : STATUS_NO_MEMORY;
    struct file_section names;

    if (status == STATUS_NOT_FOUND && !read_section(file, sections, table->link, &names))
        status = STATUS_FAULT;
    *left -= count;
    for (uint64_t i = 0; i < count && status == STATUS_NOT_FOUND;) {
        const uint64_t room = CHUNK_BYTES / each;
        const size_t n = (size_t)(count - i < room ? count - i : room);

        if (!target_bytes_read(file, table->off + i * each, chunk, n * each))
            status = STATUS_FAULT;
        for (size_t k = 0; k < n && status == STATUS_NOT_FOUND; k++) {
            struct elf_symbol symbol;

            parse_symbol(chunk + k * each, sections->head.is_64, &symbol);
            if (symbol.type != STT_OBJECT || symbol.size != size || symbol.section == SHN_UNDEF ||
                symbol.name >= names.size || !has_name(file, names.off + symbol.name, name))
                continue;
            *vaddr = symbol.value;
            status = STATUS_OK;
        }
        i += n;
    }
    free(chunk);
    return status;
}

enum status elf_symbol_in_file(const struct target_bytes *file, uint64_t file_size,
                               const char *name, uint64_t size, uint64_t *vaddr)
{
    struct file_sections sections;
    struct file_section section;
    enum status status = read_sections(file, &sections);
    uint64_t left;

    if (status != STATUS_OK)
        return status;
    status = STATUS_NOT_FOUND;
    left = file_size / symbol_size(sections.head.is_64);
    if (left > ELF_SYMBOLS_MAX)
        left = ELF_SYMBOLS_MAX;
    for (unsigned i = 0; i < sections.count && status == STATUS_NOT_FOUND; i++) {
        if (!read_section(file, &sections, i, &section))
            return STATUS_FAULT;
        if (section.type == SHT_SYMTAB || section.type == SHT_DYNSYM)
            status = find_in_table(file, &sections, &section, name, size, &left, vaddr);
    }
    return status;
}
