/* SPDX-License-Identifier: MIT */
#include "symbol/lazy_parts.h"

#include <stdlib.h>

#include "runtime/go/gopclntab.h"
#include "symbol/data_symbols.h"
#include "symbol/debug_files.h"
#include "symbol/dwarf/lines.h"
#include "symbol/elf/settled_data.h"
#include "symbol/elf/symtab.h"
#include "symbol/finder.h"
#include "symbol/kallsyms.h"
#include "symbol/module_set_private.h"
#include "symbol/split_files.h"
#include "symbol/target_path.h"

void lazy_parts_deinit(struct lazy_parts *parts)
{
    debug_lines_destroy(parts->lines);
    split_files_destroy(parts->split_files);
    gopclntab_destroy(parts->gopclntab);
    symtab_destroy(parts->symtab);
    data_symbols_destroy(parts->data_symbols);
    settled_data_destroy(parts->settled_data);
    elf_image_close(parts->shared);
    elf_image_close(parts->debug);
    kallsyms_destroy(parts->kallsyms);
}

/* Whether the part of the module's file is to be read now. */
static bool begins(struct module_set *set, struct module *module, enum lazy_part part)
{
    return module->parts.states[part] == PART_UNTRIED && module_open(set, module) == STATUS_OK;
}

/* Notes how reading the part went; returns whether it is there. */
static bool ends(struct module *module, enum lazy_part part, enum status status)
{
    module->parts.states[part] = status == STATUS_OK          ? PART_THERE
                                 : status == STATUS_NO_MEMORY ? PART_UNTRIED
                                                              : PART_ABSENT;
    return status == STATUS_OK;
}

/* Opens an --elf file with the module's build-id and no code, else what debug_file_open finds. */
static enum status open_debug(const struct module_set *set, const struct module *module,
                              struct elf_image **out)
{
    for (size_t i = 0; i < set->given.count; i++) {
        const struct given_file *file = &set->given.list[i];

        if (file->image && elf_image_is_debug_only(file->image) &&
            module_has_build_id(module, file->image) &&
            elf_image_open(file->path, out, NULL) == STATUS_OK)
            return STATUS_OK;
    }
    return module->kind == MODULE_FILE ? debug_file_open(&set->options, module, module->image, out)
                                       : STATUS_NOT_FOUND;
}

struct elf_image *module_debug_image(struct module_set *set, struct module *module)
{
    struct elf_image *debug;

    if (begins(set, module, PART_DEBUG) &&
        ends(module, PART_DEBUG, open_debug(set, module, &debug))) {
        module->parts.debug = debug;
        elf_image_set_cache(debug, set->options.cache);
    }
    return module->parts.debug;
}

const struct symtab *module_symtab(struct module_set *set, struct module *module)
{
    struct symtab *symtab;

    if (begins(set, module, PART_SYMTAB) &&
        ends(module, PART_SYMTAB,
             symtab_create(module->image, module_debug_image(set, module), &symtab)))
        module->parts.symtab = symtab;
    return module->parts.symtab;
}

const struct data_symbols *module_data_symbols(struct module_set *set, struct module *module)
{
    struct data_symbols *symbols;

    if (begins(set, module, PART_DATA_SYMBOLS) &&
        ends(module, PART_DATA_SYMBOLS,
             data_symbols_create(module->image, module_debug_image(set, module), &symbols)))
        module->parts.data_symbols = symbols;
    return module->parts.data_symbols;
}

const struct settled_data *module_settled_data(struct module_set *set, struct module *module)
{
    struct settled_data *settled;

    if (begins(set, module, PART_SETTLED_DATA) &&
        ends(module, PART_SETTLED_DATA, settled_data_create(module->image, &settled)))
        module->parts.settled_data = settled;
    return module->parts.settled_data;
}

/* Returns the file that holds DWARF, or NULL. */
static struct elf_image *dwarf_image(struct module_set *set, struct module *module)
{
    struct elf_image *const candidates[] = {module->image, module_debug_image(set, module)};
    struct elf_section section;

    for (size_t i = 0; i < 2; i++)
        if (candidates[i] &&
            elf_image_section(candidates[i], ".debug_info", &section) == STATUS_OK && section.bytes)
            return candidates[i];
    return NULL;
}

struct elf_image *module_dwarf_image(struct module_set *set, struct module *module,
                                     struct elf_image **shared)
{
    struct elf_image *image = NULL, *opened;

