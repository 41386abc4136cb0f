#include "unwind/module_code.h"

#include <stdlib.h>
#include <string.h>

#include "symbol/elf_image.h"
#include "symbol/got.h"

/* Code is read where the file lets it be executed, data where nothing may write to it. */
static const uint8_t *bytes_in(const struct elf_image *image, uint64_t vaddr, uint64_t *avail,
                               unsigned wanted, unsigned unwanted)
{
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);

    for (size_t i = 0; i < count; i++)
        if ((segments[i].prot & wanted) == wanted && !(segments[i].prot & unwanted) &&
            vaddr >= segments[i].vaddr && vaddr - segments[i].vaddr < segments[i].file_size)
            return elf_image_bytes_at(image, vaddr, avail);
    return NULL;
}

static const uint8_t *code_bytes(const void *context, uint64_t vaddr, uint64_t *avail)
{
    return bytes_in(((const struct module_code *)context)->image, vaddr, avail, 4, 0);
}

/* .data.rel.ro is writable as far as the segments tell; tables of labels in it are taken as they are. */
static const uint8_t *data_bytes(const void *context, uint64_t vaddr, uint64_t *avail)
{
    return bytes_in(((const struct module_code *)context)->image, vaddr, avail, 0, 0);
}

/* As struct code's loaded_word. Where the linker leaves a value to the relocation it leaves the word 0. */
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

/* FNV-1a, of the name without version. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *name && *name != '@'; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
    return hash;
}

static const struct symtab *names(const struct module_code *code)
{
    return module_symtab(code->set, code->module);
}

static void index_names(struct module_code *code)
{
    size_t count;
    const struct symbol *symbols = symtab_all(names(code), &count);

    code->names_tried = true;
    for (size_t i = 0; i < count; i++)
        if (symbols[i].source == SYMBOL_DYNSYM && !strchr(symbols[i].name, '@') &&
            !map_put(&code->by_name, hash_name(symbols[i].name), symbols[i].start_vaddr))
            return;
}

/* Through a PLT stub to a function of the same file: that function's code tells. */
static enum callee_knowledge known_stub(struct module_code *code, const char *name,
                                        uint64_t *same_vaddr, enum code_mode *same_mode)
{
    const uint64_t *vaddr;
    struct symbol symbol;

    if (!code->names_tried)
        index_names(code);
    vaddr = map_get(&code->by_name, hash_name(name));
    if (!vaddr || symtab_find(names(code), *vaddr, &symbol) != STATUS_OK ||
        strncmp(symbol.name, name, strcspn(name, "@")) != 0)
        return CALLEE_KNOWN;
    *same_vaddr = *vaddr;
    *same_mode = symbol.thumb ? CODE_T32 : CODE_DEFAULT;
    return CALLEE_SAME;
}

/* The name of the symbol that the word of the GOT at `vaddr` will hold the address of; NULL: it is no such word. */
static const char *slot_name(struct module_code *code, uint64_t vaddr)
{
    if (!code->slots_tried) {
        code->slots_tried = true;
        if (got_symbols(code->image, &code->slots) != STATUS_OK)
            map_clear(&code->slots);
    }
    return got_symbol_name(code->image, &code->slots, vaddr);
}

/* A word that is called through: no code, so that all that is known is known here. */
static enum callee_knowledge known_slot(struct module_code *code, uint64_t vaddr,
                                        struct callee *out, uint64_t *same_vaddr,
                                        enum code_mode *same_mode)
{
    const char *name = slot_name(code, vaddr);

    *out = (struct callee){.never_returns = name && name_never_returns(name, false),
                           .pc_reg = REG_NONE};
    return name && !out->never_returns ? known_stub(code, name, same_vaddr, same_mode)
                                       : CALLEE_KNOWN;
}

/* What the name of the function at `vaddr` tells. */
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
                           .pc_reg = REG_NONE};
    if (out->never_returns)
        return CALLEE_KNOWN;
    return stub ? known_stub(code, symbol.name, same_vaddr, same_mode) : CALLEE_UNKNOWN;
}

void module_code_callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    const struct module_code *code = context;

    callees_find(code->callees, vaddr, mode, out);
}

enum status module_code_create(struct module_set *set, struct module *module,
                               struct module_code **out)
{
    struct module_code *code;
    enum status status;

    if (module_open(set, module) != STATUS_OK)
        return STATUS_NOT_FOUND;
    code = calloc(1, sizeof(*code));
    if (!code)
        return STATUS_NO_MEMORY;
    code->set = set;
    code->module = module;
    code->image = module->image;
    status = code_create(elf_image_arch(code->image), code_bytes, data_bytes, code, &code->code);
    if (status == STATUS_OK) {
        code->code->loaded_word = loaded_word;
        code->code->loaded_context = code;
        code->code->got_vaddr = got_base_vaddr(code->image);
        status = callees_create(code->code, known_callee, code, &code->callees);
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
    map_deinit(&code->by_name);
    map_deinit(&code->slots);
    map_deinit(&code->pointers);
    free(code);
}

enum status module_code_jumps(struct module_code *code, const struct jumps **out)
{
    if (!code->jumps_tried) {
        code->jumps_tried = true;
        if (jumps_init(&code->jumps, code->image, code->code->arch) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    *out = &code->jumps;
    return STATUS_OK;
}

enum status module_code_calls(struct module_code *code, const struct calls **out)
{
    if (!code->calls_tried) {
        code->calls_tried = true;
        if (calls_init(&code->calls, code->image, code->code->arch) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    *out = &code->calls;
    return STATUS_OK;
}
