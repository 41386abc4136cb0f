/* SPDX-License-Identifier: MIT */
/* How a row came about, as text. */
#include "golden_fixture.h"
#include "prologue_fixture.h"

#include "unwind/explain/explain.h"
#include "unwind/prologue/prologue_rows.h"

static void write_name(void *context, FILE *out, uint64_t vaddr)
{
    (void)context;
    if (vaddr == NORETURN || vaddr == OTHER)
        fputs(vaddr == NORETURN ? " <noreturn>" : " <other>", out);
}

/* Explains START + off of the function as it is. */
static void explain(const struct function *f, uint64_t off, bool verbose, FILE *out)
{
    struct explain_request request = {.code = f->input.code,
                                      .start_vaddr = f->input.start_vaddr,
                                      .end_vaddr = f->input.end_vaddr,
                                      .vaddr = START + off,
                                      .verbose = verbose,
                                      .write_name = write_name};

    request.entries = (struct explain_entries){.arrivals = f->input.arrivals,
                                               .arrival_count = f->input.arrival_count,
                                               .landing_pads = f->input.landing_pads,
                                               .landing_pad_count = f->input.landing_pad_count};
    assert_int_equal(prologue_create(&f->input, &request.prologue), STATUS_OK);
    assert_int_equal(explain_write(&request, out), STATUS_OK);
    prologue_destroy(request.prologue);
}

struct explained_case {
    const char *title;
    const struct line *lines; /* their rows are not looked at */
    size_t count;
    uint64_t off;
    bool verbose;
};

#define EXPLAINED(text, lines, off, verbose)                                                       \
    {                                                                                              \
        text, lines, sizeof(lines) / sizeof(lines[0]), off, verbose                                \
    }

static void check_golden(enum arch_id id, enum code_mode mode, const char *golden,
                         const struct explained_case *cases, size_t count)
{
    struct capture capture;
    FILE *out = capture_begin(&capture);

    for (size_t i = 0; i < count; i++) {
        struct function f;

        fprintf(out, "%s==== %s\n", i ? "\n" : "", cases[i].title);
        function_init(&f, id, mode);
        add_lines(&f, cases[i].lines, cases[i].count);
        explain(&f, cases[i].off, cases[i].verbose, out);
        function_deinit(&f);
    }
    assert_golden(golden, capture_end(&capture));
    free(capture.text);
}

static const struct line LOST_WHERE_PATHS_MEET[] = {
    {"\x53", 1, NULL},                 /* +0 push rbx */
    {"\x85\xff", 2, NULL},             /* +1 test edi, edi */
    {"\x74\x04", 2, NULL},             /* +3 je +9 */
    {"\x48\x83\xec\x10", 4, NULL},     /* +5 sub rsp, 16 */
    {"\xe8\xf2\xef\x1f\x00", 5, NULL}, /* +9 call other */
    {"\x5b", 1, NULL},                 /* +e pop rbx */
    {"\xc3", 1, NULL},                 /* +f ret */
};

/* That the call does not return is told by the depth of the path that jumps behind it. */
static const struct line NOT_RETURNING[] = {
    {"\x85\xff", 2, NULL},             /* +0 test edi, edi */
    {"\x74\x06", 2, NULL},             /* +2 je +a */
    {"\x53", 1, NULL},                 /* +4 push rbx */
    {"\xe8\xf6\xef\x1f\x00", 5, NULL}, /* +5 call other */
    {"\x55", 1, NULL},                 /* +a push rbp */
    {"\x48\x89\xe5", 3, NULL},         /* +b mov rbp, rsp */
    {"\x48\x83\xe4\xe0", 4, NULL},     /* +e and rsp, -32 */
    {"\xe8\xe9\xef\x0f\x00", 5, NULL}, /* +12 call noreturn */
};

static const struct line GUESSED[] = {
    {"\x53", 1, NULL},                 /* +0 push rbx */
    {"\xe8\xfa\xef\x1f\x00", 5, NULL}, /* +1 call other */
    {"\x5b", 1, NULL},                 /* +6 pop rbx */
    {"\xff\xe0", 2, NULL},             /* +7 jmp rax */
    {"\x31\xc0", 2, NULL},             /* +9 xor eax, eax */
    {"\x5b", 1, NULL},                 /* +b pop rbx */
    {"\xc3", 1, NULL},                 /* +c ret */
    {"\xc3", 1, NULL},                 /* +d ret */
};

