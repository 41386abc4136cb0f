/* SPDX-License-Identifier: MIT */
/* Fragments in x86-64 code: states that arrive from elsewhere, and those told of jumps out. */
#include "prologue_fixture.h"

enum { RBX = 3, RSP = 7 };

TEST_OF(prologue_fragment_begins_with_the_state_that_arrives, function, f, ARCH_X86_64,
        CODE_DEFAULT)
{
    struct prologue_arrival arrival = {.vaddr = START};
    struct op push[] = {{.kind = OP_ADD, .dst = RSP, .src = RSP, .imm = -8},
                        {.kind = OP_STORE, .dst = RSP, .src = RBX, .size = 8},
                        {.kind = OP_CONST, .dst = RBX}};

    state_init_entry(&arrival.state, arch_get(ARCH_X86_64));
    state_execute(&arrival.state, arch_get(ARCH_X86_64), push, 3, 0);
    f->input.not_entered = true;
    add(f, "\xe8\xfb\x0f\x00\x00", 5); /* call CALLEE */
    add(f, "\x5b\xc3", 2);             /* pop rbx; ret */
    /* Nothing is known of how it is entered. */
    EXPECT_ROWS(f, {START, "u"});

    f->input.arrivals = &arrival;
    f->input.arrival_count = 1;
    EXPECT_ROWS(f, {START, "rsp+16 rbx=c-16"}, {START + 5, "rsp+16 rbx=c-16"},
                {START + 6, "rsp+8"});

    /* Entered at its start as well: the two depths do not agree. */
    f->input.not_entered = false;
    EXPECT_ROWS(f, {START, "u"});
}

TEST_OF(prologue_own_path_outweighs_what_arrives_behind_the_start, function, f, ARCH_X86_64,
        CODE_DEFAULT)
{
    struct prologue_arrival arrival = {.vaddr = START + 1};

    state_init_entry(&arrival.state, arch_get(ARCH_X86_64)); /* not the depth behind push */
    add(f, "\x53", 1);                                       /* push rbx */
    add(f, "\xe8\xfa\x0f\x00\x00", 5);                       /* call CALLEE */
    add(f, "\x5b\xc3", 2);                                   /* pop rbx; ret */
    add(f, "\xe8\xf3\x0f\x00\x00", 5); /* call CALLEE: reached from elsewhere alone */
    add(f, "\xc3", 1);                 /* ret */
    f->input.arrivals = &arrival;
    f->input.arrival_count = 1;
    EXPECT_ROWS(f, {START + 1, "rsp+16"});

    arrival.vaddr = START + 8;
    EXPECT_ROWS(f, {START + 8, "rsp+8"});
}

TEST_OF(prologue_cases_outside_the_function_are_told_with_their_state, function, f, ARCH_X86_64,
        CODE_DEFAULT)
{
    struct prologue *prologue;
    struct prologue_arrival arrivals[4];

    add(f, "\x53", 1);                         /* +0 push rbx */
    add(f, "\x83\xff\x01", 3);                 /* +1 cmp edi, 1 */
    add(f, "\x77\x12", 2);                     /* +4 ja +18 */
    add(f, "\x48\x8d\x15\x0d\x00\x00\x00", 7); /* +6 lea rdx, [rip + 0xd]  TABLE = +1a */
    add(f, "\x48\x63\x04\xba", 4);             /* +d movsxd rax, [rdx + rdi*4] */
    add(f, "\x48\x01\xd0", 3);                 /* +11 add rax, rdx */
    add(f, "\xff\xe0", 2);                     /* +14 jmp rax */
    add(f, "\x90\x90", 2);                     /* +16 */
    add(f, "\x5b\xc3", 2);                     /* +18 pop rbx; ret */
    add(f, "\xfe\xff\xff\xff", 4);             /* +1a case 0: +18 */
    add(f, "\xe6\xef\x1f\x00", 4);             /* +1e case 1: OTHER */
    assert_int_equal(prologue_create(&f->input, &prologue), STATUS_OK);
    assert_int_equal(prologue_outer_cases(prologue, OTHER, OTHER + 1, arrivals, 4), 1);
    assert_int_equal(arrivals[0].vaddr, OTHER);
    assert_int_equal(arrivals[0].state.regs[RSP].k, -8);
    assert_int_equal(prologue_outer_cases(prologue, OTHER, OTHER + 1, arrivals, 0), 0);
    assert_int_equal(prologue_outer_cases(prologue, OTHER + 1, OTHER + 9, arrivals, 4), 0);
    prologue_destroy(prologue);
}

TEST_OF(prologue_state_at_a_jump_is_that_before_it, function, f, ARCH_X86_64, CODE_DEFAULT)
{
    struct prologue *prologue;
    struct state at_jump;

    add(f, "\x53", 1);                         /* push rbx */
    add(f, "\x48\x85\xff", 3);                 /* test rdi, rdi */
    add(f, "\x0f\x85\xf6\xef\x1f\x00", 6);     /* jne OTHER */
    add(f, "\x5b\xe9\xf0\xef\x1f\x00\xc3", 7); /* pop rbx; jmp OTHER; ret */
    assert_int_equal(prologue_create(&f->input, &prologue), STATUS_OK);
    assert_int_equal(prologue_state_at_jump(prologue, START + 4, OTHER, &at_jump), STATUS_OK);
    assert_int_equal(at_jump.regs[RSP].kind, VALUE_ENTRY);
    assert_int_equal(at_jump.regs[RSP].k, -8);
    assert_int_equal(prologue_state_at_jump(prologue, START + 11, OTHER, &at_jump), STATUS_OK);
    assert_int_equal(at_jump.regs[RSP].k, 0);
    /* No jump, not to there, not inside, not reached. */
    assert_int_equal(prologue_state_at_jump(prologue, START + 1, OTHER, &at_jump),
                     STATUS_NOT_FOUND);
    assert_int_equal(prologue_state_at_jump(prologue, START + 4, OTHER + 1, &at_jump),
                     STATUS_NOT_FOUND);
    assert_int_equal(prologue_state_at_jump(prologue, START - 1, OTHER, &at_jump),
                     STATUS_NOT_FOUND);
    assert_int_equal(prologue_state_at_jump(prologue, f->input.end_vaddr, OTHER, &at_jump),
                     STATUS_NOT_FOUND);
    prologue_destroy(prologue);
}
