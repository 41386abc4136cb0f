/*
 * The audit over code and CFI made by hand. A report reads "+5 body wrong rsp+40,c-8 rsp+32,c-8": the place from the start of the code, its
 * kind and verdict, then CFA and return address by the CFI and by the analysis.
 */
#include "unwind/audit_private.h"

#include "cfi_fixture.h"
#include "elf_fixture.h"
#include "unwind/row_print.h"

#define TEXT FIXTURE_FIRST

/* What was audited, and what came of it. */
struct scene {
    struct module_set *set;
    struct module *module;
    struct module_rows *rows;
    struct audit audit;
    char reports[2048];
};

static size_t append_row(char *text, size_t size, const struct row *row)
{
    const struct arch *arch = arch_get(ARCH_X86_64);
    char cfa[64], ra[64];

    if (!row)
        return (size_t)snprintf(text, size, " -");
    return (size_t)snprintf(text, size, " %s,%s", row_format_cfa(row, arch, cfa, sizeof(cfa)),
                            rule_format(&row->ra, arch, ra, sizeof(ra)));
}

static void report(void *context, const struct audit_place *place)
{
    struct scene *scene = context;
    size_t len = strlen(scene->reports), size = sizeof(scene->reports);

    len += (size_t)snprintf(scene->reports + len, size - len, "%s+%llx %s %s", len ? "\n" : "",
                            (unsigned long long)(place->vaddr - TEXT), audit_kind_name(place->kind),
                            audit_verdict_name(place->verdict));
    assert_true(len < size);
    len += append_row(scene->reports + len, size - len, place->cfi);
    assert_true(len < size);
    append_row(scene->reports + len, size - len, place->analysed);
}

static void open_scene(struct scene *scene, struct elf_fixture *elf)
{
    const struct module_options options = {0};

    *scene = (struct scene){0};
    fixture_finish(elf);
    assert_int_equal(module_set_create(&options, &scene->set), STATUS_OK);
    assert_int_equal(module_set_get(scene->set, MODULE_VDSO, "[vdso]", NULL, 0, false,
                                    &scene->module),
                     STATUS_OK);
    assert_int_equal(module_set_code(scene->module, elf->bytes, elf->size), STATUS_OK);
    free(elf);
    assert_int_equal(module_open(scene->set, scene->module), STATUS_OK);
    assert_int_equal(module_rows_create(scene->set, scene->module, &scene->rows), STATUS_OK);
}

static void close_scene(struct scene *scene)
{
    module_rows_destroy(scene->rows);
    module_set_destroy(scene->set);
}

static struct elf_fixture *with_code(const void *code, size_t size)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
    return elf;
}

/* Audits `code`, which `cfi` (a .debug_frame) describes. */
static void audit_code(struct scene *scene, const void *code, size_t size,
                       const struct asm_section *cfi)
{
    struct elf_fixture *elf = with_code(code, size);

    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi->bytes, cfi->size);
    open_scene(scene, elf);
    assert_int_equal(audit_module(scene->rows, scene->set, scene->module,
                                  &(struct audit_watch){.report = report, .context = scene},
                                  &scene->audit),
                     STATUS_OK);
}

/* As audit_code, for one FDE over all of the code. */
static void audit_function(struct scene *scene, const void *code, size_t size,
                           struct program_bytes program)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);

    asm_fde(&cfi, cie, TEXT, size, program);
    audit_code(scene, code, size, &cfi);
}

static uint64_t eligible(const struct scene *scene, enum audit_kind kind)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < AUDIT_VERDICT_COUNT; i++)
        sum += scene->audit.places[kind][i];
    return sum;
}

static uint64_t excluded_in_all(const struct scene *scene)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < AUDIT_EXCLUSION_COUNT; i++)
        sum += scene->audit.excluded[i];
    return sum;
}

static const uint8_t plain[] = {
    0x53,                   /* +0 push rbx      rsp+8 */
    0x48, 0x83, 0xec, 0x10, /* +1 sub rsp, 16   rsp+16 */
    0x31, 0xc0,             /* +5 xor eax, eax  rsp+32 */
    0x48, 0x83, 0xc4, 0x10, /* +7 add rsp, 16 */
    0x5b,                   /* +b pop rbx       rsp+16 */
    0xc3,                   /* +c ret           rsp+8 */
};

