/* SPDX-License-Identifier: MIT */
/* The search for functions in files that have nothing but code: x86, and what holds for all. */
#include "function_search_fixture.h"

#include "unwind/prologue/prologue.h"

#define WORD_OFF 0x1000 /* of a word of data, which need not be in the file */

/* ff 15 (call), ff 25 (jmp): through the word at WORD_OFF */
static void through_word(struct text *text, const char *opcode)
{
    int32_t distance = WORD_OFF - (int32_t)(text->size + 6);

    add(text, opcode, 2);
    add(text, (const char *)&distance, sizeof(distance));
}

TEST_OF(search_called_functions_are_found, text, text)
{
    call(text, 16);
    ADD(text, "\xc3");
    landing_pad(text, 16);
    call(text, 32);
    ADD(text, "\xc3");
    ADD_AT(text, 32, "\xc3");
    check(text, EM_X86_64, false, "0 entry, 10 call, 20 call");
}

TEST_OF(search_target_of_a_tail_jump_is_found, text, text)
{
    ADD(text, "\x53\x5b"); /* push rbx; pop rbx */
    jmp(text, 16);
    ADD_AT(text, 16, "\xc3");
    check(text, EM_X86_64, false, "0 entry, 10 jump");
}

TEST_OF(search_jump_inside_of_the_frame_starts_no_function, text, text)
{
    ADD(text, "\x53"); /* push rbx */
    jmp(text, 16);
    ADD_AT(text, 16, "\x5b\xc3"); /* pop rbx; ret */
    check(text, EM_X86_64, false, "0 entry");
}

