/* SPDX-License-Identifier: MIT */
#include "symbol/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/map.h"
#include "base/sort.h"
#include "base/vec.h"
#include "base/workers.h"
#include "symbol/dwarf/lines.h"
#include "symbol/kallsyms.h"

/* One answer. Its frames follow it. */
struct symbol_answer {
    uint64_t vaddr;
    struct source_frames frames;
    uint32_t module_id;
};

struct symbolizer {
    struct module_set *set;
    bool lines, inlines;
    struct symbol_answer **answers; /* in the arena */
    size_t answer_count, answer_cap;
    struct index answer_index; /* by module and address */
    struct map demangled; /* address of a raw name → const char *, 0: it is readable as it is */
    struct arena arena;   /* answers, frames and demangled names */
};

enum status symbolizer_create(struct module_set *set, bool lines, bool inlines,
                              struct symbolizer **out)
{
    struct symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));

    if (!symbolizer)
        return STATUS_NO_MEMORY;
    symbolizer->set = set;
    symbolizer->lines = lines;
    symbolizer->inlines = inlines;
    index_init(&symbolizer->answer_index);
    map_init(&symbolizer->demangled);
    arena_init(&symbolizer->arena);
    *out = symbolizer;
    return STATUS_OK;
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
    if (!symbolizer)
        return;
    free(symbolizer->answers);
    index_deinit(&symbolizer->answer_index);
    map_deinit(&symbolizer->demangled);
    arena_deinit(&symbolizer->arena);
    free(symbolizer);
}

/*
 * Demangles each name once. Raw names live as long as the modules, so that their address stands for
 * them.
 */
static enum status readable_name(struct symbolizer *symbolizer, const char *raw, const char **out)
{
    uint64_t *known = map_get(&symbolizer->demangled, (uint64_t)(uintptr_t)raw);
    char *text, *copy = NULL;

    *out = raw;
    if (known) {
        if (*known)
            *out = (const char *)(uintptr_t)*known;
        return STATUS_OK;
    }
    text = demangle(raw);
    if (text) {
        copy = arena_join(&symbolizer->arena, text, strlen(text), "");
        free(text);
        if (!copy)
            return STATUS_NO_MEMORY;
        *out = copy;
    }
    return map_put(&symbolizer->demangled, (uint64_t)(uintptr_t)raw, (uint64_t)(uintptr_t)copy)
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}

/* What DWARF says of the address: at least one frame, which may be empty. */
static enum status find_lines(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                              bool has_symbol, struct line_frame *frames, size_t *count,
                              uint64_t *start_vaddr)
{
    bool functions = symbolizer->inlines || (symbolizer->lines && !has_symbol);
    unsigned what =
        (symbolizer->lines ? LINES_PLACES : 0) | (unsigned)(functions ? LINES_FUNCTIONS : 0);
    struct debug_lines *lines = what ? module_lines(symbolizer->set, module) : NULL;
    enum status status =
        lines ? debug_lines_find(lines, what, vaddr, frames, count, start_vaddr) : STATUS_NOT_FOUND;

    if (status != STATUS_OK) {
        frames[0] = (struct line_frame){0};
        *count = 1;
        *start_vaddr = 0;
    } else if (!symbolizer->inlines && *count > 1) {
        /* One frame an address: the real function, at the line that runs. */
        frames[0].function = frames[*count - 1].function;
        *count = 1;
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* The kernel's addresses stand for themselves, and its names are in no ELF file. */
static bool find_symbol(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                        struct symbol *symbol)
{
    const struct kallsyms *kallsyms;
    const struct symtab *symtab;

    if (module->kind == MODULE_KERNEL) {
        kallsyms = module_kallsyms(symbolizer->set, module);
        *symbol = (struct symbol){0};
        symbol->name = kallsyms ? kallsyms_find(kallsyms, vaddr, &symbol->start_vaddr) : NULL;
        return symbol->name != NULL;
    }
    symtab = module_symtab(symbolizer->set, module);
    return symtab && symtab_find(symtab, vaddr, symbol) == STATUS_OK;
}

/*
 * The real function is named by the symbol table, which is what other tools print and what stripped
 * and unstripped modules have in common; DWARF names it only where no symbol does.
 */
static void name_function(const struct symbol *symbol, struct line_frame *function,
                          struct source_frames *frames, uint64_t dwarf_start_vaddr)
{
    if (symbol) {
        function->function = symbol->name;
        frames->function_vaddr = symbol->start_vaddr;
        frames->has_function = true;
        frames->is_unsized = !symbol->sized && symbol->source == SYMBOL_DYNSYM;
    } else if (function->function && dwarf_start_vaddr != 0) {
        frames->function_vaddr = dwarf_start_vaddr;
        frames->has_function = true;
    }
}

static enum status fill_frames(struct symbolizer *symbolizer, const struct line_frame *found,
                               size_t count, struct source_frame *frames)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        frames[i] = (struct source_frame){.raw_function = found[i].function,
                                          .file = found[i].file,
                                          .line = found[i].line,
                                          .is_inline = i + 1 < count};
        if (found[i].function)
            status = readable_name(symbolizer, found[i].function, &frames[i].function);
    }
    return status;
}

