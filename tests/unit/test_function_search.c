/* The search for functions in files that have nothing but code. */
#include "elf32_fixture.h"

#include "symbol/module.h"
#include "unwind/functions.h"
#include "unwind/module_rows.h"
#include "unwind/prologue.h"

/* A file's code, put together at offsets; what it is filled up with are traps. */
struct text {
    uint8_t bytes[8192];
    size_t size;
};

/* An opened file. */
struct search {
    struct module_set *set;
    struct module_rows *rows;
    const struct functions *list;
};

static void add(struct text *text, const char *bytes, size_t size)
{
    assert_true(text->size + size <= sizeof(text->bytes));
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

#define ADD(text, bytes) add(text, bytes, sizeof(bytes) - 1)

/* nops up to `off` */
static void pad(struct text *text, size_t off)
{
    assert_true(off >= text->size);
    while (text->size < off)
        ADD(text, "\x90");
}

/* e8: call, e9: jmp; to an offset */
static void branch(struct text *text, uint8_t opcode, size_t target)
{
    int32_t distance = (int32_t)target - (int32_t)(text->size + 5);
    char bytes[5] = {(char)opcode};

    memcpy(bytes + 1, &distance, sizeof(distance));
    add(text, bytes, 5);
}

static void call(struct text *text, size_t target)
{
    branch(text, 0xe8, target);
}

static void jmp(struct text *text, size_t target)
{
    branch(text, 0xe9, target);
}

/* 0f 85 */
static void jne(struct text *text, size_t target)
{
    int32_t distance = (int32_t)target - (int32_t)(text->size + 6);
    char bytes[6] = {0x0f, (char)0x85};

    memcpy(bytes + 2, &distance, sizeof(distance));
    add(text, bytes, 6);
}

/* Finishes the file, opens it and frees the fixture. */
static void open_fixture(struct search *s, struct elf_fixture *elf, bool thumb, bool code_only)
{
    static const struct module_options options = {.sysroot = NULL};
    struct module *module;

    if (elf->machine == EM_X86_64 || elf->machine == EM_AARCH64)
        fixture_finish(elf);
    else
        fixture_finish32(elf);
    elf->bytes[offsetof(Elf32_Ehdr, e_entry)] |= thumb; /* where it is in both classes */
    assert_int_equal(module_set_create(&options, &s->set), STATUS_OK);
    assert_int_equal(module_set_get(s->set, MODULE_VDSO, "[vdso]", NULL, 0, false, &module),
                     STATUS_OK);
    assert_int_equal(module_set_code(module, elf->bytes, elf->size), STATUS_OK);
    free(elf);
    assert_int_equal(module_rows_create(s->set, module, &s->rows), STATUS_OK);
    if (code_only)
        module_rows_set_code_only(s->rows);
    assert_int_equal(module_rows_functions(s->rows, &s->list), STATUS_OK);
}

static void open_file(struct search *s, const struct text *text, uint16_t machine, bool thumb)
{
    struct elf_fixture *elf = fixture_create(machine);

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    open_fixture(s, elf, thumb, true);
}

static void close_file(struct search *s)
{
    module_rows_destroy(s->rows);
    module_set_destroy(s->set);
}

/* What was found in gaps may have been found by how it begins. */
static const char *origin_name(uint8_t origin)
{
    const char *name = function_origin_name((enum function_origin)origin);

    return strcmp(name, "pattern") == 0 ? "gap" : name;
}

/* Compares with "offset origin, …". */
static void assert_found(const struct search *s, const char *expected)
{
    char found[1024] = "";
    size_t len = 0;

    for (size_t i = 0; i < s->list->count; i++)
        len += (size_t)snprintf(found + len, sizeof(found) - len, "%s%llx %s", i ? ", " : "",
                                (unsigned long long)(s->list->items[i].start_vaddr - FIXTURE_FIRST),
                                origin_name(s->list->items[i].origin));
    assert_string_equal(found, expected);
}

static void check(const struct text *text, uint16_t machine, bool thumb, const char *expected)
{
    struct search s;

    open_file(&s, text, machine, thumb);
    assert_found(&s, expected);
    close_file(&s);
}

static void search_called_functions_are_found(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    call(&text, 16);
    ADD(&text, "\xc3");
    pad(&text, 16);
    call(&text, 32);
    ADD(&text, "\xc3");
    pad(&text, 32);
    ADD(&text, "\xc3");
    check(&text, EM_X86_64, false, "0 entry, 10 call, 20 call");
}

static void search_target_of_a_tail_jump_is_found(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x53\x5b"); /* push rbx; pop rbx */
    jmp(&text, 16);
    pad(&text, 16);
    ADD(&text, "\xc3");
    check(&text, EM_X86_64, false, "0 entry, 10 jump");
}

static void search_jump_inside_of_the_frame_starts_no_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x53"); /* push rbx */
    jmp(&text, 16);
    pad(&text, 16);
    ADD(&text, "\x5b\xc3"); /* pop rbx; ret */
    check(&text, EM_X86_64, false, "0 entry");
}

