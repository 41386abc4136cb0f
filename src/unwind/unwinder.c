/*
 * Stepping: for each frame the row sources are asked in order; a row is executed on the frame's
 * registers and the sample's memory, and the caller it gives must be plausible, or the next source
 * is tried.
 */
#include "unwind/unwinder.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "unwind/code_store.h"
#include "unwind/insn.h"
#include "unwind/memory.h"
#include "unwind/module_rows.h"
#include "unwind/row.h"

#define ENTRY_CODE_MAX 64  /* bytes of _start, where its size is not known */
#define SCAN_WORDS_MAX 512 /* how far a stack scan looks for a return address */

struct unwinder {
    const struct arch *arch;
    struct module_set *modules;
    struct unwinder_options options;
    struct module_rows **rows; /* by module id */
    size_t row_count, row_cap;
    struct code_stores *codes; /* NULL: no instruction set for the architecture */
};

enum status unwinder_create(const struct arch *arch, struct module_set *modules,
                            const struct unwinder_options *options, struct unwinder **out)
{
    static const enum trust designed[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME, TRUST_EXIDX,
                                          TRUST_PROLOGUE,    TRUST_FP,       TRUST_LR};
    struct unwinder *u = calloc(1, sizeof(*u));

    if (!u)
        return STATUS_NO_MEMORY;
    u->arch = arch;
    u->modules = modules;
    u->options = *options;
    if (u->options.method_count == 0) {
        memcpy(u->options.methods, designed, sizeof(designed));
        u->options.method_count = sizeof(designed) / sizeof(designed[0]);
    }
    if (code_stores_create(modules, arch, &u->codes) == STATUS_NO_MEMORY) {
        free(u);
        return STATUS_NO_MEMORY;
    }
    *out = u;
    return STATUS_OK;
}

void unwinder_destroy(struct unwinder *u)
{
    if (!u)
        return;
    for (size_t i = 0; i < u->row_count; i++)
        module_rows_destroy(u->rows[i]);
    free(u->rows);
    code_stores_destroy(u->codes);
    free(u);
}

enum status unwinder_code(struct unwinder *u, struct mapping *mapping, uint64_t start_addr,
                          const uint8_t *bytes, uint64_t size)
{
    return u->codes ? code_stores_add(u->codes, mapping, start_addr, bytes, size) : STATUS_OK;
}

/* The module's rows, made when first asked for; NULL: no memory. */
static struct module_rows *rows_of(struct unwinder *u, struct module *module)
{
    if (vec_reserve(&u->rows, &u->row_cap, (size_t)module->id + 1, sizeof(*u->rows)) != STATUS_OK)
        return NULL;
    while (u->row_count <= module->id)
        u->rows[u->row_count++] = NULL;
    if (!u->rows[module->id] &&
        module_rows_create(u->modules, module, &u->rows[module->id]) != STATUS_OK)
        return NULL;
    return u->rows[module->id];
}

enum status unwinder_function(struct unwinder *u, struct module *module, uint64_t vaddr,
                              uint64_t *start_vaddr, uint64_t *end_vaddr)
{
    struct module_rows *rows = rows_of(u, module);

    return rows ? module_rows_function(rows, vaddr, start_vaddr, end_vaddr) : STATUS_NO_MEMORY;
}

/* One walk over a sample's stack. */
struct walk {
    struct unwinder *u;
    struct address_space *space;
    struct memory memory;
    struct regs regs; /* of the frame at hand */
    struct frame *frame;
    struct mapping *mapping;
    struct module_rows *rows; /* NULL: no module */
    /* What the failed candidates of this frame came to: */
    bool had_row, had_fault, had_cfa;
    /* call frame information gave 0 for the return address: makecontext ends chains so */
    bool had_zero;
    bool lost;      /* the analysis of code says that the return address is nowhere */
    bool no_record; /* ... that the frame pointer is a caller's */
    uint64_t fault_cfa;
    bool out_of_memory;
};

