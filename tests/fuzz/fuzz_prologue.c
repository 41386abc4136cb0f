/* SPDX-License-Identifier: MIT */
/*
 * Prologue analysis over any code of any instruction set, and the execution of its rows.
 *
 * Input: two bytes of flags (SET_MASK … below), then a function's code. The same analysis made
 * again, and once more after the decoded code was forgotten, must give the same rows; both are made
 * in the memory of the first.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "unwind/explain/explain.h"
#include "unwind/functions/callees.h"
#include "unwind/prologue/prologue.h"

#define CODE_VADDR UINT64_C(0x401000)
#define STACK_ADDR UINT64_C(0x7fff0000)
#define STACK_SIZE 1024

/* First byte. */
#define SET_MASK     0x07 /* which of sets[] */
#define FRAGMENT     0x08 /* nothing calls the function's start */
#define REACHED_ONLY 0x10
#define OPEN_END     0x20
#define ARRIVAL      0x40 /* the state at the first jump out arrives at the middle: a .cold part */
/* what callees do is found from the code; else made up from their address */
#define CALLEES_BY_CODE 0x80
/* Second byte. */
#define PADS    0x01 /* landing pads in the second half */
#define DATA    0x02 /* 16 bytes in the middle are said to be data */
#define EXPLAIN 0x04 /* it is written how the row in the middle came about */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    enum arch_id arch;
    enum code_mode mode;
} sets[] = {{ARCH_X86_64, CODE_DEFAULT}, {ARCH_I386, CODE_DEFAULT},    {ARCH_ARM, CODE_DEFAULT},
            {ARCH_ARM, CODE_T32},        {ARCH_AARCH64, CODE_DEFAULT}, {ARCH_RISCV64, CODE_DEFAULT},
            {ARCH_RISCV32, CODE_DEFAULT}};

struct target {
    const uint8_t *bytes; /* a copy of exactly that size */
    uint64_t size;
    struct prologue_input input;
    struct callees *callees; /* NULL: made up */
    struct prologue_arrival arrival;
    struct landing_pad pads[2];
    struct prologue_pool pool;
    bool explain;
};

static const uint8_t *bytes_at(const void *context, uint64_t vaddr, uint64_t *avail)
{
    const struct target *t = context;

    if (vaddr < CODE_VADDR || vaddr - CODE_VADDR >= t->size)
        return NULL;
    *avail = t->size - (vaddr - CODE_VADDR);
    return t->bytes + (vaddr - CODE_VADDR);
}

static void find_callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    struct target *t = context;
    unsigned kind = vaddr >> 1 & 7;

    if (t->callees)
        callees_find(t->callees, vaddr, mode, out);
    else
        *out = (struct callee){.never_returns = kind == 3,
                               .pops = kind == 5 ? 8 : 0,
                               .pc_reg = kind == 6 ? 3 : REG_NONE};
}

static uint64_t data_until(void *context, uint64_t vaddr)
{
    const struct target *t = context;
    uint64_t middle_vaddr = CODE_VADDR + (t->size / 2 & ~UINT64_C(3));

    return vaddr >= middle_vaddr && vaddr < middle_vaddr + 16 ? middle_vaddr + 16 : 0;
}

static void execute_rows(const struct target *t, const struct row_table *table)
{
    const struct arch *arch = t->input.code->arch;
    uint8_t bytes[STACK_SIZE];
    struct snap_region stack = {.start_addr = STACK_ADDR,
                                .end_addr = STACK_ADDR + STACK_SIZE,
                                .map_end_addr = STACK_ADDR + STACK_SIZE,
                                .bytes = bytes};
    struct memory memory = {.regions = &stack, .count = 1};
    struct regs regs = {.known = 0}, caller;
    uint64_t last_vaddr = t->input.start_vaddr, cfa;

    for (unsigned i = 0; i < STACK_SIZE; i++)
        bytes[i] = (uint8_t)(i * 37);
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        regs_set(&regs, reg, STACK_ADDR + 16 * reg);
    for (size_t i = 0; i < table->count; i++) {
        struct row room, found;
        const struct row *row = &room;

        row_table_get(table, i, &room);
        if (row->start_vaddr < last_vaddr || row->start_vaddr >= row->end_vaddr ||
            row->end_vaddr > t->input.end_vaddr)
            abort();
        last_vaddr = row->end_vaddr;
        if (!row_table_find(table, row->start_vaddr, &found) || found.end_vaddr != row->end_vaddr ||
            !row_table_find(table, row->end_vaddr - 1, &found) ||
            found.start_vaddr != row->start_vaddr)
            abort();
        if (row_execute(row, arch, 0, &regs, &memory, &caller, &cfa) == STATUS_OK &&
            (!regs_has(&caller, arch->pc) || !regs_has(&caller, arch->sp)))
            abort();
    }
}

