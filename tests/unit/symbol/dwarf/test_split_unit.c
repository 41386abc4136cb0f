/* SPDX-License-Identifier: MIT */
#include "dwarf_fixture.h"

#include "symbol/dwarf/lines.h"

/*
 * Two skeletons, and two split units with a function each, which .debug_addr has the addresses of:
 *
 *     id FIRST    [0x00, 0x40)  "first"
 *     id SECOND   [0x40, 0x60), [0x80, 0xa0)  "second"
 *
 * In a package the units share nothing but the sections, so that the second one's abbreviations,
 * strings and lists have other offsets.
 */
#define FIRST  UINT64_C(0x1111222233334444)
#define SECOND UINT64_C(0x5555666677778888)

#define GNU(name) 0x80 | (DW_AT_GNU_##name & 0x7f), DW_AT_GNU_##name >> 7 /* ULEB128 */

#define INDEX_SIZE 112 /* of the package's */

struct places { /* offsets of the units' parts in the package's sections */
    uint32_t info[2], abbrev[2], strs[2], lists[2];
};

struct scene {
    unsigned version;
    struct elf_image *program, *split;
    struct dwarf_file *dwarf; /* of `split` */
    struct map units;         /* of `dwarf` */
    struct debug_lines *lines;
};

static void put_index(struct bytes *to, unsigned version, const struct places *at)
{
    const bool is_5 = version >= 5;

    put16(to, is_5 ? 5 : 2);
    put16(to, 0);
    put32(to, 4); /* columns, units, slots */
    put32(to, 2);
    put32(to, 4);
    put64(to, 0);
    put64(to, SECOND);
    put64(to, FIRST);
    put64(to, 0);
    put32(to, 0);
    put32(to, 2);
    put32(to, 1);
    put32(to, 0);
    put32(to, 1); /* .debug_info.dwo, and so on */
    put32(to, 3);
    put32(to, 6);
    put32(to, 8);
    for (unsigned i = 0; i < 2; i++) {
        put32(to, at->info[i]);
        put32(to, at->abbrev[i]);
        put32(to, at->strs[i]);
        put32(to, at->lists[i]);
    }
}

/* A table of one string. */
static void put_strs(struct bytes *to, unsigned version, uint32_t str_off)
{
    const size_t at = to->size;

    if (version >= 5) {
        put32(to, 0);
        put32(to, 5);
    }
    put32(to, str_off);
    if (version >= 5)
        close_length(to, at);
}

/* Abbreviations of the unit, and of its function alone: 2 or 3. */
static void put_split_abbrevs(struct bytes *to, unsigned version, unsigned number)
{
    static const uint8_t units[][8] = {
        {1, DW_TAG_compile_unit, true, GNU(dwo_id), DW_FORM_data8, 0, 0},
        {ABBREV(1, compile_unit, true)},
    };
    static const uint8_t first[] = {
        ABBREV(2, subprogram, false, ATTR(name, strx), ATTR(low_pc, addrx), ATTR(high_pc, data4))};
    static const uint8_t second[] = {
        ABBREV(3, subprogram, false, ATTR(name, strx), ATTR(ranges, rnglistx))};
    /* DW_FORM_GNU_str_index, DW_FORM_GNU_addr_index */
    static const uint8_t first_4[] = {2,
                                      DW_TAG_subprogram,
                                      0,
                                      DW_AT_name,
                                      0x82,
                                      0x3e,
                                      DW_AT_low_pc,
                                      0x81,
                                      0x3e,
                                      DW_AT_high_pc,
                                      DW_FORM_data4,
                                      0,
                                      0};
    static const uint8_t second_4[] = {
        3, DW_TAG_subprogram, 0, DW_AT_name, 0x82, 0x3e, DW_AT_ranges, DW_FORM_sec_offset, 0, 0};

    put(to, units[version >= 5], version >= 5 ? 5 : 8);
    if (version >= 5 && number == 0)
        put(to, first, sizeof(first));
    else if (version >= 5)
        put(to, second, sizeof(second));
    else if (number == 0)
        put(to, first_4, sizeof(first_4));
    else
        put(to, second_4, sizeof(second_4));
    put8(to, 0);
}

/* One with the two ranges of the second function; in version 4 they are in the program. */
static void put_lists(struct bytes *to)
{
    static const uint8_t list[] = {DW_RLE_startx_length, 1, 0x20, DW_RLE_startx_length, 2, 0x20, 0};
    const size_t at = to->size;

    put32(to, 0);
    put16(to, 5);
    put16(to, 8);
    put32(to, 1);
    put32(to, 4);
    put(to, list, sizeof(list));
    close_length(to, at);
}

/* Begins a unit, up to its DIE's attributes; returns where. `kind`: before version 5 of no use. */
static size_t put_unit(struct bytes *to, unsigned version, unsigned kind, uint32_t abbrev_off,
                       uint64_t id)
{
    const size_t at = to->size;

    put32(to, 0);
    put16(to, version);
    if (version >= 5)
        put16(to, kind | 8 << 8);
    put32(to, abbrev_off);
    if (version < 5)
        put8(to, 8);
    else
        put64(to, id);
    put8(to, 1);
    if (version < 5)
        put64(to, id);
    return at;
}