    *shared = NULL;
    if (module_open(set, module) != STATUS_OK || !(image = dwarf_image(set, module)))
        return NULL;
    if (begins(set, module, PART_SHARED) &&
        ends(module, PART_SHARED, debug_file_open_shared(&set->options, module, image, &opened)))
        module->parts.shared = opened;
    *shared = module->parts.shared;
    return image;
}

static enum status create_lines(struct module_set *set, struct module *module,
                                struct debug_lines **out)
{
    struct split_files **splits = &module->parts.split_files;
    struct lines_files files = {.find_split = split_files_find};

    files.image = module_dwarf_image(set, module, &files.shared);
    if (!files.image)
        return STATUS_NOT_FOUND;
    if (!*splits && split_files_create(set, module, files.image, splits) != STATUS_OK)
        return STATUS_NO_MEMORY;
    files.context = *splits;
    return debug_lines_create(&files, out);
}

struct debug_lines *module_lines(struct module_set *set, struct module *module)
{
    struct debug_lines *lines;

    if (begins(set, module, PART_LINES) &&
        ends(module, PART_LINES, create_lines(set, module, &lines)))
        module->parts.lines = lines;
    return module->parts.lines;
}

const char *module_lines_cut_short(const struct module *module)
{
    return module->parts.lines ? debug_lines_cut_short(module->parts.lines) : NULL;
}

bool module_lines_problem(const struct module *module, struct diag *problem)
{
    return module->parts.split_files && split_files_problem(module->parts.split_files, problem);
}

const struct gopclntab *module_gopclntab(struct module_set *set, struct module *module)
{
    struct gopclntab *table;

    if (begins(set, module, PART_GOPCLNTAB) &&
        ends(module, PART_GOPCLNTAB, gopclntab_create(module->image, &table)))
        module->parts.gopclntab = table;
    return module->parts.gopclntab;
}

/* Reads the names from a vmlinux of --elf; NOT_FOUND or BAD_DATA: none is given or of use. */
static enum status open_vmlinux(const struct module_set *set, struct module *module,
                                const struct kernel_facts *facts, struct kallsyms **out)
{
    const struct file_search search = {.module = module, .options = &set->options};
    struct given_file *file = given_files_kernel(&set->given, module);
    struct file_found found = {0};
    size_t size;
    enum status status = STATUS_NOT_FOUND;

    if (!file)
        return status;
    file->used = true;
    elf_image_build_id(file->image, &size);
    if (size > 0 && facts->build_id_size > 0 && !module_has_build_id(module, file->image))
        finder_tell_build_id(&search, file->image, &found);
    else
        status = kallsyms_read_elf(file->image, facts, out, &found.problem);
    if (status == STATUS_OK && !module_has_build_id(module, file->image))
        diag_set(&found.problem, elf_image_path(file->image),
                 "is used for the kernel, but may be of another build: %s no build-id",
                 size == 0 ? "it has" : "the recording has");
    module_note(module, &found.problem);
    return status;
}

static enum status open_kallsyms(const struct module_set *set, struct module *module,
                                 struct kallsyms **out)
{
    const struct kernel_facts facts = {.build_id = module->file.build_id,
                                       .build_id_size = module->file.build_id_size,
                                       .symbol = module->kernel.symbol,
                                       .symbol_addr = module->kernel.symbol_addr,
                                       .is_this = module->kernel.is_this};
    char *cached = perf_cache_path(facts.build_id, facts.build_id_size, "kallsyms");
    struct diag problem = {.what = ""};
    enum status status =
        set->options.kallsyms ? STATUS_NOT_FOUND : open_vmlinux(set, module, &facts, out);

    if (status != STATUS_OK && status != STATUS_NO_MEMORY) {
        status = kallsyms_open(set->options.kallsyms, cached, &facts, out, &problem);
        module_note(module, &problem);
    }
    free(cached);
    return status;
}

const struct kallsyms *module_kallsyms(struct module_set *set, struct module *module)
{
    struct kallsyms *kallsyms;

    if (module->parts.states[PART_KALLSYMS] == PART_UNTRIED &&
        ends(module, PART_KALLSYMS, open_kallsyms(set, module, &kallsyms)))
        module->parts.kallsyms = kallsyms;
    return module->parts.kallsyms;
}
