/* SPDX-License-Identifier: MIT */
/*
 * What the processor of the M-profile saves, built by hand from the manuals (ARMv7-M B1.5.6, v8-M
 * B3.19): frames of each kind, and what no processor can have saved.
 */
#include "arch/arm/exception.h"

#include <string.h>

#include "unit_test.h"

#define STACK UINT64_C(0x20001000)
#define T     0x01000000u

enum { SP = 13, LR = 14, PC = 15, XPSR = 16, MSP = 17, PSP = 18 };

/* What a handler finds. */
struct taken {
    uint32_t words[64]; /* from STACK on */
    uint32_t value, xpsr;
    uint64_t msp, psp; /* 0: not known */
    struct snap_system system[1];
    uint32_t system_count;
    struct regs out;
};

static struct taken taken_by(uint32_t value, uint32_t xpsr)
{
    return (struct taken){.value = value, .xpsr = xpsr, .msp = STACK, .psp = 0x20003000};
}

/* r0 to r3, r12, LR, PC are told by their values. */
static void put_frame(struct taken *t, unsigned at, uint32_t xpsr)
{
    const uint32_t words[] = {0x100, 0x101, 0x102, 0x103, 0x10c, 0x8001, 0x9000, xpsr};

    memcpy(t->words + at, words, sizeof(words));
}

static enum status leave(struct taken *t)
{
    const struct snap_region region = {.start_addr = STACK,
                                       .end_addr = STACK + sizeof(t->words),
                                       .map_end_addr = STACK + sizeof(t->words),
                                       .bytes = (const uint8_t *)t->words};
    const struct memory memory = {.regions = &region, .count = 1};
    struct regs handler = {.known = 0};
    const struct exception_entry entry = {.value = t->value,
                                          .handler = &handler,
                                          .memory = &memory,
                                          .system = t->system,
                                          .system_count = t->system_count};

    for (unsigned reg = 4; reg <= 11; reg++)
        regs_set(&handler, reg, 0x200 + reg);
    if (t->xpsr)
        regs_set(&handler, XPSR, t->xpsr);
    if (t->msp)
        regs_set(&handler, SP, t->msp);
    if (t->psp)
        regs_set(&handler, PSP, t->psp);
    return arm_exception.unwind(&entry, &t->out);
}

static void expect_frame(const struct taken *t, uint64_t sp)
{
    static const struct {
        unsigned reg;
        uint64_t value;
    } saved[] = {{0, 0x100},  {1, 0x101},   {2, 0x102},  {3, 0x103},
                 {12, 0x10c}, {LR, 0x8001}, {PC, 0x9000}};

    for (size_t i = 0; i < sizeof(saved) / sizeof(saved[0]); i++) {
        assert_true(regs_has(&t->out, saved[i].reg));
        assert_int_equal(t->out.value[saved[i].reg], saved[i].value);
    }
    assert_int_equal(t->out.value[SP], sp);
}

TEST(exception_values_of_handlers_are_known)
{
    static const uint32_t returns[] = {
        0xffffffe1, 0xffffffe9, 0xffffffed, 0xfffffff1, 0xfffffff9, 0xfffffffd, /* v6-M, v7-M */
        0xffffffbc, 0xffffffb0, 0xffffffac, 0xffffffdd, 0xfefffffe, 0xfeffffff, /* v8-M */
    };
    static const uint32_t others[] = {
        0xffffffff, 0xfffffff5, 0xfffffffb, 0xffffff7d, 0xfffffe7d,
        0xfefffffd, 0x00000000, 0x08000101, 0xeffffffe,
    };

    for (size_t i = 0; i < sizeof(returns) / sizeof(returns[0]); i++)
        assert_true(arm_exception.is_return(returns[i]));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(arm_exception.is_return(others[i]));
}

TEST(exception_basic_frame_on_the_main_stack_is_taken_off)
{
    struct taken t = taken_by(0xfffffff9, T | 15);

    put_frame(&t, 0, T);
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0x20);
    assert_int_equal(t.out.value[MSP], STACK + 0x20);
    assert_int_equal(t.out.value[PSP], 0x20003000);
    assert_int_equal(t.out.value[4], 0x204);
    assert_int_equal(t.out.value[11], 0x20b);
    assert_int_equal(arm_exception.number(&t.out), 0);
}

