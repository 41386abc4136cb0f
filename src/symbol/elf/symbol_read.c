/* SPDX-License-Identifier: MIT */
#include "symbol/elf/symbol_read.h"

#include <elf.h>
#include <string.h>

#include "symbol/elf/dynamic.h"

static enum status by_sections(struct elf_image *image, const char *name,
                               struct dynamic_symbols *out)
{
    struct elf_section symbols, names;
    enum status status = elf_image_section(image, name, &symbols);

    if (status != STATUS_OK)
        return status;
    status = elf_image_section(image, strcmp(name, ".symtab") == 0 ? ".strtab" : ".dynstr", &names);
    if (status != STATUS_OK)
        return status;
    if (!symbols.bytes || !names.bytes)
        return STATUS_NOT_FOUND; /* a debug file has the header without the contents */
    *out = (struct dynamic_symbols){.symbols = symbols.bytes,
                                    .size = symbols.size,
                                    .names = (const char *)names.bytes,
                                    .names_size = names.size};
    return STATUS_OK;
}

enum status symbol_table_open(struct elf_image *image, const char *section,
                              struct symbol_table *out)
{
    unsigned word = elf_image_arch(image)->word_size;
    size_t entry = word == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    struct dynamic_symbols found;
    enum status status = by_sections(image, section, &found);
    const char *last;

    if (status == STATUS_NOT_FOUND && strcmp(section, ".dynsym") == 0)
        status = dynamic_find_symbols(image, &found);
    if (status != STATUS_OK)
        return status;
    last = memrchr(found.names, 0, (size_t)found.names_size);
    if (!last)
        return STATUS_BAD_DATA;
    *out = (struct symbol_table){.bytes = found.symbols,
                                 .count = (size_t)found.size / entry,
                                 .names = found.names,
                                 .names_size = (size_t)(last - found.names) + 1,
                                 .word_size = word};
    if (out->count > SYMBOL_TABLE_MAX)
        out->count = SYMBOL_TABLE_MAX;
    return STATUS_OK;
}

void symbol_table_read(const struct symbol_table *table, size_t index, struct symbol_entry *out)
{
    uint32_t name;
    uint8_t info;

    if (table->word_size == 8) {
        Elf64_Sym sym;

        memcpy(&sym, table->bytes + index * sizeof(sym), sizeof(sym));
        *out = (struct symbol_entry){.value = sym.st_value,
                                     .size = sym.st_size,
                                     .section = sym.st_shndx};
        name = sym.st_name;
        info = sym.st_info;
    } else {
        Elf32_Sym sym;

        memcpy(&sym, table->bytes + index * sizeof(sym), sizeof(sym));
        *out = (struct symbol_entry){.value = sym.st_value,
                                     .size = sym.st_size,
                                     .section = sym.st_shndx};
        name = sym.st_name;
        info = sym.st_info;
    }
    out->named = name > 0 && name < table->names_size;
    out->name = out->named ? table->names + name : "";
    out->type = ELF64_ST_TYPE(info);
    out->binding = ELF64_ST_BIND(info);
}

const char *symbol_name(const struct symbol_entry *entry)
{
    return strnlen(entry->name, SYMBOL_NAME_MAX + 1) <= SYMBOL_NAME_MAX ? entry->name : "";
}

/* RISC-V's mapping symbols may add the extensions in use: $xrv64i2p1_m2p0 (psABI, 8.5.1). */
char symbol_mapping_letter(const struct symbol_entry *entry)
{
    const char *name = entry->name;
    bool mapping = entry->type == STT_NOTYPE && name[0] == '$' && name[1] &&
                   strchr("atdx", name[1]) &&
                   (name[2] == '\0' || name[2] == '.' || strncmp(name, "$xrv", 4) == 0);

    return mapping ? name[1] : 0;
}

bool symbol_is_function(const struct symbol_entry *entry)
{
    return (entry->type == STT_FUNC || entry->type == STT_NOTYPE || entry->type == STT_GNU_IFUNC) &&
           entry->section != SHN_UNDEF &&
           (entry->section < SHN_LORESERVE || entry->section == SHN_XINDEX) && entry->named &&
           symbol_mapping_letter(entry) == 0;
}
