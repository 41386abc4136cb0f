/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/reader/expressions.h"

#include "variables/dwarf/reader/attributes.h"

/* An operation as libdwarf gives it. */
struct raw_op {
    Dwarf_Small atom;
    Dwarf_Unsigned operand[3];
    Dwarf_Unsigned off;
};

/* Where an expression is: its DIE, and the nesting. */
struct expression_source {
    struct debug_reader *reader;
    const struct debug_die *die;
    unsigned nest;
};

static bool write_expression(const struct expression_source *source, Dwarf_Locdesc_c entry,
                             Dwarf_Unsigned count);

/* Replaces GNU's older numbers by DWARF 5's. */
static uint8_t standard_atom(uint8_t atom)
{
    switch (atom) {
    case DW_OP_GNU_push_tls_address:
        return DW_OP_form_tls_address;
    case DW_OP_GNU_implicit_pointer:
        return DW_OP_implicit_pointer;
    case DW_OP_GNU_entry_value:
        return DW_OP_entry_value;
    case DW_OP_GNU_const_type:
        return DW_OP_const_type;
    case DW_OP_GNU_regval_type:
        return DW_OP_regval_type;
    case DW_OP_GNU_deref_type:
        return DW_OP_deref_type;
    case DW_OP_GNU_convert:
        return DW_OP_convert;
    case DW_OP_GNU_reinterpret:
        return DW_OP_reinterpret;
    case DW_OP_GNU_addr_index:
        return DW_OP_addrx;
    case DW_OP_GNU_const_index:
        return DW_OP_constx;
    default:
        return atom;
    }
}

/* Reads a base type; offset 0 is the generic type. */
static bool read_type(const struct expression_source *source, uint64_t unit_off,
                      struct location_type *type)
{
    const struct debug_unit *unit = source->die->unit;
    struct debug_die die;
    uint64_t encoding, size;
    bool is;

    *type = (struct location_type){0};
    if (unit_off == 0)
        return true;
    if (unit_off >= unit->end_off - unit->header_off ||
        !die_open(source->reader, unit_ref(unit, unit->header_off + unit_off), &die))
        return false;
    is = attr_unsigned(source->reader, &die, DW_AT_encoding, &encoding) &&
         attr_unsigned(source->reader, &die, DW_AT_byte_size, &size) && encoding <= UINT8_MAX &&
         size > 0 && size <= UINT8_MAX;
    die_close(source->reader, &die);
    if (is)
        *type = (struct location_type){.encoding = (uint8_t)encoding, .size = (uint8_t)size};
    return is;
}

static bool read_address(const struct expression_source *source, uint64_t index, uint64_t *vaddr)
{
    struct debug_reader *reader = source->reader;
    Dwarf_Addr addr;

    if (!reader_ok(reader, unit_dbg(source->die->unit),
                   reader->dw->debug_addr_index_to_addr(source->die->handle, index, &addr,
                                                        &reader->error)))
        return false;
    *vaddr = addr;
    return true;
}

/* An operation ready to be written, without an inner expression's contents. */
struct ready_op {
    uint8_t atom;
    uint32_t off;
    uint64_t operand[2];
    struct location_type type;
    const uint8_t *block, *inner;
    uint64_t block_size, inner_size;
};

static bool resolve(const struct expression_source *source, const struct raw_op *raw,
                    struct ready_op *op)
{
    const struct debug_unit *unit = source->die->unit;
    const die_ref in_unit = unit_ref(unit, unit->header_off + raw->operand[0]);