static enum status make_answer(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                               struct symbol_answer **out)
{
    struct line_frame found[LINES_INLINE_DEPTH_MAX];
    struct symbol symbol;
    bool has_symbol = find_symbol(symbolizer, module, vaddr, &symbol);
    struct source_frame *frames;
    struct symbol_answer *answer;
    enum status status;
    uint64_t start_vaddr;
    size_t count;

    status = find_lines(symbolizer, module, vaddr, has_symbol, found, &count, &start_vaddr);
    if (status != STATUS_OK)
        return status;
    answer = arena_alloc(&symbolizer->arena, sizeof(*answer) + count * sizeof(*frames));
    if (!answer)
        return STATUS_NO_MEMORY;
    frames = (struct source_frame *)(answer + 1);
    *answer = (struct symbol_answer){.module_id = module->id,
                                     .vaddr = vaddr,
                                     .frames = {.frames = frames, .count = count}};
    name_function(has_symbol ? &symbol : NULL, &found[count - 1], &answer->frames, start_vaddr);
    *out = answer;
    return fill_frames(symbolizer, found, count, frames);
}

static enum status add_answer(struct symbolizer *symbolizer, uint64_t hash,
                              struct symbol_answer *answer)
{
    if (vec_reserve(&symbolizer->answers, &symbolizer->answer_cap, symbolizer->answer_count + 1,
                    sizeof(struct symbol_answer *)) != STATUS_OK ||
        index_add(&symbolizer->answer_index, hash, (uint32_t)symbolizer->answer_count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    symbolizer->answers[symbolizer->answer_count++] = answer;
    return STATUS_OK;
}

enum status symbolizer_lookup(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                              const struct source_frames **out)
{
    uint64_t hash = hash_words(module->id, vaddr);
    struct index_probe probe = index_find(&symbolizer->answer_index, hash);
    struct symbol_answer *answer;
    enum status status;
    uint32_t id;

    while (index_next(&probe, &id)) {
        answer = symbolizer->answers[id];
        if (answer->vaddr == vaddr && answer->module_id == module->id) {
            *out = &answer->frames;
            return STATUS_OK;
        }
    }
    status = make_answer(symbolizer, module, vaddr, &answer);
    if (status == STATUS_OK)
        status = add_answer(symbolizer, hash, answer);
    if (status == STATUS_OK)
        *out = &answer->frames;
    return status;
}

/* Modules to be read, and in which order, so that what takes long is not begun last. */
struct preparation {
    struct symbolizer *symbolizer;
    const struct module_wanted *wanted;
    struct sort_item *order; /* ids are indexes in wanted */
};

/*
 * Low for a module that takes long, as far as is known without reading it: the kernel's list is
 * of some hundred thousand lines, and large files have large debug files.
 */
static uint64_t order_key(const struct module *module)
{
    size_t size = 0;

    if (module->kind == MODULE_KERNEL)
        return 0;
    if (module->image)
        elf_image_file_bytes(module->image, &size);
    return UINT64_MAX - size;
}

/*
 * Asks for each address and drops the answers, which stay known to the module: its symbols, its
 * debug file, its units and their names are read in the order of the addresses, as they would be
 * later, so that what a damaged file may cost in all is spent on the same. All that is written
 * belongs to the module, which no other thread touches; symbolizer and set are only read.
 */
static enum status prepare_module(void *context, size_t i)
{
    struct preparation *preparation = context;
    const struct module_wanted *wanted = &preparation->wanted[preparation->order[i].id];
    struct line_frame found[LINES_INLINE_DEPTH_MAX];
    enum status status = STATUS_OK;
    struct symbol symbol;
    uint64_t start_vaddr;
    size_t count;

    for (size_t at = 0; at < wanted->count && status == STATUS_OK; at++) {
        bool has_symbol =
            find_symbol(preparation->symbolizer, wanted->module, wanted->vaddrs[at], &symbol);

        status = find_lines(preparation->symbolizer, wanted->module, wanted->vaddrs[at], has_symbol,
                            found, &count, &start_vaddr);
    }
    return status;
}

enum status symbolizer_prepare(struct symbolizer *symbolizer, const struct module_wanted *wanted,
                               size_t count, unsigned jobs)
{
    struct preparation preparation = {.symbolizer = symbolizer, .wanted = wanted};
    enum status status;
    size_t tasks = 0;

    preparation.order = calloc(count + 1, sizeof(*preparation.order));
    if (!preparation.order)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct module *module = wanted[i].module;

        /* Not by the threads: which --elf file is whose is noted in the set. */
        if (module->kind == MODULE_KERNEL || module_open(symbolizer->set, module) == STATUS_OK)
            preparation.order[tasks++] =
                (struct sort_item){.key = order_key(module), .id = (uint32_t)i};
    }
    status = sort_items(preparation.order, tasks);
    if (status == STATUS_OK && tasks > 1) /* one alone is read when it is asked */
        status = workers_run(jobs, tasks, prepare_module, &preparation);
    free(preparation.order);
    return status;
}
