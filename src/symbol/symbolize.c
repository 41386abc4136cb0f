/* SPDX-License-Identifier: MIT */
#include "symbol/symbolize.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/map.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/workers.h"
#include "symbol/clone_suffix.h"
#include "symbol/dwarf/lines.h"
#include "runtime/go/gopclntab.h"
#include "runtime/jit/jit_map.h"
#include "symbol/elf/symtab.h"
#include "symbol/kallsyms.h"

/* An answer; its frames follow it in memory. */
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
    struct map stripped;  /* address of a clone's raw name → const char *, of its function */
    struct arena arena;   /* answers, frames, demangled and stripped names */
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
    map_init(&symbolizer->stripped);
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
    map_deinit(&symbolizer->stripped);
    arena_deinit(&symbolizer->arena);
    free(symbolizer);
}

/* Cuts a name. Names may share bytes: n symbols in a file of 24 n bytes would have n^2 of names. */
static char *shown_part(struct arena *arena, const char *name)
{
    const size_t len = strnlen(name, TEXT_NAME_SEEN);

    return arena_join(arena, name, len, name[len] ? "..." : "");
}

/* Demangles each name once, known by its address: raw names live as long as the modules. */
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
    if (text || raw[strnlen(raw, TEXT_NAME_SEEN)]) {
        copy = shown_part(&symbolizer->arena, text ? text : raw);
        free(text);
        if (!copy)
            return STATUS_NO_MEMORY;
        *out = copy;
    }
    return map_put(&symbolizer->demangled, (uint64_t)(uintptr_t)raw, (uint64_t)(uintptr_t)copy)
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}

/* Finds the raw name of the function that a symbol is, or is a clone of. */
static enum status function_name(struct symbolizer *symbolizer, const char *symbol,
                                 const char **out)
{
    const size_t len = clone_suffix_strip(symbol);
    uint64_t *known;

    *out = symbol;
    if (symbol[len] == '\0')
        return STATUS_OK;
    known = map_get(&symbolizer->stripped, (uint64_t)(uintptr_t)symbol);
    if (known) {
        *out = (const char *)(uintptr_t)*known;
        return STATUS_OK;
    }
    *out = arena_join(&symbolizer->arena, symbol, len, "");
    return *out && map_put(&symbolizer->stripped, (uint64_t)(uintptr_t)symbol,
                           (uint64_t)(uintptr_t)*out)
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}

/* Answers of the sources of names and lines for one address. */
struct symbol_finding {
    struct symbol symbol;
    struct go_function go_function;
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    size_t count;               /* of frames: at least one, which may be empty */
    uint64_t dwarf_start_vaddr; /* of the function that DWARF names; 0: not known */
    bool has_symbol, has_go_function, has_lines;
};

/* Finds the symbol at `vaddr`. The kernel's, and those made at run time, are in no ELF file. */
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
    if (module->kind == MODULE_JIT) {
        *symbol = (struct symbol){.sized = true};
        symbol->name = jit_name(&module->jit_names, vaddr, &symbol->start_vaddr);
        return symbol->name != NULL;
    }
    symtab = module_symtab(symbolizer->set, module);
    return symtab && symtab_find(symtab, vaddr, symbol) == STATUS_OK;
}

static enum status find_lines(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                              struct symbol_finding *finding)
{
    bool functions = symbolizer->inlines || (symbolizer->lines && !finding->has_symbol);
    unsigned what =
        (symbolizer->lines ? LINES_PLACES : 0) | (unsigned)(functions ? LINES_FUNCTIONS : 0);
    struct debug_lines *lines = what ? module_lines(symbolizer->set, module) : NULL;
    enum status status = lines ? debug_lines_find(lines, what, vaddr, finding->frames,
                                                  &finding->count, &finding->dwarf_start_vaddr)
                               : STATUS_NOT_FOUND;

