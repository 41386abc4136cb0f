/* SPDX-License-Identifier: MIT */
/*
 * Call frame information over any bytes: entries, programs, expressions, look-up, and the rows'
 * execution.
 *
 * Input: one byte of flags, then a section. Bit 0: .eh_frame, else .debug_frame; bits 1 and 2: the
 * architecture.
 */
#include <stdlib.h>
#include <string.h>

#include "unwind/row/expr.h"
#include "unwind/sources/cfi.h"

#define SECTION_VADDR 0x1000
#define STACK_ADDR    UINT64_C(0x7fff0000)
#define STACK_SIZE    512
#define FDES_MAX      64 /* whose rows are looked at one by one */
#define ROWS_MAX      2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct target {
    const struct arch *arch;
    struct cfi *cfi;
    struct regs regs;
    struct memory memory;
    uint64_t start_vaddr, end_vaddr; /* of the FDE at hand */
    uint64_t last_end;
    unsigned rows;
};

static void execute(const struct target *t, const struct row *row)
{
    struct regs caller;
    uint64_t cfa;
    enum status status = row_execute(row, t->arch, 0x10000, &t->regs, &t->memory, &caller, &cfa);

    if (status == STATUS_OK && (!regs_has(&caller, t->arch->pc) || !regs_has(&caller, t->arch->sp)))
        abort();
}

static bool take_row(void *context, const struct row *row)
{
    struct target *t = context;

    if (row->start_vaddr >= row->end_vaddr || row->start_vaddr < t->start_vaddr ||
        row->end_vaddr > t->end_vaddr || row->start_vaddr != t->last_end)
        abort();
    t->last_end = row->end_vaddr;
    execute(t, row);
    return ++t->rows < ROWS_MAX;
}

/* What a look-up finds must hold the address. Of FDEs nested very deeply it may find none. */
static void look_up(struct target *t, uint64_t vaddr)
{
    uint64_t start_vaddr, end_vaddr;
    struct row row;

    if (cfi_function(t->cfi, vaddr, &start_vaddr, &end_vaddr) != STATUS_OK)
        return;
    if (vaddr < start_vaddr || vaddr >= end_vaddr)
        abort();
    if (cfi_find(t->cfi, vaddr, &row) == STATUS_OK) {
        if (vaddr < row.start_vaddr || vaddr >= row.end_vaddr)
            abort();
        execute(t, &row);
    }
}

static void init_target(struct target *t, uint8_t flags, struct snap_region *stack,
                        uint8_t bytes[STACK_SIZE])
{
    *t = (struct target){.arch = arch_get((enum arch_id)(flags >> 1 & 3))};
    for (unsigned i = 0; i < STACK_SIZE; i++)
        bytes[i] = (uint8_t)(i * 37);
    /* Some words point into the stack again. */
    for (unsigned i = 0; i + 64 <= STACK_SIZE; i += 64) {
        uint64_t word = STACK_ADDR + i;

        memcpy(bytes + i, &word, sizeof(word));
    }
    *stack = (struct snap_region){.start_addr = STACK_ADDR,
                                  .end_addr = STACK_ADDR + STACK_SIZE,
                                  .map_end_addr = STACK_ADDR + STACK_SIZE,
                                  .bytes = bytes};
    t->memory = (struct memory){.regions = stack, .count = 1};
    for (unsigned reg = 0; reg < t->arch->reg_count; reg++)
        if (reg % 5 != 4)
            regs_set(&t->regs, reg, STACK_ADDR + 8 * reg);
}

static void walk_section(struct target *t, const struct cfi_section *section)
{
    struct cfi *cfi;

    if (cfi_create(section, section->eh_frame ? TRUST_EH_FRAME : TRUST_DEBUG_FRAME, NULL, &cfi) !=
        STATUS_OK)
        return;
    t->cfi = cfi;
    for (size_t i = 0; i < FDES_MAX; i++) {
        if (cfi_function_at(cfi, i, &t->start_vaddr, &t->end_vaddr) != STATUS_OK)
            break;
        t->last_end = t->start_vaddr;
        t->rows = 0;
        if (cfi_rows(cfi, i, take_row, t) == STATUS_OK && t->rows < ROWS_MAX &&
            t->last_end != t->end_vaddr)
            abort();
        look_up(t, t->start_vaddr);
        look_up(t, t->start_vaddr + (t->end_vaddr - t->start_vaddr) / 2);
        look_up(t, t->end_vaddr - 1);
    }
    cfi_destroy(cfi);
}

static void evaluate(const struct target *t, const uint8_t *bytes, size_t size)
{
    struct expr_context context = {.arch = t->arch,
                                   .regs = &t->regs,
                                   .memory = &t->memory,
                                   .bias = 0x10000};
    uint64_t initial = STACK_ADDR, value;

    (void)!expr_evaluate(&context, bytes, size, &initial, &value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t stack_bytes[STACK_SIZE];
    struct snap_region stack;
    struct target t;
    struct cfi_section section;
    uint8_t *copy;

    if (size < 1)
        return 0;
    /* The section alone, so that a read behind it is one behind an allocation. */
    copy = malloc(size);
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size - 1);
    init_target(&t, data[0], &stack, stack_bytes);
    section = (struct cfi_section){.arch = t.arch,
                                   .bytes = copy,
                                   .size = size - 1,
                                   .vaddr = SECTION_VADDR,
                                   .eh_frame = data[0] & 1,
                                   .data_vaddr = 0x3000,
                                   .text_vaddr = 0x2000};
    walk_section(&t, &section);
    evaluate(&t, copy, size - 1);
    free(copy);
    return 0;
}
