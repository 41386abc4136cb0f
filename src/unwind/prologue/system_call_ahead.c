/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/system_call_ahead.h"

#include "arch/analysis/analysis.h"
#include "unwind/prologue/value.h"

#define INSNS_AHEAD 16
#define BYTES_AHEAD 64

static bool calls_system(const struct code *code, uint64_t vaddr)
{
    uint64_t avail;
    const uint8_t *bytes = code->bytes_at(code->context, vaddr, &avail);

    return bytes && syscall_insn_at(code->arch, bytes, avail);
}

/* Most code makes none: spares its decoding. */
static bool may_call_system(const struct code *code, uint64_t vaddr)
{
    uint64_t avail;
    const uint8_t *bytes = code->bytes_at(code->context, vaddr, &avail);

    for (uint64_t off = 0; bytes && off < avail && off < BYTES_AHEAD; off++)
        if (syscall_insn_at(code->arch, bytes + off, avail - off))
            return true;
    return false;
}

static bool has_entry_sp(const struct state *state, const struct arch *arch)
{
    const struct value *sp = &state->regs[arch->sp];

    return sp->kind == VALUE_ENTRY && sp->reg == arch->sp && sp->k == 0;
}

bool system_call_ahead_find(struct code *code, uint64_t vaddr, enum code_mode mode,
                            struct system_call_ahead *out)
{
    const struct arch *arch = code->arch;
    uint8_t context = 0;
    struct state state;

    state_init_entry(&state, arch);
    *out = (struct system_call_ahead){.number = -1, .is_still = true};
    for (unsigned i = 0; i < INSNS_AHEAD; i++) {
        const struct code_insn *insn;
        uint32_t index;

        if (code_get(code, vaddr, mode, context, &index) != STATUS_OK)
            return false;
        insn = code_insn(code, index);
        if (insn->predicate)
            return false;
        if (calls_system(code, vaddr)) {
            /* On x86 the result takes the number's place. */
            const struct value *number =
                &state.regs[arch->syscall_number == REG_NONE ? arch->syscall_result
                                                             : arch->syscall_number];

            if (number->kind == VALUE_CONST)
                out->number = number->k & INT32_MAX;
            out->end_vaddr = vaddr + insn->size;
            out->sp_moved = !has_entry_sp(&state, arch);
            return true;
        }
        if (insn->flow == FLOW_JUMP && insn->has_target && !out->has_jumped) {
            out->has_jumped = true;
            vaddr = insn->target_vaddr;
            mode = (enum code_mode)insn->target_mode;
            continue;
        }
        if (insn->flow != FLOW_NEXT || (i == 0 && !may_call_system(code, vaddr)))
            return false;
        state_execute(&state, arch, code_ops(code, insn), insn->op_count, 0);
        out->is_still = out->is_still && has_entry_sp(&state, arch);
        context = insn->next_context;
        vaddr += insn->size;
    }
    return false;
}
