/* SPDX-License-Identifier: MIT */
/*
 * The search for functions in any code of any architecture, and the analysis of each that it finds.
 *
 * Input: one byte that chooses the instruction set of the entry point, two bytes (little-endian)
 * where in the code that is, then the code. An ELF file is made of it that has nothing else: no
 * symbols, no unwind tables.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/module_set.h"
#include "unwind/functions/functions.h"
#include "unwind/module_rows.h"
#include "unwind/prologue/prologue.h"

#define BASE     0x400000u
#define TEXT_OFF 0x200u
#define TEXT     (BASE + TEXT_OFF)
#define TEXT_MAX 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    uint16_t machine;
    uint8_t elf_class;
    bool thumb;
} sets[] = {{EM_X86_64, ELFCLASS64, false},  {EM_386, ELFCLASS32, false},
            {EM_ARM, ELFCLASS32, false},     {EM_ARM, ELFCLASS32, true},
            {EM_AARCH64, ELFCLASS64, false}, {EM_RISCV, ELFCLASS64, false},
            {EM_RISCV, ELFCLASS32, false}};

static const char NAMES[] = "\0.text\0.shstrtab";
#define TEXT_NAME  1
#define NAMES_NAME 7
#define NAMES_OFF  0x1e0u /* right before the code */

static void put_ident(uint8_t ident[EI_NIDENT], uint8_t elf_class)
{
    memcpy(ident, ELFMAG, SELFMAG);
    ident[EI_CLASS] = elf_class;
    ident[EI_DATA] = ELFDATA2LSB;
    ident[EI_VERSION] = EV_CURRENT;
}

static void put_headers64(uint8_t *file, uint16_t machine, uint64_t entry, size_t text_size)
{
    Elf64_Ehdr ehdr = {.e_type = ET_DYN,
                       .e_machine = machine,
                       .e_version = EV_CURRENT,
                       .e_entry = entry,
                       .e_phoff = sizeof(Elf64_Ehdr),
                       .e_shoff = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
                       .e_ehsize = sizeof(Elf64_Ehdr),
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = 1,
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = 3,
                       .e_shstrndx = 2};
    Elf64_Phdr segment = {.p_type = PT_LOAD,
                          .p_flags = PF_R | PF_X,
                          .p_vaddr = BASE,
                          .p_filesz = TEXT_OFF + text_size,
                          .p_memsz = TEXT_OFF + text_size,
                          .p_align = 16};
    Elf64_Shdr sections[3] = {{.sh_name = 0},
                              {.sh_name = TEXT_NAME,
                               .sh_type = SHT_PROGBITS,
                               .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                               .sh_addr = TEXT,
                               .sh_offset = TEXT_OFF,
                               .sh_size = text_size},
                              {.sh_name = NAMES_NAME,
                               .sh_type = SHT_STRTAB,
                               .sh_offset = NAMES_OFF,
                               .sh_size = sizeof(NAMES)}};

    put_ident(ehdr.e_ident, ELFCLASS64);
    memcpy(file, &ehdr, sizeof(ehdr));
    memcpy(file + sizeof(ehdr), &segment, sizeof(segment));
    memcpy(file + sizeof(ehdr) + sizeof(segment), sections, sizeof(sections));
}

static void put_headers32(uint8_t *file, uint16_t machine, uint32_t entry, size_t text_size)
{
    Elf32_Ehdr ehdr = {.e_type = ET_DYN,
                       .e_machine = machine,
                       .e_version = EV_CURRENT,
                       .e_entry = entry,
                       .e_phoff = sizeof(Elf32_Ehdr),
                       .e_shoff = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
                       .e_ehsize = sizeof(Elf32_Ehdr),
                       .e_phentsize = sizeof(Elf32_Phdr),
                       .e_phnum = 1,
                       .e_shentsize = sizeof(Elf32_Shdr),
                       .e_shnum = 3,
                       .e_shstrndx = 2};
    Elf32_Phdr segment = {.p_type = PT_LOAD,
                          .p_flags = PF_R | PF_X,
                          .p_vaddr = BASE,
                          .p_filesz = (Elf32_Word)(TEXT_OFF + text_size),
                          .p_memsz = (Elf32_Word)(TEXT_OFF + text_size),
                          .p_align = 16};
    Elf32_Shdr sections[3] = {{.sh_name = 0},
                              {.sh_name = TEXT_NAME,
                               .sh_type = SHT_PROGBITS,
                               .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                               .sh_addr = TEXT,
                               .sh_offset = TEXT_OFF,
                               .sh_size = (Elf32_Word)text_size},
                              {.sh_name = NAMES_NAME,
                               .sh_type = SHT_STRTAB,
                               .sh_offset = NAMES_OFF,
                               .sh_size = sizeof(NAMES)}};

    put_ident(ehdr.e_ident, ELFCLASS32);
    memcpy(file, &ehdr, sizeof(ehdr));
    memcpy(file + sizeof(ehdr), &segment, sizeof(segment));
    memcpy(file + sizeof(ehdr) + sizeof(segment), sections, sizeof(sections));
}