static void audit_of_rows_that_agree_reports_nothing(void **state)
{
    struct scene scene;

    (void)state;
    audit_function(&scene, plain, sizeof(plain),
                   PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32, 0x46, 0x0e, 16, 0x41, 0x0e, 8));
    assert_string_equal(scene.reports, "");
    assert_int_equal(scene.audit.fde_count, 1);
    assert_int_equal(scene.audit.truth, TRUST_DEBUG_FRAME);
    assert_int_equal(scene.audit.places[AUDIT_PROLOGUE][AUDIT_AGREE], 2);
    assert_int_equal(scene.audit.places[AUDIT_BODY][AUDIT_AGREE], 1);
    assert_int_equal(scene.audit.places[AUDIT_EPILOGUE][AUDIT_AGREE], 3);
    assert_int_equal(excluded_in_all(&scene), 0);
    close_scene(&scene);
}

static void audit_of_one_row_that_differs_reports_exactly_that_place(void **state)
{
    struct scene scene;

    (void)state;
    audit_function(&scene, plain, sizeof(plain),
                   PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 40, 0x42, 0x0e, 32, 0x44, 0x0e, 16, 0x41,
                           0x0e, 8));
    assert_string_equal(scene.reports, "+5 body wrong rsp+40,c-8 rsp+32,c-8");
    assert_int_equal(scene.audit.places[AUDIT_BODY][AUDIT_WRONG], 1);
    assert_int_equal(scene.audit.places[AUDIT_PROLOGUE][AUDIT_AGREE], 2);
    assert_int_equal(scene.audit.places[AUDIT_EPILOGUE][AUDIT_AGREE], 3);
    close_scene(&scene);
}

static void audit_of_another_place_of_the_return_address_reports_it(void **state)
{
    struct scene scene;

    (void)state;
    /* At +5 the return address is said to be at CFA-16, where rbx is. */
    audit_function(&scene, plain, sizeof(plain),
                   PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32, 0x90, 2, 0x42, 0x90, 1, 0x44, 0x0e, 16,
                           0x41, 0x0e, 8));
    assert_string_equal(scene.reports, "+5 body wrong rsp+32,c-16 rsp+32,c-8");
    close_scene(&scene);
}

static void audit_of_rows_from_another_register_compares_its_value(void **state)
{
    static const uint8_t code[] = {
        0x55,                   /* +0 push rbp */
        0x48, 0x89, 0xe5,       /* +1 mov rbp, rsp */
        0x48, 0x83, 0xec, 0x10, /* +4 sub rsp, 16  rbp+16, as well as rsp+16 */
        0x31, 0xc0,             /* +8 xor eax, eax */
        0xc9,                   /* +a leave */
        0xc3,                   /* +b ret */
    };
    struct scene scene;

    (void)state;
    /* +8 counts from rsp, rightly; +a from rsp, wrongly. */
    audit_function(&scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x43, 0x0d, 6, 0x44, 0x0c, 7, 32, 0x42, 0x0e, 24, 0x41,
                           0x0e, 8));
    assert_string_equal(scene.reports, "+a epilogue wrong rsp+24,c-8 rbp+16,c-8");
    close_scene(&scene);
}

static void audit_of_rows_from_an_unknown_register_is_incomparable(void **state)
{
    static const uint8_t code[] = {
        0x49, 0x89, 0xfc, /* +0 mov r12, rdi */
        0x48, 0x8b, 0x07, /* +3 mov rax, [rdi] */
        0xc3,             /* +6 ret */
    };
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code), PROGRAM(0x46, 0x0c, 0, 16));
    assert_string_equal(scene.reports, "+6 epilogue incomparable rax+16,c-8 rsp+8,c-8");
    close_scene(&scene);
}

static void audit_of_alloca_tells_it_apart(void **state)
{
    static const uint8_t code[] = {
        0x55,             /* +0 push rbp */
        0x48, 0x89, 0xe5, /* +1 mov rbp, rsp */
        0x48, 0x29, 0xfc, /* +4 sub rsp, rdi */
        0x31, 0xc0,       /* +7 xor eax, eax  SP is at no known place */
        0xc9,             /* +9 leave */
        0xc3,             /* +a ret */
    };
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x43, 0x0d, 6, 0x46, 0x0c, 7, 8));
    assert_string_equal(scene.reports, "");
    assert_int_equal(eligible(&scene, AUDIT_PROLOGUE), 3);
    assert_int_equal(eligible(&scene, AUDIT_ALLOCA), 2);
    assert_int_equal(eligible(&scene, AUDIT_EPILOGUE), 1);
    close_scene(&scene);
}

