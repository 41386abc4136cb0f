/* SPDX-License-Identifier: MIT */
/* Finds out why a chain ends. */
#include <string.h>

#include "symbol/elf/symtab.h"
#include "unwind/sources/cfi.h"
#include "unwind/step.h"

#define ENTRY_CODE_MAX 64 /* bytes of _start, if its size is not known */
#define CLONE_CODE_MAX 64 /* bytes from the call that makes a thread to the one that ends it */

static bool name_starts_threads(const char *name)
{
    static const char *const names[] = {"clone", "clone3", "thread_start", "start",
                                        "dl_start_user"};

    name += strspn(name, "_");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool walk_in_function_at(const struct unwind_walk *w, uint64_t entry)
{
    const enum code_mode mode = walk_code_mode(w, entry);
    uint64_t vaddr = w->pos.frame->lookup_vaddr;
    uint64_t start_vaddr, end_vaddr;
    struct cfi *cfi;

    entry &= ~(uint64_t)w->env->u->arch->isa_bit;
    if (entry == 0 || vaddr < entry)
        return false;
    /* An FDE is found at less cost than all functions of the file. */
    cfi = module_rows_cfi(w->pos.rows, TRUST_EH_FRAME);
    if (cfi && cfi_function(cfi, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK)
        return start_vaddr == entry;
    /* The end of the entry's own function spares a search for the function at `vaddr`. */
    if (module_rows_known_function(w->pos.rows, entry, &start_vaddr, &end_vaddr) == STATUS_OK)
        return start_vaddr == entry && vaddr < end_vaddr;
    if (module_rows_function(w->pos.rows, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK)
        return start_vaddr == entry;
    return vaddr - entry < ENTRY_CODE_MAX && module_rows_goes_on(w->pos.rows, entry, vaddr, mode);
}

bool walk_in_entry_function(const struct unwind_walk *w)
{
    return w->pos.rows && w->pos.frame->vaddr_known &&
           walk_in_function_at(w, module_rows_entry(w->pos.rows));
}

/* Does the code that is `off` bytes behind the frame's look-up address end the thread? */
static bool ends_thread_at(const struct unwind_walk *w, unsigned off)
{
    if (!w->pos.rows)
        return false;
    if (w->pos.frame->vaddr_known)
        return module_rows_ends_thread(w->pos.rows, w->pos.frame->lookup_vaddr + off);
    return w->env->u->codes &&
           code_stores_ends_thread(w->env->u->codes, w->pos.mapping, w->pos.code_vaddr + off);
}

/* Is the return address of the frame's call at the end of the thread? */
static bool ends_thread(const struct unwind_walk *w)
{
    return w->pos.frame->is_call && ends_thread_at(w, 1);
}

bool walk_ends_thread_soon(const struct unwind_walk *w)
{
    for (unsigned off = 0; off < CLONE_CODE_MAX; off++)
        if (ends_thread_at(w, off))
            return true;
    return false;
}

bool walk_is_thread_start(const struct unwind_walk *w)
{
    const struct symtab *symtab;
    struct symbol symbol;

    if (walk_in_entry_function(w) || ends_thread(w))
        return true;
    symtab =
        w->pos.frame->vaddr_known ? module_symtab(w->env->u->modules, w->pos.frame->module) : NULL;
    return symtab && symtab_find(symtab, w->pos.frame->lookup_vaddr, &symbol) == STATUS_OK &&
           name_starts_threads(symbol.name);
}

/* Is there, before the frame's PC, a system call that makes a thread? */
static bool clones_before(const struct unwind_walk *w)
{
    const unsigned is_call = w->pos.frame->is_call; /* it is looked up a byte before */

    if (w->pos.frame->vaddr_known)
        return module_rows_clones_before(w->pos.rows, w->pos.frame->lookup_vaddr + is_call);
    return w->env->u->codes &&
           code_stores_clones_before(w->env->u->codes, w->pos.mapping, w->pos.code_vaddr + is_call);
}

/*
 * True at the ELF entry point, in clone (by name or by its system calls), and in code behind such a
 * call that has zeroed the frame pointer, with which the ABI marks the outermost frame. Without it
 * a zero proves nothing: a function that does not return need not keep FP.
 */
bool walk_in_thread_start(struct unwind_walk *w)
{
    const struct row *row;

    if (!w->pos.rows)
        return false;
    if (walk_is_thread_start(w))
        return true;
    return walk_find_row(w, TRUST_PROLOGUE, &row) == STATUS_OK && row->ra.kind == RULE_UNDEFINED &&
           clones_before(w);
}

static bool is_new_thread(struct unwind_walk *w)
{
    const struct row *row;

    for (size_t i = 0; i < w->env->u->options.method_count; i++)
        if (walk_made_thread(w, true, w->env->u->options.methods[i], &row))
            return true;
    return false;
}

enum stop_reason walk_failure(struct unwind_walk *w)
{
    const struct arch *arch = w->env->u->arch;
    const bool had_fault = w->pos.notes & WALK_HAD_FAULT;
    uint64_t sp = w->pos.regs.value[arch->sp];
    enum stop_reason began;

    if (walk_began_board(w, &began))
        return began;
    if (w->pos.notes & WALK_LOST_STACK)
        return STOP_TRUNCATED;
    if ((!w->env->space->board.is_board && walk_in_entry_function(w)) ||
        (w->pos.notes & WALK_HAD_ZERO && walk_in_thread_start(w)) || ends_thread(w))
        return STOP_THREAD_START;
    if (w->pos.notes & WALK_HAD_ZERO)
        return STOP_UNDEFINED_RA;
    if (!(w->pos.notes & WALK_HAD_ROW) && is_new_thread(w))
        return STOP_THREAD_START;
    for (uint32_t i = 0; had_fault && i < w->env->memory.count; i++) {
        const struct snap_region *region = &w->env->memory.regions[i];

        if (sp < region->start_addr || sp > region->map_end_addr)
            continue;
        if (w->pos.fault_cfa > region->map_end_addr)
            return STOP_STACK_END;
        if (w->pos.fault_cfa + arch->word_size > region->end_addr)
            return region->end_addr < region->map_end_addr ? STOP_TRUNCATED : STOP_STACK_END;
    }
    if ((had_fault && !memory_region(&w->env->memory, sp)) || walk_go_left(w))
        return STOP_TRUNCATED;
    return w->pos.notes & WALK_HAD_ROW ? STOP_IMPLAUSIBLE : STOP_NO_RULE;
}