static void search_what_is_not_called_is_found_as_a_gap(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\xc3");
    pad(&text, 16);
    ADD(&text, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    call(&text, 32);
    ADD(&text, "\x48\x83\xc4\x08\xc3"); /* add rsp, 8; ret */
    pad(&text, 32);
    ADD(&text, "\x89\xf8\xc3"); /* mov eax, edi; ret */
    pad(&text, 48);
    ADD(&text, "\x55\x48\x89\xe5\x5d\xc3"); /* push rbp; mov rbp, rsp; pop rbp; ret */
    check(&text, EM_X86_64, false, "0 entry, 10 gap, 20 call, 30 gap");
}

/* mov rdi, rbx, which nobody has set: as a landing pad begins. */
static void search_code_that_uses_its_callers_registers_is_no_function(void **state)
{
    struct text text = {.size = 0};
    struct search s;

    (void)state;
    ADD(&text, "\x53\x48\x89\xfb"); /* push rbx; mov rbx, rdi */
    call(&text, 48);
    ADD(&text, "\x5b\xc3"); /* pop rbx; ret */
    pad(&text, 16);
    ADD(&text, "\x48\x89\xdf"); /* mov rdi, rbx */
    call(&text, 48);
    ADD(&text, "\x5b\xc3"); /* pop rbx; ret */
    pad(&text, 48);
    ADD(&text, "\xc3");
    open_file(&s, &text, EM_X86_64, false);
    assert_found(&s, "0 entry, 30 call");
    /* It belongs to the function before it. */
    assert_ptr_equal(functions_find(s.list, FIXTURE_FIRST + 16), &s.list->items[0]);
    close_file(&s);
}

static void search_code_that_returns_at_another_depth_is_no_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\xc3");
    pad(&text, 16);
    ADD(&text, "\x31\xc0\x48\x83\xc4\x18\xc3"); /* xor eax, eax; add rsp, 24; ret */
    check(&text, EM_X86_64, false, "0 entry");
}

static void search_code_that_runs_into_nothing_is_no_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\xc3");
    pad(&text, 16);
    ADD(&text, "\x31\xc0\x06\x06\x06\x06"); /* xor eax, eax; no instructions */
    check(&text, EM_X86_64, false, "0 entry");
}