TEST(explain_of_x86_64_code_is_the_golden_one)
{
    static const struct explained_case cases[] = {
        EXPLAINED("a row that is lost where paths meet", LOST_WHERE_PATHS_MEET, 0xe, false),
        EXPLAINED("a call that does not return", NOT_RETURNING, 0x12, false),
        EXPLAINED("all that is known", NOT_RETURNING, 0xa, true),
        EXPLAINED("code that nothing is known to lead to", GUESSED, 0x9, false),
    };

    check_golden(ARCH_X86_64, CODE_DEFAULT, "explain-x86_64.txt", cases,
                 sizeof(cases) / sizeof(cases[0]));
}

static const struct line A64_FRAME[] = {
    {"\xfd\x7b\xbe\xa9", 4, NULL}, /* +0 stp x29, x30, [sp, #-32]! */
    {"\xfd\x03\x00\x91", 4, NULL}, /* +4 mov x29, sp */
    {"\xf3\x53\x01\xa9", 4, NULL}, /* +8 stp x19, x20, [sp, #16] */
    {"\xf3\x03\x00\xaa", 4, NULL}, /* +c mov x19, x0 */
    {"\x40\x00\x00\xb4", 4, NULL}, /* +10 cbz x0, +18 */
    {"\xfb\xfb\x07\x94", 4, NULL}, /* +14 bl other */
    {"\xf3\x53\x41\xa9", 4, NULL}, /* +18 ldp x19, x20, [sp, #16] */
    {"\xfd\x7b\xc2\xa8", 4, NULL}, /* +1c ldp x29, x30, [sp], #32 */
    {"\xc0\x03\x5f\xd6", 4, NULL}, /* +20 ret */
};

TEST(explain_of_a64_code_is_the_golden_one)
{
    static const struct explained_case cases[] = {
        EXPLAINED("a frame", A64_FRAME, 0x18, false),
    };

    check_golden(ARCH_AARCH64, CODE_DEFAULT, "explain-a64.txt", cases,
                 sizeof(cases) / sizeof(cases[0]));
}

static const struct line T32_CONDITIONAL[] = {
    {"\x10\xb5", 2, NULL},         /* +0 push {r4, lr} */
    {"\x00\x28", 2, NULL},         /* +2 cmp r0, #0 */
    {"\x08\xbf", 2, NULL},         /* +4 it eq */
    {"\x10\xbd", 2, NULL},         /* +6 popeq {r4, pc} */
    {"\x01\x4c", 2, NULL},         /* +8 ldr r4, [pc, #4] */
    {"\xa0\x47", 2, NULL},         /* +a blx r4 */
    {"\x10\xbd", 2, NULL},         /* +c pop {r4, pc} */
    {"\x00\xbf", 2, NULL},         /* +e nop */
    {"\x01\x00\x60\x00", 4, NULL}, /* +10 a literal */
    {"\x70\x47", 2, NULL},         /* +14 bx lr: nothing leads there */
};

TEST(explain_of_t32_code_is_the_golden_one)
{
    static const struct explained_case cases[] = {
        EXPLAINED("conditional return, literal", T32_CONDITIONAL, 0xa, false),
        EXPLAINED("within the literal", T32_CONDITIONAL, 0x12, false),
    };

    check_golden(ARCH_ARM, CODE_T32, "explain-t32.txt", cases, sizeof(cases) / sizeof(cases[0]));
}

/* push rbx; 400 times nop; pop rbx; ret */
static const char *explain_long(struct capture *capture, uint64_t off, bool verbose)
{
    FILE *out = capture_begin(capture);
    struct function f;

    function_init(&f, ARCH_X86_64, CODE_DEFAULT);
    add(&f, "\x48\x31\xc0", 3); /* xor rax, rax */
    add(&f, "\x75\x00", 2);     /* jne +5: the first block ends */
    for (unsigned i = 0; i < 100; i++)
        add(&f, "\x89\xd8", 2); /* mov eax, ebx */
    add(&f, "\x53", 1);         /* push rbx */
    for (unsigned i = 0; i < 100; i++)
        add(&f, "\x89\xd8", 2);
    add(&f, "\x5b\xc3", 2); /* pop rbx; ret */
    explain(&f, off, verbose, out);
    function_deinit(&f);
    return capture_end(capture);
}

