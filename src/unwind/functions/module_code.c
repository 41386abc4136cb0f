/* SPDX-License-Identifier: MIT */
#include "unwind/functions/module_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "symbol/elf/attributes.h"
#include "symbol/elf/elf_image.h"
#include "symbol/elf/got.h"
#include "symbol/elf/symtab.h"
#include "unwind/functions/kept_calls.h"

#define PLACE_SIZE       16    /* alignment of functions */
#define PLACES_MAX       65536 /* that are checked for traps before them */
#define TRAPS_MIN        16    /* least number of traps that make them the padding, … */
#define TRAP_RETURNS_MAX 4096
#define TRAPS_SHARE      50 /* … and one in how many places */
/*
 * Instructions to look at for callees: for each byte of code, and at least. Real files (Debian's, 1
 * to 230 MiB of code) need at most 0.12 a byte.
 */
#define CALLEE_STEPS       2
#define CALLEE_STEPS_LEAST 100000

/* A code_bytes_fn: reads executable segments only. */
static const uint8_t *code_bytes(const void *context, uint64_t vaddr, uint64_t *avail)
{
    struct elf_image *image = ((const struct module_code *)context)->image;
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    for (size_t i = 0; i < count; i++)
        if ((segments[i].prot & 4) && vaddr >= segments[i].vaddr &&
            vaddr - segments[i].vaddr < segments[i].file_size)
            return elf_image_bytes_at(image, vaddr, avail);
    return NULL;
}

static const uint8_t *data_bytes(const void *context, uint64_t vaddr, uint64_t *avail)
{
    return elf_image_bytes_at(((const struct module_code *)context)->image, vaddr, avail);
}

/* As struct code's may_change. */
static bool may_change(void *context, uint64_t vaddr)
{
    return elf_image_may_change(((const struct module_code *)context)->image, vaddr);
}

/* As struct code's loaded_word. Linkers leave 0 in a word that a relocation fills. */
static bool loaded_word(void *context, uint64_t vaddr, uint64_t *out)
{
    struct module_code *code = context;
    const uint64_t *word;

    if (!code->pointers_tried) {
        code->pointers_tried = true;
        if (got_pointers(code->image, &code->pointers) != STATUS_OK)
            map_clear(&code->pointers);
    }
    word = map_get(&code->pointers, vaddr);
    if (word)
        *out = *word;
    return word != NULL;
}

static const struct symtab *names(const struct module_code *code)
{
    return module_symtab(code->set, code->module);
}

/* NULL: no memory. */
static const struct dynsym *dynsym_of(struct module_code *code)
{
    if (!code->dynsym_tried) {
        code->dynsym_tried = true;
        if (dynsym_create(code->image, &code->dynsym) != STATUS_OK)
            code->dynsym = NULL;
    }
    return code->dynsym;
}

/* As struct code's is_got_word. */
static bool is_got_word(void *context, uint64_t vaddr)
{
    const struct dynsym *dynsym = dynsym_of(context);

    return dynsym && dynsym_is_data_word(dynsym, vaddr);
}

/* Counts the multiples of 16 with the trap right before them. */
static uint64_t count_traps(const struct module_code *code, const char *trap, size_t size,
                            uint64_t vaddr, uint64_t end_vaddr, uint64_t *places)
{
    const uint8_t *bytes;
    uint64_t avail, count = 0;

    vaddr = (vaddr + PLACE_SIZE - 1) / PLACE_SIZE * PLACE_SIZE;
    for (; vaddr < end_vaddr && *places < PLACES_MAX; vaddr += PLACE_SIZE) {
        bytes = elf_image_bytes_at(code->image, vaddr + PLACE_SIZE - size, &avail);
        if (!bytes || avail < size)
            return count;
        count += memcmp(bytes, trap, size) == 0;
        ++*places;
    }
    return count;
}

/* As struct code's pads_with_traps. */
static bool pads_with_traps(void *context)
{
    struct module_code *code = context;
    const struct insn_set *set = code_set(code->code, CODE_DEFAULT);
    const struct vaddr_range *ranges;
    uint64_t places = 0, traps = 0;
    struct elf_section text;
    size_t count;

    if (code->padding_tried)
        return code->trap_padding;
    code->padding_tried = true;
    /* Without sections data may be executable, too: AArch64's trap is a word of zeros. */
    if (elf_image_section(code->image, ".text", &text) != STATUS_OK)
        return false;
    ranges = elf_image_exec_ranges(code->image, &count);
    for (size_t i = 0; i < count && set->filler_trap; i++)
        traps += count_traps(code, set->filler_trap, set->alignment, ranges[i].start_vaddr,
                             ranges[i].end_vaddr, &places);
    code->trap_padding = traps >= TRAPS_MIN && traps >= places / TRAPS_SHARE;
    return code->trap_padding;
}

bool module_code_may_throw(struct module_code *code)
{
    const struct dynsym *dynsym = dynsym_of(code);

    return !dynsym || dynsym_may_throw(dynsym);
}