/* As gcc's .cold: entered and left by jumps in mid-frame, away from its function. */
static void search_fragment_is_found_with_the_jump_into_it(void **state)
{
    struct text text = {.size = 0};
    struct search s;
    const struct row *row;

    (void)state;
    call(&text, 32);
    ADD(&text, "\xc3");
    pad(&text, 16);
    call(&text, 48);
    ADD(&text, "\x5b\xc3"); /* pop rbx; ret */
    pad(&text, 32);
    ADD(&text, "\x53\x85\xff"); /* push rbx; test edi, edi */
    jne(&text, 16);
    ADD(&text, "\x5b\xc3"); /* pop rbx; ret */
    pad(&text, 48);
    ADD(&text, "\xc3");
    open_file(&s, &text, EM_X86_64, false);
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

static void search_code_behind_a_call_that_does_not_return_is_a_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    call(&text, 32);
    pad(&text, 16);
    ADD(&text, "\x31\xc0\xc3"); /* xor eax, eax; ret */
    pad(&text, 32);
    ADD(&text, "\xf4"); /* hlt */
    check(&text, EM_X86_64, false, "0 entry, 10 gap, 20 call");
}

/* 64 called functions at multiples of 16, then the candidate. */
static void many_aligned_functions(struct text *text, size_t candidate)
{
    for (size_t i = 1; i <= 64; i++)
        call(text, 1024 + 16 * i);
    ADD(text, "\xc3");
    for (size_t i = 1; i <= 64; i++) {
        pad(text, 1024 + 16 * i);
        ADD(text, "\xc3");
    }
    pad(text, candidate);
    ADD(text, "\x31\xc0\xc3"); /* xor eax, eax; ret */
}

static void search_gap_must_be_aligned_where_all_functions_are(void **state)
{
    struct text aligned = {.size = 0}, unaligned = {.size = 0}, few = {.size = 0};
    struct search s;

    (void)state;
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
    pad(&few, 20);
    ADD(&few, "\x31\xc0\xc3");
    check(&few, EM_X86_64, false, "0 entry, 14 gap");
}