TEST(explain_of_a_long_function_shows_what_the_row_depends_on)
{
    struct capture capture;
    const char *text = explain_long(&capture, 5 + 200 + 1 + 100, false);

    assert_non_null(strstr(text, "of 205 are shown"));
    assert_non_null(strstr(text, "instructions are left out"));
    assert_non_null(strstr(text, "push rbx"));
    assert_non_null(strstr(text, "xor rax, rax"));
    assert_null(strstr(text, "pop rbx"));
    assert_non_null(strstr(text, "row      rsp+16     ra=c-8\n"));
    free(capture.text);

    text = explain_long(&capture, 5 + 200 + 1 + 100, true);
    assert_null(strstr(text, "left out"));
    assert_non_null(strstr(text, "pop rbx"));
    free(capture.text);
}

/* Not as behind calls, nor as before jumps: the function has none. */
TEST(explain_of_a_function_without_frame_tells_what_the_guess_is_from)
{
    struct capture capture;
    FILE *out = capture_begin(&capture);
    struct function f;
    const char *text;

    function_init(&f, ARCH_X86_64, CODE_DEFAULT);
    add(&f, "\x89\xf8\xc3", 3); /* +0 mov eax, edi; ret */
    add(&f, "\x89\xf0\xc3", 3); /* +3 mov eax, esi; ret: nothing leads there */
    explain(&f, 3, false, out);
    function_deinit(&f);
    text = capture_end(&capture);
    assert_non_null(strstr(text, "no path is known to lead here:"));
    assert_non_null(strstr(text, "the function calls nothing and leaves SP alone\n"));
    assert_null(strstr(text, "of which have the same depth"));
    assert_non_null(strstr(text, "row      rsp+8      ra=c-8\n"));
    free(capture.text);
}

/* For each place: the state kept there, and those that come there, merged. */
struct account {
    const struct arch *arch;
    size_t places, wrong;
    struct account_place {
        uint64_t vaddr;
        struct state kept, merged;
    } items[16];
};

static void account_for(void *context, const struct explained_way *way)
{
    struct account *account = context;
    size_t i = 0;

    if (way->left_out)
        return;
    while (i < account->places && account->items[i].vaddr != way->to_vaddr)
        i++;
    if (i < account->places) {
        (void)state_merge(&account->items[i].merged, way->state, account->arch);
        return;
    }
    assert_true(i < sizeof(account->items) / sizeof(account->items[0]));
    account->items[i].vaddr = way->to_vaddr;
    state_copy(&account->items[i].kept, way->kept);
    state_copy(&account->items[i].merged, way->state);
    account->places++;
}

static void check_account(enum arch_id id, enum code_mode mode, const struct line *lines,
                          size_t count)
{
    static struct account account;
    const struct explain_watch watch = {.way = account_for, .context = &account};
    const struct explain_entries entries = {.arrival_count = 0};
    struct prologue *prologue;
    struct function f;

    account = (struct account){.arch = arch_get(id)};
    function_init(&f, id, mode);
    add_lines(&f, lines, count);
    assert_int_equal(prologue_create(&f.input, &prologue), STATUS_OK);
    prologue_explain(prologue, &entries, &watch);
    assert_true(account.places > 0);
    for (size_t i = 0; i < account.places; i++) {
        struct account_place *place = &account.items[i];

        assert_false(state_merge(&place->merged, &place->kept, account.arch));
        assert_false(state_merge(&place->kept, &place->merged, account.arch));
    }
    prologue_destroy(prologue);
    function_deinit(&f);
}

#define ACCOUNT(id, mode, lines) check_account(id, mode, lines, sizeof(lines) / sizeof(lines[0]))

TEST(explained_ways_make_up_the_states_that_are_kept)
{
    ACCOUNT(ARCH_X86_64, CODE_DEFAULT, LOST_WHERE_PATHS_MEET);
    ACCOUNT(ARCH_X86_64, CODE_DEFAULT, NOT_RETURNING);
    ACCOUNT(ARCH_X86_64, CODE_DEFAULT, GUESSED);
    ACCOUNT(ARCH_AARCH64, CODE_DEFAULT, A64_FRAME);
    ACCOUNT(ARCH_ARM, CODE_T32, T32_CONDITIONAL);
}

/* The ways as text: "callers 0-+0". */
struct told_ways {
    char text[256];
};

