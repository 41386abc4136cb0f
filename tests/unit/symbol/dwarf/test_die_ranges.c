/* SPDX-License-Identifier: MIT */
#include "dwarf_fixture.h"

#include "symbol/dwarf/die_ranges.h"

/*
 * A unit of DWARF 5 whose one child has DW_AT_ranges by index: list 0 of the table that
 * DW_AT_rnglists_base names. .debug_addr has, from DW_AT_addr_base (8) on, the code's start, its
 * start + 0x40 and its start + 0x48.
 */
#define UNIT_DIE  12
#define CHILD_DIE (UNIT_DIE + 1 + 8 + 4 + 4)

static struct elf_image *image_with_list(const void *list, size_t size)
{
    static const uint8_t list_of_unit[] = {
        ABBREV(1, compile_unit, true, ATTR(low_pc, addr), ATTR(rnglists_base, sec_offset),
               ATTR(addr_base, sec_offset)),
    };
    static const uint8_t list_of_child[] = {
        ABBREV(2, subprogram, false, ATTR(ranges, rnglistx)),
        0,
    };
    struct bytes info = {.size = 0}, addr = {.size = 0}, lists = {.size = 0}, abbrev = {.size = 0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    put(&abbrev, list_of_unit, sizeof(list_of_unit));
    put(&abbrev, list_of_child, sizeof(list_of_child));

    put32(&info, 0);
    put16(&info, 5);
    put16(&info, DW_UT_compile | 8 << 8);
    put32(&info, 0);
    put8(&info, 1);
    put64(&info, FIXTURE_FIRST);
    put32(&info, 12);
    put32(&info, 8);
    put8(&info, 2);
    put8(&info, 0);
    put8(&info, 0);
    close_length(&info, 0);

    put32(&addr, 0);
    put16(&addr, 5);
    put16(&addr, 8);
    put64(&addr, FIXTURE_FIRST);
    put64(&addr, FIXTURE_FIRST + 0x40);
    put64(&addr, FIXTURE_FIRST + 0x48);
    close_length(&addr, 0);

    put32(&lists, 0);
    put16(&lists, 5);
    put16(&lists, 8);
    put32(&lists, 1);
    put32(&lists, 4); /* list 0 follows the table of one offset */
    put(&lists, list, size);
    close_length(&lists, 0);

    fixture_text(elf, 0x100);
    fixture_debug(elf, ".debug_info", &info);
    fixture_debug(elf, ".debug_abbrev", &abbrev);
    fixture_debug(elf, ".debug_addr", &addr);
    fixture_debug(elf, ".debug_rnglists", &lists);
    fixture_finish(elf);
    return fixture_open(elf);
}

struct found {
    char text[256]; /* "start-end …", relative to the code's start */
    size_t len;
};

static enum status note_range(void *context, uint64_t start, uint64_t end)
{
    struct found *found = context;

    found->len +=
        (size_t)snprintf(found->text + found->len, sizeof(found->text) - found->len, "%s%llx-%llx",
                         found->len ? " " : "", (unsigned long long)(start - FIXTURE_FIRST),
                         (unsigned long long)(end - FIXTURE_FIRST));
    return STATUS_OK;
}

/* The ranges that the child's list stands for; cut_short: the budget does not last for it. */
static const char *ranges_of(const void *list, size_t size, uint64_t budget, bool cut_short)
{
    static struct found found;
    struct elf_image *image = image_with_list(list, size);
    const struct unit_bases *bases;
    struct dwarf_file *file;
    struct die child;

    found = (struct found){0};
    assert_int_equal(dwarf_file_open(image, NULL, &file), STATUS_OK);
    assert_true(die_read(file, CHILD_DIE, &child));
    bases = die_unit_bases(file, child.unit);
    assert_int_equal(bases->low_pc, FIXTURE_FIRST);
    assert_int_equal(bases->addr_off, 8);
    dwarf_section_at(file, DWARF_RNGLISTS, 0); /* which adds to the budget */
    file->range_budget = budget;
    assert_int_equal(die_ranges(file, child.unit, &child.values, note_range, &found), STATUS_OK);
    assert_int_equal(file->cut_short, cut_short);
    dwarf_file_close(file);
    elf_image_close(image);
    return found.text;
}

#define RANGES_OF(list) ranges_of(list, sizeof(list) - 1, 100, false)

TEST(die_ranges_every_kind_of_entry_is_read)
{
    /*
     * startx_endx 0 1, startx_length 2 0x10, offset_pair 0x60 0x70, base_addressx 1, offset_pair
     * 0x40 0x50
     */
    assert_string_equal(RANGES_OF("\2\0\1\3\2\x10\4\x60\x70\1\1\4\x40\x50\0"),
                        "0-40 48-58 60-70 80-90");
    /* base_address FIXTURE_FIRST + 0x10 (FIXTURE_FIRST is 0x400400), offset_pair 0 4 */
    assert_string_equal(RANGES_OF("\5\x10\x04\x40\0\0\0\0\0\4\0\4\0"), "10-14");
    /* start_end, start_length */
    assert_string_equal(RANGES_OF("\6\x00\x04\x40\0\0\0\0\0\x08\x04\x40\0\0\0\0\0"
                                  "\7\x20\x04\x40\0\0\0\0\0\x08"),
                        "0-8 20-28");
}

TEST(die_ranges_what_is_not_code_is_left_out)
{
    /*
     * 0 to 8 (dropped by the linker), an empty one, a reversed one, one that is cut at the
     * section's end
     */
    assert_string_equal(RANGES_OF("\6\0\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0"
                                  "\4\x10\x10\4\x20\x10\4\xf0\x01\x80\x04\0"),
                        "f0-100");
}

TEST(die_ranges_damage_ends_the_list)
{
    assert_string_equal(RANGES_OF("\4\x10\x20\x55\4\x30\x40\0"), "10-20"); /* an unknown kind */
    assert_string_equal(RANGES_OF("\4\x10\x20\2\x70\1"), "10-20");         /* no such index */
    assert_string_equal(RANGES_OF("\4\x10\x20\4\x30"), "10-20");           /* half an entry */
}

TEST(die_ranges_stop_when_the_budget_is_spent)
{
    static const char list[] = "\4\0\1\4\2\3\4\4\5\4\6\7";

    assert_string_equal(ranges_of(list, sizeof(list) - 1, 2, true), "0-1 2-3");
}