static void search_code_right_behind_a_call_that_does_not_return_must_be_aligned(void **state)
{
    struct text aligned = {.size = 0}, unaligned = {.size = 0};

    (void)state;
    ADD(&aligned, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    pad(&aligned, 11);
    call(&aligned, 32);
    ADD(&aligned, "\x31\xc0\xc3"); /* xor eax, eax; ret */
    pad(&aligned, 32);
    ADD(&aligned, "\xf4"); /* hlt */
    check(&aligned, EM_X86_64, false, "0 entry, 10 gap, 20 call");
    ADD(&unaligned, "\x48\x83\xec\x08");
    call(&unaligned, 32);
    ADD(&unaligned, "\x31\xc0\xc3");
    pad(&unaligned, 32);
    ADD(&unaligned, "\xf4");
    check(&unaligned, EM_X86_64, false, "0 entry, 20 call");
}

/* 64 calls with the stack as the ABI has it, of a function at 1024; the candidate is put at 1040. */
static void many_aligned_calls(struct text *text)
{
    ADD(text, "\x48\x83\xec\x08"); /* sub rsp, 8 */
    for (size_t i = 0; i < 64; i++)
        call(text, 1024);
    ADD(text, "\x48\x83\xc4\x08\xc3"); /* add rsp, 8; ret */
    pad(text, 1024);
    ADD(text, "\xc3");
    pad(text, 1040);
}

static void search_code_that_calls_with_a_misaligned_stack_is_no_function(void **state)
{
    struct text in_frame = {.size = 0}, function = {.size = 0};

    (void)state;
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

static void search_code_that_uses_its_callers_frame_is_no_function(void **state)
{
    struct text far = {.size = 0}, argument = {.size = 0};

    (void)state;
    ADD(&far, "\xc3");
    pad(&far, 16);
    ADD(&far, "\x48\x8d\x84\x24\x00\x02\x00\x00\xc3"); /* lea rax, [rsp+512]; ret */
    check(&far, EM_X86_64, false, "0 entry");
    ADD(&argument, "\xc3");
    pad(&argument, 16);
    ADD(&argument, "\x48\x8d\x44\x24\x08\xc3"); /* lea rax, [rsp+8]; ret */
    check(&argument, EM_X86_64, false, "0 entry, 10 gap");
}

static void search_code_that_jumps_on_with_its_callers_registers_lost_is_no_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    call(&text, 32);
    ADD(&text, "\xc3");
    pad(&text, 16);
    ADD(&text, "\xbb\x01\x00\x00\x00"); /* mov ebx, 1 */
    jmp(&text, 32);
    pad(&text, 32);
    ADD(&text, "\xc3");
    check(&text, EM_X86_64, false, "0 entry, 20 call");
}

/* As gcc's landing pads: behind their function, with most of them in its .cold part. */
static void search_fragment_behind_a_landing_pad_is_found(void **state)
{
    struct text text = {.size = 0};
    struct search s;
    const struct row *row;

    (void)state;
    call(&text, 32);
    ADD(&text, "\xc3");
    pad(&text, 16);
    ADD(&text, "\x48\x89\xdf"); /* mov rdi, rbx */
    call(&text, 64);
    ADD(&text, "\xf4"); /* hlt */
    pad(&text, 32);
    ADD(&text, "\x53\x48\x83\xec\x10"); /* push rbx; sub rsp, 16 */
    call(&text, 64);
    ADD(&text, "\x48\x83\xc4\x10\x5b\xc3"); /* add rsp, 16; pop rbx; ret */
    ADD(&text, "\x48\x89\xc3");             /* mov rbx, rax */
    jmp(&text, 16);
    pad(&text, 64);
    ADD(&text, "\xc3");
    open_file(&s, &text, EM_X86_64, false);
    assert_found(&s, "0 entry, 10 fragment, 20 call, 40 call");
    assert_int_equal(module_rows_find(s.rows, TRUST_PROLOGUE, FIXTURE_FIRST + 19, &row), STATUS_OK);
    assert_int_equal(row->cfa.kind, CFA_REG);
    assert_int_equal(row->cfa.off, 32);
    close_file(&s);
}

static void search_inline_thunk_is_no_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x53\xeb\x11");                               /* push rbx; jmp 2f */
    ADD(&text, "\xe8\x07\0\0\0\xf3\x90\x0f\xae\xe8\xeb\xf9"); /* 1: call 1f; pause; … */
    ADD(&text, "\x48\x89\x04\x24\xc3");                       /* 1: mov [rsp], rax; ret */
    call(&text, 3);                                           /* 2: call 1b */
    ADD(&text, "\x5b\xc3");                                   /* pop rbx; ret */
    check(&text, EM_X86_64, false, "0 entry");
}

static void search_i386_functions_are_found(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    call(&text, 16);
    ADD(&text, "\xf4"); /* hlt */
    pad(&text, 16);
    ADD(&text, "\x53\x5b\xc3"); /* push ebx; pop ebx; ret */
    pad(&text, 32);
    ADD(&text, "\x83\xec\x0c"); /* sub esp, 12 */
    call(&text, 16);
    ADD(&text, "\x83\xc4\x0c\xc3"); /* add esp, 12; ret */
    check(&text, EM_386, false, "0 entry, 10 call, 20 gap");
}