/* For a call by name: the answer is that of the file's own function of the name, if it has one. */
static enum callee_knowledge known_name(struct module_code *code, const char *name,
                                        uint64_t *same_vaddr, enum code_mode *same_mode)
{
    const struct dynsym *dynsym = dynsym_of(code);
    bool thumb;

    if (!dynsym || !dynsym_function(dynsym, name, same_vaddr, &thumb))
        return CALLEE_KNOWN;
    *same_mode = thumb ? CODE_T32 : CODE_DEFAULT;
    return CALLEE_SAME;
}

/* For a call through a word, which has no code: all that is known is the name. */
static enum callee_knowledge known_slot(struct module_code *code, uint64_t vaddr,
                                        struct callee *out, uint64_t *same_vaddr,
                                        enum code_mode *same_mode)
{
    const struct dynsym *dynsym = dynsym_of(code);
    const char *name = dynsym ? dynsym_word(dynsym, vaddr) : NULL;

    *out = (struct callee){.never_returns = name && name_never_returns(name, false),
                           .returns_twice = name && name_returns_twice(name),
                           .pc_reg = REG_NONE};
    return name && !out->never_returns && !out->returns_twice
               ? known_name(code, name, same_vaddr, same_mode)
               : CALLEE_KNOWN;
}

/* Asks the name of the function at `vaddr`. */
static enum callee_knowledge known_callee(void *context, uint64_t vaddr, struct callee *out,
                                          uint64_t *same_vaddr, enum code_mode *same_mode)
{
    struct module_code *code = context;
    struct symbol symbol;
    uint64_t avail;
    bool stub;

    if (!code_bytes(code, vaddr, &avail))
        return known_slot(code, vaddr, out, same_vaddr, same_mode);
    if (!names(code) || symtab_find(names(code), vaddr, &symbol) != STATUS_OK ||
        symbol.start_vaddr != vaddr || (code->code_only && symbol.source != SYMBOL_DYNSYM))
        return CALLEE_UNKNOWN;
    stub = strcmp(symbol.name + strcspn(symbol.name, "@"), "@plt") == 0;
    *out = (struct callee){.never_returns = name_never_returns(symbol.name, !stub),
                           .returns_twice = name_returns_twice(symbol.name),
                           .pc_reg = REG_NONE};
    if (out->never_returns || out->returns_twice)
        return CALLEE_KNOWN;
    return stub ? known_name(code, symbol.name, same_vaddr, same_mode) : CALLEE_UNKNOWN;
}

void module_code_callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    const struct module_code *code = context;

    callees_find(code->callees, vaddr, mode, out);
}

/* Returns the ISA extensions in the file's attributes: see struct decoder. */
static uint32_t isa_of(struct elf_image *image, const struct code *code)
{
    const struct isa_attribute *at = code->sets[CODE_DEFAULT]->isa_attribute;
    const char *text = at ? elf_attribute_text(image, at->section, at->vendor, at->tag) : NULL;

    return text ? at->read(text) : 0;
}

/* Returns the bytes of code, at most the file's size: segments may share bytes. */
static uint64_t code_size(const struct module_code *code)
{
    uint64_t total = 0;
    size_t count, file_size;
    const struct vaddr_range *ranges = elf_image_exec_ranges(code->image, &count);

    for (size_t i = 0; i < count; i++)
        total += ranges[i].end_vaddr - ranges[i].start_vaddr;
    (void)elf_image_file_bytes(code->image, &file_size);
    return total < file_size ? total : file_size;
}

/* Creates `callees` for searching `size` bytes of code. */
static enum status create_callees(struct module_code *code, uint64_t size, struct callees **out)
{
    const uint64_t steps = size * CALLEE_STEPS;

    return callees_create(code->code, known_callee, code,
                          steps > CALLEE_STEPS_LEAST ? steps : CALLEE_STEPS_LEAST, out);
}

enum status module_code_create(struct module_set *set, struct module *module,
                               struct elf_image *image, struct module_code **out)
{
    struct module_code *code = calloc(1, sizeof(*code));
    enum status status;

    if (!code)
        return STATUS_NO_MEMORY;
    code->set = set;
    code->module = module;
    code->image = image;
    status = code_create(elf_image_arch(code->image), code_bytes, data_bytes, code, &code->code);
    if (status == STATUS_OK) {
        code->code->may_change = may_change;
        code->code->is_got_word = is_got_word;
        code->code->loaded_word = loaded_word;
        code->code->pads_with_traps = pads_with_traps;
        code->code->loaded_context = code;
        code->code->elf_flags = elf_image_flags(code->image);
        code->code->isa = isa_of(code->image, code->code);
        code->code->got_vaddr = got_base_vaddr(code->image);
        status = create_callees(code, code_size(code), &code->callees);
    }
    if (status != STATUS_OK) {
        module_code_destroy(code);
        return status;
    }
    *out = code;
    return STATUS_OK;
}

