/* SPDX-License-Identifier: MIT */
#include "symbol/symbol_file.h"

#include <stdlib.h>

#include <gelf.h>

#include "symbol/elf/symbol_read.h"
#include "symbol/symbolize.h"

/* Where the function begins in memory. False: that is not known. */
static bool find_start(struct elf_image *image, const struct symbol_entry *entry, uint64_t *start)
{
    const uint64_t value = entry->value & symbol_code_bits(elf_image_arch(image));
    Elf_Scn *section;
    GElf_Shdr header;

    *start = value;
    if (elf_image_type(image) != ET_REL)
        return true;
    section = elf_getscn(elf_image_libelf(image), entry->section);
    if (!section || !gelf_getshdr(section, &header) || !header.sh_addr || value >= header.sh_size)
        return false;
    *start = header.sh_addr + value;
    return true;
}

static enum status give(struct elf_image *image, const struct symbol_entry *entry,
                        symbol_file_take_fn *take, void *context)
{
    const char *name = symbol_name(entry);
    struct symbol_file_function function = {.size = entry->size};
    char *readable;
    enum status status;

    if (!name[0] || !find_start(image, entry, &function.start_addr))
        return STATUS_OK;
    readable = demangle(name);
    function.name = readable ? readable : name;
    status = take(context, &function);
    free(readable);
    return status;
}

enum status symbol_file_each(struct elf_image *image, symbol_file_take_fn *take, void *context)
{
    struct symbol_table table;
    struct symbol_entry entry;
    enum status status = symbol_table_open(image, ".symtab", &table);
    unsigned given = 0;

    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; status == STATUS_OK && i < table.count; i++) {
            symbol_table_read(&table, i, &entry);
            if (entry.type != STT_FUNC || !entry.size || !symbol_is_function(&entry) ||
                (entry.binding == STB_LOCAL) != (pass == 0))
                continue;
            if (given++ >= SYMBOL_FILE_FUNCTIONS_MAX)
                return STATUS_OK;
            status = give(image, &entry, take, context);
        }
    return status;
}