static void put_split_unit(struct bytes *to, unsigned version, unsigned number, uint64_t id)
{
    const size_t at = put_unit(to, version, DW_UT_split_compile, 0, id);

    put8(to, 2 + number);
    put8(to, 0); /* index of the name */
    if (number == 0) {
        put8(to, 0); /* index of the address */
        put32(to, 0x40);
    } else if (version >= 5) {
        put8(to, 0); /* index of the list */
    } else {
        put32(to, 16); /* offset of the list, from DW_AT_GNU_ranges_base on */
    }
    put8(to, 0);
    close_length(to, at);
}

/* Makes a package with an index, or a .dwo file that has the first unit alone. */
static struct elf_image *split_image(unsigned version, bool is_package, size_t index_size)
{
    struct bytes info = {.size = 0}, abbrev = {.size = 0}, strs = {.size = 0}, lists = {.size = 0};
    struct bytes str = {.size = 0}, index = {.size = 0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct places at = {.info = {0}};

    put_string(&str, "first");
    put_string(&str, "second");
    for (unsigned i = 0; i < (is_package ? 2u : 1u); i++) {
        at.info[i] = (uint32_t)info.size;
        at.abbrev[i] = (uint32_t)abbrev.size;
        at.strs[i] = (uint32_t)strs.size;
        at.lists[i] = (uint32_t)lists.size;
        put_split_unit(&info, version, i, i == 0 ? FIRST : SECOND);
        put_split_abbrevs(&abbrev, version, i);
        put_strs(&strs, version, i == 0 ? 0 : sizeof("first"));
        put_lists(&lists);
    }
    fixture_debug(elf, ".debug_info.dwo", &info);
    fixture_debug(elf, ".debug_abbrev.dwo", &abbrev);
    fixture_debug(elf, ".debug_str_offsets.dwo", &strs);
    fixture_debug(elf, ".debug_str.dwo", &str);
    fixture_debug(elf, ".debug_rnglists.dwo", &lists);
    if (is_package) {
        put_index(&index, version, &at);
        if (index.size > index_size)
            index.size = index_size;
        fixture_debug(elf, ".debug_cu_index", &index);
    }
    fixture_finish(elf);
    return fixture_open(elf);
}

static void put_skeleton(struct bytes *to, unsigned version, uint64_t id, uint64_t start)
{
    const size_t at = put_unit(to, version, DW_UT_skeleton, 0, id);

    put_string(to, "a.dwo");
    put64(to, FIXTURE_FIRST + start);
    put32(to, start == 0 ? 0x40 : 0x60);
    put32(to, 8); /* DW_AT_addr_base */
    if (version < 5)
        put32(to, 16); /* DW_AT_GNU_ranges_base */
    close_length(to, at);
}

static struct elf_image *program_image(unsigned version)
{
    static const uint8_t list_5[] = {
        ABBREV(1, skeleton_unit, false, ATTR(dwo_name, string), ATTR(low_pc, addr),
               ATTR(high_pc, data4), ATTR(addr_base, sec_offset)),
        0,
    };
    static const uint8_t list_4[] = {
        1,
        DW_TAG_compile_unit,
        0,
        GNU(dwo_id),
        DW_FORM_data8, //
        GNU(dwo_name),
        DW_FORM_string,
        DW_AT_low_pc,
        DW_FORM_addr, //
        DW_AT_high_pc,
        DW_FORM_data4,
        GNU(addr_base),
        DW_FORM_sec_offset, //
        GNU(ranges_base),
        DW_FORM_sec_offset,
        0,
        0,
        0,
    };
    struct bytes info = {.size = 0}, abbrev = {.size = 0}, addr = {.size = 0}, ranges = {.size = 0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    if (version >= 5)
        put(&abbrev, list_5, sizeof(list_5));
    else
        put(&abbrev, list_4, sizeof(list_4));
    put_skeleton(&info, version, FIRST, 0);
    put_skeleton(&info, version, SECOND, 0x40);
    put64(&addr, 0); /* up to DW_AT_addr_base */
    put64(&addr, FIXTURE_FIRST);
    put64(&addr, FIXTURE_FIRST + 0x40);
    put64(&addr, FIXTURE_FIRST + 0x80);
    for (unsigned i = 0; i < 4; i++) /* up to the list of the second function */
        put64(&ranges, 0);
    put64(&ranges, 0); /* from the skeleton's DW_AT_low_pc on */
    put64(&ranges, 0x20);
    put64(&ranges, 0x40);
    put64(&ranges, 0x60);
    put64(&ranges, 0);
    put64(&ranges, 0);
    fixture_text(elf, 0x100);
    fixture_debug(elf, ".debug_info", &info);
    fixture_debug(elf, ".debug_abbrev", &abbrev);
    fixture_debug(elf, ".debug_addr", &addr);
    fixture_debug(elf, ".debug_ranges", &ranges);
    fixture_finish(elf);
    return fixture_open(elf);
}

static enum status find_split(void *context, const struct split_wanted *wanted,
                              struct split_found *out)
{
    const struct scene *scene = context;
    const uint64_t *unit = map_get(&scene->units, wanted->id);

