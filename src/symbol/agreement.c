/* SPDX-License-Identifier: MIT */
#include "symbol/agreement.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>

#include <gelf.h>

#include "base/cursor.h"
#include "symbol/address_bias.h"
#include "symbol/elf/dynamic.h"

#define PHDRS_MAX        64   /* compared */
#define PHDR_BYTES_MAX   64   /* of one header */
#define DYNAMIC_MAX      4096 /* entries compared */
#define BLOCK_BYTES      4096 /* of code, compared at once */
#define PROT_WRITE       2    /* of elf_segment */
#define CODE_BYTES_LEAST 64   /* fewer bytes prove nothing */
#define DATA_WORDS_LEAST 16   /* fewer words of constant data prove nothing */

struct comparison {
    const struct process_memory *memory;
    struct elf_image *image;
    uint64_t bias;
    unsigned word;
    bool has_place;              /* facts about its place agree */
    bool has_compared;           /* some bytes were compared: */
    bool has_phdrs, has_dynamic; /* all of them */
    bool has_code;               /* some code was compared */
    bool is_changed;             /* code differs, headers and dynamic section do not */
    struct diag *why;
};

static uint64_t address_of(const struct comparison *c, uint64_t vaddr)
{
    uint64_t addr = c->bias + vaddr;

    return c->word == 8 ? addr : addr & UINT32_MAX;
}

static bool differs(const struct comparison *c, const char *what, uint64_t addr)
{
    diag_set(c->why, elf_image_path(c->image),
             "is not the file that the process ran: %s, at 0x%" PRIx64, what, addr);
    diag_hint(c->why, "pass the right file with --elf");
    return false;
}

/* Finds the run-time address of a file offset; false: it is in no segment. */
static bool address_of_off(const struct comparison *c, uint64_t off, uint64_t *addr)
{
    const struct elf_segment *segments;
    size_t count;

    segments = elf_image_segments(c->image, &count);
    for (size_t i = 0; i < count; i++)
        if (off >= segments[i].file_off && off - segments[i].file_off < segments[i].file_size) {
            *addr = address_of(c, segments[i].vaddr + (off - segments[i].file_off));
            return true;
        }
    return false;
}

/* Compares the auxiliary vector with the ELF header. */
static bool compare_auxv(struct comparison *c, const GElf_Ehdr *head)
{
    const struct process_memory *memory = c->memory;
    uint64_t phdr_addr;

    if (memory->phdr_count && memory->phdr_count != head->e_phnum)
        return differs(c, "it has another number of program headers", memory->phdr_addr);
    if (memory->phdr_size && memory->phdr_size != head->e_phentsize)
        return differs(c, "its program headers are of another size", memory->phdr_addr);
    if (memory->entry_addr && memory->entry_addr != address_of(c, head->e_entry))
        return differs(c, "it has another entry point", memory->entry_addr);
    if (memory->phdr_addr && address_of_off(c, head->e_phoff, &phdr_addr) &&
        phdr_addr != memory->phdr_addr)
        return differs(c, "its program headers are elsewhere", memory->phdr_addr);
    c->has_place |= memory->entry_addr && memory->phdr_addr && memory->phdr_count;
    return true;
}

static bool compare_phdrs(struct comparison *c, const GElf_Ehdr *head)
{
    const size_t size = head->e_phentsize;
    uint8_t loaded[PHDR_BYTES_MAX];
    uint64_t addr, file_size;
    size_t bytes_size;
    const uint8_t *bytes = elf_image_file_bytes(c->image, &bytes_size);
    uint32_t type;

    file_size = bytes_size;
    if (size < sizeof(type) || size > sizeof(loaded) || !address_of_off(c, head->e_phoff, &addr))
        return true;
    for (unsigned i = 0; i < head->e_phnum && i < PHDRS_MAX; i++, addr += size) {
        uint64_t off = head->e_phoff + i * size;

        if (off > file_size || size > file_size - off ||
            !process_memory_read(c->memory, addr, loaded, size))
            return true;
        memcpy(&type, bytes + off, sizeof(type));
        if (type != PT_LOAD && type != PT_DYNAMIC)
            continue;
        if (memcmp(bytes + off, loaded, size) != 0)
            return differs(c, "a program header differs", addr);
        c->has_compared = true;
    }
    c->has_phdrs = c->has_compared && head->e_phnum <= PHDRS_MAX;
    return true;
}

