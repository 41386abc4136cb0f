#include "symbol/die_ranges.h"

#include "base/cursor.h"

/* One DIE's ranges being reported. */
struct ranges {
    struct dwarf_file *file;
    const struct unit_bases *bases;
    unsigned word_size;
    die_range_fn *report;
    void *context;
};

void unit_bases_read(struct dwarf_file *file, Dwarf_Die unit_die, struct unit_bases *out)
{
    Dwarf_Addr low;
    Dwarf_Half version = 0, off_size = 4;

    *out = (struct unit_bases){0};
    if (dwarf_ok(file, dwarf_lowpc(unit_die, &low, &file->error)))
        out->low_pc = low;
    if (!die_section_off(file, unit_die, DW_AT_addr_base, &out->addr_off))
        out->addr_off = 0;
    out->has_lists = die_section_off(file, unit_die, DW_AT_rnglists_base, &out->lists_off);
    if (dwarf_get_version_of_die(unit_die, &version, &off_size) != DW_DLV_OK)
        return;
    out->version = version;
    out->off_size = off_size == 8 ? 8 : 4;
}

static enum status report_range(const struct ranges *to, uint64_t start, uint64_t end)
{
    uint64_t section_start, section_end;

    if (start >= end ||
        elf_image_exec_range(to->file->image, start, &section_start, &section_end) != STATUS_OK)
        return STATUS_OK;
    return to->report(to->context, start, end < section_end ? end : section_end);
}

static struct cursor section_at(const struct ranges *to, const char *name, uint64_t off)
{
    const struct dwarf_section *section = dwarf_file_section(to->file, name);
    struct cursor c =
        section ? cursor_init(section->bytes, (size_t)section->size) : cursor_init("", 0);

    if (!cursor_skip(&c, off))
        c.pos = c.size;
    return c;
}

/*
 * Pairs of offsets from a base; one that begins with the highest address sets the base; zeroes end.
 */
static enum status read_pairs(const struct ranges *to, uint64_t off)
{
    struct cursor c = section_at(to, ".debug_ranges", off);
    uint64_t highest = to->word_size == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t base = to->bases->low_pc, start, end;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && dwarf_spend(to->file, 1) &&
           cursor_uint(&c, to->word_size, &start) && cursor_uint(&c, to->word_size, &end) &&
           (start | end) != 0) {
        if (start == highest)
            base = end;
        else
            status = report_range(to, base + start, base + end);
    }
    return status;
}

/* An address by its index in the unit's part of .debug_addr. */
static bool read_index(const struct ranges *to, struct cursor *c, uint64_t *addr)
{
    struct cursor table;
    uint64_t index, off;

    if (!cursor_uleb(c, &index) || __builtin_mul_overflow(index, to->word_size, &off) ||
        __builtin_add_overflow(off, to->bases->addr_off, &off))
        return false;
    table = section_at(to, ".debug_addr", off);
    return cursor_uint(&table, to->word_size, addr);
}

/*
 * The operands of an entry of .debug_rnglists. *base changes with base entries, which leave *end 0.
 * False: the end of the list, or damage.
 */
static bool read_entry(const struct ranges *to, struct cursor *c, uint64_t *base, uint64_t *start,
                       uint64_t *end)
{
    uint8_t kind;
    uint64_t length;

    *start = *end = 0;
    if (!cursor_u8(c, &kind))
        return false;
    switch (kind) {
    case DW_RLE_base_addressx:
        return read_index(to, c, base);
    case DW_RLE_base_address:
        return cursor_uint(c, to->word_size, base);
    case DW_RLE_startx_endx:
        return read_index(to, c, start) && read_index(to, c, end);
    case DW_RLE_start_end:
        return cursor_uint(c, to->word_size, start) && cursor_uint(c, to->word_size, end);
    case DW_RLE_offset_pair:
        if (!cursor_uleb(c, start) || !cursor_uleb(c, end))
            return false;
        *start += *base;
        *end += *base;
        return true;
    case DW_RLE_startx_length:
        if (!read_index(to, c, start) || !cursor_uleb(c, &length))
            return false;
        *end = *start + length;
        return true;
    case DW_RLE_start_length:
        if (!cursor_uint(c, to->word_size, start) || !cursor_uleb(c, &length))
            return false;
        *end = *start + length;
        return true;
    default: /* DW_RLE_end_of_list, or a kind of a later version */
        return false;
    }
}

static enum status read_list(const struct ranges *to, uint64_t off)
{
    struct cursor c = section_at(to, ".debug_rnglists", off);
    uint64_t base = to->bases->low_pc, start, end;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && dwarf_spend(to->file, 1) &&
           read_entry(to, &c, &base, &start, &end))
        status = report_range(to, start, end);
    return status;
}

/* DW_FORM_rnglistx: an index into the unit's table of offsets, which count from that table. */
static bool list_by_index(const struct ranges *to, uint64_t index, uint64_t *off)
{
    const struct unit_bases *bases = to->bases;
    struct cursor table;
    uint64_t entry;

    if (!bases->has_lists || __builtin_mul_overflow(index, bases->off_size, &entry) ||
        __builtin_add_overflow(entry, bases->lists_off, &entry))
        return false;
    table = section_at(to, ".debug_rnglists", entry);
    return cursor_uint(&table, bases->off_size, off) &&
           !__builtin_add_overflow(*off, bases->lists_off, off);
}

static enum status read_ranges(const struct ranges *to, Dwarf_Die die)
{
    uint64_t off, index;
    Dwarf_Half form;

    if (!die_form(to->file, die, DW_AT_ranges, &form))
        return STATUS_OK;
    if (form == DW_FORM_rnglistx) {
        if (!die_number(to->file, die, DW_AT_ranges, &index) || !list_by_index(to, index, &off))
            return STATUS_OK;
    } else if (!die_section_off(to->file, die, DW_AT_ranges, &off)) {
        return STATUS_OK;
    }
    return to->bases->version >= 5 ? read_list(to, off) : read_pairs(to, off);
}

enum status die_ranges(struct dwarf_file *file, const struct unit_bases *bases, Dwarf_Die die,
                       die_range_fn *report, void *context)
{
    struct ranges to = {.file = file,
                        .bases = bases,
                        .word_size = elf_image_arch(file->image)->word_size,
                        .report = report,
                        .context = context};
    enum Dwarf_Form_Class class = DW_FORM_CLASS_UNKNOWN;
    Dwarf_Addr low, high;
    Dwarf_Half form;

    if (!dwarf_ok(file, dwarf_highpc_b(die, &high, &form, &class, &file->error)))
        return read_ranges(&to, die);
    if (!dwarf_ok(file, dwarf_lowpc(die, &low, &file->error)))
        return STATUS_OK;
    /* DWARF 4: a constant is counted from the low pc. A sum that wraps is an empty range. */
    return report_range(&to, low, class == DW_FORM_CLASS_ADDRESS ? high : low + high);
}
