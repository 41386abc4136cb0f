/* SPDX-License-Identifier: MIT */
/* Looks at places of a module's code for walks: what is there, what it changes, whither it goes. */
#include "arch/analysis/analysis.h"
#include "symbol/elf/entry_point.h"
#include "unwind/code/argument.h"
#include "unwind/code/leaf.h"
#include "unwind/module_rows_private.h"
#include "unwind/prologue/system_call_ahead.h"

#define AHEAD_INSNS     16 /* looked at by module_rows_writes_ahead */
#define NUMBER_CODE_MAX 48 /* bytes from the move of a system call's number to the call */

/* Returns the code at `vaddr`, up to the end of its segment. */
static const uint8_t *code_at(struct module_rows *rows, uint64_t vaddr, uint64_t *avail)
{
    if (!module_rows_image(rows) || module_rows_open_code(rows) != STATUS_OK)
        return NULL;
    return elf_image_bytes_at(module_rows_image(rows), vaddr, avail);
}

/* Does a signal trampoline begin at `vaddr`? */
static bool sigreturn_row_at(struct module_rows *rows, enum code_mode mode, uint64_t vaddr,
                             struct row *row)
{
    uint64_t avail;
    const uint8_t *code = code_at(rows, vaddr, &avail);

    return code &&
           code_set(rows->code->code, mode)->sigreturn_row(code, avail, vaddr, row) == STATUS_OK;
}

/* As sigreturn_row_at, whatever instructions put rt_sigreturn's number into its register. */
static bool executed_sigreturn_row(struct module_rows *rows, enum code_mode mode, uint64_t vaddr,
                                   struct row *row)
{
    const struct arch *arch = elf_image_arch(module_rows_image(rows));
    const struct insn_set *set = code_set(rows->code->code, mode);
    struct system_call_ahead call;

    if (module_rows_after_call(rows, vaddr, mode) ||
        !system_call_ahead_find(rows->code->code, vaddr, mode, &call) || call.sp_moved ||
        call.number != syscall_number(arch->syscalls, CALL_RT_SIGRETURN) ||
        set->sigreturn_row((const uint8_t *)set->sigreturn_code, set->sigreturn_size, vaddr, row) !=
            STATUS_OK)
        return false;
    row->end_vaddr = call.is_still && !call.has_jumped ? call.end_vaddr : vaddr + 1;
    return true;
}

bool module_rows_is_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row)
{
    return sigreturn_row_at(rows, CODE_DEFAULT, vaddr, row) ||
           (module_rows_open_code(rows) == STATUS_OK && code_has_two_modes(rows->code->code) &&
            sigreturn_row_at(rows, CODE_T32, vaddr, row));
}

bool module_rows_exits_ahead(struct module_rows *rows, uint64_t vaddr, enum code_mode mode)
{
    struct system_call_ahead call;

    return module_rows_image(rows) && module_rows_open_code(rows) == STATUS_OK &&
           system_call_ahead_find(rows->code->code, vaddr, mode, &call) &&
           call.number ==
               syscall_number(elf_image_arch(module_rows_image(rows))->syscalls, CALL_EXIT);
}

static bool makes_thread(const struct arch *arch, int64_t number)
{
    return number == syscall_number(arch->syscalls, CALL_CLONE) || number == NR_CLONE3;
}

/*
 * Whether the system call of `size` bytes at `vaddr` may make a thread, as far as the code before
 * it tells.
 */
static bool calls_clone(struct module_rows *rows, uint64_t vaddr, unsigned size,
                        enum code_mode mode)
{
    const struct arch *arch = elf_image_arch(module_rows_image(rows));
    const unsigned unit = code_set(rows->code->code, mode)->alignment;
    struct system_call_ahead call;

    for (uint64_t before = unit; before <= NUMBER_CODE_MAX && before <= vaddr; before += unit)
        if (system_call_ahead_find(rows->code->code, vaddr - before, mode, &call) &&
            !call.has_jumped && call.end_vaddr == vaddr + size && call.number >= 0)
            return makes_thread(arch, call.number);
    return true;
}

bool module_rows_clones_before(struct module_rows *rows, uint64_t vaddr)
{
    const struct code_function *function;
    enum code_mode mode;
    unsigned unit, size;

    if (!module_rows_image(rows) || module_rows_open_code(rows) != STATUS_OK ||
        module_rows_find_function(rows, vaddr - 1, &function) != STATUS_OK)
        return false;
    mode = (enum code_mode)function->mode;
    unit = code_set(rows->code->code, mode)->alignment;
    for (uint64_t before = unit; before <= THREAD_CODE_BEFORE && before <= vaddr; before += unit) {
        uint64_t avail;
        const uint8_t *code = elf_image_bytes_at(module_rows_image(rows), vaddr - before, &avail);

        size = code ? syscall_insn_at(elf_image_arch(module_rows_image(rows)), code, avail) : 0;
        if (size && calls_clone(rows, vaddr - before, size, mode))
            return true;
    }
    return false;
}