static void audit_of_a_realigned_frame_tells_it_apart(void **state)
{
    static const uint8_t code[] = {
        0x55,                   /* +0 push rbp */
        0x48, 0x89, 0xe5,       /* +1 mov rbp, rsp */
        0x48, 0x83, 0xe4, 0xf0, /* +4 and rsp, -16 */
        0x31, 0xc0,             /* +8 xor eax, eax */
        0xc9,                   /* +a leave */
        0xc3,                   /* +b ret */
    };
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x43, 0x0d, 6, 0x47, 0x0c, 7, 8));
    assert_string_equal(scene.reports, "");
    assert_int_equal(eligible(&scene, AUDIT_REALIGNED), 2);
    close_scene(&scene);
}

static void audit_of_code_behind_an_epilogue_tells_it_apart(void **state)
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
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code),
                   PROGRAM(0x41, 0x0e, 16, 0x45, 0x0e, 8, 0x41, 0x0e, 16, 0x46, 0x0e, 8));
    assert_string_equal(scene.reports, "");
    assert_int_equal(eligible(&scene, AUDIT_PROLOGUE), 1);
    assert_int_equal(eligible(&scene, AUDIT_BODY), 2);
    assert_int_equal(eligible(&scene, AUDIT_AFTER_EPILOGUE), 1);
    assert_int_equal(eligible(&scene, AUDIT_EPILOGUE), 4);
    assert_int_equal(scene.audit.calls[AUDIT_AFTER_EPILOGUE][AUDIT_AGREE], 1);
    assert_int_equal(scene.audit.calls[AUDIT_BODY][AUDIT_AGREE], 0);
    close_scene(&scene);
}

static void audit_of_a_fragment_tells_it_apart(void **state)
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
    struct scene scene;

    (void)state;
    asm_fde(&cfi, cie, TEXT, 0x11, PROGRAM(0x44, 0x0e, 32, 0x4c, 0x0e, 8));
    asm_fde(&cfi, cie, TEXT + 0x11, 7, PROGRAM(0x0e, 32, 0x46, 0x0e, 8));
    audit_code(&scene, code, sizeof(code), &cfi);
    assert_string_equal(scene.reports, "");
    assert_int_equal(eligible(&scene, AUDIT_FRAGMENT), 3);
    assert_int_equal(eligible(&scene, AUDIT_PROLOGUE), 1);
    assert_int_equal(eligible(&scene, AUDIT_BODY), 2);
    assert_int_equal(eligible(&scene, AUDIT_EPILOGUE), 2);
    close_scene(&scene);
}

/* A case of a jump table of the function that also jumps into the fragment. */
static void audit_of_a_fragment_knows_cases_of_the_function_that_jumps_into_it(void **state)
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
    struct scene scene;

    (void)state;
    asm_fde(&cfi, cie, TEXT, 0x1b, PROGRAM(0x44, 0x0e, 32, 0x56, 0x0e, 8));
    asm_fde(&cfi, cie, TEXT + 0x20, 0xe, PROGRAM(0x0e, 32, 0x48, 0x0e, 40, 0x41, 0x0e, 32));
    fixture_section(elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, table, sizeof(table));
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi.bytes, cfi.size);
    open_scene(&scene, elf);
    assert_int_equal(audit_module(scene.rows, scene.set, scene.module,
                                  &(struct audit_watch){.report = report, .context = &scene},
                                  &scene.audit),
                     STATUS_OK);
    assert_string_equal(scene.reports, "");
    assert_int_equal(eligible(&scene, AUDIT_FRAGMENT), 5);
    close_scene(&scene);
}

static void audit_of_a_row_that_its_code_contradicts_leaves_it_out(void **state)
{
    struct scene scene;

    (void)state;
    /* No row for the epilogue: rsp+32 to the end. */
    audit_function(&scene, plain, sizeof(plain), PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32));
    assert_string_equal(scene.reports, "+b epilogue suspect rsp+32,c-8 rsp+16,c-8\n"
                                       "+c epilogue suspect rsp+32,c-8 rsp+8,c-8");
    assert_int_equal(scene.audit.excluded[AUDIT_CFI_BEHIND], 2);
    assert_int_equal(eligible(&scene, AUDIT_EPILOGUE), 1);
    close_scene(&scene);
}

