/* SPDX-License-Identifier: MIT */
/* For tests of both x86 instruction sets: what else they tell of bytes, as tables. */
#ifndef TEST_INSN_X86_FIXTURE_H
#define TEST_INSN_X86_FIXTURE_H

#include "insn_fixture.h"
#include "unwind/row/row.h"

struct bytes_case {
    const char *bytes;
    uint8_t size;
};

struct reads_case {
    const char *bytes;
    uint8_t size;
    const char *registers; /* each followed by a space */
};

/* What is left of the cases without their last bytes is another, shorter instruction, or none. */
static inline void check_cut(const struct insn_set *set, const struct effect_case *cases,
                             size_t count)
{
    struct decoder *d;

    assert_int_equal(decoder_create(set, &d), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        for (uint64_t size = 0; size < cases[i].size; size++) {
            /* A copy, so that a read behind the end is one behind an allocation. */
            uint8_t *bytes = test_malloc(size ? size : 1);
            struct insn insn;

            memcpy(bytes, cases[i].bytes, size);
            if (decoder_decode(d, bytes, size, VADDR, 0, &insn) == STATUS_OK)
                assert_true(insn.size <= size);
            (void)set->reads(d, bytes, size, VADDR);
            test_free(bytes);
        }
    decoder_destroy(d);
}

static inline void check_reads(const struct insn_set *set, const struct reads_case *cases,
                               size_t count)
{
    const struct arch *arch = set->arch;
    struct decoder *decoder;

    assert_int_equal(decoder_create(set, &decoder), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        uint64_t reads = set->reads(decoder, (const uint8_t *)cases[i].bytes, cases[i].size, VADDR);
        struct text t = {.len = 0};

        for (unsigned reg = 0; reg < ARCH_REG_MAX; reg++)
            if (reads >> reg & 1)
                say(&t, "%s ", reg_name(arch, reg));
        if (strcmp(t.text, cases[i].registers) != 0)
            fail_msg("case %zu: \"%s\" instead of \"%s\"", i, t.text, cases[i].registers);
    }
    decoder_destroy(decoder);
}

/* All of them, and none that is cut. */
static inline void check_starts(const struct insn_set *set, const struct bytes_case *cases,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *bytes = (const uint8_t *)cases[i].bytes;

        assert_true(set->strong_start(bytes, cases[i].size));
        assert_true(set->strong_start(bytes, 16));
        for (uint64_t size = 0; size < cases[i].size; size++)
            assert_false(set->strong_start(bytes, size));
    }
}

static inline void check_no_starts(const struct insn_set *set, const struct bytes_case *cases,
                                   size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_false(set->strong_start((const uint8_t *)cases[i].bytes, cases[i].size));
}

static inline bool writes_flags(const struct insn_set *set, const char *bytes, uint64_t size)
{
    struct decoder *decoder;
    struct insn insn;

    assert_int_equal(decoder_create(set, &decoder), STATUS_OK);
    assert_int_equal(decoder_decode(decoder, (const uint8_t *)bytes, size, VADDR, 0, &insn),
                     STATUS_OK);
    decoder_destroy(decoder);
    return insn.writes_flags;
}

/*
 * A signal trampoline's row, executed on a stack whose words are 0x9000 and up: the registers of
 * `order` come from the words that follow word `first`, in that order; 0xff skips one. The CFA is
 * the interrupted SP.
 */
static inline void check_signal_frame(const struct row *row, const struct arch *arch,
                                      unsigned first, const uint8_t *order, size_t count)
{
    uint8_t bytes[512];
    struct snap_region region = {.start_addr = 0x7000,
                                 .end_addr = 0x7200,
                                 .map_end_addr = 0x7200,
                                 .bytes = bytes};
    struct memory memory = {.regions = &region, .count = 1};
    struct regs frame = {.known = 0}, caller;
    uint64_t cfa;

    for (unsigned i = 0; i < sizeof(bytes) / arch->word_size; i++) {
        uint64_t word = 0x9000 + i;

        memcpy(bytes + i * arch->word_size, &word, arch->word_size); /* the host is little-endian */
    }
    regs_set(&frame, arch->sp, 0x7000);
    assert_true(row->signal_frame);
    assert_int_equal(row_execute(row, arch, 0, &frame, &memory, &caller, &cfa), STATUS_OK);
    for (unsigned i = 0; i < count; i++) {
        if (order[i] == REG_NONE)
            continue;
        assert_true(regs_has(&caller, order[i]));
        assert_int_equal(caller.value[order[i]], 0x9000 + first + i);
    }
    assert_int_equal(cfa, caller.value[arch->sp]);
}

#endif