bool module_rows_executes_sigreturn(struct module_rows *rows, uint64_t vaddr, struct row *row)
{
    return module_rows_image(rows) && module_rows_open_code(rows) == STATUS_OK &&
           (executed_sigreturn_row(rows, CODE_DEFAULT, vaddr, row) ||
            (code_has_two_modes(rows->code->code) &&
             executed_sigreturn_row(rows, CODE_T32, vaddr, row)));
}

uint64_t module_rows_leaf_changes(struct module_rows *rows, uint64_t vaddr)
{
    const struct code_function *function;

    if (module_rows_find_function(rows, vaddr, &function) != STATUS_OK ||
        module_rows_open_code(rows) != STATUS_OK)
        return UINT64_MAX;
    return leaf_changes(rows->code->code, function->start_vaddr, (enum code_mode)function->mode);
}

bool module_rows_argument_holds(struct module_rows *rows, uint64_t vaddr, uint8_t reg,
                                uint64_t parts)
{
    const struct code_function *function;

    if (module_rows_find_function(rows, vaddr - 1, &function) != STATUS_OK ||
        module_rows_open_code(rows) != STATUS_OK)
        return false;
    return argument_holds(rows->code->code,
                          &(struct argument_place){.start_vaddr = function->start_vaddr,
                                                   .return_vaddr = vaddr,
                                                   .mode = (enum code_mode)function->mode,
                                                   .reg = reg,
                                                   .parts = parts});
}

unsigned module_rows_behind_call(struct module_rows *rows, uint64_t vaddr)
{
    uint64_t avail;

    if (module_rows_open_code(rows) != STATUS_OK)
        return 0;
    for (uint64_t before = BEHIND_CALL_MAX; before >= BEHIND_CALL_MIN; before -= 4) {
        const uint8_t *code =
            vaddr < before ? NULL
                           : elf_image_bytes_at(module_rows_image(rows), vaddr - before, &avail);

        if (code && avail >= before)
            return insn_behind_call(elf_image_arch(module_rows_image(rows)), code, before);
    }
    return 0;
}

bool module_rows_returns_at(struct module_rows *rows, uint64_t vaddr)
{
    uint32_t index;

    return module_rows_open_code(rows) == STATUS_OK &&
           code_get(rows->code->code, vaddr, CODE_DEFAULT, 0, &index) == STATUS_OK &&
           code_insn(rows->code->code, index)->flow == FLOW_RETURN;
}

bool module_rows_makes_thread(struct module_rows *rows, uint64_t vaddr)
{
    uint64_t avail;

    if (module_rows_open_code(rows) != STATUS_OK)
        return false;
    for (uint64_t before = BEHIND_CALL_MAX; before >= BEHIND_CALL_MIN; before -= 4) {
        const uint8_t *code =
            vaddr < before ? NULL
                           : elf_image_bytes_at(module_rows_image(rows), vaddr - before, &avail);

        if (code && avail >= before)
            return insn_makes_thread(elf_image_arch(module_rows_image(rows)), code, before);
    }
    return false;
}

bool module_rows_ends_thread(struct module_rows *rows, uint64_t vaddr)
{
    uint64_t avail;

    if (module_rows_open_code(rows) != STATUS_OK)
        return false;
    for (uint64_t before = THREAD_CODE_BEFORE; before > 0; before -= 4) {
        const uint8_t *code =
            vaddr < before ? NULL
                           : elf_image_bytes_at(module_rows_image(rows), vaddr - before, &avail);

        if (code && avail >= before)
            return insn_ends_thread(elf_image_arch(module_rows_image(rows)), code, before, avail);
    }
    return false;
}

bool module_rows_goes_on(struct module_rows *rows, uint64_t vaddr, uint64_t end_vaddr,
                         enum code_mode mode)
{
    struct code *code;
    uint8_t context = 0;

    if (module_rows_open_code(rows) != STATUS_OK)
        return false;
    code = rows->code->code;
    while (vaddr < end_vaddr) {
        const struct code_insn *insn;
        uint32_t index;

        if (code_get(code, vaddr, mode, context, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if ((insn->flow != FLOW_NEXT && insn->flow != FLOW_CALL && insn->flow != FLOW_BRANCH) ||
            insn->padding)
            return false;
        vaddr += insn->size;
        context = insn->next_context;
    }
    return true;
}

bool module_rows_writes_ahead(struct module_rows *rows, uint64_t vaddr, enum code_mode mode,
                              uint64_t registers)
{
    struct code *code;
    uint8_t context = 0;

    if (module_rows_open_code(rows) != STATUS_OK)
        return false;
    code = rows->code->code;
    for (unsigned i = 0; i < AHEAD_INSNS; i++) {
        const struct code_insn *insn;
        uint32_t index;

        if (code_get(code, vaddr, mode, context, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (code_writes(code, insn) & registers)
            return true;
        if (insn->flow != FLOW_NEXT)
            return false;
        vaddr += insn->size;
        context = insn->next_context;
    }
    return false;
}

/* Returns the instruction set of the mode; if the architecture has only one, that. */
uint64_t module_rows_entry(struct module_rows *rows)
{
    struct elf_image *image = module_rows_image(rows);

    if (!rows->entry_tried && image && !entry_point_find(image, &rows->entry_vaddr))
        rows->entry_vaddr = 0;
    rows->entry_tried = rows->entry_tried || image;
    return rows->entry_vaddr;
}