static void tell(void *context, const struct explained_way *way)
{
    static const char *const names[] = {"callers", "outside", "jump",   "case", "next",
                                        "return",  "throw",   "called", "guess"};
    struct told_ways *told = context;
    size_t length = strlen(told->text);

    snprintf(told->text + length, sizeof(told->text) - length, "%s %llx-+%llx%s\n",
             names[way->kind], (unsigned long long)way->from_vaddr,
             (unsigned long long)(way->to_vaddr - START), way->left_out ? " left out" : "");
}

TEST_OF(explained_ways_come_from_outside_and_from_calls_that_throw, function, f, ARCH_X86_64,
        CODE_DEFAULT)
{
    const struct landing_pad pad = {START + 1, START + 6, START + 8, 0};
    struct prologue_arrival arrival = {.vaddr = START, .source_vaddr = 0x1234};
    struct told_ways told = {.text = ""};
    const struct explain_watch watch = {.way = tell, .context = &told};
    const struct explain_entries entries = {&arrival, 1, &pad, 1};
    struct prologue *prologue;

    add(f, "\x53", 1);                 /* +0 push rbx */
    add(f, "\xe8\xfa\xef\x1f\x00", 5); /* +1 call other */
    add(f, "\x5b\xc3", 2);             /* +6 pop rbx; ret */
    add(f, "\x5b\xc3", 2);             /* +8 pop rbx; ret: the landing pad */
    state_init_entry(&arrival.state, f->input.code->arch);
    f->input.not_entered = true;
    f->input.arrivals = &arrival;
    f->input.arrival_count = 1;
    f->input.landing_pads = &pad;
    f->input.landing_pad_count = 1;
    assert_int_equal(prologue_create(&f->input, &prologue), STATUS_OK);
    prologue_explain(prologue, &entries, &watch);
    assert_string_equal(told.text, "outside 1234-+0\nthrow 401001-+8\n");
    prologue_destroy(prologue);
}

static void expect_text(struct decoder *decoder, const char *bytes, uint64_t size, const char *text,
                        bool by_mask)
{
    struct insn_text out;

    assert_int_equal(decoder_text(decoder, (const uint8_t *)bytes, size, START, 0, &out),
                     STATUS_OK);
    assert_string_equal(out.text, text);
    assert_int_equal(out.by_mask, by_mask);
}

TEST(text_of_an_instruction_tells_who_decoded_it)
{
    static const char mov[16] = "\x48\x89\xfb", bsf[16] = "\x0f\xbc\xc3";
    struct decoder *decoder;

    assert_int_equal(decoder_create(insn_set_for(arch_get(ARCH_X86_64), CODE_DEFAULT), &decoder),
                     STATUS_OK);
    expect_text(decoder, mov, sizeof(mov), "mov rbx, rdi", true);
    expect_text(decoder, bsf, sizeof(bsf), "bsf eax, ebx", false);
    decoder_destroy(decoder);
}

TEST(text_behind_it_has_no_condition_of_its)
{
    struct decoder *decoder;

    assert_int_equal(decoder_create(insn_set_for(arch_get(ARCH_ARM), CODE_T32), &decoder),
                     STATUS_OK);
    expect_text(decoder, "\x08\xbf", 2, "it eq", true);
    expect_text(decoder, "\x10\xbd", 2, "pop {r4, pc}", false);
    decoder_destroy(decoder);
}

TEST(row_reason_tells_what_is_missing)
{
    const struct arch *arch = arch_get(ARCH_X86_64);
    enum cfa_choice choice;
    struct state known;

    state_init_entry(&known, arch);
    assert_int_equal(state_row_reason(&known, arch, false, &choice), ROW_COMPLETE);
    assert_int_equal(choice, CHOICE_PRESERVED);
    known.slot_count = 0;
    assert_int_equal(state_row_reason(&known, arch, false, &choice), ROW_NO_RA);
    known.regs[arch->sp].k = 8;
    assert_int_equal(state_row_reason(&known, arch, false, &choice), ROW_SP_ABOVE);
    known.regs[arch->sp].kind = VALUE_UNKNOWN;
    assert_int_equal(state_row_reason(&known, arch, false, &choice), ROW_NO_CFA);
    assert_int_equal(choice, CHOICE_NONE);
    known.regs[arch->fp] = (struct value){.kind = VALUE_CONST};
    assert_int_equal(state_row_reason(&known, arch, false, &choice), ROW_OUTERMOST);
}