TEST(exception_alignment_of_the_frame_is_taken_back)
{
    struct taken t = taken_by(0xfffffff1, T | 16);

    put_frame(&t, 0, T | 0x200 | 14);
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0x24);
    assert_int_equal(arm_exception.number(&t.out), 14);
    assert_int_equal(t.out.value[XPSR], T | 14);
}

TEST(exception_room_for_the_fpu_is_there_whether_written_or_not)
{
    struct taken t = taken_by(0xffffffe9, T | 15);

    put_frame(&t, 0, T);
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0x68);
}

TEST(exception_frame_of_a_secure_fpu_is_larger)
{
    struct taken t = taken_by(0xffffffe9, T | 15);

    put_frame(&t, 0, T);
    t.system[0] = (struct snap_system){.number = 0xe000ef34, .value = 0x04000000};
    t.system_count = 1;
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0xa8);
    t.system[0].value = 0xc0000000;
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0x68);
}

TEST(exception_frame_on_the_process_stack_leaves_the_main_one)
{
    struct taken t = taken_by(0xfffffffd, T | 11);

    t.msp = 0x20005000;
    t.psp = STACK + 16;
    put_frame(&t, 4, T);
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 16 + 0x20);
    assert_int_equal(t.out.value[PSP], STACK + 16 + 0x20);
    assert_int_equal(t.out.value[MSP], 0x20005000);
}

/* A secure handler that came behind one that was not: r4 to r11 are in front of the frame. */
TEST(exception_registers_behind_the_integrity_signature_are_taken)
{
    struct taken t = taken_by(0xffffffd9, T | 15);

    t.words[0] = 0xfefa125b;
    for (unsigned i = 0; i < 8; i++)
        t.words[2 + i] = 0x300 + i;
    put_frame(&t, 10, T);
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0x28 + 0x20);
    assert_int_equal(t.out.value[4], 0x300);
    assert_int_equal(t.out.value[11], 0x307);
    t.words[0] = 0xfefa125a; /* of a frame with the FPU's registers */
    assert_int_equal(leave(&t), STATUS_BAD_DATA);
}

/* Not secure, and without the Security Extension. */
TEST(exception_of_code_that_is_not_secure_has_its_own_values)
{
    struct taken t = taken_by(0xffffffbc, T | 15);

    t.psp = STACK;
    put_frame(&t, 0, T);
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0x20);
}

TEST(exception_on_a_stack_that_is_not_known_is_a_fault)
{
    struct taken t = taken_by(0xfffffffd, T | 15);

    put_frame(&t, 0, T);
    t.psp = 0;
    assert_int_equal(leave(&t), STATUS_FAULT);
    t.psp = 0x20007000; /* known, but not captured */
    assert_int_equal(leave(&t), STATUS_FAULT);
    t.psp = STACK + sizeof(t.words) - 0x1c; /* all but a word */
    assert_int_equal(leave(&t), STATUS_FAULT);
    /* The stacks of the other security state; where a secure function was left. */
    t = taken_by(0xfffffff8, T | 15);
    put_frame(&t, 0, T);
    assert_int_equal(leave(&t), STATUS_FAULT);
    t.value = 0xfeffffff;
    assert_int_equal(leave(&t), STATUS_FAULT);
}

TEST(exception_that_no_processor_has_saved_is_bad_data)
{
    static const struct {
        uint32_t value, handler, xpsr;
    } bad[] = {
        {0xfffffff9, T | 15, 0},              /* no T */
        {0xfffffff9, T | 15, T | 14},         /* a thread with an exception's number */
        {0xfffffff1, T | 15, T},              /* a handler without */
        {0xfffffff1, T | 15, T | 1},          /* that of the reset returns to nothing */
        {0xfffffff1, T | 15, T | 0x1f8},      /* no such interrupt */
        {0xfffffff9, T | 15, T | 0x00400000}, /* reserved */
        {0xfffffff9, T | 15, T | 0x00800000},
        {0xfffffff9, T, T}, /* no exception is active */
    };
    struct taken t;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        t = taken_by(bad[i].value, bad[i].handler);
        put_frame(&t, 0, bad[i].xpsr);
        assert_int_equal(leave(&t), STATUS_BAD_DATA);
    }
    t = taken_by(0xfffffff9, T | 15);
    put_frame(&t, 0, T);
    t.words[6] |= 1; /* PC */
    assert_int_equal(leave(&t), STATUS_BAD_DATA);
    put_frame(&t, 1, T | 0x200); /* aligned, it says */
    t.msp = STACK + 4;
    assert_int_equal(leave(&t), STATUS_BAD_DATA);
    t.msp = STACK + 2;
    assert_int_equal(leave(&t), STATUS_BAD_DATA);
}

