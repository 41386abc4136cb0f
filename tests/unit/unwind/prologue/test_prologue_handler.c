/* SPDX-License-Identifier: MIT */
/* Handlers of exceptions that software switches threads in. The bytes are GNU as's. */
#include "prologue_fixture.h"

/* What comes behind the call is the frame of another thread, of the same shape. */
static const struct line CHANGES_THREADS[] = {
    {"\x41\x11", 2, "sp+0 ra=mepc exception"},                    /* addi sp, sp, -16 */
    {"\x06\xc2", 2, "sp+16 ra=mepc exception"},                   /* sw ra, 4(sp) */
    {"\xf3\x22\x10\x34", 4, "sp+16 ra=mepc exception"},           /* csrr t0, mepc */
    {"\x16\xc0", 2, "sp+16 t0=u ra=mepc exception"},              /* sw t0, 0(sp) */
    {"\x0a\x85", 2, "sp+16 t0=u ra=c-16 exception"},              /* mv a0, sp */
    {"\xef\x10\x00\x00", 4, "sp+16 t0=u a0=u ra=c-16 exception"}, /* jal OTHER */
    {"\x2a\x81", 2,
     "sp+16 t0=u t1=u t2=u a0=u a1=u a2=u a3=u a4=u a5=u a6=u a7=u t3=u t4=u t5=u t6=u ra=c-16 "
     "exception"}, /* mv sp, a0 */
    {"\x82\x42", 2,
     "sp+16 t0=u t1=u t2=u a0=u a1=u a2=u a3=u a4=u a5=u a6=u a7=u t3=u t4=u t5=u t6=u ra=c-16 "
     "exception"}, /* lw t0, 0(sp) */
    {"\x73\x90\x12\x34", 4,
     "sp+16 t0=u t1=u t2=u a0=u a1=u a2=u a3=u a4=u a5=u a6=u a7=u t3=u t4=u t5=u t6=u ra=c-16 "
     "exception"}, /* csrw mepc, t0 */
    {"\x92\x40", 2,
     "sp+16 t0=u t1=u t2=u a0=u a1=u a2=u a3=u a4=u a5=u a6=u a7=u t3=u t4=u t5=u t6=u ra=c-16 "
     "exception"}, /* lw ra, 4(sp) */
    {"\x41\x01", 2,
     "sp+16 t0=u t1=u t2=u a0=u a1=u a2=u a3=u a4=u a5=u a6=u a7=u t3=u t4=u t5=u t6=u ra=c-16 "
     "exception"}, /* addi sp, sp, 16 */
    {"\x73\x00\x20\x30", 4,
     "sp+0 t0=u t1=u t2=u a0=u a1=u a2=u a3=u a4=u a5=u a6=u a7=u t3=u t4=u t5=u t6=u ra=mepc "
     "exception"}, /* mret */
};

/* SP gets a value that no frame is taken apart from: nothing is known. */
static const struct line LOSES_SP[] = {
    {"\x41\x11", 2, "sp+0 ra=mepc exception"},          /* addi sp, sp, -16 */
    {"\xf3\x22\x10\x34", 4, "sp+16 ra=mepc exception"}, /* csrr t0, mepc */
    {"\x16\xc0", 2, "sp+16 t0=u ra=mepc exception"},    /* sw t0, 0(sp) */
    {"\x2a\x81", 2, "sp+16 t0=u ra=c-16 exception"},    /* mv sp, a0 */
    {"\x2e\x81", 2, "u"},                               /* mv sp, a1 */
    {"\x73\x00\x20\x30", 4, "u"},                       /* mret */
};

TEST(handler_goes_on_with_the_frame_of_another_thread)
{
    CHECK_FUNCTIONS(ARCH_RISCV32, CODE_DEFAULT, CHANGES_THREADS);
}

TEST(handler_that_takes_no_frame_apart_has_none)
{
    CHECK_FUNCTIONS(ARCH_RISCV32, CODE_DEFAULT, LOSES_SP);
}

/* A table of vectors in one function; before it is what they lead to: a loop, and `last`. */
static void vectors_are(const char *last, const char *first_row, const char *later_row)
{
    struct function f;

    function_init(&f, ARCH_RISCV32, CODE_DEFAULT);
    add(&f, "\x6f\x00\x00\x00", 4); /* j . */
    add(&f, last, 4);
    add(&f, "\x6f\xf0\x9f\xff", 4); /* j -8 */
    add(&f, "\x6f\xf0\x9f\xff", 4); /* j -8 */
    add(&f, "\x6f\xf0\x1f\xff", 4); /* j -16 */
    f.input.start_vaddr = START + 8;
    EXPECT_ROWS(&f, {START + 8, first_row}, {START + 12, later_row}, {START + 16, later_row});
    function_deinit(&f);
}

TEST(handlers_vectors_interrupt_whatever_each_leads_to)
{
    vectors_are("\x73\x00\x20\x30", "sp+0 ra=mepc exception", "sp+0 ra=mepc exception"); /* mret */
}

TEST(handlers_vectors_are_no_other_table_of_jumps)
{
    vectors_are("\x67\x80\x00\x00", "sp+0", "u"); /* ret */
}

/* A jump, at `size`, to code that a handler of exceptions lies behind. */
static void jump_is_no_vector(const char *bytes, size_t size, const char *jump)
{
    struct function f;

    function_init(&f, ARCH_RISCV32, CODE_DEFAULT);
    add(&f, bytes, size);
    add(&f, jump, 4);
    f.input.start_vaddr = START + size;
    EXPECT_ROWS(&f, {START + size, "sp+0"});
    function_deinit(&f);
}

TEST(handlers_jump_to_what_does_not_return_is_no_vector)
{
    jump_is_no_vector("\x13\x00\x00\x00" /* nop */
                      "\x6f\x00\x00\x00" /* j . */
                      "\x73\x00\x20\x30" /* mret */,
                      12, "\x6f\xf0\x5f\xff"); /* j -12 */
    jump_is_no_vector("\xef\x00\x80\x01"       /* jal ra, +24 */
                      "\x13\x01\x01\xff"       /* addi sp, sp, -16 */
                      "\x23\x20\x11\x00"       /* sw ra, 0(sp) */
                      "\x73\x00\x20\x30" /* mret */,
                      16, "\x6f\xf0\x1f\xff"); /* j -16 */
}

/* The other branch of what it does may end with a jump. */
TEST_OF(handlers_vector_leads_to_what_returns_behind_a_jump, function, f, ARCH_RISCV32,
        CODE_DEFAULT)
{
    add(f, "\x63\x04\x05\x00", 4); /* beqz a0, +8 */
    add(f, "\x6f\x00\x00\x00", 4); /* j . */
    add(f, "\x73\x00\x20\x30", 4); /* mret */
    add(f, "\x6f\xf0\x5f\xff", 4); /* j -12 */
    f->input.start_vaddr = START + 12;
    EXPECT_ROWS(f, {START + 12, "sp+0 ra=mepc exception"});
}