    assert_string_equal(wanted->name, "a.dwo");
    if (!unit)
        return STATUS_NOT_FOUND;
    *out = (struct split_found){.file = scene->dwarf, .unit = &scene->dwarf->units[*unit]};
    return STATUS_OK;
}

static void begin_scene(struct scene *s, unsigned version, bool is_package, size_t index_size)
{
    const struct lines_files files = {.image = s->program = program_image(version),
                                      .find_split = find_split,
                                      .context = s};

    s->split = split_image(version, is_package, index_size);
    map_init(&s->units);
    assert_int_equal(dwarf_file_open_split(s->split, &s->dwarf), STATUS_OK);
    assert_int_equal(split_units_list(s->dwarf, 0, &s->units), STATUS_OK);
    assert_int_equal(debug_lines_create(&files, &s->lines), STATUS_OK);
}

static void end_scene(struct scene *s)
{
    debug_lines_destroy(s->lines);
    dwarf_file_close(s->dwarf);
    map_deinit(&s->units);
    elf_image_close(s->split);
    elf_image_close(s->program);
}

/* The function at an offset in the code; "": none. */
static const char *function_at(struct scene *s, uint64_t offset)
{
    struct line_frame frames[LINES_INLINE_DEPTH_MAX];
    uint64_t start;
    size_t count;

    if (debug_lines_find(s->lines, LINES_FUNCTIONS, FIXTURE_FIRST + offset, frames, &count,
                         &start) != STATUS_OK)
        return "";
    return frames[0].function ? frames[0].function : "";
}

static void check_functions(unsigned version, bool is_package)
{
    struct scene s;

    begin_scene(&s, version, is_package, SIZE_MAX);
    assert_string_equal(function_at(&s, 0), "first");
    assert_string_equal(function_at(&s, 0x3f), "first");
    assert_string_equal(function_at(&s, 0x40), is_package ? "second" : "");
    assert_string_equal(function_at(&s, 0x60), "");
    assert_string_equal(function_at(&s, 0x9f), is_package ? "second" : "");
    assert_null(debug_lines_cut_short(s.lines));
    end_scene(&s);
}

TEST(split_unit_has_the_addresses_and_ranges_of_its_skeleton)
{
    check_functions(4, false);
    check_functions(5, false);
}

TEST(split_unit_of_a_package_has_parts_of_its_sections)
{
    check_functions(4, true);
    check_functions(5, true);
}

TEST(split_unit_is_found_by_an_index_up_to_where_it_is_cut)
{
    struct scene s;

    for (unsigned version = 4; version <= 5; version++)
        for (size_t size = 0; size <= INDEX_SIZE; size++) {
            begin_scene(&s, version, true, size);
            assert_string_equal(function_at(&s, 0), size < INDEX_SIZE - 16 ? "" : "first");
            assert_string_equal(function_at(&s, 0x40), size < INDEX_SIZE ? "" : "second");
            end_scene(&s);
        }
}

/* Lists the units of a file with the first split unit and that index. Returns how many have ids. */
static size_t count_listed(const struct bytes *index, size_t missing)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct bytes info = {.size = 0}, abbrev = {.size = 0};
    struct dwarf_file *file;
    struct elf_image *image;
    unsigned section;
    struct map units;
    size_t count;

    put_split_unit(&info, 5, 0, FIRST);
    put_split_abbrevs(&abbrev, 5, 0);
    fixture_debug(elf, ".debug_info.dwo", &info);
    fixture_debug(elf, ".debug_abbrev.dwo", &abbrev);
    section = fixture_section(elf, ".debug_cu_index", SHT_PROGBITS, 0, index->data, index->size);
    elf->sections[section].sh_size += missing;
    fixture_finish(elf);
    image = fixture_open(elf);
    map_init(&units);
    assert_int_equal(dwarf_file_open_split(image, &file), STATUS_OK);
    assert_int_equal(split_units_list(file, 0, &units), STATUS_OK);
    count = map_len(&units);
    dwarf_file_close(file);
    map_deinit(&units);
    elf_image_close(image);
    return count;
}

TEST(split_unit_is_not_of_a_package_whose_index_is_beyond_it)
{
    struct bytes index = {.size = 0};
    struct places at = {.info = {1, UINT32_MAX}};

    put_index(&index, 5, &at);
    assert_int_equal(count_listed(&index, 0), 0);
}

TEST(split_unit_is_not_of_a_package_whose_index_is_not_all_in_the_file)
{
    struct bytes index = {.size = 0};
    struct places at = {.info = {0, UINT32_MAX}};

    put_index(&index, 5, &at);
    assert_int_equal(count_listed(&index, 0), 1);
    assert_int_equal(count_listed(&index, FIXTURE_SIZE_MAX), 0);
}

TEST(split_unit_is_not_the_one_that_the_index_says_with_another_id)
{
    struct bytes index = {.size = 0};
    struct places at = {.info = {UINT32_MAX, 0}};

    put_index(&index, 5, &at);
    assert_int_equal(count_listed(&index, 0), 0);
}
