/* SPDX-License-Identifier: MIT */
/* What an audit takes in, what it leaves out, and why. */
#include "audit_fixture.h"

TEST_OF(audit_counts_the_bytes_of_code_under_an_fde_once, scene, scene)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    uint8_t code[2 * sizeof(plain)];

    memcpy(code, plain, sizeof(plain));
    memcpy(code + sizeof(plain), plain, sizeof(plain));
    asm_fde(&cfi, cie, TEXT, 8, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 2, 4, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 5, 5, NO_PROGRAM);
    audit_code(scene, code, sizeof(code), &cfi);
    assert_int_equal(scene->audit.covered_bytes, 10);
    assert_int_equal(scene->audit.code_bytes, sizeof(code));
}

TEST_OF(audit_of_rows_without_a_comparable_rule_names_why, scene, scene)
{
    /* +0 an expression, +1 no return address, +5 it is in rax, then as it should be. */
    audit_function(scene, plain, sizeof(plain),
                   PROGRAM(0x0f, 1, 0x57, 0x41, 0x0c, 7, 16, 0x07, 16, 0x44, 0x0e, 32, 0x09, 16, 0,
                           0x42, 0x90, 1, 0x44, 0x0e, 16, 0x41, 0x0e, 8));
    assert_string_equal(scene->reports, "");
    assert_int_equal(scene->audit.excluded[AUDIT_CFA_EXPRESSION], 1);
    assert_int_equal(scene->audit.excluded[AUDIT_OUTERMOST], 1);
    assert_int_equal(scene->audit.excluded[AUDIT_RA_ELSEWHERE], 1);
    assert_int_equal(excluded_in_all(scene), 3);
}

TEST_OF(audit_of_padding_leaves_it_out, scene, scene)
{
    static const uint8_t code[] = {
        0x31, 0xc0,             /* +0 xor eax, eax */
        0xeb, 0x05,             /* +2 jmp +9 */
        0x0f, 0x1f, 0x44, 0, 0, /* +4 nop */
        0xc3,                   /* +9 ret */
    };

    audit_function(scene, code, sizeof(code), NO_PROGRAM);
    assert_string_equal(scene->reports, "");
    assert_int_equal(scene->audit.excluded[AUDIT_PADDING], 1);
    assert_int_equal(excluded_in_all(scene), 1);
    assert_int_equal(eligible(scene, AUDIT_BODY) + eligible(scene, AUDIT_EPILOGUE), 3);
}

/* By the clock of whoever waits: all of what the FDE tells of would take years. */
TEST_OF(audit_of_an_fde_longer_than_the_file_ends_with_the_file, scene, scene)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, UINT64_C(1) << 60, NO_PROGRAM);
    audit_code(scene, plain, sizeof(plain), &cfi);
    assert_true(excluded_in_all(scene) < 4096);
}

TEST_OF(audit_of_a_plt_leaves_it_out, scene, scene)
{
    static const uint8_t stub[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp [rip] */
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    asm_fde(&cfi, cie, TEXT, sizeof(stub), NO_PROGRAM);
    fixture_section(elf, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, stub, sizeof(stub));
    open_with_cfi(scene, elf, &cfi);
    audit_scene(scene);
    assert_int_equal(scene->audit.excluded[AUDIT_PLT], 1);
    assert_int_equal(excluded_in_all(scene), 1);
    assert_string_equal(scene->reports, "");
}

TEST_OF(audit_of_a_file_without_cfi_is_not_found, scene, scene)
{
    open_scene(scene, with_code(plain, sizeof(plain)));
    assert_int_equal(audit_module(scene->rows, scene->set, scene->module, &(struct audit_watch){0},
                                  &scene->audit),
                     STATUS_NOT_FOUND);
}

TEST_OF(audit_of_both_sections_takes_the_one_with_more_functions, scene, scene)
{
    struct asm_section few = asm_begin(false), many = asm_begin(true);
    size_t few_cie = asm_gcc_cie(&few), many_cie = asm_gcc_cie(&many);
    uint8_t code[2 * sizeof(plain)];
    struct elf_fixture *elf;
    uint64_t section_vaddr = TEXT + ((sizeof(code) + 15) & ~UINT64_C(15));

    memcpy(code, plain, sizeof(plain));
    memcpy(code + sizeof(plain), plain, sizeof(plain));
    elf = with_code(code, sizeof(code));
    asm_fde(&few, few_cie, TEXT, sizeof(plain), NO_PROGRAM);
    /* The fixture takes its section to be at SECTION_VADDR. */
    asm_fde(&many, many_cie, TEXT - section_vaddr + SECTION_VADDR, sizeof(plain), NO_PROGRAM);
    asm_fde(&many, many_cie, TEXT + sizeof(plain) - section_vaddr + SECTION_VADDR, sizeof(plain),
            NO_PROGRAM);
    fixture_section(elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, many.bytes, many.size);
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, few.bytes, few.size);
    open_scene(scene, elf);
    assert_int_equal(audit_module(scene->rows, scene->set, scene->module, &(struct audit_watch){0},
                                  &scene->audit),
                     STATUS_OK);
    assert_int_equal(scene->audit.truth, TRUST_EH_FRAME);
    assert_int_equal(scene->audit.fde_count, 2);
}

TEST_OF(audit_of_code_that_no_function_is_found_for_is_unknown, scene, scene)
{
    static const uint8_t code[] = {
        0x48, 0x8b, 0x03, /* +0 mov rax, [rbx]: reads its caller's register, and ends in nothing */
        0x5b,             /* +3 pop rbx */
        0x0f, 0x0b,       /* +4 ud2 */
    };
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct elf_fixture *elf = with_code(plain, sizeof(plain)); /* the entry point */
    uint64_t vaddr = TEXT + ((sizeof(plain) + 15) & ~UINT64_C(15));

    asm_fde(&cfi, cie, vaddr, sizeof(code), NO_PROGRAM);
    fixture_section(elf, ".text.b", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    open_with_cfi(scene, elf, &cfi);
    module_rows_set_code_only(scene->rows);
    audit_scene(scene);
    assert_string_equal(scene->reports, "+10 body unknown rsp+8,c-8 -\n"
                                        "+13 body unknown rsp+8,c-8 -\n"
                                        "+14 body unknown rsp+8,c-8 -");
}

TEST_OF(audit_starts_of_code_only_counts_what_is_found, scene, scene)
{
    static const uint8_t code[] = {
        0xe8, 0x03, 0,    0, 0, /* +0 call +8 */
        0x31, 0xc0,             /* +5 xor eax, eax */
        0xc3,                   /* +7 ret */
        0x8d, 0x47, 0x01,       /* +8 lea eax, [rdi + 1] */
        0xc3,                   /* +b ret */
        0x48, 0x8b, 0x03,       /* +c mov rax, [rbx]: found by nobody */
        0x0f, 0x0b,             /* +f ud2 */
    };
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct elf_fixture *elf = with_code(code, sizeof(code));
    struct audit_starts starts;

    asm_fde(&cfi, cie, TEXT, 8, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 8, 4, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 12, 5, NO_PROGRAM);
    open_with_cfi(scene, elf, &cfi);
    module_rows_set_code_only(scene->rows);
    assert_int_equal(audit_starts(scene->rows, scene->set, scene->module, &starts), STATUS_OK);
    assert_int_equal(starts.expected, 3);
    assert_int_equal(starts.found, 2);
    assert_int_equal(starts.right, 2);
}
