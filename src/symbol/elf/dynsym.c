/* SPDX-License-Identifier: MIT */
#include "symbol/elf/dynsym.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/map.h"
#include "symbol/elf/got.h"
#include "symbol/elf/symbol_read.h"

struct dynsym {
    struct symbol_table table; /* empty: there is none */
    bool arm;
    struct map words;      /* address -> index of the symbol */
    struct map data_words; /* only words that are filled at load time */
    struct map functions;  /* hash of the name -> index of the symbol */
    bool may_throw;
};

static size_t name_size(const char *name)
{
    return (size_t)(strchrnul(name, '@') - name);
}

/* Hashes the name without version. */
static uint64_t hash_name(const char *name)
{
    return keyed_bytes(0, name, name_size(name));
}

static bool name_throws(const char *name)
{
    static const char *const names[] = {"_Unwind_Resume", "_Unwind_Resume_or_Rethrow",
                                        "_Unwind_RaiseException", "__cxa_end_cleanup",
                                        "__cxa_begin_catch",
                                        /* libgcc_eh finds unwind tables by these */
                                        "dl_iterate_phdr", "_dl_find_object",
                                        "__gnu_Unwind_Find_exidx"};

    if (name[0] == '_' && name[1] == 'Z') /* most names are C++'s */
        return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static enum status read_symbols(struct dynsym *dynsym)
{
    struct symbol_entry entry;

    for (size_t i = 0; i < dynsym->table.count; i++) {
        symbol_table_read(&dynsym->table, i, &entry);
        dynsym->may_throw = dynsym->may_throw || name_throws(entry.name);
        /* An indirect function's code only chooses the function. */
        if (symbol_is_function(&entry) && entry.type != STT_GNU_IFUNC &&
            !map_put(&dynsym->functions, hash_name(symbol_name(&entry)), i))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

enum status dynsym_create(struct elf_image *image, struct dynsym **out)
{
    struct dynsym *dynsym = calloc(1, sizeof(*dynsym));
    enum status status = STATUS_OK;

    if (!dynsym)
        return STATUS_NO_MEMORY;
    dynsym->arm = elf_image_arch(image)->isa_bit != 0;
    if (symbol_table_open(image, ".dynsym", &dynsym->table) == STATUS_OK) {
        status = read_symbols(dynsym);
        if (status == STATUS_OK)
            status = got_symbols(image, GOT_ALL, &dynsym->words);
        if (status == STATUS_OK)
            status = got_symbols(image, GOT_DATA, &dynsym->data_words);
    } else {
        dynsym->table.count = 0;
        dynsym->may_throw = true;
    }
    if (status != STATUS_OK) {
        dynsym_destroy(dynsym);
        return status;
    }
    *out = dynsym;
    return STATUS_OK;
}

void dynsym_destroy(struct dynsym *dynsym)
{
    if (!dynsym)
        return;
    map_deinit(&dynsym->words);
    map_deinit(&dynsym->data_words);
    map_deinit(&dynsym->functions);
    free(dynsym);
}

const char *dynsym_word(const struct dynsym *dynsym, uint64_t vaddr)
{
    struct symbol_entry entry;
    const uint64_t *index = map_get(&dynsym->words, vaddr);

    if (!index || *index >= dynsym->table.count)
        return NULL;
    symbol_table_read(&dynsym->table, (size_t)*index, &entry);
    return symbol_name(&entry);
}

bool dynsym_is_data_word(const struct dynsym *dynsym, uint64_t vaddr)
{
    return map_get(&dynsym->data_words, vaddr) != NULL;
}

bool dynsym_function(const struct dynsym *dynsym, const char *name, uint64_t *vaddr, bool *thumb)
{
    struct symbol_entry entry;
    const uint64_t *index = map_get(&dynsym->functions, hash_name(name));
    size_t size = name_size(name);

    if (!index)
        return false;
    symbol_table_read(&dynsym->table, (size_t)*index, &entry);
    if (name_size(symbol_name(&entry)) != size || memcmp(entry.name, name, size) != 0)
        return false;
    *thumb = dynsym->arm && (entry.value & 1);
    *vaddr = entry.value & ~(uint64_t)*thumb;
    return true;
}

bool dynsym_may_throw(const struct dynsym *dynsym)
{
    return dynsym->may_throw;
}
