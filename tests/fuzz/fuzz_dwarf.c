/* SPDX-License-Identifier: MIT */
/*
 * The DWARF reader over any sections: units, abbreviations, DIEs, ranges, lines, split units, which
 * are looked for in the same file. Unlike fuzz_symbol's, the input is no ELF file, whose headers
 * nearly every change would break.
 *
 * Input: one byte of flags (bit 0: 32-bit; bits 1 and 2: what is asked for), for each section of
 * `names` its size (16 bits, little-endian), then the sections. The code is [TEXT, TEXT + 0x1000).
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/dwarf/lines.h"

#define TEXT      0x1000
#define TEXT_SIZE 0x1000
#define LOOK_UPS  64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {
    ".debug_info",     ".debug_abbrev",          ".debug_str",
    ".debug_line_str", ".debug_str_offsets",     ".debug_addr",
    ".debug_line",     ".debug_rnglists",        ".debug_ranges",
    ".debug_aranges",  ".debug_info.dwo",        ".debug_abbrev.dwo",
    ".debug_str.dwo",  ".debug_str_offsets.dwo", ".debug_rnglists.dwo",
    ".debug_cu_index",
};
#define NAME_COUNT (sizeof(names) / sizeof(*names))
#define HEAD_SIZE  (1 + 2 * NAME_COUNT)

/* Section 0, the code, the input's, the names of all. */
#define SECTION_COUNT (NAME_COUNT + 3)

/* The start of an ELF file: what follows it are the input's sections. */
struct wide {
    Elf64_Ehdr ehdr;
    Elf64_Shdr sections[SECTION_COUNT];
    char names[256];
};

struct narrow {
    Elf32_Ehdr ehdr;
    Elf32_Shdr sections[SECTION_COUNT];
    char names[256];
};

/* The same for both classes, whose structures differ. */
#define MAKE_FILE(name, type, class, machine)                                                      \
    static void name(struct type *to, const uint8_t *sizes)                                        \
    {                                                                                              \
        size_t off = sizeof(*to), name_off = 1;                                                    \
                                                                                                   \
        memcpy(to->ehdr.e_ident, ELFMAG, SELFMAG);                                                 \
        to->ehdr.e_ident[EI_CLASS] = class;                                                        \
        to->ehdr.e_ident[EI_DATA] = ELFDATA2LSB;                                                   \
        to->ehdr.e_ident[EI_VERSION] = EV_CURRENT;                                                 \
        to->ehdr.e_type = ET_DYN;                                                                  \
        to->ehdr.e_machine = machine;                                                              \
        to->ehdr.e_version = EV_CURRENT;                                                           \
        to->ehdr.e_ehsize = sizeof(to->ehdr);                                                      \
        to->ehdr.e_shoff = offsetof(struct type, sections);                                        \
        to->ehdr.e_shentsize = sizeof(to->sections[0]);                                            \
        to->ehdr.e_shnum = SECTION_COUNT;                                                          \
        to->ehdr.e_shstrndx = SECTION_COUNT - 1;                                                   \
        to->sections[1].sh_type = SHT_NOBITS;                                                      \
        to->sections[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;                                      \
        to->sections[1].sh_addr = TEXT;                                                            \
        to->sections[1].sh_size = TEXT_SIZE;                                                       \
        for (size_t i = 0; i < NAME_COUNT; i++) {                                                  \
            to->sections[2 + i].sh_type = SHT_PROGBITS;                                            \
            to->sections[2 + i].sh_name = (unsigned)name_off;                                      \
            to->sections[2 + i].sh_offset = (unsigned)off;                                         \
            to->sections[2 + i].sh_size = sizes[2 * i] | (unsigned)sizes[2 * i + 1] << 8;          \
            off += to->sections[2 + i].sh_size;                                                    \
            strcpy(to->names + name_off, names[i]);                                                \
            name_off += strlen(names[i]) + 1;                                                      \
        }                                                                                          \
        to->sections[SECTION_COUNT - 1].sh_type = SHT_STRTAB;                                      \
        to->sections[SECTION_COUNT - 1].sh_offset = offsetof(struct type, names);                  \
        to->sections[SECTION_COUNT - 1].sh_size = sizeof(to->names);                               \
    }
MAKE_FILE(make_wide, wide, ELFCLASS64, EM_X86_64)
MAKE_FILE(make_narrow, narrow, ELFCLASS32, EM_386)

/* Every byte of a string has to be readable. */
static void touch(const char *text)
{
    if (text && strlen(text) == SIZE_MAX)
        abort();
}

static void look_up(struct debug_lines *lines, unsigned what, uint64_t vaddr)
{
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    uint64_t start_vaddr;
    size_t count;

    if (debug_lines_find(lines, what, vaddr, frames, &count, &start_vaddr) != STATUS_OK)
        return;
    if (count == 0 || count > LINES_INLINE_DEPTH_MAX ||
        (start_vaddr != 0 && (start_vaddr < TEXT || start_vaddr >= TEXT + TEXT_SIZE)))
        abort();
    for (size_t i = 0; i < count; i++) {
        touch(frames[i].function);
        touch(frames[i].file);
        if (!(what & LINES_PLACES) && (frames[i].file || frames[i].line))
            abort();
    }
}

struct splits {
    struct dwarf_file *file; /* NULL: the input has no split units */
    struct map units;
};

static enum status find_split(void *context, const struct split_wanted *wanted,
                              struct split_found *out)
{
    const struct splits *splits = context;
    uint64_t *unit = map_get(&splits->units, wanted->id);

    touch(wanted->name);
    touch(wanted->directory);
    if (!unit || *unit == UINT64_MAX)
        return STATUS_NOT_FOUND;
    *out = (struct split_found){.file = splits->file, .unit = &splits->file->units[*unit]};
    *unit = UINT64_MAX; /* given away */
    return STATUS_OK;
}

static void look_up_all(struct elf_image *image, unsigned what)
{
    struct splits splits = {.file = NULL};
    const struct lines_files files = {.image = image, .find_split = find_split, .context = &splits};
    struct debug_lines *lines;

    if (dwarf_file_open_split(image, &splits.file) == STATUS_OK &&
        split_units_list(splits.file, 0, &splits.units) != STATUS_OK)
        abort();
    if (debug_lines_create(&files, &lines) == STATUS_OK) {
        for (uint64_t i = 0; i < LOOK_UPS; i++)
            look_up(lines, what, TEXT + i * (TEXT_SIZE / LOOK_UPS));
        debug_lines_destroy(lines);
    }
    dwarf_file_close(splits.file);
    map_deinit(&splits.units);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool is_narrow = size > 0 && data[0] & 1;
    size_t start = is_narrow ? sizeof(struct narrow) : sizeof(struct wide);
    struct elf_image *image;
    unsigned what;
    uint8_t *file;

    if (size < HEAD_SIZE)
        return 0;
    file = calloc(1, start + size - HEAD_SIZE);
    if (!file)
        return 0;
    if (is_narrow)
        make_narrow((struct narrow *)file, data + 1);
    else
        make_wide((struct wide *)file, data + 1);
    memcpy(file + start, data + HEAD_SIZE, size - HEAD_SIZE);
    if (elf_image_open_bytes(file, start + size - HEAD_SIZE, "input", &image, NULL) != STATUS_OK)
        abort();
    what = data[0] >> 1 & (LINES_PLACES | LINES_FUNCTIONS);
    if (what == 0)
        what = LINES_PLACES | LINES_FUNCTIONS;
    look_up_all(image, what);
    elf_image_close(image);
    free(file);
    return 0;
}