/* A jump to an even address takes the T bit away: that is the fault. */
TEST(exception_of_a_jump_out_of_thumb_has_no_t_bit)
{
    struct taken t = taken_by(0xfffffff9, T | 6);

    put_frame(&t, 0, 0x60000000);
    assert_int_equal(leave(&t), STATUS_OK);
    expect_frame(&t, STACK + 0x20);
    t.xpsr = T | 3;
    assert_int_equal(leave(&t), STATUS_OK);
    t.xpsr = T | 14;
    assert_int_equal(leave(&t), STATUS_BAD_DATA);
}

static void expect_fault(const struct snap_system *system, uint32_t count, uint64_t active,
                         const char *expected)
{
    char text[256];

    assert_int_equal(arm_exception.fault(system, count, active, text, sizeof(text)),
                     expected[0] != '\0');
    assert_string_equal(text, expected);
}

#define ACTIVE(n) (UINT64_C(1) << (n))
#define CFSR      0xe000ed28
#define HFSR      0xe000ed2c
#define MMFAR     0xe000ed34
#define BFAR      0xe000ed38

TEST(exception_fault_is_told_with_its_cause_and_address)
{
    const struct snap_system divide[] = {{CFSR, 0x02000000}};
    const struct snap_system forced[] = {{CFSR, 0x8200}, {HFSR, 0x40000000}, {BFAR, 0x40000000}};
    const struct snap_system protection[] = {{CFSR, 0x82}, {MMFAR, 0x10}, {HFSR, 0}};
    const struct snap_system vector[] = {{HFSR, 2}};
    const struct snap_system secure[] = {{0xe000ede4, 0x48}, {0xe000ede8, 0x20001234}};

    expect_fault(divide, 1, ACTIVE(6), "UsageFault: DIVBYZERO");
    expect_fault(forced, 3, ACTIVE(3), "HardFault (escalated): BusFault: PRECISERR at 0x40000000");
    expect_fault(protection, 3, ACTIVE(4), "MemManage: DACCVIOL at 0x00000010");
    expect_fault(vector, 1, ACTIVE(3), "HardFault: VECTTBL");
    expect_fault(secure, 2, ACTIVE(7), "SecureFault: AUVIOL at 0x20001234");
    expect_fault(NULL, 0, ACTIVE(3), "HardFault"); /* of ARMv6-M there is no more */
}

TEST(exception_fault_that_is_over_is_told_as_that)
{
    const struct snap_system sticky[] = {{CFSR, 0x03000000}, {HFSR, 0}};
    const struct snap_system handler[] = {{0xe000ed24, 0x8}, {CFSR, 0x00020000}};

    expect_fault(sticky, 2, 0, "earlier: UsageFault: UNALIGNED, DIVBYZERO");
    expect_fault(sticky, 2, ACTIVE(5), "BusFault; earlier: UsageFault: UNALIGNED, DIVBYZERO");
    expect_fault(handler, 2, 0, "UsageFault: INVSTATE"); /* SHCSR says that it is active */
    expect_fault(NULL, 0, ACTIVE(15), "");
}

TEST(exception_fault_text_is_cut_to_its_room)
{
    const struct snap_system all[] = {{CFSR, UINT32_MAX}, {HFSR, UINT32_MAX}};
    char text[24];

    assert_true(arm_exception.fault(all, 2, ACTIVE(3), text, sizeof(text)));
    assert_string_equal(text, "HardFault: VECTTBL: Mem");
}

TEST(exception_names_are_those_of_the_manual)
{
    static const struct {
        unsigned number;
        const char *name;
    } names[] = {{0, ""},        {3, "HardFault"}, {8, ""},       {11, "SVCall"},
                 {14, "PendSV"}, {15, "SysTick"},  {16, "IRQ 0"}, {495, "IRQ 479"}};
    char text[24];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        arm_exception.name(names[i].number, text, sizeof(text));
        assert_string_equal(text, names[i].name);
    }
}