static void audit_of_a_contradicted_row_without_a_return_as_entered_is_wrong(void **state)
{
    static const uint8_t code[] = {
        0x53,                   /* +0 push rbx      rsp+8 */
        0x48, 0x83, 0xec, 0x10, /* +1 sub rsp, 16   rsp+16 */
        0x31, 0xc0,             /* +5 xor eax, eax  rsp+32 */
        0x48, 0x83, 0xc4, 0x10, /* +7 add rsp, 16   rsp+32 */
        0xc3,                   /* +b ret           rsp+16 by the analysis: it cannot be */
    };
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code), PROGRAM(0x41, 0x0e, 16, 0x44, 0x0e, 32));
    assert_string_equal(scene.reports, "+b epilogue wrong rsp+32,c-8 rsp+16,c-8");
    assert_int_equal(excluded_in_all(&scene), 0);
    close_scene(&scene);
}

static void audit_of_a_contradicted_row_before_branches_to_a_return_leaves_it_out(void **state)
{
    static const uint8_t code[] = {
        0x53,       /* +0 push rbx       rsp+8 */
        0x31, 0xc0, /* +1 xor eax, eax   rsp+16, but no row says so */
        0xff, 0xc8, /* +3 dec eax        rsp+16 */
        0x75, 0xfc, /* +5 jne +3         rsp+16 */
        0x5b,       /* +7 pop rbx        rsp+16 */
        0xc3,       /* +8 ret            rsp+8 */
    };
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code), NO_PROGRAM);
    assert_int_equal(scene.audit.excluded[AUDIT_CFI_BEHIND], 4);
    assert_null(strstr(scene.reports, "wrong"));
    close_scene(&scene);
}

static void audit_of_a_contradicted_row_that_no_return_follows_is_wrong(void **state)
{
    static const uint8_t code[] = {
        0x53,       /* +0 push rbx       rsp+8 */
        0x31, 0xc0, /* +1 xor eax, eax   rsp+16 */
        0xeb, 0xfc, /* +3 jmp +1         rsp+16 */
    };
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code), NO_PROGRAM);
    assert_string_equal(scene.reports, "+1 body wrong rsp+8,c-8 rsp+16,c-8\n"
                                       "+3 body wrong rsp+8,c-8 rsp+16,c-8");
    close_scene(&scene);
}

static void audit_counts_the_bytes_of_code_under_an_fde_once(void **state)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct scene scene;
    uint8_t code[2 * sizeof(plain)];

    (void)state;
    memcpy(code, plain, sizeof(plain));
    memcpy(code + sizeof(plain), plain, sizeof(plain));
    asm_fde(&cfi, cie, TEXT, 8, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 2, 4, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 5, 5, NO_PROGRAM);
    audit_code(&scene, code, sizeof(code), &cfi);
    assert_int_equal(scene.audit.covered_bytes, 10);
    assert_int_equal(scene.audit.code_bytes, sizeof(code));
    close_scene(&scene);
}

static void audit_of_rows_without_a_comparable_rule_names_why(void **state)
{
    struct scene scene;

    (void)state;
    /* +0 an expression, +1 no return address, +5 it is in rax, then as it should be. */
    audit_function(&scene, plain, sizeof(plain),
                   PROGRAM(0x0f, 1, 0x57, 0x41, 0x0c, 7, 16, 0x07, 16, 0x44, 0x0e, 32, 0x09, 16, 0,
                           0x42, 0x90, 1, 0x44, 0x0e, 16, 0x41, 0x0e, 8));
    assert_string_equal(scene.reports, "");
    assert_int_equal(scene.audit.excluded[AUDIT_CFA_EXPRESSION], 1);
    assert_int_equal(scene.audit.excluded[AUDIT_OUTERMOST], 1);
    assert_int_equal(scene.audit.excluded[AUDIT_RA_ELSEWHERE], 1);
    assert_int_equal(excluded_in_all(&scene), 3);
    close_scene(&scene);
}

static void audit_of_padding_leaves_it_out(void **state)
{
    static const uint8_t code[] = {
        0x31, 0xc0,             /* +0 xor eax, eax */
        0xeb, 0x05,             /* +2 jmp +9 */
        0x0f, 0x1f, 0x44, 0, 0, /* +4 nop */
        0xc3,                   /* +9 ret */
    };
    struct scene scene;

    (void)state;
    audit_function(&scene, code, sizeof(code), NO_PROGRAM);
    assert_string_equal(scene.reports, "");
    assert_int_equal(scene.audit.excluded[AUDIT_PADDING], 1);
    assert_int_equal(excluded_in_all(&scene), 1);
    assert_int_equal(eligible(&scene, AUDIT_BODY) + eligible(&scene, AUDIT_EPILOGUE), 3);
    close_scene(&scene);
}

