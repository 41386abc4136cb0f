#include "symbol/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "symbol/arena.h"
#include "symbol/lines.h"

/* One answer. Answers with the same hash are chained. */
struct answer {
    uint32_t module_id;
    uint64_t vaddr;
    struct source_frames frames;
    struct answer *next;
};

struct symbolizer {
    struct module_set *set;
    bool lines, inlines;
    struct map answers;   /* hash of module and address → struct answer * */
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
    symbolizer->inlines = lines && inlines;
    map_init(&symbolizer->answers);
    map_init(&symbolizer->demangled);
    arena_init(&symbolizer->arena);
    *out = symbolizer;
    return STATUS_OK;
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
    if (!symbolizer)
        return;
    map_deinit(&symbolizer->answers);
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
                              struct line_frame *frames, size_t *count, uint64_t *start_vaddr)
{
    struct debug_lines *lines = symbolizer->lines ? module_lines(symbolizer->set, module) : NULL;
    enum status status =
        lines ? debug_lines_find(lines, vaddr, frames, count, start_vaddr) : STATUS_NOT_FOUND;

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

/*
 * The real function is named by the symbol table, which is what other tools print and what stripped
 * and unstripped modules have in common; DWARF names it only where no symbol does.
 */
static void name_function(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                          struct line_frame *function, struct answer *answer,
                          uint64_t dwarf_start_vaddr)
{
    const struct symtab *symtab = module_symtab(symbolizer->set, module);
    struct symbol symbol;

    if (symtab && symtab_find(symtab, vaddr, &symbol) == STATUS_OK) {
        function->function = symbol.name;
        answer->frames.function_vaddr = symbol.start_vaddr;
        answer->frames.has_function = true;
    } else if (function->function && dwarf_start_vaddr != 0) {
        answer->frames.function_vaddr = dwarf_start_vaddr;
        answer->frames.has_function = true;
    }
}

static enum status make_answer(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                               struct answer *answer)
{
    struct line_frame found[LINES_INLINE_DEPTH_MAX];
    struct source_frame *frames;
    enum status status;
    uint64_t start_vaddr;
    size_t count;

    status = find_lines(symbolizer, module, vaddr, found, &count, &start_vaddr);
    if (status != STATUS_OK)
        return status;
    name_function(symbolizer, module, vaddr, &found[count - 1], answer, start_vaddr);
    frames = arena_alloc(&symbolizer->arena, count * sizeof(*frames));
    if (!frames)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        frames[i] = (struct source_frame){.raw_function = found[i].function,
                                          .file = found[i].file,
                                          .line = found[i].line,
                                          .is_inline = i + 1 < count};
        if (found[i].function)
            status = readable_name(symbolizer, found[i].function, &frames[i].function);
    }
    answer->frames.frames = frames;
    answer->frames.count = count;
    return status;
}

enum status symbolizer_lookup(struct symbolizer *symbolizer, struct module *module, uint64_t vaddr,
                              const struct source_frames **out)
{
    uint64_t *head = map_put(&symbolizer->answers, map_hash2(module->id, vaddr), 0);
    struct answer *answer;
    enum status status;

    if (!head)
        return STATUS_NO_MEMORY;
    for (answer = (struct answer *)(uintptr_t)*head; answer; answer = answer->next) {
        if (answer->module_id == module->id && answer->vaddr == vaddr) {
            *out = &answer->frames;
            return STATUS_OK;
        }
    }
    answer = arena_alloc(&symbolizer->arena, sizeof(*answer));
    if (!answer)
        return STATUS_NO_MEMORY;
    *answer = (struct answer){.module_id = module->id, .vaddr = vaddr};
    status = make_answer(symbolizer, module, vaddr, answer);
    if (status != STATUS_OK)
        return status;
    answer->next = (struct answer *)(uintptr_t)*head;
    *head = (uint64_t)(uintptr_t)answer;
    *out = &answer->frames;
    return STATUS_OK;
}