/* Does a signal trampoline begin there? */
static bool is_sigreturn(struct unwinder *u, struct mapping *mapping, uint64_t pc)
{
    struct module_rows *rows;
    struct row row;
    uint64_t vaddr;

    if (!mapping_vaddr(u->modules, mapping, pc, &vaddr))
        return u->codes && code_stores_is_sigreturn(u->codes, mapping, vaddr, &row);
    rows = rows_of(u, mapping->module);
    return rows && module_rows_is_sigreturn(rows, vaddr, &row);
}

/*
 * What a return address or a saved PC holds besides an address: the instruction set (ARM's bit 0),
 * the authentication code (AArch64). Addresses of user space have no bit of that code set.
 */
static uint64_t code_address(const struct walk *w, uint64_t value)
{
    return value & ~(w->space->pac_mask | w->u->arch->isa_bit);
}

/*
 * Fills where the frame's code is. A caller is looked up at its return address minus one, since the
 * call may be its function's last instruction; the return address of a signal handler is the first
 * instruction of the trampoline, and interrupted frames were not calling: both are looked up at
 * their PC.
 */
static void locate(struct walk *w, struct frame *frame)
{
    uint64_t pc = frame->pc_addr;

    w->frame = frame;
    w->mapping = address_space_find(w->space, pc);
    w->rows = NULL;
    frame->module = NULL;
    frame->lookup_vaddr = pc;
    if (frame->is_call && w->mapping && is_sigreturn(w->u, w->mapping, pc))
        frame->is_call = false;
    frame->lookup_vaddr = pc - frame->is_call;
    if (frame->is_call)
        w->mapping = address_space_find(w->space, pc - 1);
    if (!w->mapping)
        return;
    frame->module = w->mapping->module;
    frame->vaddr_known =
        mapping_vaddr(w->u->modules, w->mapping, pc - frame->is_call, &frame->lookup_vaddr);
    w->rows = rows_of(w->u, frame->module);
    w->out_of_memory = w->out_of_memory || !w->rows;
}