/* By the clock of whoever waits: all of what the FDE tells of would take years. */
static void audit_of_an_fde_longer_than_the_file_ends_with_the_file(void **state)
{
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct scene scene;

    (void)state;
    asm_fde(&cfi, cie, TEXT, UINT64_C(1) << 60, NO_PROGRAM);
    audit_code(&scene, plain, sizeof(plain), &cfi);
    assert_true(excluded_in_all(&scene) < 4096);
    close_scene(&scene);
}

static void audit_of_a_plt_leaves_it_out(void **state)
{
    static const uint8_t stub[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp [rip] */
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct scene scene;

    (void)state;
    asm_fde(&cfi, cie, TEXT, sizeof(stub), NO_PROGRAM);
    fixture_section(elf, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, stub, sizeof(stub));
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi.bytes, cfi.size);
    open_scene(&scene, elf);
    assert_int_equal(audit_module(scene.rows, scene.set, scene.module,
                                  &(struct audit_watch){.report = report, .context = &scene},
                                  &scene.audit),
                     STATUS_OK);
    assert_int_equal(scene.audit.excluded[AUDIT_PLT], 1);
    assert_int_equal(excluded_in_all(&scene), 1);
    assert_string_equal(scene.reports, "");
    close_scene(&scene);
}

static void audit_of_a_file_without_cfi_is_not_found(void **state)
{
    struct scene scene;

    (void)state;
    open_scene(&scene, with_code(plain, sizeof(plain)));
    assert_int_equal(audit_module(scene.rows, scene.set, scene.module, &(struct audit_watch){0},
                                  &scene.audit),
                     STATUS_NOT_FOUND);
    close_scene(&scene);
}

static void audit_of_both_sections_takes_the_one_with_more_functions(void **state)
{
    struct asm_section few = asm_begin(false), many = asm_begin(true);
    size_t few_cie = asm_gcc_cie(&few), many_cie = asm_gcc_cie(&many);
    uint8_t code[2 * sizeof(plain)];
    struct elf_fixture *elf;
    struct scene scene;
    uint64_t section_vaddr = TEXT + ((sizeof(code) + 15) & ~UINT64_C(15));

    (void)state;
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
    open_scene(&scene, elf);
    assert_int_equal(audit_module(scene.rows, scene.set, scene.module, &(struct audit_watch){0},
                                  &scene.audit),
                     STATUS_OK);
    assert_int_equal(scene.audit.truth, TRUST_EH_FRAME);
    assert_int_equal(scene.audit.fde_count, 2);
    close_scene(&scene);
}

static void audit_of_code_that_no_function_is_found_for_is_unknown(void **state)
{
    static const uint8_t code[] = {
        0x48, 0x8b, 0x03, /* +0 mov rax, [rbx]: reads its caller's register, and ends in nothing */
        0x5b,             /* +3 pop rbx */
        0x0f, 0x0b,       /* +4 ud2 */
    };
    struct asm_section cfi = asm_begin(false);
    size_t cie = asm_gcc_cie(&cfi);
    struct elf_fixture *elf = with_code(plain, sizeof(plain)); /* the entry point */
    struct scene scene;
    uint64_t vaddr = TEXT + ((sizeof(plain) + 15) & ~UINT64_C(15));

    (void)state;
    asm_fde(&cfi, cie, vaddr, sizeof(code), NO_PROGRAM);
    fixture_section(elf, ".text.b", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi.bytes, cfi.size);
    open_scene(&scene, elf);
    module_rows_set_code_only(scene.rows);
    assert_int_equal(audit_module(scene.rows, scene.set, scene.module,
                                  &(struct audit_watch){.report = report, .context = &scene},
                                  &scene.audit),
                     STATUS_OK);
    assert_string_equal(scene.reports, "+10 body unknown rsp+8,c-8 -\n"
                                       "+13 body unknown rsp+8,c-8 -\n"
                                       "+14 body unknown rsp+8,c-8 -");
    close_scene(&scene);
}

static void audit_starts_of_code_only_counts_what_is_found(void **state)
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
    struct scene scene;

    (void)state;
    asm_fde(&cfi, cie, TEXT, 8, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 8, 4, NO_PROGRAM);
    asm_fde(&cfi, cie, TEXT + 12, 5, NO_PROGRAM);
    fixture_section(elf, ".debug_frame", SHT_PROGBITS, 0, cfi.bytes, cfi.size);
    open_scene(&scene, elf);
    module_rows_set_code_only(scene.rows);
    assert_int_equal(audit_starts(scene.rows, scene.set, scene.module, &starts), STATUS_OK);
    assert_int_equal(starts.expected, 3);
    assert_int_equal(starts.found, 2);
    assert_int_equal(starts.right, 2);
    close_scene(&scene);
}

