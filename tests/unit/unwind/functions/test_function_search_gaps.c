/* SPDX-License-Identifier: MIT */
/* The search for functions: what speaks for and against code of x86-64 that nothing leads to. */
#include "function_search_fixture.h"

/* php's blocks that lie elsewhere: what they jump to was not known to be anything. */
static void search_code_that_jumps_far_with_its_callers_registers_lost_is_no_function(void **state)
{
    enum { FAR = 0x1800 };
    struct text lost = {.size = 0}, kept = {.size = 0};

    (void)state;
    ADD(&lost, "\xc3");
    landing_pad(&lost, 16);
    ADD(&lost, "\x48\x8d\x1d\x00\x10\x00\x00"); /* lea rbx, [rip + 4096] */
    jmp(&lost, FAR);
    landing_pad(&lost, FAR);
    ADD(&lost, "\x89\xf8\xc3"); /* mov eax, edi; ret */
    check(&lost, EM_X86_64, false, "0 entry, 1800 gap");
    ADD(&kept, "\xc3");
    landing_pad(&kept, 16);
    ADD(&kept, "\x48\x8d\x3d\x00\x10\x00\x00"); /* lea rdi, [rip + 4096] */
    jmp(&kept, FAR);
    landing_pad(&kept, FAR);
    ADD(&kept, "\x89\xf8\xc3");
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
    landing_pad(text, 64);
    ADD(text, "\x31\xc0"); /* xor eax, eax */
    jmp(text, start + 17);
    landing_pad(text, start);
    ADD(text, "\x53\x48\x89\xfb\x85\xff"); /* push rbx; mov rbx, rdi; test edi, edi */
    jne(text, 64);
    call(text, 160);
    ADD(text, "\x5b\xc3"); /* + 17 pop rbx; ret */
    landing_pad(text, 160);
    ADD(text, "\xc3");
}

/* Its part, which looks like a function that jumps on to another, does not cut it. */
static void search_code_that_keeps_registers_for_its_caller_is_a_function_first(void **state)
{
    struct text text = {.size = 0};
    struct search s;
    const struct row *row;

    (void)state;
    function_behind_its_part(&text, 96);
    open_file(&s, &text, EM_X86_64, false);
    assert_found(&s, "0 entry, 40 fragment, 60 gap, a0 call");
    assert_int_equal(s.list->items[2].origin, FUNCTION_PATTERN);
    assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + 113, &row),
                     STATUS_OK);
    assert_int_equal(row->cfa.off, 16);
    close_file(&s);
}

/* Not where it begins at any place, as code in the midst of a function does. */
static void search_code_that_keeps_registers_at_any_place_is_tried_with_the_rest(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    function_behind_its_part(&text, 100);
    check(&text, EM_X86_64, false, "0 entry, 40 gap, 64 gap, 75 jump, a0 call");
}

/* As glibc's string functions: the rest is another function's, with no frame in either. */
static void search_leaf_that_goes_on_at_the_end_of_another_is_a_function(void **state)
{
    struct text shares = {.size = 0}, joins = {.size = 0};

    (void)state;
    call(&shares, 48);
    ADD(&shares, "\xc3");
    landing_pad(&shares, 16);
    ADD(&shares, "\x89\xf8\x85\xff"); /* mov eax, edi; test edi, edi */
    jne(&shares, 50);
    ADD(&shares, "\xc3");
    landing_pad(&shares, 48);
    ADD(&shares, "\x31\xc0\x01\xf0\xc3"); /* 48 xor eax, eax; add eax, esi; ret */
    check(&shares, EM_X86_64, false, "0 entry, 10 gap, 30 call");
    call(&joins, 48);
    ADD(&joins, "\xc3");
    landing_pad(&joins, 16);
    ADD(&joins, "\x89\xf8\x85\xff"); /* mov eax, edi; test edi, edi */
    jne(&joins, 50);
    jmp(&joins, 50);
    landing_pad(&joins, 48);
    ADD(&joins, "\x31\xc0\x01\xf0\xc3");
    check(&joins, EM_X86_64, false, "0 entry, 30 call");
}

/* In a frame it is a part of that function. */
static void search_code_that_goes_on_in_the_frame_of_another_is_no_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    call(&text, 48);
    ADD(&text, "\xc3");
    landing_pad(&text, 16);
    ADD(&text, "\x50\x85\xff"); /* push rax; test edi, edi */
    jne(&text, 49);
    ADD(&text, "\x5a\xc3"); /* pop rdx; ret */
    landing_pad(&text, 48);
    ADD(&text, "\x50\x31\xc0\x5a\xc3"); /* 48 push rax; xor eax, eax; pop rdx; ret */
    check(&text, EM_X86_64, false, "0 entry, 30 call");
}

/* Code that returns, or calls; two bytes, up to the next function. */
static void check_end(const char *last, const char *expected)
{
    struct text text = {.size = 0};

    call(&text, 33);
    ADD(&text, "\xc3");
    landing_pad(&text, 16);
    ADD(&text, "\x85\xff\x75\x01\xc3");     /* 16 test edi, edi; jne 21; ret */
    ADD(&text, "\x48\x83\xec\x08");         /* 21 sub rsp, 8 */
    ADD(&text, "\xff\x15\x00\x10\x00\x00"); /* 25 call [rip + 4096]: not known not to return */
    add(&text, last, 2);                    /* 31 */
    ADD(&text, "\xc3");                     /* 33 ret */
    check(&text, EM_X86_64, false, expected);
}

static void search_padding_behind_a_call_that_does_not_return_is_the_end(void **state)
{
    (void)state;
    check_end("\x66\x90", "0 entry, 10 gap, 21 call"); /* xchg ax, ax */
    check_end("\x89\xf8", "0 entry, 21 call");         /* mov eax, edi */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_code_that_jumps_far_with_its_callers_registers_lost_is_no_function),
        cmocka_unit_test(search_code_that_keeps_registers_for_its_caller_is_a_function_first),
        cmocka_unit_test(search_code_that_keeps_registers_at_any_place_is_tried_with_the_rest),
        cmocka_unit_test(search_leaf_that_goes_on_at_the_end_of_another_is_a_function),
        cmocka_unit_test(search_code_that_goes_on_in_the_frame_of_another_is_no_function),
        cmocka_unit_test(search_padding_behind_a_call_that_does_not_return_is_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
