/* SPDX-License-Identifier: MIT */
/* The audit of single places: of what kind they are, and whether the analysis agrees there. */
#include "audit_fixture.h"

TEST_OF(audit_of_rows_that_agree_reports_nothing, scene, scene)
{
    audit_function(scene, plain, sizeof(plain),
                   PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32, 0x46, 0x0e, 16, 0x41, 0x0e, 8));
    assert_string_equal(scene->reports, "");
    assert_int_equal(scene->audit.fde_count, 1);
    assert_int_equal(scene->audit.truth, TRUST_DEBUG_FRAME);
    assert_int_equal(scene->audit.places[AUDIT_PROLOGUE][AUDIT_AGREE], 2);
    assert_int_equal(scene->audit.places[AUDIT_BODY][AUDIT_AGREE], 1);
    assert_int_equal(scene->audit.places[AUDIT_EPILOGUE][AUDIT_AGREE], 3);
    assert_int_equal(excluded_in_all(scene), 0);
}

TEST_OF(audit_of_one_row_that_differs_reports_exactly_that_place, scene, scene)
{
    audit_function(scene, plain, sizeof(plain),
                   PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 40, 0x42, 0x0e, 32, 0x44, 0x0e, 16, 0x41,
                           0x0e, 8));
    assert_string_equal(scene->reports, "+5 body wrong rsp+40,c-8 rsp+32,c-8");
    assert_int_equal(scene->audit.places[AUDIT_BODY][AUDIT_WRONG], 1);
    assert_int_equal(scene->audit.places[AUDIT_PROLOGUE][AUDIT_AGREE], 2);
    assert_int_equal(scene->audit.places[AUDIT_EPILOGUE][AUDIT_AGREE], 3);
}

TEST_OF(audit_of_another_place_of_the_return_address_reports_it, scene, scene)
{
    /* At +5 the return address is said to be at CFA-16, where rbx is. */
    audit_function(scene, plain, sizeof(plain),
                   PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32, 0x90, 2, 0x42, 0x90, 1, 0x44, 0x0e, 16,
                           0x41, 0x0e, 8));
    assert_string_equal(scene->reports, "+5 body wrong rsp+32,c-16 rsp+32,c-8");
}

TEST_OF(audit_of_rows_from_another_register_compares_its_value, scene, scene)
{
    static const uint8_t code[] = {
        0x55,                   /* +0 push rbp */
        0x48, 0x89, 0xe5,       /* +1 mov rbp, rsp */
        0x48, 0x83, 0xec, 0x10, /* +4 sub rsp, 16  rbp+16, as well as rsp+16 */
        0x31, 0xc0,             /* +8 xor eax, eax */
        0xc9,                   /* +a leave */
        0xc3,                   /* +b ret */
    };

    /* +8 counts from rsp, rightly; +a from rsp, wrongly. */
    audit_function(scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x43, 0x0d, 6, 0x44, 0x0c, 7, 32, 0x42, 0x0e, 24, 0x41,
                           0x0e, 8));
    assert_string_equal(scene->reports, "+a epilogue wrong rsp+24,c-8 rbp+16,c-8");
}

TEST_OF(audit_of_rows_from_an_unknown_register_is_incomparable, scene, scene)
{
    static const uint8_t code[] = {
        0x49, 0x89, 0xfc, /* +0 mov r12, rdi */
        0x48, 0x8b, 0x07, /* +3 mov rax, [rdi] */
        0xc3,             /* +6 ret */
    };

    audit_function(scene, code, sizeof(code), PROGRAM(0x46, 0x0c, 0, 16));
    assert_string_equal(scene->reports, "+6 epilogue incomparable rax+16,c-8 rsp+8,c-8");
}

TEST_OF(audit_of_alloca_tells_it_apart, scene, scene)
{
    static const uint8_t code[] = {
        0x55,             /* +0 push rbp */
        0x48, 0x89, 0xe5, /* +1 mov rbp, rsp */
        0x48, 0x29, 0xfc, /* +4 sub rsp, rdi */
        0x31, 0xc0,       /* +7 xor eax, eax  SP is at no known place */
        0xc9,             /* +9 leave */
        0xc3,             /* +a ret */
    };

    audit_function(scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x43, 0x0d, 6, 0x46, 0x0c, 7, 8));
    assert_string_equal(scene->reports, "");
    assert_int_equal(eligible(scene, AUDIT_PROLOGUE), 3);
    assert_int_equal(eligible(scene, AUDIT_ALLOCA), 2);
    assert_int_equal(eligible(scene, AUDIT_EPILOGUE), 1);
}

