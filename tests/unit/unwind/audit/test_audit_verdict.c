/* SPDX-License-Identifier: MIT */
/* The audit's verdict on two rows where the return address is in several places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

static void audit_compare_takes_any_place_that_holds_the_return_address(void **state)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    (void)state;
    init_saved_lr(&machine, &cfi);
    ours = cfi;
    ours.ra = (struct rule){.kind = RULE_AT_CFA, .off = -8};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_AGREE);
    cfi.ra = ours.ra;
    ours.ra = (struct rule){.kind = RULE_SAME};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_AGREE);
}

static void audit_compare_takes_no_place_that_does_not(void **state)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    (void)state;
    init_saved_lr(&machine, &cfi);
    ours = cfi;
    cfi.ra = (struct rule){.kind = RULE_AT_CFA, .off = -16};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
    cfi.ra = (struct rule){.kind = RULE_SAME};
    machine.regs[arch->lr] = (struct value){.kind = VALUE_UNKNOWN};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
}

static void audit_compare_of_an_outermost_frame_is_wrong(void **state)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    (void)state;
    init_saved_lr(&machine, &cfi);
    row_init(&ours, 0, 4, TRUST_PROLOGUE);
    ours.ra.kind = RULE_UNDEFINED;
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audit_compare_takes_any_place_that_holds_the_return_address),
        cmocka_unit_test(audit_compare_takes_no_place_that_does_not),
        cmocka_unit_test(audit_compare_of_an_outermost_frame_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
