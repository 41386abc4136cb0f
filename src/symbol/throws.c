#include "symbol/throws.h"

#include <stddef.h>
#include <string.h>

#include "symbol/symbol_read.h"

bool elf_image_may_throw(struct elf_image *image)
{
    static const char *const names[] = {"_Unwind_Resume", "_Unwind_Resume_or_Rethrow",
                                        "__cxa_end_cleanup", "__cxa_begin_catch",
                                        "_Unwind_RaiseException"};
    struct symbol_table table;
    struct symbol_entry entry;

    if (symbol_table_open(image, ".dynsym", &table) != STATUS_OK)
        return true;
    for (size_t i = 0; i < table.count; i++) {
        symbol_table_read(&table, i, &entry);
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            if (strcmp(entry.name, names[k]) == 0)
                return true;
    }
    return false;
}