/* The literal looks like a push, the branches of the table like jumps to other functions. */
static void search_a32_literals_and_tables_of_branches_are_no_functions(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x10\x40\x2d\xe9"); /* 00 push {r4, lr} */
    ADD(&text, "\x00\x00\x00\xeb"); /* 04 bl 0c */
    ADD(&text, "\x10\x80\xbd\xe8"); /* 08 pop {r4, pc} */
    ADD(&text, "\x10\x40\x2d\xe9"); /* 0c push {r4, lr} */
    ADD(&text, "\x02\x00\x50\xe3"); /* 10 cmp r0, #2 */
    ADD(&text, "\x00\xf1\x8f\x90"); /* 14 addls pc, pc, r0, lsl #2 */
    ADD(&text, "\x03\x00\x00\xea"); /* 18 b 2c */
    ADD(&text, "\x01\x00\x00\xea"); /* 1c b 28 */
    ADD(&text, "\x00\x00\x00\xea"); /* 20 b 28 */
    ADD(&text, "\x01\x00\x00\xea"); /* 24 b 30 */
    ADD(&text, "\x08\x00\x9f\xe5"); /* 28 ldr r0, 38 */
    ADD(&text, "\x10\x80\xbd\xe8"); /* 2c pop {r4, pc} */
    ADD(&text, "\x10\x40\xbd\xe8"); /* 30 pop {r4, lr} */
    ADD(&text, "\x02\x00\x00\xea"); /* 34 b 44 */
    ADD(&text, "\x10\x40\x2d\xe9"); /* 38 a literal */
    ADD(&text, "\x70\x40\x2d\xe9"); /* 3c push {r4, r5, r6, lr} */
    ADD(&text, "\x70\x80\xbd\xe8"); /* 40 pop {r4, r5, r6, pc} */
    ADD(&text, "\x02\x00\xa0\xe3"); /* 44 mov r0, #2 */
    ADD(&text, "\x1e\xff\x2f\xe1"); /* 48 bx lr */
    check(&text, EM_ARM, false, "0 entry, c call, 3c gap, 44 jump");
}

/* Between and behind the functions are literals that look like push {r4, lr}, and bytes of a table. */
static void search_t32_literals_and_tables_are_no_functions(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(&text, "\x02\x4b");         /* 02 ldr r3, 0c */
    ADD(&text, "\x00\xf0\x04\xf8"); /* 04 bl 10 */
    ADD(&text, "\x10\xbd");         /* 08 pop {r4, pc} */
    ADD(&text, "\x00\xbf");         /* 0a nop */
    ADD(&text, "\x10\xb5\x10\xb5"); /* 0c a literal */
    ADD(&text, "\x03\x28");         /* 10 cmp r0, #3 */
    ADD(&text, "\x04\xd8");         /* 12 bhi 1e */
    ADD(&text, "\xdf\xe8\x00\xf0"); /* 14 tbb [pc, r0] */
    ADD(&text, "\x02\x04\x02\x04"); /* 18 1c, 20, 1c, 20 */
    ADD(&text, "\x01\x20");         /* 1c movs r0, #1 */
    ADD(&text, "\x70\x47");         /* 1e bx lr */
    ADD(&text, "\x02\x20");         /* 20 movs r0, #2 */
    ADD(&text, "\x70\x47");         /* 22 bx lr */
    ADD(&text, "\x00\xbf");         /* 24 nop */
    ADD(&text, "\x70\xb5");         /* 26 push {r4, r5, r6, lr} */
    ADD(&text, "\x00\x48");         /* 28 ldr r0, 2c */
    ADD(&text, "\x70\xbd");         /* 2a pop {r4, r5, r6, pc} */
    ADD(&text, "\x00\xb5\x70\x47"); /* 2c a literal */
    check(&text, EM_ARM, true, "0 entry, 10 call, 26 gap");
}

