/* SPDX-License-Identifier: MIT */
/* The audit's verdict on two rows where the return address is in several places. */
#include "unit_test.h"
#include "unwind/audit/audit_private.h"

/* A leaf of AArch64, and a state in which x30 is as at entry and at CFA-8 too. */
static void init_saved_lr(struct state *state, struct row *row)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);

    state_init_entry(state, arch);
    state->slots[state->slot_count++] =
        (struct slot){.addr = {.kind = VALUE_ENTRY, .reg = arch->sp, .k = -8},
                      .value = {.kind = VALUE_ENTRY, .reg = arch->lr}};
    row_init(row, 0, 4, TRUST_EH_FRAME);
    row->cfa = (struct rule){.kind = CFA_REG, .reg = arch->sp};
}

TEST(audit_compare_takes_any_place_that_holds_the_return_address)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    init_saved_lr(&machine, &cfi);
    ours = cfi;
    ours.ra = (struct rule){.kind = RULE_AT_CFA, .off = -8};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_AGREE);
    cfi.ra = ours.ra;
    ours.ra = (struct rule){.kind = RULE_SAME};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_AGREE);
}

TEST(audit_compare_takes_no_place_that_does_not)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    init_saved_lr(&machine, &cfi);
    ours = cfi;
    cfi.ra = (struct rule){.kind = RULE_AT_CFA, .off = -16};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
    cfi.ra = (struct rule){.kind = RULE_SAME};
    machine.regs[arch->lr] = (struct value){.kind = VALUE_UNKNOWN};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
}

TEST(audit_compare_of_an_outermost_frame_is_wrong)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    init_saved_lr(&machine, &cfi);
    row_init(&ours, 0, 4, TRUST_PROLOGUE);
    ours.ra.kind = RULE_UNDEFINED;
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
}