    finding->has_lines = status == STATUS_OK;
    if (!finding->has_lines) {
        finding->frames[0] = (struct line_frame){0};
        finding->count = 1;
        finding->dwarf_start_vaddr = 0;
    } else if (!symbolizer->inlines && finding->count > 1) {
        /* One frame an address: the real function, at the line that runs. */
        finding->frames[0].function = finding->frames[finding->count - 1].function;
        finding->count = 1;
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* Lines and inlined functions from Go's own table. */
static void add_go_frames(const struct symbolizer *symbolizer, const struct gopclntab *table,
                          uint64_t vaddr, struct symbol_finding *finding)
{
    struct go_source sources[GO_SOURCES_MAX];
    size_t count = gopclntab_sources(table, &finding->go_function, vaddr, sources);

    _Static_assert(GO_SOURCES_MAX <= LINES_INLINE_DEPTH_MAX, "a frame for each source");
    finding->count = symbolizer->inlines ? count : 1;
    for (size_t i = 0; i < finding->count; i++) {
        finding->frames[i] = (struct line_frame){.function = sources[i].function};
        if (symbolizer->lines) {
            finding->frames[i].file = sources[i].file;
            finding->frames[i].line = sources[i].line;
        }
    }
    finding->frames[finding->count - 1].function = finding->go_function.name;
}

/*
 * May the symbol name the Go function? One without size holds all up to the next, as the few in
 * .dynsym of a stripped program do, but does not name a function that begins later.
 */
static bool names(const struct symbol *symbol, const struct go_function *function)
{
    return symbol->sized || symbol->start_vaddr >= function->start_vaddr;
}

/* Go's linker marks calling conventions so; Go's own table and tools do not. */
static bool names_convention(const struct symbol *symbol)
{
    static const char suffix[] = ".abi0";
    const size_t size = strlen(symbol->name);

    return size >= sizeof(suffix) &&
           strcmp(symbol->name + size - (sizeof(suffix) - 1), suffix) == 0;
}

/* Fills in, from Go's own table, what neither symbols nor DWARF have. */
static void find_go(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                    struct symbol_finding *finding)
{
    bool wants_lines = (symbolizer->lines || symbolizer->inlines) && !finding->has_lines;
    const struct gopclntab *table;

    if (finding->has_symbol && finding->symbol.sized && !wants_lines &&
        !names_convention(&finding->symbol))
        return;
    table = module_gopclntab(symbolizer->set, module);
    if (!table || gopclntab_find(table, vaddr, &finding->go_function) != STATUS_OK)
        return;
    finding->has_go_function = true;
    if (finding->has_symbol &&
        (!names(&finding->symbol, &finding->go_function) || names_convention(&finding->symbol)))
        finding->has_symbol = false;
    if (wants_lines)
        add_go_frames(symbolizer, table, vaddr, finding);
}

/* Asks all sources. Fails with NO_MEMORY only. */
static enum status find_all(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                            struct symbol_finding *finding)
{
    enum status status;

    finding->has_symbol = find_symbol(symbolizer, module, vaddr, &finding->symbol);
    finding->has_go_function = false;
    status = find_lines(symbolizer, module, vaddr, finding);
    if (status == STATUS_OK && module->kind != MODULE_KERNEL && module->kind != MODULE_JIT)
        find_go(symbolizer, module, vaddr, finding);
    return status;
}

/*
 * Names the real function by the symbol table, which other tools print, and which stripped and
 * unstripped modules have in common; else by Go's own table, else by DWARF.
 */
static void name_function(struct symbol_finding *finding, struct source_frames *frames)
{
    struct line_frame *function = &finding->frames[finding->count - 1];
    const struct symbol *symbol = &finding->symbol;

    if (finding->has_symbol) {
        function->function = symbol->name;
        frames->function_vaddr = symbol->start_vaddr;
        frames->has_function = true;
        frames->is_unsized = !symbol->sized;
    } else if (finding->has_lines && function->function && !finding->has_go_function) {
        frames->function_vaddr = finding->dwarf_start_vaddr;
        frames->has_function = finding->dwarf_start_vaddr != 0;
    } else if (finding->has_go_function) {
        function->function = finding->go_function.name;
        frames->function_vaddr = finding->go_function.start_vaddr;
        frames->has_function = true;
    }
}

/* Names inlined functions by the symbols of those that have the same declarations. */
static enum status name_inlined(struct symbolizer *symbolizer, struct module *module,
                                struct symbol_finding *finding)
{
    enum status status = STATUS_OK;
    struct symbol symbol;

    for (size_t i = 0; i + 1 < finding->count && status == STATUS_OK; i++) {
        struct line_frame *frame = &finding->frames[i];

        if (frame->real_vaddr == 0)
            continue;
        if (!find_symbol(symbolizer, module, frame->real_vaddr, &symbol) ||
            symbol.start_vaddr != frame->real_vaddr) {
            frame->real_vaddr = 0;
            continue;
        }
        status = function_name(symbolizer, symbol.name, &frame->function);
        if (frame->function != symbol.name || !symbol.sized) /* only a clone is there */
            frame->real_vaddr = 0;
    }
    return status;
}

static enum status fill_frames(struct symbolizer *symbolizer, const struct line_frame *found,
                               size_t count, struct source_frame *frames)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        frames[i] = (struct source_frame){.raw_function = found[i].function,
                                          .file = found[i].file,
                                          .line = found[i].line,
                                          .is_inline = i + 1 < count,
                                          .real_vaddr = i + 1 < count ? found[i].real_vaddr : 0};
        if (found[i].function)
            status = readable_name(symbolizer, found[i].function, &frames[i].function);
    }
    return status;
}