static void search_t32_functions_know_their_mode(void **state)
{
    struct text text = {.size = 0};
    struct search s;

    (void)state;
    ADD(&text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(&text, "\x00\xf0\x02\xe8"); /* 02 blx 08: to A32 */
    ADD(&text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(&text, "\x1e\xff\x2f\xe1"); /* 08 bx lr */
    open_file(&s, &text, EM_ARM, true);
    assert_found(&s, "0 entry, 8 call");
    assert_int_equal(s.list->items[0].mode, CODE_T32);
    assert_int_equal(s.list->items[1].mode, CODE_DEFAULT);
    close_file(&s);
}

/* As a landing pad behind a call that does not return: whatever it calls has taken its return address. */
static void search_t32_code_that_calls_without_saving_lr_is_no_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(&text, "\x00\xf0\x09\xf8"); /* 02 bl 18 */
    ADD(&text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(&text, "\x02\x98");         /* 08 ldr r0, [sp, #8] */
    ADD(&text, "\x00\xf0\x05\xf8"); /* 0a bl 18 */
    ADD(&text, "\x00\xf0\x07\xf8"); /* 0e bl 20, which does not return */
    ADD(&text, "\x00\xbf");         /* 12 nop */
    ADD(&text, "\x00\xbf\x00\xbf"); /* 14 nop; nop */
    ADD(&text, "\x70\x47");         /* 18 bx lr */
    ADD(&text, "\x00\xbf\x00\xbf"); /* 1a nop; nop */
    ADD(&text, "\x00\xbf");         /* 1e nop */
    ADD(&text, "\x00\xde");         /* 20 udf */
    check(&text, EM_ARM, true, "0 entry, 18 call, 20 gap");
}

/* .ARM.exidx and .ARM.extab behind the code, at 0x20 and 0x30. */
static void search_exidx_entry_with_a_table_holds_one_function(void **state)
{
    static const uint32_t index[] = {0x7fffffe0, 0x0000000c, /* 00: its table at 0x30 */
                                     0x7fffffe8, 0x80a8b0b0 /* 10: pop {r4, lr} */};
    static const uint32_t table[] = {0x7fffffd0, 0x00a8b0b0}; /* a routine, no matter which */
    struct elf_fixture *elf = fixture_create(EM_ARM);
    struct text text = {.size = 0};
    struct search s;

    (void)state;
    ADD(&text, "\x10\xb5");         /* 00 push {r4, lr} */
    ADD(&text, "\x00\xf0\x05\xf8"); /* 02 bl 10 */
    ADD(&text, "\x10\xbd");         /* 06 pop {r4, pc} */
    ADD(&text, "\x00\x20\x70\x47"); /* 08 movs r0, #0; bx lr: what nothing leads to */
    ADD(&text, "\x00\xbf\x00\xbf"); /* 0c nop; nop */
    ADD(&text, "\x10\xb5\x10\xbd"); /* 10 push {r4, lr}; pop {r4, pc} */
    ADD(&text, "\x00\x20\x70\x47"); /* 14 movs r0, #0; bx lr: another function */
    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text.bytes, text.size);
    fixture_section(elf, ".ARM.exidx", SHT_ARM_EXIDX, SHF_ALLOC, index, sizeof(index));
    fixture_section(elf, ".ARM.extab", SHT_PROGBITS, SHF_ALLOC, table, sizeof(table));
    open_fixture(&s, elf, true, false);
    assert_found(&s, "0 exidx, 10 exidx, 14 gap");
    for (size_t i = 0; i < s.list->count; i++)
        assert_int_equal(s.list->items[i].mode, CODE_T32);
    close_file(&s);
}

static void search_a64_functions_are_found(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\xfd\x7b\xbf\xa9"); /* 00 stp x29, x30, [sp, #-16]! */
    ADD(&text, "\x03\x00\x00\x94"); /* 04 bl 10 */
    ADD(&text, "\xfd\x7b\xc1\xa8"); /* 08 ldp x29, x30, [sp], #16 */
    ADD(&text, "\x08\x00\x00\x14"); /* 0c b 2c */
    ADD(&text, "\xff\x43\x00\xd1"); /* 10 sub sp, sp, #16 */
    ADD(&text, "\xff\x43\x00\x91"); /* 14 add sp, sp, #16 */
    ADD(&text, "\xc0\x03\x5f\xd6"); /* 18 ret */
    ADD(&text, "\xfd\x7b\xbe\xa9"); /* 1c stp x29, x30, [sp, #-32]! */
    ADD(&text, "\xfd\x03\x00\x91"); /* 20 mov x29, sp */
    ADD(&text, "\xfd\x7b\xc2\xa8"); /* 24 ldp x29, x30, [sp], #32 */
    ADD(&text, "\xc0\x03\x5f\xd6"); /* 28 ret */
    ADD(&text, "\x20\x00\x80\x52"); /* 2c mov w0, #1 */
    ADD(&text, "\xc0\x03\x5f\xd6"); /* 30 ret */
    check(&text, EM_AARCH64, false, "0 entry, 10 call, 1c gap, 2c jump");
}

#define WORD_OFF 0x1000 /* of a word of data, which need not be in the file */

/* ff 15 (call), ff 25 (jmp): through the word at WORD_OFF */
static void through_word(struct text *text, const char *opcode)
{
    int32_t distance = WORD_OFF - (int32_t)(text->size + 6);

    add(text, opcode, 2);
    add(text, (const char *)&distance, sizeof(distance));
}

/* Finds the functions where relocations give values to words. `name` is that of symbol 1. */
static void check_relocated(const struct text *text, const char *name, const Elf64_Rela *relocs,
                            size_t count, const char *expected)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct symbol_fixture symbols;
    struct search s;

    fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text->bytes, text->size);
    symbols_init(&symbols);
    symbols_add(&symbols, name, STB_GLOBAL, STT_FUNC, 0, 0);
    symbols.symbols[1].st_shndx = SHN_UNDEF;
    fixture_symbols(elf, &symbols, true);
    fixture_section(elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, relocs, count * sizeof(*relocs));
    open_fixture(&s, elf, false, true);
    assert_found(&s, expected);
    close_file(&s);
}

