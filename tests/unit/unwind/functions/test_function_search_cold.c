/* SPDX-License-Identifier: MIT */
/* The search for functions whose code lies in several places: what is seldom executed elsewhere. */
#include "function_search_fixture.h"

/* As gcc's .cold: entered and left by jumps in mid-frame, away from its function. */
TEST_OF(search_fragment_is_found_with_the_jump_into_it, text, text)
{
    struct search s;
    const struct row *row;

    call(text, 32);
    ADD(text, "\xc3");
    landing_pad(text, 16);
    call(text, 48);
    ADD(text, "\x5b\xc3");            /* pop rbx; ret */
    ADD_AT(text, 32, "\x53\x85\xff"); /* push rbx; test edi, edi */
    jne(text, 16);
    ADD(text, "\x5b\xc3"); /* pop rbx; ret */
    ADD_AT(text, 48, "\xc3");
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 10 fragment, 20 call, 30 call");
    assert_int_equal(s.list->jump_count, 1);
    assert_int_equal(s.list->jumps[0].source_vaddr, FIXTURE_FIRST + 35);
    assert_int_equal(s.list->jumps[0].target_vaddr, FIXTURE_FIRST + 16);
    /* Its rows begin in the state of the jump. */
    assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + 16, &row), STATUS_OK);
    assert_int_equal(row->cfa.kind, CFA_REG);
    assert_int_equal(row->cfa.off, 16);
    close_file(&s);
}

/* As gcc's landing pads: behind their function, with most of them in its .cold part. */
TEST_OF(search_fragment_behind_a_landing_pad_is_found, text, text)
{
    struct search s;
    const struct row *row;

    call(text, 32);
    ADD(text, "\xc3");
    ADD_AT(text, 16, "\x48\x89\xdf"); /* mov rdi, rbx */
    call(text, 64);
    ADD(text, "\xf4");                        /* hlt */
    ADD_AT(text, 32, "\x53\x48\x83\xec\x10"); /* push rbx; sub rsp, 16 */
    call(text, 64);
    ADD(text, "\x48\x83\xc4\x10\x5b\xc3"); /* add rsp, 16; pop rbx; ret */
    ADD(text, "\x48\x89\xc3");             /* mov rbx, rax */
    jmp(text, 16);
    ADD_AT(text, 64, "\xc3");
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 10 fragment, 20 call, 40 call");
    assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + 19, &row), STATUS_OK);
    assert_int_equal(row->cfa.kind, CFA_REG);
    assert_int_equal(row->cfa.off, 32);
    close_file(&s);
}

static void expect_cfa(const struct search *s, uint64_t off, int64_t cfa_off)
{
    const struct row *row;

    assert_int_equal(module_rows_find(s->rows, TRUST_PROLOGUE, FIXTURE_FIRST + off, &row),
                     STATUS_OK);
    assert_int_equal(row->cfa.kind, CFA_REG);
    assert_int_equal(row->cfa.off, cfa_off);
}

/* Code in the midst of a function that only its .cold leads to belongs to the function. */
TEST_OF(search_function_is_not_cut_where_its_cold_part_jumps_back, text, text)
{
    struct search s;

    call(text, 32);
    ADD(text, "\xc3");
    landing_pad(text, 16);
    call(text, 80);
    jmp(text, 48);
    ADD_AT(text, 32, "\x53\x85\xff"); /* push rbx; test edi, edi */
    jne(text, 16);
    jmp(text, 64);
    landing_pad(text, 48);
    call(text, 80);
    ADD(text, "\x5b\xc3");        /* pop rbx; ret */
    ADD_AT(text, 64, "\x5b\xc3"); /* pop rbx; ret */
    ADD_AT(text, 80, "\xc3");
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 10 fragment, 20 call, 50 call");
    expect_cfa(&s, 48, 16);
    expect_cfa(&s, 54, 8);
    expect_cfa(&s, 64, 16);
    close_file(&s);
}

/* Cold parts behind all functions are not those of the last one. */
TEST_OF(search_cold_parts_of_others_are_no_part_of_the_function_before, text, text)
{
    struct search s;

    call(text, 32);
    call(text, 64);
    ADD(text, "\xc3");
    ADD_AT(text, 32, "\x53\x85\xff"); /* push rbx; test edi, edi */
    jne(text, 96);
    ADD(text, "\x5b\xc3");                /* 41: pop rbx; ret */
    ADD_AT(text, 64, "\x53\x55\x85\xff"); /* push rbx; push rbp; test edi, edi */
    jne(text, 112);
    ADD(text, "\x5d\x5b\xc3"); /* 74: pop rbp; pop rbx; ret */
    landing_pad(text, 96);
    call(text, 128);
    jmp(text, 41);
    landing_pad(text, 112);
    call(text, 128);
    jmp(text, 74);
    ADD_AT(text, 128, "\xc3");
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 20 call, 40 call, 60 fragment, 70 fragment, 80 call");
    expect_cfa(&s, 96, 16);
    expect_cfa(&s, 112, 24);
    close_file(&s);
}

/* A computed goto's table of whole addresses, without a bound: some are those of .cold. */
TEST_OF(search_table_goes_on_behind_a_case_elsewhere, text, text)
{
    static const uint64_t cases[] = {FIXTURE_FIRST + 23, FIXTURE_FIRST + 71, 0};
    struct search s;

    call(text, 48);
    ADD(text, "\xc3");
    landing_pad(text, 16);
    call(text, 112);
    ADD(text, "\x5b\xc3");                 /* pop rbx; ret */
    call(text, 112);                       /* 23: case 0 */
    ADD(text, "\x48\x83\xc4\x10\x5b\xc3"); /* add rsp, 16; pop rbx; ret */
    ADD_AT(text, 48, "\x53\x85\xff");      /* push rbx; test edi, edi */
    jne(text, 16);
    ADD(text, "\x48\x83\xec\x10");             /* sub rsp, 16 */
    ADD(text, "\x48\x8d\x15\x14\x00\x00\x00"); /* lea rdx, [88] */
    ADD(text, "\xff\x24\xc2");                 /* jmp [rdx+rax*8] */
    call(text, 112);                           /* 71: case 1 */
    ADD(text, "\x48\x83\xc4\x10\x5b\xc3");
    landing_pad(text, 88);
    add(text, (const char *)cases, sizeof(cases));
    ADD_AT(text, 112, "\xc3");
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 10 fragment, 30 call, 70 call");
    expect_cfa(&s, 21, 16);
    expect_cfa(&s, 23, 32);
    expect_cfa(&s, 32, 16);
    expect_cfa(&s, 71, 32);
    close_file(&s);
}

/* Found when nearly all is done, in the midst of what another reaches, whose part lies behind. */
TEST_OF(search_part_behind_a_function_that_is_found_last_is_not_that_ones, text, text)
{
    struct search s;

    call(text, 32);
    ADD(text, "\xc3");
    ADD_AT(text, 32, "\x53\x85\xff"); /* push rbx; test edi, edi */
    jne(text, 96);
    ADD(text, "\x5b\xc3");            /* 41: pop rbx; ret */
    ADD_AT(text, 64, "\x89\xf8\xc3"); /* mov eax, edi; ret: nothing leads here */
    landing_pad(text, 96);
    call(text, 128);
    jmp(text, 41);
    ADD_AT(text, 128, "\xc3");
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 20 call, 40 gap, 60 fragment, 80 call");
    expect_cfa(&s, 64, 8);
    expect_cfa(&s, 96, 16);
    expect_cfa(&s, 101, 16);
    close_file(&s);
}
