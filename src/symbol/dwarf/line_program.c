/* SPDX-License-Identifier: MIT */
#include "symbol/dwarf/line_program.h"

#include <dwarf.h>

struct line_machine { /* the registers that matter to us */
    const struct line_header *header;
    uint64_t addr, file, line, op_index;
    bool jumps, ends_prologue; /* since the last row */
    line_row_fn *report;
    void *context;
};

static void reset(struct line_machine *machine)
{
    machine->addr = 0;
    machine->op_index = 0;
    machine->file = 1;
    machine->line = 1;
}

/* Operation advance: instructions, of which a VLIW machine has several at one address. */
static void advance(struct line_machine *machine, uint64_t operations)
{
    uint64_t sum = machine->op_index + operations;

    machine->addr += machine->header->min_length * (sum / machine->header->max_ops);
    machine->op_index = sum % machine->header->max_ops;
}

static enum status report_row(struct line_machine *machine, bool ends)
{
    struct line_row row = {.addr = machine->addr,
                           .file = machine->file,
                           .line = machine->line <= UINT32_MAX ? (uint32_t)machine->line : 0,
                           .ends = ends,
                           .jumps = machine->jumps,
                           .ends_prologue = machine->ends_prologue};

    machine->jumps = machine->ends_prologue = false;
    return machine->report(machine->context, &row);
}

static enum status run_special(struct line_machine *machine, uint8_t opcode)
{
    const struct line_header *header = machine->header;
    uint8_t adjusted = (uint8_t)(opcode - header->opcode_base);

    advance(machine, adjusted / header->line_range);
    machine->line += (uint64_t)(int64_t)(header->line_base + adjusted % header->line_range);
    return report_row(machine, false);
}

/* False: damaged. */
static bool run_extended(struct line_machine *machine, struct cursor *c, enum status *status)
{
    uint64_t length;
    struct cursor operands;
    uint8_t opcode;

    if (!cursor_uleb(c, &length) || length == 0 || length > cursor_left(c))
        return false;
    operands = *c;
    operands.size = c->pos + (size_t)length;
    if (!cursor_u8(&operands, &opcode) || !cursor_skip(c, length))
        return false;
    if (opcode == DW_LNE_end_sequence) {
        *status = report_row(machine, true);
        reset(machine);
    } else if (opcode == DW_LNE_set_address) {
        machine->op_index = 0;
        machine->jumps = true;
        return cursor_uint(&operands, (unsigned)cursor_left(&operands), &machine->addr);
    }
    return true;
}

static bool skip_operands(struct cursor *c, uint8_t count)
{
    uint64_t operand;

    for (uint8_t i = 0; i < count; i++)
        if (!cursor_uleb(c, &operand))
            return false;
    return true;
}

/* False: damaged. */
static bool run_standard(struct line_machine *machine, uint8_t opcode, struct cursor *c,
                         enum status *status)
{
    uint64_t operand;
    int64_t delta;
    uint16_t fixed;

    switch (opcode) {
    case DW_LNS_copy:
        *status = report_row(machine, false);
        return true;
    case DW_LNS_advance_pc:
        if (!cursor_uleb(c, &operand))
            return false;
        advance(machine, operand);
        return true;
    case DW_LNS_advance_line:
        if (!cursor_sleb(c, &delta))
            return false;
        machine->line += (uint64_t)delta;
        return true;
    case DW_LNS_set_file:
        return cursor_uleb(c, &machine->file);
    case DW_LNS_const_add_pc:
        advance(machine, (255u - machine->header->opcode_base) / machine->header->line_range);
        return true;
    case DW_LNS_fixed_advance_pc:
        if (!cursor_u16(c, &fixed))
            return false;
        machine->addr += fixed;
        machine->op_index = 0;
        return true;
    case DW_LNS_set_prologue_end:
        machine->ends_prologue = true;
        return true;
    default: /* changes no register that matters here, or is not known yet */
        return skip_operands(c, machine->header->operand_counts[opcode - 1]);
    }
}

enum status line_program_run(const struct line_header *header, line_row_fn *report, void *context)
{
    struct cursor c = header->program;
    struct line_machine machine = {.header = header, .report = report, .context = context};
    enum status status = STATUS_OK;
    bool sound = true;
    uint8_t opcode;

    reset(&machine);
    while (status == STATUS_OK && sound && cursor_u8(&c, &opcode)) {
        if (opcode >= header->opcode_base)
            status = run_special(&machine, opcode);
        else if (opcode == 0)
            sound = run_extended(&machine, &c, &status);
        else
            sound = run_standard(&machine, opcode, &c, &status);
    }
    return status;
}