static const Elf64_Rela got_word = {.r_offset = FIXTURE_FIRST + WORD_OFF,
                                    .r_info = ELF64_R_INFO(1, R_X86_64_GLOB_DAT)};

static void search_import_that_never_returns_ends_its_caller_through_the_got(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    pad(&text, 9);
    ADD(&text, "\x50"); /* push rax */
    through_word(&text, "\xff\x15");
    ADD(&text, "\x89\xf8\xc3"); /* mov eax, edi; ret */
    check_relocated(&text, "abort", &got_word, 1, "0 entry, 10 gap");
    check_relocated(&text, "puts", &got_word, 1, "0 entry");
}

static void search_what_the_entry_hands_over_is_a_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\x48\x8d\x3d\x19\0\0\0"); /* lea rdi, [rip + 25] */
    through_word(&text, "\xff\x15");
    ADD(&text, "\xf4");
    pad(&text, 32);
    ADD(&text, "\xc3");
    check_relocated(&text, "__libc_start_main", &got_word, 1, "0 entry, 20 call");
}

/* Two labels that a table at WORD_OFF leads to. */
static const Elf64_Rela labels[] = {{.r_offset = FIXTURE_FIRST + WORD_OFF,
                                     .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                                     .r_addend = FIXTURE_FIRST + 48},
                                    {.r_offset = FIXTURE_FIRST + WORD_OFF + 8,
                                     .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                                     .r_addend = FIXTURE_FIRST + 64}};

static void search_pointer_to_code_that_pops_its_callers_frame_is_none_to_a_function(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\xc3");
    pad(&text, 32);
    ADD(&text, "\xc3");
    pad(&text, 48);
    ADD(&text, "\x89\xf8\x5b"); /* mov eax, edi; pop rbx */
    jmp(&text, 32);
    pad(&text, 64);
    ADD(&text, "\xc3");
    check_relocated(&text, "f", labels, 2, "0 entry, 20 gap, 40 pointer");
}