/* Could `ra` be where a call made by this frame's caller returns to? */
static bool return_address_plausible(struct walk *w, uint64_t ra, const struct row *row)
{
    enum code_mode mode = ra & w->u->arch->isa_bit ? CODE_T32 : CODE_DEFAULT;
    uint64_t pc = code_address(w, ra);
    struct mapping *mapping = address_space_find(w->space, pc - 1);
    uint64_t vaddr, start_vaddr, end_vaddr;
    struct module_rows *rows;

    /* What was interrupted may be anything, also a jump to nowhere. */
    if (row->signal_frame)
        return true;
    if (!mapping)
        return false;
    if (!mapping_vaddr(w->u->modules, mapping, pc, &vaddr))
        return !w->u->codes || code_stores_after_call(w->u->codes, mapping, vaddr, mode) ||
               is_sigreturn(w->u, mapping, pc);
    rows = rows_of(w->u, mapping->module);
    if (!rows || module_rows_after_call(rows, vaddr, mode))
        return true;
    /*
     * Trampolines are returned to without having called: sigreturn, makecontext's. CFI is believed
     * there.
     */
    if (is_sigreturn(w->u, mapping, pc))
        return true;
    return (row->source == TRUST_EH_FRAME || row->source == TRUST_DEBUG_FRAME) &&
           module_rows_function(rows, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK &&
           start_vaddr == vaddr;
}

static bool plausible(struct walk *w, const struct row *row, uint64_t cfa,
                      const struct regs *caller)
{
    const struct arch *arch = w->u->arch;
    uint64_t sp = w->regs.value[arch->sp];
    uint64_t new_sp = caller->value[arch->sp];

    if (!return_address_plausible(w, caller->value[arch->pc], row))
        return false;
    /* The interrupted stack may be anywhere; it was in use, that is all. */
    if (row->signal_frame)
        return true;
    if (cfa % arch->word_size != 0)
        return false;
    /* Outwards; a leaf that has not touched SP yet has CFA == SP where calls push nothing. */
    if (arch->lr == REG_NONE ? cfa <= sp : cfa < sp || (cfa == sp && w->frame->is_call))
        return false;
    return new_sp >= sp;
}

enum outcome { CALLER_FOUND, NO_CALLER, NEXT_SOURCE };

static enum outcome try_row(struct walk *w, const struct row *row, struct regs *caller)
{
    uint64_t bias = w->mapping && w->mapping->bias_known ? w->mapping->bias : 0;
    uint64_t cfa = 0;
    enum status status = row_execute(row, w->u->arch, bias, &w->regs, &w->memory, caller, &cfa);

    if (status == STATUS_END)
        return NO_CALLER;
    if (status == STATUS_FAULT && row->cfa.kind != CFA_UNKNOWN) {
        w->had_fault = true;
        if (!w->had_cfa)
            w->fault_cfa = cfa;
        w->had_cfa = true;
    }
    if (status == STATUS_OK && caller->value[w->u->arch->pc] == 0 && !row->signal_frame)
        w->had_zero =
            w->had_zero || row->source == TRUST_EH_FRAME || row->source == TRUST_DEBUG_FRAME;
    if (status != STATUS_OK || !plausible(w, row, cfa, caller))
        return NEXT_SOURCE;
    caller->value[w->u->arch->pc] = code_address(w, caller->value[w->u->arch->pc]);
    return CALLER_FOUND;
}

/*
 * A source that does not know what the function did to other registers must not pass them on as
 * known.
 */
static void forget_callee_saved(const struct arch *arch, struct row *row)
{
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (arch->callee_saved >> reg & 1)
            row->regs[reg] = (struct rule){.kind = RULE_UNDEFINED};
}

/* The frame pointer convention: [fp] is the caller's fp, the word above it the return address. */
static bool frame_pointer_row(const struct walk *w, struct row *row)
{
    const struct arch *arch = w->u->arch;
    uint64_t fp = w->regs.value[arch->fp];

    if (!regs_has(&w->regs, arch->fp) || fp % arch->word_size != 0 ||
        fp < w->regs.value[arch->sp] || !memory_region(&w->memory, fp))
        return false;
    row_init(row, 0, UINT64_MAX, TRUST_FP);
    row->cfa = (struct rule){.kind = CFA_REG, .reg = arch->fp, .off = 2 * arch->word_size};
    row->ra = (struct rule){.kind = RULE_AT_CFA, .off = -(int32_t)arch->word_size};
    forget_callee_saved(arch, row);
    row->regs[arch->fp] = (struct rule){.kind = RULE_AT_CFA, .off = -2 * (int32_t)arch->word_size};
    return true;
}

/*
 * Is LR left from a call that has returned? So it is when it leads into the function at hand, and
 * when the call before it is of another function.
 */
static bool is_stale(const struct walk *w, uint64_t ra)
{
    enum code_mode mode = ra & w->u->arch->isa_bit ? CODE_T32 : CODE_DEFAULT;
    uint64_t addr = code_address(w, ra), start_vaddr, end_vaddr, called_vaddr, vaddr;
    struct mapping *mapping = address_space_find(w->space, addr - 1);
    struct module_rows *rows;

    if (!mapping || !mapping_vaddr(w->u->modules, mapping, addr, &vaddr))
        return false;
    if (module_rows_function(w->rows, w->frame->lookup_vaddr, &start_vaddr, &end_vaddr) !=
        STATUS_OK)
        start_vaddr = end_vaddr = UINT64_MAX; /* none that is known */
    rows = rows_of(w->u, mapping->module);
    if (rows && module_rows_called_before(rows, vaddr, mode, &called_vaddr))
        return rows != w->rows || called_vaddr != start_vaddr;
    return rows == w->rows && vaddr > start_vaddr && vaddr <= end_vaddr;
}

/* Can LR be believed? Where code is mapped that is not at hand, nothing tells. */
static bool believes_lr(const struct walk *w)
{
    if (!w->mapping || w->mapping->module->kind == MODULE_SPECIAL)
        return true;
    return w->rows && w->frame->vaddr_known && !is_stale(w, w->regs.value[w->u->arch->lr]);
}

/*
 * The return address where the call put it: in LR, of a leaf that saved nothing; where calls push
 * it, only when the PC is in no code at all, which is a call to nowhere. First frame or an
 * interrupted one only.
 */
static bool link_register_row(const struct walk *w, struct row *row)
{
    const struct arch *arch = w->u->arch;

    /* A row that failed says that the return address is elsewhere. */
    if (w->frame->is_call || w->had_row || (arch->lr == REG_NONE && w->mapping))
        return false;
    if (arch->lr != REG_NONE && !believes_lr(w))
        return false;
    row_init(row, 0, UINT64_MAX, TRUST_LR);
    row->cfa = (struct rule){.kind = CFA_REG, .reg = arch->sp, .off = arch->cfa_entry_off};
    row->ra = arch->lr == REG_NONE ? (struct rule){.kind = RULE_AT_CFA, .off = -arch->word_size}
                                   : (struct rule){.kind = RULE_SAME};
    return true;
}

/* The nearest word above SP that could be a return address. What lies between is not understood. */
static enum outcome scan(struct walk *w, struct regs *caller)
{
    const struct arch *arch = w->u->arch;
    struct row row;

    row_init(&row, 0, UINT64_MAX, TRUST_SCAN);
    row.ra = (struct rule){.kind = RULE_AT_CFA, .off = -(int32_t)arch->word_size};
    forget_callee_saved(arch, &row);
    for (int32_t i = 1; i <= SCAN_WORDS_MAX; i++) {
        row.cfa = (struct rule){.kind = CFA_REG, .reg = arch->sp, .off = i * arch->word_size};
        switch (try_row(w, &row, caller)) {
        case CALLER_FOUND:
            return CALLER_FOUND;
        case NO_CALLER: /* a zero word */
        case NEXT_SOURCE:
            break;
        }
    }
    return NEXT_SOURCE;
}

/*
 * The row by one of the sources that read code or tables of it. Without the file code is all that
 * there may be.
 */
static enum status find_row(struct walk *w, enum trust source, const struct row **out)
{
    enum status status;

    if (!w->rows)
        return STATUS_NOT_FOUND;
    if (w->frame->vaddr_known)
        status = module_rows_find(w->rows, source, w->frame->lookup_vaddr, out);
    else if (source == TRUST_PROLOGUE && w->u->codes)
        status = code_stores_find(w->u->codes, w->mapping, w->frame->lookup_vaddr, out);
    else
        return STATUS_NOT_FOUND;
    w->out_of_memory = w->out_of_memory || status == STATUS_NO_MEMORY;
    return status;
}

/*
 * Is the innermost frame's row wrong if this is an epilogue, and does code, which is asked later,
 * tell better?
 */
static bool leaves_to_code(struct walk *w, const struct row *row)
{
    const struct row *other;
    bool later = false, asked = false;

    if (!row->frame_to_end || w->frame->is_call)
        return false;
    for (size_t i = 0; i < w->u->options.method_count; i++) {
        asked = asked || (later && w->u->options.methods[i] == TRUST_PROLOGUE);
        later = later || w->u->options.methods[i] == row->source;
    }
    return asked && find_row(w, TRUST_PROLOGUE, &other) == STATUS_OK;
}

static bool keeps_frame_pointer(const struct arch *arch, const struct row *row)
{
    enum rule_kind kind = row->regs[arch->fp].kind;

    return (kind == RULE_SAME || kind == RULE_UNSPECIFIED) &&
           !(row->cfa.kind == CFA_REG && row->cfa.reg == arch->fp);
}

static enum outcome try_source(struct walk *w, enum trust source, struct regs *caller,
                               bool *signal_frame)
{
    const struct row *found;
    struct row row;
    enum outcome outcome;
    enum status status;

    switch (source) {
    case TRUST_DEBUG_FRAME:
    case TRUST_EH_FRAME:
    case TRUST_EXIDX:
    case TRUST_PROLOGUE:
        status = find_row(w, source, &found);
        if (status != STATUS_OK || (found->call_site_only && !w->frame->is_call))
            return NEXT_SOURCE;
        row = *found; /* asking again, or checking the caller, moves it */
        if (leaves_to_code(w, &row))
            return NEXT_SOURCE;
        /*
         * A call overwrites LR. Functions that do not return need not save it: then it is lost, and
         * a guess would skip callers.
         */
        if (w->frame->is_call && w->u->arch->lr != REG_NONE &&
            (row.ra.kind == RULE_SAME || row.ra.kind == RULE_UNSPECIFIED)) {
            w->lost = w->lost || source == TRUST_PROLOGUE;
            return NEXT_SOURCE;
        }
        w->had_row = true;
        outcome = try_row(w, &row, caller);
        *signal_frame = row.signal_frame;
        /* The function has left the frame pointer alone: the record it leads to is a caller's. */
        w->no_record = w->no_record || (outcome == NEXT_SOURCE && source == TRUST_PROLOGUE &&
                                        keeps_frame_pointer(w->u->arch, &row));
        return outcome;
    case TRUST_FP:
        if (w->lost || w->no_record || !frame_pointer_row(w, &row))
            return NEXT_SOURCE;
        outcome = try_row(w, &row, caller);
        /* Where the frame record may be anywhere in the frame, its end bounds SP and no more. */
        if (outcome == CALLER_FOUND && w->u->arch->frame_cfa_off == 0)
            regs_forget(caller, w->u->arch->sp);
        return outcome;
    case TRUST_LR:
        return link_register_row(w, &row) ? try_row(w, &row, caller) : NEXT_SOURCE;
    case TRUST_SCAN:
        return w->lost ? NEXT_SOURCE : scan(w, caller);
    case TRUST_CONTEXT:
        return NEXT_SOURCE;
    }
    return NEXT_SOURCE;
}

static bool name_starts_threads(const char *name)
{
    static const char *const names[] = {"clone", "clone3", "thread_start", "start"};

    name += strspn(name, "_");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool in_entry_function(const struct walk *w)
{
    uint64_t vaddr = w->frame->lookup_vaddr;
    uint64_t start_vaddr, end_vaddr, entry;

    if (!w->rows || !w->frame->vaddr_known)
        return false;
    entry = elf_image_entry_vaddr(w->frame->module->image) & ~(uint64_t)w->u->arch->isa_bit;
    if (entry == 0 || vaddr < entry)
        return false;
    if (module_rows_function(w->rows, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK)
        return start_vaddr == entry;
    return vaddr - entry < ENTRY_CODE_MAX;
}

/*
 * A frame without caller: is it where the thread began? The ELF entry point, clone by name, or code
 * that zeroed the frame pointer, which is how the ABI marks the deepest frame.
 */
static bool in_thread_start(struct walk *w)
{
    const struct symtab *symtab;
    struct symbol symbol;
    const struct row *row;

    if (!w->rows)
        return false;
    if (in_entry_function(w))
        return true;
    symtab = w->frame->vaddr_known ? module_symtab(w->u->modules, w->frame->module) : NULL;
    if (symtab && symtab_find(symtab, w->frame->lookup_vaddr, &symbol) == STATUS_OK &&
        name_starts_threads(symbol.name))
        return true;
    return find_row(w, TRUST_PROLOGUE, &row) == STATUS_OK && row->ra.kind == RULE_UNDEFINED;
}

/* Is what the frame's call returns to the end of the thread? */
static bool ends_thread(const struct walk *w)
{
    if (!w->frame->is_call || !w->rows)
        return false;
    if (w->frame->vaddr_known)
        return module_rows_ends_thread(w->rows, w->frame->lookup_vaddr + 1);
    return w->u->codes &&
           code_stores_ends_thread(w->u->codes, w->mapping, w->frame->lookup_vaddr + 1);
}

/* All sources failed: what the user should know. */
static enum stop_reason failure(struct walk *w)
{
    const struct arch *arch = w->u->arch;
    uint64_t sp = w->regs.value[arch->sp];

    if (in_entry_function(w) || (w->had_zero && in_thread_start(w)) || ends_thread(w))
        return STOP_THREAD_START;
    if (w->had_zero)
        return STOP_UNDEFINED_RA;
    for (uint32_t i = 0; w->had_fault && i < w->memory.count; i++) {
        const struct snap_region *region = &w->memory.regions[i];

        if (sp < region->start_addr || sp > region->map_end_addr)
            continue;
        if (w->fault_cfa > region->map_end_addr)
            return STOP_STACK_END;
        if (w->fault_cfa + arch->word_size > region->end_addr)
            return region->end_addr < region->map_end_addr ? STOP_TRUNCATED : STOP_STACK_END;
    }
    if (w->had_fault && !memory_region(&w->memory, sp))
        return STOP_TRUNCATED;
    return w->had_row ? STOP_IMPLAUSIBLE : STOP_NO_RULE;
}

static enum status append(struct chain *chain, const struct frame *frame)
{
    if (vec_reserve(&chain->frames, &chain->cap, chain->count + 1, sizeof(*chain->frames)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    chain->frames[chain->count++] = *frame;
    return STATUS_OK;
}

/* One frame outwards: true with *next filled, or false with *stop. */
static bool step(struct walk *w, struct frame *next, enum stop_reason *stop)
{
    struct regs caller;

    w->had_row = w->had_fault = w->had_cfa = w->had_zero = w->lost = w->no_record = false;
    for (size_t i = 0; i < w->u->options.method_count; i++) {
        enum trust source = w->u->options.methods[i];
        bool signal_frame = false;

        switch (try_source(w, source, &caller, &signal_frame)) {
        case NEXT_SOURCE:
            continue;
        case NO_CALLER:
            *stop = in_thread_start(w) ? STOP_THREAD_START : STOP_UNDEFINED_RA;
            return false;
        case CALLER_FOUND:
            w->frame->signal_frame = signal_frame;
            w->regs = caller;
            *next = (struct frame){.pc_addr = caller.value[w->u->arch->pc],
                                   .is_call = !signal_frame,
                                   .trust = source};
            return true;
        }
    }
    *stop = failure(w);
    return false;
}

enum status unwinder_chain(struct unwinder *u, struct address_space *space,
                           const struct snap_sample *sample, struct chain *chain)
{
    struct walk w = {.u = u,
                     .space = space,
                     .memory = {.regions = sample->regions, .count = sample->region_count},
                     .regs = sample->regs};
    /* At the entry of a Thumb signal handler the kernel leaves the bit in the PC. */
    struct frame frame = {.pc_addr = code_address(&w, sample->regs.value[u->arch->pc]),
                          .trust = TRUST_CONTEXT};

    w.regs.value[u->arch->pc] = frame.pc_addr;
    chain->count = 0;
    chain->stop = STOP_DEPTH;
    while (chain->count < CHAIN_DEPTH_MAX) {
        struct frame next;

        if (append(chain, &frame) != STATUS_OK)
            return STATUS_NO_MEMORY;
        locate(&w, &chain->frames[chain->count - 1]);
        if (w.out_of_memory)
            return STATUS_NO_MEMORY;
        if (!step(&w, &next, &chain->stop))
            return w.out_of_memory ? STATUS_NO_MEMORY : STATUS_OK;
        frame = next;
    }
    return STATUS_OK;
}