static enum status make_answer(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                               struct symbol_answer **out)
{
    struct symbol_finding finding;
    struct source_frame *frames;
    struct symbol_answer *answer;
    enum status status = find_all(symbolizer, module, vaddr, &finding);

    if (status == STATUS_OK)
        status = name_inlined(symbolizer, module, &finding);
    if (status != STATUS_OK)
        return status;
    answer = arena_alloc(&symbolizer->arena, sizeof(*answer) + finding.count * sizeof(*frames));
    if (!answer)
        return STATUS_NO_MEMORY;
    frames = (struct source_frame *)(answer + 1);
    *answer = (struct symbol_answer){.module_id = module->id,
                                     .vaddr = vaddr,
                                     .frames = {.frames = frames, .count = finding.count}};
    name_function(&finding, &answer->frames);
    *out = answer;
    return fill_frames(symbolizer, finding.frames, finding.count, frames);
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
    uint64_t hash = keyed_words(module->id, vaddr);
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

/* Modules to read, in an order that does not begin a long one last. */
struct preparation {
    struct symbolizer *symbolizer;
    const struct module_wanted *wanted;
    struct sort_item *order; /* ids are indexes in wanted */
};

/*
 * A low key for a module that takes long, as far as is known without reading it: the kernel's list
 * has some hundred thousand lines, and large files have large debug files.
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
 * Asks for each address and drops the answers, which the module keeps: its symbols, debug file,
 * units and names are read in the order of the later look-ups, so that limits on damaged files cut
 * the same parts. Writes only to the module, which no other thread uses; reads symbolizer and set.
 */
static enum status prepare_module(void *context, size_t i)
{
    struct preparation *preparation = context;
    const struct module_wanted *wanted = &preparation->wanted[preparation->order[i].id];
    struct symbol_finding finding;
    enum status status = STATUS_OK;

    for (size_t at = 0; at < wanted->count && status == STATUS_OK; at++)
        status = find_all(preparation->symbolizer, wanted->module, wanted->vaddrs[at], &finding);
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

        /* Each once, or two threads would write to one. */
        assert(i == 0 || wanted[i - 1].module->id < module->id);
        /* Not on the threads: opening notes in the set which --elf file is used. */
        if (module->kind == MODULE_KERNEL || module_open(symbolizer->set, module) == STATUS_OK)
            preparation.order[tasks++] =
                (struct sort_item){.key = order_key(module), .id = (uint32_t)i};
    }
    status = sort_items(preparation.order, tasks);
    if (status == STATUS_OK && tasks > 1) /* a single one is read when it is asked */
        status = workers_run(jobs, tasks, prepare_module, &preparation);
    free(preparation.order);
    return status;
}