static void search_labels_of_a_computed_goto_are_no_functions(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    ADD(&text, "\xc3");
    pad(&text, 32);
    ADD(&text, "\x53\x83\xe7\x01");         /* push rbx; and edi, 1 */
    ADD(&text, "\x48\x8d\x05\xd5\x0f\0\0"); /* lea rax, [rip + 0xfd5]: the table */
    ADD(&text, "\xff\x24\xf8");             /* jmp [rax + rdi * 8] */
    pad(&text, 48);
    ADD(&text, "\x31\xc9"); /* xor ecx, ecx */
    jmp(&text, 80);
    pad(&text, 64);
    ADD(&text, "\x31\xd2"); /* xor edx, edx */
    jmp(&text, 80);
    pad(&text, 80);
    ADD(&text, "\x5b\xc3"); /* pop rbx; ret */
    pad(&text, WORD_OFF);
    ADD(&text, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"); /* the table */
    check_relocated(&text, "f", labels, 2, "0 entry, 20 gap");
}

static void search_of_no_code_finds_at_most_the_entry(void **state)
{
    struct text text = {.size = 0};

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        ADD(&text, "\xff");
    check(&text, EM_AARCH64, false, "0 entry");
}

/* 512 MiB of zero bytes that are not in the file: no function is found there, and none is looked for. */
static void function_search_of_a_section_longer_than_the_file_ends_with_the_file(void **state)
{
    static const char code[] = "\x31\xc0\xc3"; /* xor eax, eax; ret */
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct search s;
    unsigned index;

    (void)state;
    index = fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, 3);
    elf->sections[index].sh_size = UINT64_C(1) << 29;
    open_fixture(&s, elf, false, true);
    assert_true(s.list->count <= 16);
    if (s.list->count > 0)
        assert_true(s.list->items[s.list->count - 1].end_vaddr < FIXTURE_FIRST + 65536);
    close_file(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_called_functions_are_found),
        cmocka_unit_test(search_target_of_a_tail_jump_is_found),
        cmocka_unit_test(search_jump_inside_of_the_frame_starts_no_function),
        cmocka_unit_test(search_what_is_not_called_is_found_as_a_gap),
        cmocka_unit_test(search_code_that_uses_its_callers_registers_is_no_function),
        cmocka_unit_test(search_code_that_returns_at_another_depth_is_no_function),
        cmocka_unit_test(search_code_that_runs_into_nothing_is_no_function),
        cmocka_unit_test(search_fragment_is_found_with_the_jump_into_it),
        cmocka_unit_test(search_code_behind_a_call_that_does_not_return_is_a_function),
        cmocka_unit_test(search_gap_must_be_aligned_where_all_functions_are),
        cmocka_unit_test(search_code_right_behind_a_call_that_does_not_return_must_be_aligned),
        cmocka_unit_test(search_code_that_calls_with_a_misaligned_stack_is_no_function),
        cmocka_unit_test(search_code_that_uses_its_callers_frame_is_no_function),
        cmocka_unit_test(search_code_that_jumps_on_with_its_callers_registers_lost_is_no_function),
        cmocka_unit_test(search_fragment_behind_a_landing_pad_is_found),
        cmocka_unit_test(search_inline_thunk_is_no_function),
        cmocka_unit_test(search_i386_functions_are_found),
        cmocka_unit_test(search_a32_literals_and_tables_of_branches_are_no_functions),
        cmocka_unit_test(search_t32_literals_and_tables_are_no_functions),
        cmocka_unit_test(search_t32_functions_know_their_mode),
        cmocka_unit_test(search_t32_code_that_calls_without_saving_lr_is_no_function),
        cmocka_unit_test(search_exidx_entry_with_a_table_holds_one_function),
        cmocka_unit_test(search_a64_functions_are_found),
        cmocka_unit_test(search_import_that_never_returns_ends_its_caller_through_the_got),
        cmocka_unit_test(search_what_the_entry_hands_over_is_a_function),
        cmocka_unit_test(search_pointer_to_code_that_pops_its_callers_frame_is_none_to_a_function),
        cmocka_unit_test(search_labels_of_a_computed_goto_are_no_functions),
        cmocka_unit_test(search_of_no_code_finds_at_most_the_entry),
        cmocka_unit_test(function_search_of_a_section_longer_than_the_file_ends_with_the_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