/* The dynamic linker replaces vaddrs by addresses, and fills DT_DEBUG. */
static bool compare_dynamic(struct comparison *c)
{
    struct elf_section dynamic;
    struct cursor in_file;
    uint64_t tag = DT_NULL, value, addr;
    unsigned compared = 0;

    if (elf_image_section(c->image, ".dynamic", &dynamic) != STATUS_OK || !dynamic.bytes)
        return true;
    in_file = cursor_init(dynamic.bytes, (size_t)dynamic.size);
    for (; compared < DYNAMIC_MAX && cursor_uint(&in_file, c->word, &tag) &&
           cursor_uint(&in_file, c->word, &value) && tag != DT_NULL;
         compared++) {
        uint64_t loaded[2] = {0};

        addr = address_of(c, dynamic.vaddr + (uint64_t)compared * 2 * c->word);
        if (!process_memory_read(c->memory, addr, &loaded[0], c->word) ||
            !process_memory_read(c->memory, addr + c->word, &loaded[1], c->word))
            return true;
        if (loaded[0] != tag ||
            (tag != DT_DEBUG && loaded[1] != value && loaded[1] != address_of(c, value)))
            return differs(c, "the dynamic section differs", addr);
        c->has_compared = true;
    }
    c->has_dynamic = compared > 0 && tag == DT_NULL;
    return true;
}

struct word_count {
    uint64_t compared, different;
};

/* Compares the words of a block; words that are 0 in the file are for the linker to fill. */
static void count_words(const struct comparison *c, const uint8_t *bytes, const uint8_t *loaded,
                        size_t size, struct word_count *count)
{
    for (size_t at = 0; size - at >= c->word; at += c->word) {
        uint64_t in_file = 0, in_memory = 0;

        memcpy(&in_file, bytes + at, c->word);
        memcpy(&in_memory, loaded + at, c->word);
        if (!in_file)
            continue;
        count->compared++;
        count->different += in_memory != in_file && in_memory != address_of(c, in_file);
    }
}

/*
 * Compares data that the dynamic linker relocates and then write-protects, which all cores have: in
 * another build it points elsewhere.
 */
static bool compare_constants(struct comparison *c)
{
    static const char *const names[] = {".data.rel.ro", ".init_array", ".fini_array"};
    struct word_count count = {0};
    struct elf_section section;
    uint8_t loaded[BLOCK_BYTES];
    uint64_t addr = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        uint64_t most, size;

        if (elf_image_section(c->image, names[i], &section) != STATUS_OK || !section.bytes)
            continue;
        most = section.size < AGREEMENT_DATA_MAX ? section.size : AGREEMENT_DATA_MAX;
        for (uint64_t at = 0; at < most; at += size) {
            size = most - at < sizeof(loaded) ? most - at : sizeof(loaded);
            addr = address_of(c, section.vaddr + at);
            if (process_memory_read(c->memory, addr, loaded, (size_t)size))
                count_words(c, section.bytes + at, loaded, (size_t)size, &count);
        }
    }
    if (count.compared >= DATA_WORDS_LEAST &&
        count.different > count.compared / AGREEMENT_DATA_TOLERANCE)
        return differs(c, "constant data differs", addr);
    c->has_compared |= count.compared >= DATA_WORDS_LEAST;
    return true;
}

struct byte_count {
    uint64_t compared, different;
};

/*
 * Skips words of zeroes or ones in memory that differ in the file: they were not read when the
 * memory was written down (a page left out, flash that could not be read).
 */
static void count_bytes(const uint8_t *file, const uint8_t *loaded, size_t size,
                        struct byte_count *count)
{
    for (size_t at = 0, len; at < size; at += len) {
        uint32_t word = 0;

        len = size - at < sizeof(word) ? size - at : sizeof(word);
        memcpy(&word, loaded + at, len);
        if (len == sizeof(word) && (word == 0 || word == UINT32_MAX) &&
            memcmp(file + at, loaded + at, len) != 0)
            continue;
        count->compared += len;
        for (size_t i = 0; i < len; i++)
            count->different += file[at + i] != loaded[at + i];
    }
}

/* Compares the part of the range that memory has. */
static void compare_range(const struct comparison *c, uint64_t vaddr, uint64_t size,
                          struct byte_count *count)
{
    uint64_t avail = 0, part;
    const uint8_t *bytes = elf_image_bytes_at(c->image, vaddr, &avail);
    uint8_t loaded[BLOCK_BYTES];

    if (!bytes)
        return;
    if (avail > size)
        avail = size;
    for (uint64_t at = 0; at < avail; at += part) {
        part = avail - at < sizeof(loaded) ? avail - at : sizeof(loaded);
        if (process_memory_read(c->memory, address_of(c, vaddr + at), loaded, (size_t)part))
            count_bytes(bytes + at, loaded, (size_t)part, count);
    }
}

/* A writable segment has variables in between: compares only sections of code. */
static void compare_writable(const struct comparison *c, const struct elf_segment *segment,
                             struct byte_count *count)
{
    const struct vaddr_range *ranges;
    size_t range_count;