    *op = (struct ready_op){.atom = standard_atom(raw->atom),
                            .off = (uint32_t)raw->off,
                            .operand = {raw->operand[0], raw->operand[1]}};
    switch (op->atom) {
    case DW_OP_addrx:
        op->atom = DW_OP_addr;
        return read_address(source, raw->operand[0], &op->operand[0]);
    case DW_OP_constx:
        op->atom = DW_OP_const8u;
        return read_address(source, raw->operand[0], &op->operand[0]);
    case DW_OP_bra:
    case DW_OP_skip:
        op->operand[0] = (uint64_t)((int64_t)raw->off + 3 + (int16_t)raw->operand[0]);
        return true;
    case DW_OP_implicit_value:
        op->block = (const uint8_t *)(uintptr_t)raw->operand[1];
        op->block_size = raw->operand[0];
        op->operand[1] = 0;
        return op->block_size <= LOCATION_BLOCK_MAX;
    case DW_OP_const_type:
        op->block = (const uint8_t *)(uintptr_t)raw->operand[2];
        op->block_size = raw->operand[1];
        op->operand[1] = 0;
        return op->block_size <= UINT8_MAX && read_type(source, raw->operand[0], &op->type);
    case DW_OP_regval_type:
    case DW_OP_deref_type:
    case DW_OP_xderef_type:
        return read_type(source, raw->operand[1], &op->type);
    case DW_OP_convert:
    case DW_OP_reinterpret:
        return read_type(source, raw->operand[0], &op->type);
    case DW_OP_implicit_pointer:
        op->operand[0] = die_ref_make(unit->file, false, raw->operand[0]);
        return true;
    case DW_OP_GNU_variable_value:
        op->operand[0] = die_ref_make(unit->file, false, raw->operand[0]);
        return true;
    case DW_OP_GNU_parameter_ref:
    case DW_OP_call2:
    case DW_OP_call4:
        op->operand[0] = in_unit;
        return true;
    case DW_OP_call_ref:
        op->operand[0] = die_ref_make(unit->file, false, raw->operand[0]);
        return true;
    case DW_OP_entry_value:
        op->inner = (const uint8_t *)(uintptr_t)raw->operand[1];
        op->inner_size = raw->operand[0];
        op->operand[0] = op->operand[1] = 0;
        return true;
    default:
        return true;
    }
}

/* Writes the expression inside an operation. */
static bool write_inner(const struct expression_source *outer, const struct ready_op *op)
{
    const struct debug_unit *unit = outer->die->unit;
    const struct expression_source source = {.reader = outer->reader,
                                             .die = outer->die,
                                             .nest = outer->nest + 1};
    struct debug_reader *reader = outer->reader;
    const Dwarf_Debug dbg = unit_dbg(unit);
    Dwarf_Unsigned count, raw_low, raw_high, ops, expression_off, off;
    Dwarf_Addr low, high;
    Dwarf_Small kind, from;
    Dwarf_Bool unavailable;
    Dwarf_Locdesc_c entry;
    Dwarf_Loc_Head_c head;
    bool is;

    if (source.nest > LOCATION_NEST_MAX ||
        !reader_ok(reader, dbg,
                   reader->dw->loclist_from_expr_c(dbg, (Dwarf_Ptr)(uintptr_t)op->inner,
                                                   op->inner_size, unit->address_size,
                                                   unit->offset_size, (Dwarf_Small)unit->version,
                                                   &head, &count, &reader->error)))
        return false;
    is = count == 1 &&
         reader_ok(reader, dbg,
                   reader->dw->get_locdesc_entry_d(head, 0, &kind, &raw_low, &raw_high,
                                                   &unavailable, &low, &high, &ops, &entry, &from,
                                                   &expression_off, &off, &reader->error));
    is = is && write_expression(&source, entry, ops);
    reader->dw->dealloc_loc_head_c(head);
    return is;
}

/*
 * Writes an operation. *end: least offset behind all operations and branch targets, since libdwarf
 * does not give the expression's size.
 */
static bool write_operation(const struct expression_source *source, const struct raw_op *raw,
                            uint32_t *end)
{
    struct wire_out *out = &source->reader->answer;
    struct ready_op op;

    if (raw->off >= UINT32_MAX || !resolve(source, raw, &op))
        return false;
    if (op.off >= *end)
        *end = op.off + 1;
    if ((op.atom == DW_OP_bra || op.atom == DW_OP_skip) && op.operand[0] > *end &&
        op.operand[0] <= UINT16_MAX * 2)
        *end = (uint32_t)op.operand[0];
    wire_u8(out, op.atom);
    wire_u32(out, op.off);
    wire_u64(out, op.operand[0]);
    wire_u64(out, op.operand[1]);
    wire_u8(out, op.type.encoding);
    wire_u8(out, op.type.size);
    wire_u32(out, (uint32_t)op.block_size);
    wire_bytes(out, op.block, (size_t)op.block_size);
    wire_u8(out, op.inner != NULL);
    return !op.inner || write_inner(source, &op);
}

