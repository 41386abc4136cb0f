/*
 * Prologue analysis over any x86-64 code, and the execution of its rows.
 *
 * Input: one byte of flags, then a function's code. Bit 0: a fragment that nothing calls; bit 1:
 * the state at the function's first jump out of it arrives again at its middle, as at a `.cold`
 * part.
 */
#include <stdlib.h>
#include <string.h>

#include "unwind/insn.h"
#include "unwind/prologue.h"

#define CODE_VADDR UINT64_C(0x401000)
#define STACK_ADDR UINT64_C(0x7fff0000)
#define STACK_SIZE 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool no_return(void *context, uint64_t vaddr)
{
    (void)context;
    return vaddr % 16 == 3;
}

static void execute_rows(const struct prologue_input *input, const struct row_table *table)
{
    uint8_t bytes[STACK_SIZE];
    struct snap_region stack = {.start_addr = STACK_ADDR,
                                .end_addr = STACK_ADDR + STACK_SIZE,
                                .map_end_addr = STACK_ADDR + STACK_SIZE,
                                .bytes = bytes};
    struct memory memory = {.regions = &stack, .count = 1};
    struct regs regs = {.known = 0}, caller;
    uint64_t last = input->start_vaddr, cfa;

    for (unsigned i = 0; i < STACK_SIZE; i++)
        bytes[i] = (uint8_t)(i * 37);
    for (unsigned reg = 0; reg < input->arch->reg_count; reg++)
        regs_set(&regs, reg, STACK_ADDR + 16 * reg);
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];

        if (row->start_vaddr < last || row->start_vaddr >= row->end_vaddr ||
            row->end_vaddr > input->end_vaddr)
            abort();
        last = row->end_vaddr;
        if (row_table_find(table, row->start_vaddr) != row ||
            row_table_find(table, row->end_vaddr - 1) != row)
            abort();
        (void)!row_execute(row, input->arch, 0, &regs, &memory, &caller, &cfa);
    }
}

/*
 * Rows at the function's first byte come from the ABI alone: the return address is on top of the
 * stack.
 */
static void check_entry(const struct prologue_input *input, const struct row_table *table)
{
    const struct row *row = row_table_find(table, input->start_vaddr);

    if (input->not_entered || !row || row->cfa.kind == CFA_UNKNOWN)
        return;
    if (row->cfa.kind != CFA_REG || row->cfa.reg != input->arch->sp || row->cfa.off != 8)
        abort();
}

static bool find_jump_out(const struct prologue_input *input, struct prologue_arrival *arrival)
{
    struct prologue *prologue;
    struct insn insn;
    bool found = false;

    if (prologue_create(input, &prologue) != STATUS_OK)
        return false;

    for (uint64_t vaddr = input->start_vaddr; vaddr < input->end_vaddr && !found; vaddr++) {
        uint64_t off = vaddr - input->start_vaddr;

        found = decoder_decode(input->decoder, input->bytes + off, input->end_vaddr - vaddr, vaddr,
                               &insn) == STATUS_OK &&
                insn.flow == FLOW_JUMP && insn.has_target &&
                prologue_state_at_jump(prologue, vaddr, insn.target_vaddr, &arrival->state) ==
                    STATUS_OK;
    }
    prologue_destroy(prologue);
    return found;
}

static void match_patterns(const struct insn_set *set, const uint8_t *bytes, size_t size)
{
    struct row row;

    for (size_t off = 0; off < size; off++) {
        (void)set->jump_target(bytes + off, size - off, CODE_VADDR + off);
        (void)set->ends_with_call(bytes, off);
        (void)!set->sigreturn_row(bytes + off, size - off, CODE_VADDR + off, &row);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct decoder *decoder;
    const struct insn_set *set = insn_set_for(arch_get(ARCH_X86_64));
    struct prologue_arrival arrival;
    struct prologue_input input;
    struct row_table table;
    uint8_t *copy;

    if (size < 2 || (!decoder && decoder_create(set, &decoder) != STATUS_OK))
        return 0;
    copy = malloc(size - 1);
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size - 1);
    input = (struct prologue_input){.arch = arch_get(ARCH_X86_64),
                                    .decoder = decoder,
                                    .bytes = copy,
                                    .start_vaddr = CODE_VADDR,
                                    .end_vaddr = CODE_VADDR + size - 1,
                                    .not_entered = data[0] & 1,
                                    .no_return = no_return};
    match_patterns(set, copy, size - 1);
    if (data[0] & 2 && find_jump_out(&input, &arrival)) {
        arrival.vaddr = CODE_VADDR + size / 2;
        input.arrivals = &arrival;
        input.arrival_count = 1;
    }
    if (prologue_analyse(&input, &table) == STATUS_OK) {
        check_entry(&input, &table);
        execute_rows(&input, &table);
        row_table_deinit(&table);
    }
    free(copy);
    return 0;
}