TEST_OF(audit_of_a_realigned_frame_tells_it_apart, scene, scene)
{
    static const uint8_t code[] = {
        0x55,                   /* +0 push rbp */
        0x48, 0x89, 0xe5,       /* +1 mov rbp, rsp */
        0x48, 0x83, 0xe4, 0xf0, /* +4 and rsp, -16 */
        0x31, 0xc0,             /* +8 xor eax, eax */
        0xc9,                   /* +a leave */
        0xc3,                   /* +b ret */
    };

    audit_function(scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x43, 0x0d, 6, 0x47, 0x0c, 7, 8));
    assert_string_equal(scene->reports, "");
    assert_int_equal(eligible(scene, AUDIT_REALIGNED), 2);
}

TEST_OF(audit_of_code_behind_an_epilogue_tells_it_apart, scene, scene)
{
    static const uint8_t code[] = {
        0x53,                   /* +0 push rbx */
        0x85, 0xff,             /* +1 test edi, edi */
        0x74, 0x02,             /* +3 je +7 */
        0x5b,                   /* +5 pop rbx */
        0xc3,                   /* +6 ret */
        0xe8, 0xf4, 0x0f, 0, 0, /* +7 call elsewhere */
        0x5b,                   /* +c pop rbx */
        0xc3,                   /* +d ret */
    };

    audit_function(scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x45, 0x0e, 8, 0x41, 0x0e, 16, 0x46, 0x0e, 8));
    assert_string_equal(scene->reports, "");
    assert_int_equal(eligible(scene, AUDIT_PROLOGUE), 1);
    assert_int_equal(eligible(scene, AUDIT_BODY), 2);
    assert_int_equal(eligible(scene, AUDIT_AFTER_EPILOGUE), 1);
    assert_int_equal(eligible(scene, AUDIT_EPILOGUE), 4);
    assert_int_equal(scene->audit.calls[AUDIT_AFTER_EPILOGUE][AUDIT_AGREE], 1);
    assert_int_equal(scene->audit.calls[AUDIT_BODY][AUDIT_AGREE], 0);
}

TEST_OF(audit_of_a_fragment_tells_it_apart, scene, scene)
{
    static const uint8_t code[] = {
        0x48, 0x83, 0xec, 0x18,       /* +0 sub rsp, 24 */
        0x85, 0xff,                   /* +4 test edi, edi */
        0x0f, 0x84, 0x05, 0,    0, 0, /* +6 je +11 */
        0x48, 0x83, 0xc4, 0x18,       /* +c add rsp, 24 */
        0xc3,                         /* +10 ret */
        0x31, 0xc0,                   /* +11 xor eax, eax: the fragment */
        0x48, 0x83, 0xc4, 0x18,       /* +13 add rsp, 24 */
        0xc3,                         /* +17 ret */
    };
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, 0x11, PROGRAM(0x44, 0x0e, 32, 0x4c, 0x0e, 8));
    asm_fde(&cfi, cie, TEXT + 0x11, 7, PROGRAM(0x0e, 32, 0x46, 0x0e, 8));
    audit_code(scene, code, sizeof(code), &cfi);
    assert_string_equal(scene->reports, "");
    assert_int_equal(eligible(scene, AUDIT_FRAGMENT), 3);
    assert_int_equal(eligible(scene, AUDIT_PROLOGUE), 1);
    assert_int_equal(eligible(scene, AUDIT_BODY), 2);
    assert_int_equal(eligible(scene, AUDIT_EPILOGUE), 2);
}

/* A case of a jump table of the function that also jumps into the fragment. */
TEST_OF(audit_of_a_fragment_knows_cases_of_the_function_that_jumps_into_it, scene, scene)
{
    static const uint8_t code[0x40] = {
        0x48, 0x83, 0xec, 0x18,                /* +0 sub rsp, 24 */
        0x83, 0xff, 0x02,                      /* +4 cmp edi, 2 */
        0x0f, 0x87, 0x13, 0,    0,    0,       /* +7 ja +20 */
        0x89, 0xff,                            /* +d mov edi, edi */
        0xff, 0x24, 0xfd, 0x40, 0x04, 0x40, 0, /* +f jmp [rdi * 8 + table] */
        0x48, 0x83, 0xc4, 0x18,                /* +16 add rsp, 24 */
        0xc3,                                  /* +1a ret */
        0x90, 0x90, 0x90, 0x90, 0x90,          /* +1b */
        0x31, 0xc0,                            /* +20 xor eax, eax: the fragment */
        0xe9, 0xef, 0xff, 0xff, 0xff,          /* +22 jmp +16 */
        0x50,                                  /* +27 push rax: the case */
        0x5a,                                  /* +28 pop rdx */
        0xe9, 0xe8, 0xff, 0xff, 0xff,          /* +29 jmp +16 */
    };
    static const uint64_t table[] = {TEXT + 0x16, TEXT + 0x27, TEXT + 0x16};
    struct elf_fixture *elf = with_code(code, sizeof(code));
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, 0x1b, PROGRAM(0x44, 0x0e, 32, 0x56, 0x0e, 8));
    asm_fde(&cfi, cie, TEXT + 0x20, 0xe, PROGRAM(0x0e, 32, 0x48, 0x0e, 40, 0x41, 0x0e, 32));
    fixture_section(elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, table, sizeof(table));
    open_with_cfi(scene, elf, &cfi);
    audit_scene(scene);
    assert_string_equal(scene->reports, "");
    assert_int_equal(eligible(scene, AUDIT_FRAGMENT), 5);
}