    if (!elf_image_has_sections(c->image))
        return;
    ranges = elf_image_exec_ranges(c->image, &range_count);
    for (size_t i = 0; i < range_count && count->compared < AGREEMENT_CODE_MAX; i++)
        if (ranges[i].start_vaddr >= segment->vaddr &&
            ranges[i].start_vaddr - segment->vaddr < segment->file_size)
            compare_range(c, ranges[i].start_vaddr, ranges[i].end_vaddr - ranges[i].start_vaddr,
                          count);
}

static bool compare_code(struct comparison *c, const struct elf_segment *segment)
{
    const uint64_t most =
        segment->file_size < AGREEMENT_CODE_MAX ? segment->file_size : AGREEMENT_CODE_MAX;
    /* strip changes the ELF header's fields about sections; compare_phdrs has the first page. */
    const uint64_t head_bytes = segment->file_off == 0 ? BLOCK_BYTES : 0;
    struct byte_count count = {0};

    if (segment->prot & PROT_WRITE)
        compare_writable(c, segment, &count);
    else if (most > head_bytes)
        compare_range(c, segment->vaddr + head_bytes, most - head_bytes, &count);
    if (count.different > count.compared / AGREEMENT_TOLERANCE) {
        if (!c->has_phdrs || !c->has_dynamic ||
            count.different > count.compared / AGREEMENT_CHANGED_TOLERANCE)
            return differs(c, "code differs", address_of(c, segment->vaddr));
        c->is_changed = true;
    }
    c->has_code |= count.compared >= CODE_BYTES_LEAST;
    return true;
}

/* For a program linked for its place: does its code fill the mapping from page to page? */
static void compare_extent(struct comparison *c, const struct mapping *where,
                           const struct elf_segment *segment)
{
    const uint64_t edge = 4095;

    c->has_place |= where->anchor == MAPPING_BIAS && where->anchor_addr == 0 &&
                    (segment->vaddr & ~edge) == where->start_addr &&
                    ((segment->vaddr + segment->mem_size + edge) & ~edge) == where->end_addr;
}

/* Compares all executable segments. False: `why` says where code differs. */
static bool compare_segments(struct comparison *c, const struct mapping *where)
{
    const bool has_addresses = dynamic_relocates_text(c->image);
    const struct elf_segment *segments;
    size_t count;

    segments = elf_image_segments(c->image, &count);
    for (size_t i = 0; i < count; i++) {
        if (!(segments[i].prot & 4))
            continue;
        if (!has_addresses && !compare_code(c, &segments[i]))
            return false;
        compare_extent(c, where, &segments[i]);
    }
    return true;
}

static enum agreement refuse_place(const struct comparison *c, const struct module *module)
{
    const struct mapping *where = &module->place.where;

    if (where->anchor == MAPPING_OFFSET && !module->place.is_executable)
        return AGREEMENT_UNKNOWN;
    if (where->anchor == MAPPING_ENTRY)
        differs(c, "it has another entry point", where->anchor_addr);
    else
        differs(c, "it has no code for what is", where->start_addr);
    return AGREEMENT_BROKEN;
}

static enum agreement compare_all(struct comparison *c, const struct module *module,
                                  const GElf_Ehdr *head)
{
    if ((module->place.is_executable && !compare_auxv(c, head)) || !compare_phdrs(c, head) ||
        !compare_dynamic(c) || !compare_constants(c))
        return AGREEMENT_BROKEN;
    if (!compare_segments(c, &module->place.where))
        return AGREEMENT_BROKEN;
    if (c->is_changed) {
        diag_set(c->why, elf_image_path(c->image),
                 "code in memory differs from the file's: the process has changed it, or has run "
                 "another build that is alike");
        return AGREEMENT_CHANGED;
    }
    if (c->has_code || c->has_compared)
        return c->has_code ? AGREEMENT_CODE : AGREEMENT_FULL;
    if (!c->has_place)
        return AGREEMENT_UNKNOWN;
    diag_set(c->why, elf_image_path(c->image),
             "was taken by the place of its code alone: of its contents nothing is in memory that "
             "it could be compared with");
    return AGREEMENT_PLACE;
}

enum agreement agreement_find(const struct process_memory *memory, const struct module *module,
                              struct elf_image *image, struct diag *why)
{
    struct comparison c = {.memory = memory,
                           .image = image,
                           .word = elf_image_arch(image)->word_size,
                           .why = why};
    GElf_Ehdr head;

    if (!memory->read || module->place.where.end_addr == 0 || elf_image_is_debug_only(image) ||
        !gelf_getehdr(elf_image_libelf(image), &head))
        return AGREEMENT_UNKNOWN;
    if (!mapping_bias(image, &module->place.where, &c.bias))
        return refuse_place(&c, module);
    return compare_all(&c, module, &head);
}