/*
 * The row at the function's first byte comes from the ABI alone; RISC-V's of parts of prologues and
 * of handlers from their ends.
 */
static void check_entry(const struct target *t, const struct row_table *table)
{
    const struct arch *arch = t->input.code->arch;
    const struct row *row = row_table_find(table, t->input.start_vaddr, &(struct row){0});

    if (t->input.not_entered || !row || row->cfa.kind == CFA_UNKNOWN ||
        arch->outline_link != REG_NONE)
        return;
    if (row->cfa.kind != CFA_REG || row->cfa.reg != arch->sp || row->cfa.off != arch->cfa_entry_off)
        abort();
    if (arch->lr == REG_NONE ? row->ra.kind != RULE_AT_CFA || row->ra.off != -arch->word_size
                             : row->ra.kind != RULE_SAME)
        abort();
}

static void check_same(const struct row_table *a, const struct row_table *b)
{
    if (a->count != b->count)
        abort();
    for (size_t i = 0; i < a->count; i++) {
        struct row x, y;

        row_table_get(a, i, &x);
        row_table_get(b, i, &y);
        if (x.start_vaddr != y.start_vaddr || x.end_vaddr != y.end_vaddr || !row_same_rules(&x, &y))
            abort();
    }
}

/* What was seen of the instructions. */
struct visit {
    const struct target *t;
    const struct prologue *prologue;
    uint64_t next_vaddr;
    uint64_t jump_vaddr, jump_target_vaddr; /* the first jump out whose state is known; 0: none */
};

static bool visit(void *context, const struct code_insn *insn, const struct state *state,
                  bool guessed)
{
    struct visit *v = context;
    struct state after;

    (void)guessed;
    if (insn->size == 0 || insn->vaddr < v->next_vaddr ||
        insn->size > v->t->input.end_vaddr - insn->vaddr ||
        !prologue_reaches(v->prologue, insn->vaddr))
        abort();
    v->next_vaddr = insn->vaddr + insn->size;
    (void)prologue_goes_on(v->prologue, insn);
    if (!state)
        return true;
    state_copy(&after, state);
    prologue_execute(v->prologue, insn, &after);
    if (!v->jump_vaddr && insn->has_target && insn->flow == FLOW_JUMP &&
        (insn->target_vaddr < CODE_VADDR || insn->target_vaddr - CODE_VADDR >= v->t->size)) {
        v->jump_vaddr = insn->vaddr;
        v->jump_target_vaddr = insn->target_vaddr;
    }
    return true;
}

static void visit_data(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    const struct target *t = context;

    if (start_vaddr >= end_vaddr || start_vaddr < t->input.start_vaddr)
        abort();
}

/* The text, which ends with a row; the analysis must be as before. */
static void explain(const struct target *t, struct prologue *prologue)
{
    struct explain_request request = {.code = t->input.code,
                                      .prologue = prologue,
                                      .entries = {.arrivals = t->input.arrivals,
                                                  .arrival_count = t->input.arrival_count,
                                                  .landing_pads = t->input.landing_pads,
                                                  .landing_pad_count = t->input.landing_pad_count},
                                      .start_vaddr = t->input.start_vaddr,
                                      .end_vaddr = t->input.end_vaddr,
                                      .vaddr = t->input.start_vaddr + t->size / 2,
                                      .verbose = t->size & 1};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out || explain_write(&request, out) != STATUS_OK || fclose(out) != 0 ||
        !strstr(text, "\nrow at "))
        abort();
    free(text);
}