/* Writes the size, the number of operations, the operations. */
static bool write_expression(const struct expression_source *source, Dwarf_Locdesc_c entry,
                             Dwarf_Unsigned count)
{
    struct debug_reader *reader = source->reader;
    const size_t size_at = reader->answer.len;
    uint32_t end = 0;

    if (count > LOCATION_OPS_MAX)
        return false;
    wire_u32(&reader->answer, 0);
    wire_u32(&reader->answer, (uint32_t)count);
    for (Dwarf_Unsigned i = 0; i < count; i++) {
        struct raw_op op;

        if (!reader_ok(reader, unit_dbg(source->die->unit),
                       reader->dw->get_location_op_value_c(entry, i, &op.atom, &op.operand[0],
                                                           &op.operand[1], &op.operand[2], &op.off,
                                                           &reader->error)) ||
            !write_operation(source, &op, &end))
            return false;
    }
    wire_patch_u32(&reader->answer, size_at, end);
    return true;
}

void expression_write_empty(struct debug_reader *reader)
{
    wire_u32(&reader->answer, 0);
    wire_u32(&reader->answer, 0);
}

struct list_entry {
    Dwarf_Locdesc_c entry;
    Dwarf_Unsigned ops;
};

/* Finds the entry for the address. DAMAGED: one before it cannot be read. */
static enum expression_found pick_entry(struct debug_reader *reader, Dwarf_Debug dbg,
                                        Dwarf_Loc_Head_c head, Dwarf_Unsigned count, uint64_t vaddr,
                                        struct list_entry *out)
{
    enum expression_found found = EXPRESSION_NONE;

    for (Dwarf_Unsigned i = 0; i < count; i++) {
        Dwarf_Unsigned raw_low, raw_high, ops, expression_off, off;
        Dwarf_Addr low, high;
        Dwarf_Small kind, from;
        Dwarf_Bool unavailable;
        Dwarf_Locdesc_c entry;
        bool is_default;

        if (!reader_ok(reader, dbg,
                       reader->dw->get_locdesc_entry_d(head, i, &kind, &raw_low, &raw_high,
                                                       &unavailable, &low, &high, &ops, &entry,
                                                       &from, &expression_off, &off,
                                                       &reader->error)))
            return EXPRESSION_DAMAGED;
        is_default = from == 2 && kind == DW_LLE_default_location;
        if (from != 0 && !is_default) {
            if (kind == DW_LLE_base_address || kind == DW_LLE_base_addressx ||
                kind == DW_LLE_end_of_list || unavailable)
                continue;
            if (vaddr < (low & reader->pc_mask) || vaddr >= (high & reader->pc_mask))
                continue;
        }
        *out = (struct list_entry){.entry = entry, .ops = ops};
        found = from != 0 ? EXPRESSION_LISTED : EXPRESSION_SINGLE;
        if (!is_default)
            break;
    }
    return found;
}

enum expression_found expression_write(struct debug_reader *reader, const struct debug_die *die,
                                       uint16_t at, uint64_t vaddr)
{
    const struct expression_source source = {.reader = reader, .die = die};
    const Dwarf_Debug dbg = unit_dbg(die->unit);
    const size_t start = reader->answer.len;
    struct list_entry entry = {0};
    enum expression_found found;
    Dwarf_Attribute attr;
    Dwarf_Loc_Head_c head;
    Dwarf_Unsigned count;

    if (!attr_open(reader, die, at, &attr))
        return EXPRESSION_NONE;
    if (!reader_ok(reader, dbg, reader->dw->get_loclist_c(attr, &head, &count, &reader->error))) {
        attr_close(reader, attr);
        return EXPRESSION_DAMAGED;
    }
    found = pick_entry(reader, dbg, head, count, vaddr, &entry);
    if ((found == EXPRESSION_SINGLE || found == EXPRESSION_LISTED) && entry.ops == 0)
        found = EXPRESSION_NONE;
    if (found == EXPRESSION_SINGLE || found == EXPRESSION_LISTED) {
        if (!write_expression(&source, entry.entry, entry.ops)) {
            reader->answer.len = start;
            found = EXPRESSION_DAMAGED;
        }
    }
    reader->dw->dealloc_loc_head_c(head);
    attr_close(reader, attr);
    return found;
}
