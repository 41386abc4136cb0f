/* SPDX-License-Identifier: MIT */
#include "symbol/symbol_file.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "symbol/elf/symbol_read.h"
#include "symbol/symbolize.h"

/* Finds where the function begins in memory. False: not known. */
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

struct names_taken { /* of a file */
    uint64_t left;   /* bytes */
    char cut[SYMBOL_FILE_NAME_MAX + 1];
};

/* Bytes of names that are taken: a multiple of those in the file. */
static uint64_t names_max(const struct symbol_table *table)
{
    const size_t entry_size = table->word_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    const uint64_t most = 2 * ((uint64_t)table->names_size + (uint64_t)table->count * entry_size);

    return most < SYMBOL_FILE_NAMES_MAX ? most : SYMBOL_FILE_NAMES_MAX;
}

/* Returns the name, cut; NULL: none, or the file's limit is reached. Sets *is_whole. */
static const char *take_name(struct names_taken *names, const struct symbol_entry *entry,
                             bool *is_whole)
{
    const size_t len = strnlen(entry->name, SYMBOL_FILE_NAME_MAX + 1);
    const size_t cut_len = len <= SYMBOL_FILE_NAME_MAX ? len : SYMBOL_FILE_NAME_MAX;

    *is_whole = len == cut_len;
    if (!len || cut_len > names->left)
        return NULL;
    names->left -= cut_len;
    if (*is_whole)
        return entry->name;
    memcpy(names->cut, entry->name, cut_len);
    names->cut[cut_len] = '\0';
    return names->cut;
}

static enum status give(struct elf_image *image, const struct symbol_entry *entry,
                        struct names_taken *names, symbol_file_take_fn *take, void *context)
{
    struct symbol_file_function function = {.size = entry->size};
    const char *name;
    char *readable;
    bool is_whole;
    enum status status;

    if (!find_start(image, entry, &function.start_addr) ||
        !(name = take_name(names, entry, &is_whole)))
        return STATUS_OK;
    readable = is_whole ? demangle(name) : NULL;
    function.name = readable ? readable : name;
    status = take(context, &function);
    free(readable);
    return status;
}

enum status symbol_file_each(struct elf_image *image, symbol_file_take_fn *take, void *context)
{
    struct symbol_table table;
    struct symbol_entry entry;
    struct names_taken names;
    enum status status = symbol_table_open(image, ".symtab", &table);
    unsigned given = 0;

    if (status == STATUS_OK)
        names.left = names_max(&table);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; status == STATUS_OK && i < table.count; i++) {
            symbol_table_read(&table, i, &entry);
            if (entry.type != STT_FUNC || !entry.size || !symbol_is_function(&entry) ||
                (entry.binding == STB_LOCAL) != (pass == 0))
                continue;
            if (given++ >= SYMBOL_FILE_FUNCTIONS_MAX)
                return STATUS_OK;
            status = give(image, &entry, &names, take, context);
        }
    return status;
}