/* A leaf of AArch64, and a state in which x30 is as at entry and at CFA-8 too. */
static void init_saved_lr(struct state *state, struct row *row)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);

    state_init_entry(state, arch);
    state->slots[state->slot_count++] =
        (struct slot){.addr = {.kind = VALUE_ENTRY, .reg = arch->sp, .k = -8},
                      .value = {.kind = VALUE_ENTRY, .reg = arch->lr}};
    row_init(row, 0, 4, TRUST_EH_FRAME);
    row->cfa = (struct rule){.kind = CFA_REG, .reg = arch->sp};
}

static void audit_compare_takes_any_place_that_holds_the_return_address(void **state)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    (void)state;
    init_saved_lr(&machine, &cfi);
    ours = cfi;
    ours.ra = (struct rule){.kind = RULE_AT_CFA, .off = -8};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_AGREE);
    cfi.ra = ours.ra;
    ours.ra = (struct rule){.kind = RULE_SAME};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_AGREE);
}

static void audit_compare_takes_no_place_that_does_not(void **state)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    (void)state;
    init_saved_lr(&machine, &cfi);
    ours = cfi;
    cfi.ra = (struct rule){.kind = RULE_AT_CFA, .off = -16};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
    cfi.ra = (struct rule){.kind = RULE_SAME};
    machine.regs[arch->lr] = (struct value){.kind = VALUE_UNKNOWN};
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
}

static void audit_compare_of_an_outermost_frame_is_wrong(void **state)
{
    const struct arch *arch = arch_get(ARCH_AARCH64);
    struct state machine;
    struct row cfi, ours;

    (void)state;
    init_saved_lr(&machine, &cfi);
    row_init(&ours, 0, 4, TRUST_PROLOGUE);
    ours.ra.kind = RULE_UNDEFINED;
    assert_int_equal(audit_compare(arch, &cfi, &ours, &machine), AUDIT_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audit_of_rows_that_agree_reports_nothing),
        cmocka_unit_test(audit_of_one_row_that_differs_reports_exactly_that_place),
        cmocka_unit_test(audit_of_another_place_of_the_return_address_reports_it),
        cmocka_unit_test(audit_of_rows_from_another_register_compares_its_value),
        cmocka_unit_test(audit_of_rows_from_an_unknown_register_is_incomparable),
        cmocka_unit_test(audit_of_alloca_tells_it_apart),
        cmocka_unit_test(audit_of_a_realigned_frame_tells_it_apart),
        cmocka_unit_test(audit_of_code_behind_an_epilogue_tells_it_apart),
        cmocka_unit_test(audit_of_a_fragment_tells_it_apart),
        cmocka_unit_test(audit_of_a_fragment_knows_cases_of_the_function_that_jumps_into_it),
        cmocka_unit_test(audit_of_a_row_that_its_code_contradicts_leaves_it_out),
        cmocka_unit_test(audit_of_a_contradicted_row_without_a_return_as_entered_is_wrong),
        cmocka_unit_test(audit_of_a_contradicted_row_before_branches_to_a_return_leaves_it_out),
        cmocka_unit_test(audit_of_a_contradicted_row_that_no_return_follows_is_wrong),
        cmocka_unit_test(audit_counts_the_bytes_of_code_under_an_fde_once),
        cmocka_unit_test(audit_of_rows_without_a_comparable_rule_names_why),
        cmocka_unit_test(audit_of_padding_leaves_it_out),
        cmocka_unit_test(audit_of_an_fde_longer_than_the_file_ends_with_the_file),
        cmocka_unit_test(audit_of_a_plt_leaves_it_out),
        cmocka_unit_test(audit_of_a_file_without_cfi_is_not_found),
        cmocka_unit_test(audit_of_both_sections_takes_the_one_with_more_functions),
        cmocka_unit_test(audit_of_code_that_no_function_is_found_for_is_unknown),
        cmocka_unit_test(audit_starts_of_code_only_counts_what_is_found),
        cmocka_unit_test(audit_compare_takes_any_place_that_holds_the_return_address),
        cmocka_unit_test(audit_compare_takes_no_place_that_does_not),
        cmocka_unit_test(audit_compare_of_an_outermost_frame_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
