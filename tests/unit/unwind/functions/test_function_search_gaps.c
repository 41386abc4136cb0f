/* SPDX-License-Identifier: MIT */
/* The search for functions: what speaks for and against code of x86-64 that nothing leads to. */
#include "function_search_fixture.h"

/* php's blocks that lie elsewhere: what they jump to was not known to be anything. */
TEST(search_code_that_jumps_far_with_its_callers_registers_lost_is_no_function)
{
    enum { FAR = 0x1800 };
    struct text lost = {.size = 0}, kept = {.size = 0};

    ADD(&lost, "\xc3");
    ADD_AT(&lost, 16, "\x48\x8d\x1d\x00\x10\x00\x00"); /* lea rbx, [rip + 4096] */
    jmp(&lost, FAR);
    ADD_AT(&lost, FAR, "\x89\xf8\xc3"); /* mov eax, edi; ret */
    check(&lost, EM_X86_64, false, "0 entry, 1800 gap");
    ADD(&kept, "\xc3");
    ADD_AT(&kept, 16, "\x48\x8d\x3d\x00\x10\x00\x00"); /* lea rdi, [rip + 4096] */
    jmp(&kept, FAR);
    ADD_AT(&kept, FAR, "\x89\xf8\xc3");
    check(&kept, EM_X86_64, false, "0 entry, 10 gap, 1800 jump");
}

/* Calls of the entry's, as many as tell that the stack is aligned there. */
static void many_calls(struct text *text, size_t target)
{
    ADD(text, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    for (unsigned i = 0; i < 8; i++)
        call(text, target);
    ADD(text, "\x48\x83\xc4\x08\xc3"); /* add rsp, 8; ret */
}

/*
 * A part that is seldom executed, at 64, which goes back into its function; that, behind it, saves
 * rbx. Nothing leads to it.
 */
static void function_behind_its_part(struct text *text, size_t start)
{
    many_calls(text, 160);
    ADD_AT(text, 64, "\x31\xc0"); /* xor eax, eax */
    jmp(text, start + 17);
    ADD_AT(text, start, "\x53\x48\x89\xfb\x85\xff"); /* push rbx; mov rbx, rdi; test edi, edi */
    jne(text, 64);
    call(text, 160);
    ADD(text, "\x5b\xc3"); /* + 17 pop rbx; ret */
    ADD_AT(text, 160, "\xc3");
}

/* Its part, which looks like a function that jumps on to another, does not cut it. */
TEST_OF(search_code_that_keeps_registers_for_its_caller_is_a_function_first, text, text)
{
    struct search s;
    const struct row *row;

    function_behind_its_part(text, 96);
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 40 fragment, 60 gap, a0 call");
    assert_int_equal(s.list->items[2].origin, FUNCTION_PATTERN);
    assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + 113, &row),
                     STATUS_OK);
    assert_int_equal(row->cfa.off, 16);
    close_file(&s);
}

/* Not where it begins at any place, as code in the midst of a function does. */
TEST_OF(search_code_that_keeps_registers_at_any_place_is_tried_with_the_rest, text, text)
{
    function_behind_its_part(text, 100);
    check(text, EM_X86_64, false, "0 entry, 40 gap, 64 gap, 75 jump, a0 call");
}

/* As glibc's string functions: the rest is another function's, with no frame in either. */
TEST(search_leaf_that_goes_on_at_the_end_of_another_is_a_function)
{
    struct text shares = {.size = 0}, joins = {.size = 0};

    call(&shares, 48);
    ADD(&shares, "\xc3");
    ADD_AT(&shares, 16, "\x89\xf8\x85\xff"); /* mov eax, edi; test edi, edi */
    jne(&shares, 50);
    ADD(&shares, "\xc3");
    ADD_AT(&shares, 48, "\x31\xc0\x01\xf0\xc3"); /* 48 xor eax, eax; add eax, esi; ret */
    check(&shares, EM_X86_64, false, "0 entry, 10 gap, 30 call");
    call(&joins, 48);
    ADD(&joins, "\xc3");
    ADD_AT(&joins, 16, "\x89\xf8\x85\xff"); /* mov eax, edi; test edi, edi */
    jne(&joins, 50);
    jmp(&joins, 50);
    ADD_AT(&joins, 48, "\x31\xc0\x01\xf0\xc3");
    check(&joins, EM_X86_64, false, "0 entry, 30 call");
}

/* In a frame it is a part of that function. */
TEST_OF(search_code_that_goes_on_in_the_frame_of_another_is_no_function, text, text)
{
    call(text, 48);
    ADD(text, "\xc3");
    ADD_AT(text, 16, "\x50\x85\xff"); /* push rax; test edi, edi */
    jne(text, 49);
    ADD(text, "\x5a\xc3");                    /* pop rdx; ret */
    ADD_AT(text, 48, "\x50\x31\xc0\x5a\xc3"); /* 48 push rax; xor eax, eax; pop rdx; ret */
    check(text, EM_X86_64, false, "0 entry, 30 call");
}

/* Code that returns, or calls; two bytes, up to the next function. */
static void check_end(const char *last, const char *expected)
{
    struct text text = {.size = 0};

    call(&text, 33);
    ADD(&text, "\xc3");
    ADD_AT(&text, 16, "\x85\xff\x75\x01\xc3"); /* 16 test edi, edi; jne 21; ret */
    ADD(&text, "\x48\x83\xec\x08");            /* 21 sub rsp, 8 */
    ADD(&text, "\xff\x15\x00\x10\x00\x00");    /* 25 call [rip + 4096]: not known not to return */
    add(&text, last, 2);                       /* 31 */
    ADD(&text, "\xc3");                        /* 33 ret */
    check(&text, EM_X86_64, false, expected);
}

TEST(search_padding_behind_a_call_that_does_not_return_is_the_end)
{
    check_end("\x66\x90", "0 entry, 10 gap, 21 call"); /* xchg ax, ax */
    check_end("\x89\xf8", "0 entry, 21 call");         /* mov eax, edi */
}