/* Analyses and checks; the jump out of the function, if there is one, goes to `arrival`. */
static bool analyse(struct target *t, struct row_table *out, struct prologue_arrival *arrival)
{
    struct visit v = {.t = t, .next_vaddr = t->input.start_vaddr};
    struct prologue *prologue;
    bool made = prologue_create(&t->input, &prologue) == STATUS_OK;

    *out = (struct row_table){0};
    if (!made)
        return false;
    v.prologue = prologue;
    prologue_visit(prologue, visit, &v);
    prologue_visit_data(prologue, visit_data, t);
    if (t->explain)
        explain(t, prologue);
    if (prologue_rows(prologue, out) != STATUS_OK)
        abort();
    arrival->vaddr = 0;
    if (v.jump_vaddr) {
        if (prologue_state_at_jump(prologue, v.jump_vaddr, v.jump_target_vaddr, &arrival->state) !=
            STATUS_OK)
            abort();
        arrival->vaddr = (CODE_VADDR + t->size / 2) & ~UINT64_C(3);
    }
    prologue_destroy(prologue);
    return true;
}

/* As if so much had been decoded that all of it must go. */
static void force_trim(struct code *code)
{
    code->insn_count = CODE_INSNS_CACHED + 1;
    code_trim(code, CODE_INSNS_CACHED);
}

static void analyse_again(struct target *t)
{
    struct row_table first, again;
    struct prologue_arrival arrival;
    bool made;

    t->input.pool = &t->pool;
    /*
     * Finding out what callees do decodes too. Where A32 and T32 overlap that may take an
     * instruction away from the function, whose rows are then unknown; once all callees are known
     * nothing is decoded beside the function.
     */
    if (t->callees && analyse(t, &first, &arrival))
        row_table_deinit(&first);
    made = analyse(t, &first, &arrival);
    if (made) {
        check_entry(t, &first);
        execute_rows(t, &first);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (analyse(t, &again, &arrival) != made)
            abort();
        check_same(&first, &again);
        row_table_deinit(&again);
        force_trim(t->input.code);
    }
    row_table_deinit(&first);
    prologue_pool_deinit(&t->pool);
}

static void set_pads(struct target *t)
{
    uint64_t start_vaddr = t->input.start_vaddr, middle_vaddr = start_vaddr + t->size / 2,
             end_vaddr = t->input.end_vaddr;

    t->pads[0] = (struct landing_pad){start_vaddr, middle_vaddr, middle_vaddr & ~UINT64_C(3), 0};
    t->pads[1] = (struct landing_pad){middle_vaddr, end_vaddr, (end_vaddr - 1) & ~UINT64_C(3), 16};
    t->input.landing_pads = t->pads;
    t->input.landing_pad_count = 2;
}

static void run(struct target *t, uint8_t flags, uint8_t more_flags)
{
    struct row_table table;
    struct code *code = t->input.code;

    if (flags & CALLEES_BY_CODE &&
        callees_create(code, NULL, NULL, UINT64_MAX, &t->callees) != STATUS_OK)
        return;
    if (more_flags & PADS)
        set_pads(t);
    if (flags & ARRIVAL && analyse(t, &table, &t->arrival)) {
        row_table_deinit(&table);
        if (t->arrival.vaddr > t->input.start_vaddr) {
            t->input.arrivals = &t->arrival;
            t->input.arrival_count = 1;
        }
    }
    analyse_again(t);
    callees_destroy(t->callees);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct target *t;
    uint8_t *copy;
    unsigned set;

    if (size < 3)
        return 0;
    set = (data[0] & SET_MASK) % (sizeof(sets) / sizeof(sets[0]));
    t = calloc(1, sizeof(*t));
    copy = malloc(size - 2);
    if (!t || !copy)
        abort();
    memcpy(copy, data + 2, size - 2);
    t->bytes = copy;
    t->explain = data[1] & EXPLAIN;
    t->size = size - 2;
    t->input = (struct prologue_input){.start_vaddr = CODE_VADDR,
                                       .end_vaddr = CODE_VADDR + t->size,
                                       .mode = sets[set].mode,
                                       .not_entered = data[0] & FRAGMENT,
                                       .reached_only = data[0] & REACHED_ONLY,
                                       .open_end = data[0] & OPEN_END,
                                       .callee = find_callee,
                                       .data_until = data[1] & DATA ? data_until : NULL,
                                       .context = t};
    if (code_create(arch_get(sets[set].arch), bytes_at, bytes_at, t, &t->input.code) == STATUS_OK) {
        run(t, data[0], data[1]);
        code_destroy(t->input.code);
    }
    free(copy);
    free(t);
    return 0;
}