/* Of a function without a frame the jump behind the fragment's start has none either. */
TEST_OF(audit_of_a_fragment_knows_jumps_without_a_frame_behind_its_start, scene, scene)
{
    static const uint8_t code[] = {
        0x85, 0xff,                      /* +0 test edi, edi */
        0x0f, 0x84, 0x09, 0,    0,    0, /* +2 je +11 */
        0x0f, 0x8c, 0x0b, 0,    0,    0, /* +8 jl +19 */
        0x31, 0xc0,                      /* +e xor eax, eax */
        0xc3,                            /* +10 ret */
        0x50,                            /* +11 push rax: the fragment */
        0xe8, 0xf4, 0x0f, 0,    0,       /* +12 call elsewhere */
        0x5a,                            /* +17 pop rdx */
        0xc3,                            /* +18 ret */
        0x31, 0xd2,                      /* +19 xor edx, edx: entered by +8 alone */
        0xe9, 0xee, 0xff, 0xff, 0xff,    /* +1b jmp +e */
    };
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, 0x11, PROGRAM(0));
    asm_fde(&cfi, cie, TEXT + 0x11, 0xf, PROGRAM(0x41, 0x0e, 16, 0x46, 0x0e, 8));
    audit_code(scene, code, sizeof(code), &cfi);
    assert_string_equal(scene->reports, "");
}

TEST_OF(audit_of_a_row_that_its_code_contradicts_leaves_it_out, scene, scene)
{
    /* No row for the epilogue: rsp+32 to the end. */
    audit_function(scene, plain, sizeof(plain), PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32));
    assert_string_equal(scene->reports, "+b epilogue suspect rsp+32,c-8 rsp+16,c-8\n"
                                        "+c epilogue suspect rsp+32,c-8 rsp+8,c-8");
    assert_int_equal(scene->audit.excluded[AUDIT_CFI_BEHIND], 2);
    assert_int_equal(eligible(scene, AUDIT_EPILOGUE), 1);
}

TEST_OF(audit_of_a_contradicted_row_without_a_return_as_entered_is_wrong, scene, scene)
{
    static const uint8_t code[] = {
        0x53,                   /* +0 push rbx      rsp+8 */
        0x48, 0x83, 0xec, 0x10, /* +1 sub rsp, 16   rsp+16 */
        0x31, 0xc0,             /* +5 xor eax, eax  rsp+32 */
        0x48, 0x83, 0xc4, 0x10, /* +7 add rsp, 16   rsp+32 */
        0xc3,                   /* +b ret           rsp+16 by the analysis: it cannot be */
    };

    audit_function(scene, code, sizeof(code), PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32));
    assert_string_equal(scene->reports, "+b epilogue wrong rsp+32,c-8 rsp+16,c-8");
    assert_int_equal(excluded_in_all(scene), 0);
}

TEST_OF(audit_of_a_contradicted_row_before_branches_to_a_return_leaves_it_out, scene, scene)
{
    static const uint8_t code[] = {
        0x53,       /* +0 push rbx       rsp+8 */
        0x31, 0xc0, /* +1 xor eax, eax   rsp+16, but no row says so */
        0xff, 0xc8, /* +3 dec eax        rsp+16 */
        0x75, 0xfc, /* +5 jne +3         rsp+16 */
        0x5b,       /* +7 pop rbx        rsp+16 */
        0xc3,       /* +8 ret            rsp+8 */
    };

    audit_function(scene, code, sizeof(code), NO_PROGRAM);
    assert_int_equal(scene->audit.excluded[AUDIT_CFI_BEHIND], 4);
    assert_null(strstr(scene->reports, "wrong"));
}

TEST_OF(audit_of_a_contradicted_row_that_no_return_follows_is_wrong, scene, scene)
{
    static const uint8_t code[] = {
        0x53,       /* +0 push rbx       rsp+8 */
        0x31, 0xc0, /* +1 xor eax, eax   rsp+16 */
        0xeb, 0xfc, /* +3 jmp +1         rsp+16 */
    };

    audit_function(scene, code, sizeof(code), NO_PROGRAM);
    assert_string_equal(scene->reports, "+1 body wrong rsp+8,c-8 rsp+16,c-8\n"
                                        "+3 body wrong rsp+8,c-8 rsp+16,c-8");
}