TEST_OF(search_what_is_not_called_is_found_as_a_gap, text, text)
{
    ADD(text, "\xc3");
    ADD_AT(text, 16, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    call(text, 32);
    ADD(text, "\x48\x83\xc4\x08\xc3");            /* add rsp, 8; ret */
    ADD_AT(text, 32, "\x89\xf8\xc3");             /* mov eax, edi; ret */
    ADD_AT(text, 48, "\x55\x48\x89\xe5\x5d\xc3"); /* push rbp; mov rbp, rsp; pop rbp; ret */
    check(text, EM_X86_64, false, "0 entry, 10 gap, 20 call, 30 gap");
}

/* mov rdi, rbx, which nobody has set: as a landing pad begins. */
TEST_OF(search_code_that_uses_its_callers_registers_is_no_function, text, text)
{
    struct search s;

    ADD(text, "\x53\x48\x89\xfb"); /* push rbx; mov rbx, rdi */
    call(text, 48);
    ADD(text, "\x5b\xc3");            /* pop rbx; ret */
    ADD_AT(text, 16, "\x48\x89\xdf"); /* mov rdi, rbx */
    call(text, 48);
    ADD(text, "\x5b\xc3"); /* pop rbx; ret */
    ADD_AT(text, 48, "\xc3");
    open_file(&s, text, EM_X86_64, false);
    assert_found(&s, "0 entry, 30 call");
    /* It belongs to the function before it. */
    assert_ptr_equal(functions_find(s.list, FIXTURE_FIRST + 16), &s.list->items[0]);
    close_file(&s);
}

TEST_OF(search_code_that_returns_at_another_depth_is_no_function, text, text)
{
    ADD(text, "\xc3");
    ADD_AT(text, 16, "\x31\xc0\x48\x83\xc4\x18\xc3"); /* xor eax, eax; add rsp, 24; ret */
    check(text, EM_X86_64, false, "0 entry");
}

TEST_OF(search_code_that_runs_into_nothing_is_no_function, text, text)
{
    ADD(text, "\xc3");
    ADD_AT(text, 16, "\x31\xc0\x06\x06\x06\x06"); /* xor eax, eax; no instructions */
    check(text, EM_X86_64, false, "0 entry");
}

TEST_OF(search_code_behind_a_call_that_does_not_return_is_a_function, text, text)
{
    ADD(text, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    call(text, 32);
    ADD_AT(text, 16, "\x31\xc0\xc3"); /* xor eax, eax; ret */
    ADD_AT(text, 32, "\xf4");         /* hlt */
    check(text, EM_X86_64, false, "0 entry, 10 gap, 20 call");
}

/* Calls 64 functions, at multiples of 16 from 1040 on, and returns. */
static void call_many(struct text *text)
{
    for (size_t i = 1; i <= 64; i++)
        call(text, 1024 + 16 * i);
    ADD(text, "\xc3");
}

/* 64 called functions at multiples of 16, then the candidate. */
static void many_aligned_functions(struct text *text, size_t candidate)
{
    call_many(text);
    for (size_t i = 1; i <= 64; i++) {
        ADD_AT(text, 1024 + 16 * i, "\xc3");
    }
    ADD_AT(text, candidate, "\x31\xc0\xc3"); /* xor eax, eax; ret */
}

TEST(search_gap_must_be_aligned_where_all_functions_are)
{
    struct text aligned = {.size = 0}, unaligned = {.size = 0}, few = {.size = 0};
    struct search s;

    many_aligned_functions(&aligned, 2080);
    open_file(&s, &aligned, EM_X86_64, false);
    assert_int_equal(s.list->count, 66);
    assert_non_null(functions_find(s.list, FIXTURE_FIRST + 2080));
    assert_int_equal(functions_find(s.list, FIXTURE_FIRST + 2080)->start_vaddr,
                     FIXTURE_FIRST + 2080);
    close_file(&s);
    many_aligned_functions(&unaligned, 2084);
    open_file(&s, &unaligned, EM_X86_64, false);
    assert_int_equal(s.list->count, 65);
    close_file(&s);
    /* Where few starts are known they tell nothing. */
    ADD(&few, "\xc3");
    ADD_AT(&few, 20, "\x31\xc0\xc3");
    check(&few, EM_X86_64, false, "0 entry, 14 gap");
}

/* A call, nops up to 16 and code; what is called lies at 1040, behind `filler`. */
static void call_before_nops(struct text *text, char filler)
{
    call(text, 1040);
    ADD_AT(text, 16, "\x31\xc0\xc3"); /* xor eax, eax; ret */
    while (text->size < 1040)
        add(text, &filler, 1);
    ADD(text, "\xc3");
}

TEST(search_nops_behind_a_call_end_nothing_where_traps_fill_up)
{
    struct text nops = {.size = 0}, traps = {.size = 0};

    call_before_nops(&nops, (char)0x90);
    check(&nops, EM_X86_64, false, "0 entry, 10 gap, 410 call");
    call_before_nops(&traps, (char)0xcc);
    check(&traps, EM_X86_64, false, "0 entry, 410 call");
}

/* 64 called functions that read through r14, or do not; then one that is not called and does. */
static void read_r14(struct text *text, bool all)
{
    call_many(text);
    for (size_t i = 1; i <= 65; i++) {
        landing_pad(text, 1024 + 16 * i);
        if (all || i == 65)
            ADD(text, "\x49\x8b\x46\x10"); /* mov rax, [r14+16] */
        ADD(text, "\xc3");
    }
}

/* Go's functions have the goroutine in r14. */
TEST(search_register_that_no_function_sets_is_like_an_argument)
{
    struct text all = {.size = 0}, one = {.size = 0};
    struct search s;

    read_r14(&all, true);
    open_file(&s, &all, EM_X86_64, false);
    assert_int_equal(s.list->count, 66);
    close_file(&s);
    read_r14(&one, false);
    open_file(&s, &one, EM_X86_64, false);
    assert_int_equal(s.list->count, 65);
    close_file(&s);
}

TEST(search_code_right_behind_a_call_that_does_not_return_must_be_aligned)
{
    struct text aligned = {.size = 0}, unaligned = {.size = 0};

    ADD(&aligned, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    landing_pad(&aligned, 11);
    call(&aligned, 32);
    ADD(&aligned, "\x31\xc0\xc3"); /* xor eax, eax; ret */
    ADD_AT(&aligned, 32, "\xf4");  /* hlt */
    check(&aligned, EM_X86_64, false, "0 entry, 10 gap, 20 call");
    ADD(&unaligned, "\x48\x83\xec\x08");
    call(&unaligned, 32);
    ADD(&unaligned, "\x31\xc0\xc3");
    ADD_AT(&unaligned, 32, "\xf4");
    check(&unaligned, EM_X86_64, false, "0 entry, 20 call");
}

/*
 * 64 calls with the stack as the ABI has it, of a function at 1024; the candidate is put at 1040.
 */
static void many_aligned_calls(struct text *text)
{
    ADD(text, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    for (size_t i = 0; i < 64; i++)
        call(text, 1024);
    ADD(text, "\x48\x83\xc4\x08\xc3"); /* add rsp, 8; ret */
    ADD_AT(text, 1024, "\xc3");
    landing_pad(text, 1040);
}

TEST(search_code_that_calls_with_a_misaligned_stack_is_no_function)
{
    struct text in_frame = {.size = 0}, function = {.size = 0};

    many_aligned_calls(&in_frame);
    ADD(&in_frame, "\x48\x8b\x7c\x24\x30"); /* mov rdi, [rsp+48] */
    call(&in_frame, 1024);
    ADD(&in_frame, "\xf4"); /* hlt */
    check(&in_frame, EM_X86_64, false, "0 entry, 400 call");
    many_aligned_calls(&function);
    ADD(&function, "\x50"); /* push rax */
    call(&function, 1024);
    ADD(&function, "\xf4");
    check(&function, EM_X86_64, false, "0 entry, 400 call, 410 gap");
}

/* Compilers that know all of a function's callees align the stack no further than these need. */
TEST(search_code_that_misaligns_calls_of_own_code_and_returns_is_a_function)
{
    struct text own = {.size = 0}, other = {.size = 0};

    many_aligned_calls(&own);
    ADD(&own, "\x48\x83\xec\x10"); /* sub rsp, 16 */
    call(&own, 1024);
    ADD(&own, "\x48\x83\xc4\x10\xc3"); /* add rsp, 16; ret */
    check(&own, EM_X86_64, false, "0 entry, 400 call, 410 gap");
    many_aligned_calls(&other);
    ADD(&other, "\x48\x83\xec\x10");
    through_word(&other, "\xff\x15");
    ADD(&other, "\x48\x83\xc4\x10\xc3");
    check(&other, EM_X86_64, false, "0 entry, 400 call");
}

TEST(search_code_that_uses_its_callers_frame_is_no_function)
{
    struct text far = {.size = 0}, argument = {.size = 0};

    ADD(&far, "\xc3");
    ADD_AT(&far, 16, "\x48\x8d\x84\x24\x00\x02\x00\x00\xc3"); /* lea rax, [rsp+512]; ret */
    check(&far, EM_X86_64, false, "0 entry");
    ADD(&argument, "\xc3");
    ADD_AT(&argument, 16, "\x48\x8d\x44\x24\x08\xc3"); /* lea rax, [rsp+8]; ret */
    check(&argument, EM_X86_64, false, "0 entry, 10 gap");
}

TEST_OF(search_code_that_jumps_on_with_its_callers_registers_lost_is_no_function, text, text)
{
    call(text, 32);
    ADD(text, "\xc3");
    ADD_AT(text, 16, "\xbb\x01\x00\x00\x00"); /* mov ebx, 1 */
    jmp(text, 32);
    ADD_AT(text, 32, "\xc3");
    check(text, EM_X86_64, false, "0 entry, 20 call");
}

/* Who zeroes the frame pointer has no caller: what it pops is the number of arguments. */
TEST(search_start_of_a_process_may_pop)
{
    struct text start = {.size = 0}, other = {.size = 0};

    ADD(&start, "\xc3");
    ADD(&start, "\x0f\x1f\x80\x00\x00\x00\x00\x0f\x1f\x80\x00\x00\x00\x00\x90"); /* nops */
    ADD(&start, "\x31\xed\x5e\x48\x89\xe2"); /* 10 xor ebp, ebp; pop rsi; mov rdx, rsp */
    ADD(&start, "\x48\x83\xe4\xf0\xf4");     /* and rsp, -16; hlt */
    check(&start, EM_X86_64, false, "0 entry, 10 gap");
    ADD(&other, "\xc3");
    ADD(&other, "\x0f\x1f\x80\x00\x00\x00\x00\x0f\x1f\x80\x00\x00\x00\x00\x90"); /* nops */
    ADD(&other, "\x31\xc0\x5e\x48\x89\xe2"); /* 10 xor eax, eax; pop rsi; mov rdx, rsp */
    ADD(&other, "\x48\x83\xe4\xf0\xf4");
    check(&other, EM_X86_64, false, "0 entry");
}

/* As clang -Oz has it at the end of main. One that reads the PC pops what was pushed. */
TEST(search_call_of_the_very_next_address_leads_to_a_function)
{
    struct text function = {.size = 0}, thunk = {.size = 0};

    ADD(&function, "\x50\xe8\x00\x00\x00\x00"); /* 0 push rax; call 6 */
    ADD(&function, "\x55\x48\x89\xe5\xeb\xfe"); /* 6 push rbp; mov rbp, rsp; jmp a */
    check(&function, EM_X86_64, false, "0 entry, 6 call");
    ADD(&thunk, "\x50\xe8\x00\x00\x00\x00"); /* 0 push rax; call 6 */
    ADD(&thunk, "\x58\x59\xc3");             /* 6 pop rax; pop rcx; ret */
    check(&thunk, EM_X86_64, false, "0 entry");
}

TEST_OF(search_inline_thunk_is_no_function, text, text)
{
    ADD(text, "\x53\xeb\x11");                               /* push rbx; jmp 2f */
    ADD(text, "\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9"); /* 1: call 1f; pause; … */
    ADD(text, "\x48\x89\x04\x24\xc3");                       /* 1: mov [rsp], rax; ret */
    call(text, 3);                                           /* 2: call 1b */
    ADD(text, "\x5b\xc3");                                   /* pop rbx; ret */
    check(text, EM_X86_64, false, "0 entry");
}

TEST_OF(search_i386_functions_are_found, text, text)
{
    call(text, 16);
    ADD(text, "\xf4");                /* hlt */
    ADD_AT(text, 16, "\x53\x5b\xc3"); /* push ebx; pop ebx; ret */
    ADD_AT(text, 32, "\x83\xec\x0c"); /* sub esp, 12 */
    call(text, 16);
    ADD(text, "\x83\xc4\x0c\xc3"); /* add esp, 12; ret */
    check(text, EM_386, false, "0 entry, 10 call, 20 gap");
}

/* Position-independent code asks for its address before it begins as functions do. */
TEST_OF(search_i386_call_before_a_prologue_returns, text, text)
{
    call(text, 16);
    ADD(text, "\xf4"); /* hlt */
    landing_pad(text, 16);
    call(text, 64);                    /* 10 */
    ADD(text, "\x05\x00\x10\x00\x00"); /* 15 add eax, 0x1000 */
    ADD(text, "\x55\x57\x56\x53");     /* 1a push ebp; push edi; push esi; push ebx */
    ADD(text, "\x83\xec\x0c");         /* 1e sub esp, 12 */
    call(text, 80);
    ADD(text, "\x83\xc4\x0c");            /* add esp, 12 */
    ADD(text, "\x5b\x5e\x5f\x5d\xc3");    /* pop ebx; pop esi; pop edi; pop ebp; ret */
    ADD_AT(text, 64, "\x8b\x04\x24\xc3"); /* 40 mov eax, [esp]; ret */
    ADD_AT(text, 80, "\xc3");             /* 50 ret */
    check(text, EM_386, false, "0 entry, 10 call, 40 call, 50 call");
}

static const Elf64_Rela got_word = {.r_offset = FIXTURE_FIRST + WORD_OFF,
                                    .r_info = ELF64_R_INFO(1, R_X86_64_GLOB_DAT)};

TEST_OF(search_import_that_never_returns_ends_its_caller_through_the_got, text, text)
{
    ADD_AT(text, 9, "\x50"); /* push rax */
    through_word(text, "\xff\x15");
    ADD(text, "\x89\xf8\xc3"); /* mov eax, edi; ret */
    check_relocated(text, "abort", &got_word, 1, "0 entry, 10 gap");
    check_relocated(text, "puts", &got_word, 1, "0 entry");
}

TEST_OF(search_code_right_behind_such_a_call_need_not_be_aligned_where_nothing_throws, text, text)
{
    ADD(text, "\x50"); /* push rax */
    through_word(text, "\xff\x15");
    ADD(text, "\x89\xf8\xc3"); /* mov eax, edi; ret */
    check_relocated(text, "abort", &got_word, 1, "0 entry, 7 gap");
    check_relocated(text, "_Unwind_Resume", &got_word, 1, "0 entry");
}

/* What saves nothing and lies anywhere is no landing pad when it returns with calls aligned. */
TEST_OF(search_code_behind_a_call_that_returns_in_balance_is_a_function_where_it_throws, text, text)
{
    ADD(text, "\x50"); /* push rax */
    for (unsigned i = 0; i < 8; i++)
        call(text, 96);
    through_word(text, "\xff\x15");
    ADD(text, "\x50"); /* 2f push rax */
    call(text, 96);
    ADD(text, "\x5a\xc3");         /* pop rdx; ret */
    ADD(text, "\x48\x89\xc7\x50"); /* 37 mov rdi, rax; push rax: does not return */
    through_word(text, "\xff\x15");
    ADD_AT(text, 96, "\xc3");
    check_relocated(text, "_Unwind_Resume", &got_word, 1, "0 entry, 2f gap, 60 call");
}

TEST_OF(search_goes_on_behind_a_call_that_returns_twice, text, text)
{
    ADD(text, "\x50"); /* push rax */
    through_word(text, "\xff\x15");
    ADD(text, "\xf3\x0f\x1e\xfa\x5a\xc3"); /* 7 endbr64; pop rdx; ret */
    check_relocated(text, "setjmp", &got_word, 1, "0 entry");
    check_relocated(text, "puts", &got_word, 1, "0 entry, 7 gap");
}

TEST_OF(search_what_the_entry_hands_over_is_a_function, text, text)
{
    ADD(text, "\x48\x8d\x3d\x19\0\0\0"); /* lea rdi, [rip + 25] */
    through_word(text, "\xff\x15");
    ADD(text, "\xf4");
    ADD_AT(text, 32, "\xc3");
    check_relocated(text, "__libc_start_main", &got_word, 1, "0 entry, 20 call");
    text->size = 0;
    ADD(text, "\x48\x8d\x3d\x1a\0\0\0"); /* lea rdi, [rip + 26]: main, anywhere */
    ADD(text, "\x48\x8d\x0d\x1d\0\0\0"); /* lea rcx, [rip + 29]: no function's place */
    through_word(text, "\xff\x15");
    ADD(text, "\xf4");
    ADD_AT(text, 33, "\x90\x90\x90\x90\xc3");
    check_relocated(text, "__libc_start_main", &got_word, 1, "0 entry, 21 call");
}

/* Two labels that a table at WORD_OFF leads to. */
static const Elf64_Rela labels[] = {{.r_offset = FIXTURE_FIRST + WORD_OFF,
                                     .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                                     .r_addend = FIXTURE_FIRST + 48},
                                    {.r_offset = FIXTURE_FIRST + WORD_OFF + 8,
                                     .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                                     .r_addend = FIXTURE_FIRST + 64}};

TEST_OF(search_pointer_to_code_that_pops_its_callers_frame_is_none_to_a_function, text, text)
{
    ADD(text, "\xc3");
    ADD_AT(text, 32, "\xc3");
    ADD_AT(text, 48, "\x89\xf8\x5b"); /* mov eax, edi; pop rbx */
    jmp(text, 32);
    ADD_AT(text, 64, "\xc3");
    check_relocated(text, "f", labels, 2, "0 entry, 20 gap, 40 pointer");
}

TEST_OF(search_labels_of_a_computed_goto_are_no_functions, text, text)
{
    ADD(text, "\xc3");
    ADD_AT(text, 32, "\x53\x83\xe7\x01");  /* push rbx; and edi, 1 */
    ADD(text, "\x48\x8d\x05\xd5\x0f\0\0"); /* lea rax, [rip + 0xfd5]: the table */
    ADD(text, "\xff\x24\xf8");             /* jmp [rax + rdi * 8] */
    ADD_AT(text, 48, "\x31\xc9");          /* xor ecx, ecx */
    jmp(text, 80);
    ADD_AT(text, 64, "\x31\xd2"); /* xor edx, edx */
    jmp(text, 80);
    ADD_AT(text, 80, "\x5b\xc3");                               /* pop rbx; ret */
    ADD_AT(text, WORD_OFF, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"); /* the table */
    check_relocated(text, "f", labels, 2, "0 entry, 20 gap");
}

TEST_OF(search_of_no_code_finds_at_most_the_entry, text, text)
{
    for (unsigned i = 0; i < 64; i++)
        ADD(text, "\xff");
    check(text, EM_AARCH64, false, "0 entry");
}

/*
 * 512 MiB of zero bytes that are not in the file: no function is found there, and none is looked
 * for.
 */
TEST(function_search_of_a_section_longer_than_the_file_ends_with_the_file)
{
    static const char code[] = "\x31\xc0\xc3"; /* xor eax, eax; ret */
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct search s;
    unsigned index =
        fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, 3);

    elf->sections[index].sh_size = UINT64_C(1) << 29;
    open_fixture(&s, elf, false, true);
    assert_true(s.list->count <= 16);
    if (s.list->count > 0)
        assert_true(s.list->items[s.list->count - 1].end_vaddr < FIXTURE_FIRST + 65536);
    close_file(&s);
}
