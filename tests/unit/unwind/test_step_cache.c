/* SPDX-License-Identifier: MIT */
/* Which rows are packed, and that look-ups stay short. */
#include "unit_test.h"
#include "unwind/step_cache.h"

static const struct arch *arch(void)
{
    return arch_get(ARCH_X86_64);
}

static struct row usual_row(int32_t ra_off)
{
    struct row row;

    row_init(&row, 0x1000, 0x1010, TRUST_EH_FRAME);
    row.cfa = (struct rule){.kind = CFA_REG, .reg = arch()->sp, .off = 16};
    row.ra = (struct rule){.kind = RULE_AT_CFA, .off = ra_off};
    return row;
}

static bool packs(const struct row *row)
{
    struct step step = {0};

    step_pack(&step, row, arch());
    assert_int_equal(!(step.flags & STEP_ROW), (step.flags & STEP_UNPACKED) != 0);
    return step.flags & STEP_ROW;
}

TEST(step_usual_row_is_packed)
{
    struct row row = usual_row(-8);
    struct step step = {0};

    row.regs[3] = (struct rule){.kind = RULE_AT_CFA, .off = -24};
    row.regs[12] = (struct rule){.kind = RULE_UNDEFINED};
    step_pack(&step, &row, arch());
    assert_int_equal(step.flags, STEP_ROW);
    assert_int_equal(step.cfa_reg, arch()->sp);
    assert_int_equal(step.cfa_off, 16);
    assert_int_equal(step.base, -3);
    assert_int_equal(step.top, 3);
    assert_int_equal(step.ra_at, 2);
    assert_int_equal(step.trust, TRUST_EH_FRAME);
    assert_int_equal(step.count, 2);
    assert_int_equal(step.saved[0].reg, 3);
    assert_int_equal(step.saved[0].at, 0);
    assert_int_equal(step.saved[1].reg, 12);
    assert_int_equal(step.saved[1].at, STEP_FORGOTTEN);
}

TEST(step_row_that_does_not_fit_is_left_alone)
{
    struct row row = usual_row(-8);

    assert_true(packs(&row));
    row.ra.off = -8 * 32768;
    assert_true(packs(&row));
    row.ra.off = -8 * 32769;
    assert_false(packs(&row));
    row.ra.off = 8 * 32767;
    assert_true(packs(&row));
    row.ra.off = 8 * 32768;
    assert_false(packs(&row));
    row.ra.off = -4; /* not a word's place */
    assert_false(packs(&row));
    row = usual_row(-8);
    row.regs[3] = (struct rule){.kind = RULE_AT_CFA, .off = -8 * 300}; /* too far apart */
    assert_false(packs(&row));
    row.regs[3] = (struct rule){.kind = RULE_AT_REG, .reg = 6, .off = -8};
    assert_false(packs(&row));
    row = usual_row(-8);
    row.regs[arch()->sp] = (struct rule){.kind = RULE_AT_CFA, .off = -16};
    assert_false(packs(&row));
    row = usual_row(-8);
    row.signal_frame = true;
    assert_false(packs(&row));
}

/* Processes that are forks of one another have the same addresses: each has its steps. */
TEST(step_cache_keeps_address_spaces_apart)
{
    struct step_cache cache = {0};
    unsigned long probes = 0;

    for (uint64_t stamp = 1; stamp <= 2000; stamp++)
        for (uint64_t addr = 0x400000; addr < 0x400000 + 64 * 16; addr += 16) {
            struct step *step = step_cache_put(&cache, addr, step_tag(stamp, true));

            assert_non_null(step);
            step->lookup_vaddr = stamp ^ addr;
        }
    for (uint64_t stamp = 1; stamp <= 2000; stamp++)
        for (uint64_t addr = 0x400000; addr < 0x400000 + 64 * 16; addr += 16) {
            uint32_t tag = step_tag(stamp, true), at = step_place(addr, tag, cache.cap);
            const struct step *step = step_cache_find(&cache, addr, tag);

            assert_non_null(step);
            assert_true(step->lookup_vaddr == (stamp ^ addr));
            assert_null(step_cache_find(&cache, addr, step_tag(stamp, false)));
            probes += ((uint32_t)(step - cache.steps) - at) & (cache.cap - 1);
        }
    assert_true(probes < 2000 * 64 * 4); /* a few steps a look-up, not a walk over all stamps */
    step_cache_deinit(&cache);
}

TEST(step_cache_forgets_all_when_it_is_full)
{
    struct step_cache cache = {0};

    for (uint64_t addr = 1; addr <= STEPS_MAX + 10; addr++)
        assert_non_null(step_cache_put(&cache, addr, 2));
    assert_int_equal(cache.len, 10);
    assert_null(step_cache_find(&cache, 1, 2));
    assert_non_null(step_cache_find(&cache, STEPS_MAX + 10, 2));
    step_cache_deinit(&cache);
}