void module_code_destroy(struct module_code *code)
{
    if (!code)
        return;
    callees_destroy(code->callees);
    code_destroy(code->code);
    jumps_deinit(&code->jumps);
    calls_deinit(&code->calls);
    calls_deinit(&code->far_jumps);
    dynsym_destroy(code->dynsym);
    map_deinit(&code->pointers);
    free(code->trap_returns.items);
    kept_search_destroy(code->kept);
    free(code);
}

enum status module_code_jumps(struct module_code *code, const struct jumps **out)
{
    if (!code->jumps_made) {
        if (jumps_init(&code->jumps, code->image, code->code->arch) != STATUS_OK)
            return STATUS_NO_MEMORY;
        code->jumps_made = true;
    }
    *out = &code->jumps;
    return STATUS_OK;
}

/* Adds the returns from exceptions in the `size` bytes at `vaddr`. Only NO_MEMORY fails. */
static enum status add_trap_returns(struct module_code *code, uint64_t vaddr, const uint8_t *bytes,
                                    uint64_t size)
{
    const struct insn_set *set = code_set(code->code, CODE_DEFAULT);
    struct trap_returns *list = &code->trap_returns;

    for (uint64_t off = 0; off < size && list->count < TRAP_RETURNS_MAX; off += set->alignment) {
        if (!set->is_trap_return(bytes + off, size - off))
            continue;
        if (vec_reserve(&list->items, &list->cap, list->count + 1, sizeof(*list->items)) !=
            STATUS_OK)
            return STATUS_NO_MEMORY;
        list->items[list->count++] = vaddr + off;
    }
    return STATUS_OK;
}

const struct trap_returns *module_code_trap_returns(struct module_code *code)
{
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(code->image, &count);

    if (code->traps_tried || !code_set(code->code, CODE_DEFAULT)->is_trap_return)
        return &code->trap_returns;
    code->traps_tried = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t size;
        const uint8_t *bytes = elf_image_bytes_at(code->image, ranges[i].start_vaddr, &size);

        if (bytes && size > ranges[i].end_vaddr - ranges[i].start_vaddr)
            size = ranges[i].end_vaddr - ranges[i].start_vaddr;
        if (bytes && add_trap_returns(code, ranges[i].start_vaddr, bytes, size) != STATUS_OK) {
            code->trap_returns.count = 0;
            break;
        }
    }
    return &code->trap_returns;
}

enum status module_code_calls(struct module_code *code, const struct calls **out)
{
    *out = &code->calls;
    if (code->calls_made)
        return STATUS_OK;
    if (!code->kept || !kept_calls_find(code->kept, KEPT_CALLS, code->image, &code->calls)) {
        if (calls_init(&code->calls, NULL, code->image, code->code->arch) != STATUS_OK)
            return STATUS_NO_MEMORY;
        if (code->kept)
            kept_calls_put(code->kept, KEPT_CALLS, &code->calls);
    }
    code->calls_made = true;
    return STATUS_OK;
}

enum status module_code_far_jumps(struct module_code *code, const struct calls **out)
{
    *out = &code->far_jumps;
    if (code->far_jumps_made)
        return STATUS_OK;
    if (!code->kept ||
        !kept_calls_find(code->kept, KEPT_FAR_JUMPS, code->image, &code->far_jumps)) {
        calls_deinit(&code->calls);
        code->calls_made = false;
        if (calls_init(&code->calls, &code->far_jumps, code->image, code->code->arch) != STATUS_OK)
            return STATUS_NO_MEMORY;
        code->calls_made = true;
        if (code->kept) {
            kept_calls_put(code->kept, KEPT_CALLS, &code->calls);
            kept_calls_put(code->kept, KEPT_FAR_JUMPS, &code->far_jumps);
        }
    }
    code->far_jumps_made = true;
    return STATUS_OK;
}

enum status module_code_begin_search(struct module_code *code, const struct vaddr_range *within,
                                     struct code_search *search)
{
    search->before = code->callees;
    return create_callees(code, within ? within->end_vaddr - within->start_vaddr : code_size(code),
                          &code->callees);
}

static void note_cut(struct module_code *code)
{
    struct diag why;

    code->is_cut = true;
    diag_set(&why, code->module->file.path,
             "its functions were not all found: what they call would take too long to find out");
    module_note(code->module, &why);
}

enum status module_code_end_search(struct module_code *code, struct code_search *search,
                                   struct map_pair **learned, size_t *count)
{
    struct callees *own = code->callees;

    code->callees = search->before;
    if (callees_are_cut(own))
        note_cut(code);
    *count = callees_count(own);
    *learned = calloc(*count + 1, sizeof(**learned));
    if (*learned)
        callees_list(own, *learned);
    callees_destroy(own);
    return *learned ? module_code_learn(code, *learned, *count) : STATUS_NO_MEMORY;
}

bool module_code_is_cut(const struct module_code *code)
{
    return code->is_cut;
}

enum status module_code_learn(struct module_code *code, const struct map_pair *learned,
                              size_t count)
{
    return callees_add(code->callees, learned, count);
}