static uint8_t *make_file(unsigned set, uint32_t entry_off, const uint8_t *text, size_t size)
{
    uint8_t *file = calloc(1, TEXT_OFF + size);
    uint32_t entry = (TEXT + entry_off) | sets[set].thumb;

    if (!file)
        abort();
    if (sets[set].elf_class == ELFCLASS64)
        put_headers64(file, sets[set].machine, entry, size);
    else
        put_headers32(file, sets[set].machine, entry, size);
    memcpy(file + NAMES_OFF, NAMES, sizeof(NAMES));
    memcpy(file + TEXT_OFF, text, size);
    return file;
}

static void check_functions(const struct functions *list, uint64_t text_end_vaddr)
{
    uint64_t last_vaddr = TEXT;

    for (size_t i = 0; i < list->count; i++) {
        const struct code_function *function = &list->items[i];

        if (function->start_vaddr < last_vaddr || function->start_vaddr >= function->end_vaddr ||
            function->end_vaddr > text_end_vaddr)
            abort();
        last_vaddr = function->end_vaddr;
        if (functions_find(list, function->start_vaddr) != function ||
            functions_find(list, function->end_vaddr - 1) != function)
            abort();
    }
    for (size_t i = 0; i < list->jump_count; i++)
        if ((i > 0 && list->jumps[i - 1].target_vaddr > list->jumps[i].target_vaddr) ||
            list->jumps[i].target_vaddr < TEXT || list->jumps[i].target_vaddr >= text_end_vaddr)
            abort();
}

static void check_rows(struct module_rows *rows, const struct code_function *function)
{
    uint64_t last_vaddr = function->start_vaddr;
    const struct row_table *table;
    const struct row *row;

    if (module_rows_analyse(rows, function->start_vaddr, &table) != STATUS_OK)
        return;
    for (size_t i = 0; i < table->count; i++) {
        struct row packed;

        row_table_get(table, i, &packed);
        if (packed.start_vaddr < last_vaddr || packed.start_vaddr >= packed.end_vaddr ||
            packed.end_vaddr > function->end_vaddr)
            abort();
        last_vaddr = packed.end_vaddr;
    }
    for (uint64_t vaddr = function->start_vaddr; vaddr < function->end_vaddr; vaddr++)
        if (module_rows_find(rows, TRUST_PROLOGUE, vaddr, &row) == STATUS_OK &&
            (vaddr < row->start_vaddr || vaddr >= row->end_vaddr))
            abort();
}

static void search(struct module_rows *rows, size_t text_size)
{
    const struct functions *list;
    struct code_function *copy;
    size_t count;

    module_rows_set_code_only(rows);
    if (module_rows_functions(rows, &list) != STATUS_OK)
        abort();
    check_functions(list, TEXT + text_size);
    count = list->count;
    copy = calloc(count + 1, sizeof(*copy));
    if (!copy)
        abort();
    if (count > 0)
        memcpy(copy, list->items, count * sizeof(*copy));
    for (size_t i = 0; i < count; i++)
        check_rows(rows, &copy[i]);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct module_options options = {.sysroot = NULL};
    struct module_set *set;
    struct module *module;
    struct module_rows *rows;
    uint8_t *file;
    size_t text_size;

    if (size < 5 || size > TEXT_MAX)
        return 0;
    text_size = size - 3;
    file =
        make_file(data[0] % (sizeof(sets) / sizeof(sets[0])),
                  (uint32_t)((data[1] | (unsigned)data[2] << 8) % text_size), data + 3, text_size);
    if (module_set_create(&options, &set) != STATUS_OK ||
        module_set_get(set, MODULE_VDSO, "[vdso]", NULL, 0, false, &module) != STATUS_OK ||
        module_set_code(module, file, TEXT_OFF + text_size) != STATUS_OK ||
        module_rows_create(set, module, &rows) != STATUS_OK)
        abort();
    search(rows, text_size);
    module_rows_destroy(rows);
    module_set_destroy(set);
    free(file);
    return 0;
}
