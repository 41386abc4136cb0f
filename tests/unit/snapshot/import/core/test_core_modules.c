/* SPDX-License-Identifier: MIT */
/* Cores without NT_FILE: which modules are where, by what is in the process's memory. */
#include "core_fixture.h"

#include <stdio.h>

#include "snapshot/import/core/notes.h"

#define PAGE  4096u
#define STACK UINT64_C(0x7ff000)

/* Of a program at APP, a library at LIB and the dynamic linker at LINKER. */
#define APP     UINT64_C(0x400000)
#define LIB     UINT64_C(0x500000)
#define LINKER  UINT64_C(0x600000)
#define DATA    0x2000u /* of each, from its beginning: the page with the dynamic section */
#define DYNAMIC 0x100u  /* in there */
#define TEXTS   (APP + DATA + 0x800)

static uint8_t app_data[PAGE], lib_data[PAGE], linker_data[PAGE];

static void put_words(const struct core *core, uint8_t *at, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        core_put(at + i * core->arch->word_size, words[i], core->arch->word_size);
}

/* Headers of a file whose first page is followed by one of code, at off and vaddr PAGE. */
static void make_head(const struct core *core, uint8_t *bytes, uint16_t type, uint64_t base_vaddr)
{
    bool is_64 = core->arch->word_size == 8;
    size_t head = is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    size_t entry = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    struct core_load loads[] = {
        {.vaddr = base_vaddr, .filesz = 0x600, .memsz = 0x600, .flags = PF_R},
        {.vaddr = base_vaddr + PAGE,
         .off = PAGE,
         .filesz = 0x700,
         .memsz = 0x700,
         .flags = PF_R | PF_X},
        {.vaddr = base_vaddr + DATA + DYNAMIC, .off = DATA, .filesz = 0x100, .memsz = 0x100},
        {.off = 1024, .filesz = 20}};
    static const uint32_t types[] = {PT_LOAD, PT_LOAD, PT_DYNAMIC, PT_NOTE};

    memset(bytes, 0, PAGE);
    core_head(core, bytes, 4);
    core_put(bytes + 16, type, 2);
    core_put(bytes + 24, base_vaddr + PAGE + 0x10, core->arch->word_size); /* e_entry */
    for (size_t i = 0; i < 4; i++)
        core_phdr(core, bytes + head + i * entry, types[i], &loads[i]);
    memcpy(bytes + 1024, "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\xaa\xbb\xcc\xdd", 20);
}

static uint64_t link_addr(const struct core *core, unsigned index)
{
    return APP + DATA + 0x400 + (uint64_t)index * 5 * core->arch->word_size;
}

/* l_addr, l_name, l_ld, l_next, l_prev of the list's entry. */
static void put_link(const struct core *core, unsigned index, const uint64_t words[5])
{
    put_words(core, app_data + (link_addr(core, index) - (APP + DATA)), words, 5);
}

/*
 * The dynamic section of the program, which leads to r_debug, and that to three entries. The
 * program's bias is `app_bias`.
 */
static void make_list(const struct core *core, uint64_t app_bias)
{
    const uint64_t debug = APP + DATA + 0x200;
    const uint64_t dynamic[] = {DT_NEEDED, 1, DT_DEBUG, debug, DT_NULL, 0};
    const uint64_t r_debug[] = {1, link_addr(core, 0), 0, 0, 0};
    const uint64_t bases[] = {app_bias, LIB, LINKER};
    const uint64_t names[] = {TEXTS, TEXTS + 0x10, TEXTS + 0x20};
    const uint64_t data[] = {APP + DATA, LIB + DATA, LINKER + DATA};

    memset(app_data, 0, sizeof(app_data));
    put_words(core, app_data + DYNAMIC, dynamic, 6);
    put_words(core, app_data + 0x200, r_debug, 5);
    memcpy(app_data + 0x810, "/lib/one.so", 12);
    memcpy(app_data + 0x820, "/lib/ld.so", 11);
    memcpy(app_data + 0x830, "./program", 10);
    for (unsigned i = 0; i < 3; i++)
        put_link(core, i,
                 (const uint64_t[]){bases[i], names[i], data[i] + DYNAMIC,
                                    i < 2 ? link_addr(core, i + 1) : 0,
                                    i ? link_addr(core, i - 1) : 0});
}

static void put_vector(struct core *core)
{
    const uint64_t auxv[] = {AT_PAGESZ,         PAGE,      AT_PHDR,     APP + 0x40, AT_ENTRY,
                             APP + PAGE + 0x10, AT_EXECFN, TEXTS + 0x30};

    core_auxv(core, auxv, 4);
}

static void put_segments(struct core *core, uint64_t base, const uint8_t *head, uint8_t *data)
{
    core_load(core, base, PAGE, PF_R, head, head ? PAGE : 0);
    core_load(core, base + PAGE, PAGE, PF_R | PF_X, NULL, 0);
    core_load(core, base + DATA, PAGE, PF_R | PF_W, data, PAGE);
}

/* All three with or without their first pages. */
static void make_core(struct core *core, enum arch_id arch, bool heads)
{
    static uint8_t app[PAGE], other[PAGE];

    core_init(core, arch);
    make_head(core, app, ET_EXEC, APP);
    make_head(core, other, ET_DYN, 0);
    make_list(core, 0);
    core_thread_at(core, 40, 6, STACK + 0x800);
    core_info(core, 40, "app", "app");
    put_vector(core);
    put_segments(core, APP, heads ? app : NULL, app_data);
    put_segments(core, LIB, heads ? other : NULL, lib_data);
    put_segments(core, LINKER, heads ? other : NULL, linker_data);
    core_load(core, STACK, PAGE, PF_R | PF_W, lib_data, PAGE);
}

/* The next map, which is the code of `base`. */
static const struct snap_map *next_code(struct snap_source *source, uint64_t base, const char *path)
{
    static struct snap_event event;
    struct diag diag;

    do
        assert_int_equal(snap_source_next(source, &event, &diag), STATUS_OK);
    while (event.type == SNAP_PROCESS || event.type == SNAP_CODE);
    assert_int_equal(event.type, SNAP_MAP);
    assert_int_equal(event.map.kind, SNAP_MAP_FILE);
    assert_int_equal(event.map.start_addr, base);
    assert_string_equal(event.map.path, path);
    return &event.map;
}

static void expect_no_map(struct snap_source *source)
{
    struct snap_event event;
    struct diag diag;

    while (snap_source_next(source, &event, &diag) == STATUS_OK)
        assert_true(event.type != SNAP_MAP || event.map.kind != SNAP_MAP_FILE);
}

TEST(modules_by_headers_have_offsets_build_ids_and_the_list_s_names)
{
    static const char *const paths[] = {"./program", "/lib/one.so", "/lib/ld.so"};

    for (enum arch_id arch = 0; arch < ARCH_COUNT; arch++) {
        static struct core core;
        struct snap_source *source;

        make_core(&core, arch, true);
        source = core_end_open(&core);
        for (size_t i = 0; i < 3; i++) {
            const struct snap_map *map = next_code(source, APP + i * (LIB - APP) + PAGE, paths[i]);

            assert_int_equal(map->anchor, SNAP_ANCHOR_OFFSET);
            assert_int_equal(map->file_off, PAGE);
            assert_int_equal(map->build_id_size, 4);
        }
        expect_no_map(source);
        assert_int_equal(source->note_count, 0);
        core_close(&core, source);
    }
}

TEST(modules_without_headers_have_the_list_s_biases)
{
    static const char *const paths[] = {"./program", "/lib/one.so", "/lib/ld.so"};
    static const uint64_t biases[] = {0, LIB, LINKER};

    for (enum arch_id arch = 0; arch < ARCH_COUNT; arch++) {
        static struct core core;
        struct snap_source *source;

        make_core(&core, arch, false);
        source = core_end_open(&core);
        for (size_t i = 0; i < 3; i++) {
            const struct snap_map *map = next_code(source, APP + i * (LIB - APP) + PAGE, paths[i]);

            assert_int_equal(map->anchor, SNAP_ANCHOR_BIAS);
            assert_int_equal(map->anchor_addr, biases[i]);
            assert_int_equal(map->build_id_size, 0);
        }
        expect_no_map(source);
        core_close(&core, source);
    }
}

/* Of lines that overlap what is behind the first one stays, and with `drops` nothing. */
TEST(lines_that_overlap_are_cut_or_dropped)
{
    static const struct core_mapped_file lines[] = {
        {.start_addr = 0x5000, .end_addr = 0x9000, .file_off = 0x1000, .path = "c"},
        {.start_addr = 0x1000, .end_addr = 0x6000, .file_off = 0x2000, .path = "b"},
        {.start_addr = 0x1000, .end_addr = 0x3000, .path = "a"},
        {.start_addr = 0x1000, .end_addr = 0x3000, .path = "z"},
        {.start_addr = 0x7000, .end_addr = 0x8000, .path = "z"}};
    struct core_mapped_file files[5];
    struct core_notes notes = {.files = files, .file_count = 5};

    memcpy(files, lines, sizeof(lines));
    core_notes_arrange_files(&notes, false);
    assert_int_equal(notes.file_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(files[i].path, ((const char *const[]){"a", "b", "c"})[i]);
    assert_int_equal(files[1].start_addr, 0x3000);
    assert_int_equal(files[1].file_off, 0x4000);
    assert_int_equal(files[2].start_addr, 0x6000);
    assert_int_equal(files[2].file_off, 0x2000);
    notes.file_count = 5;
    memcpy(files, lines, sizeof(lines));
    core_notes_arrange_files(&notes, true);
    assert_int_equal(notes.file_count, 2);
    assert_string_equal(files[0].path, "a");
    assert_string_equal(files[1].path, "c");
}

/* As of libraries that were linked for a place and are elsewhere: biases lie where others are. */
TEST_OF(modules_whose_biases_lie_below_others_begin_behind_these, core, core, ARCH_X86_64)
{
    struct snap_source *source;
    const struct snap_map *map;

    for (unsigned which = 0; which < 2; which++) {
        make_core(core, ARCH_X86_64, false);
        put_link(core, 2,
                 (const uint64_t[]){which ? APP : APP - 0x100000, TEXTS + 0x20,
                                    LINKER + DATA + DYNAMIC, 0, link_addr(core, 1)});
        source = core_end_open(core);
        next_code(source, APP + PAGE, "./program");
        next_code(source, LIB + PAGE, "/lib/one.so");
        map = next_code(source, LINKER + PAGE, "/lib/ld.so");
        assert_int_equal(map->anchor_addr, which ? APP : APP - 0x100000);
        expect_no_map(source);
        core_close(core, source);
    }
}

/* As of a file that was prelinked for a place above. */
TEST_OF(module_below_its_addresses_has_a_bias_that_wraps_in_64_bits, core, core, ARCH_ARM)
{
    struct snap_source *source;
    const struct snap_map *map;

    make_core(core, ARCH_ARM, false);
    put_link(core, 1,
             (const uint64_t[]){(uint32_t)(LIB - 0x40000000), TEXTS + 0x10, LIB + DATA + DYNAMIC,
                                link_addr(core, 2), link_addr(core, 0)});
    source = core_end_open(core);
    next_code(source, APP + PAGE, "./program");
    map = next_code(source, LIB + PAGE, "/lib/one.so");
    assert_int_equal(map->start_addr - map->anchor_addr, 0x40000000 + PAGE);
}

TEST(modules_of_a_list_that_is_no_list_are_the_first_ones)
{
    /* of the second entry: l_next to itself, to the first, to nowhere */
    const uint64_t nexts[] = {1, 0, 0x10};

    for (size_t i = 0; i < 3; i++) {
        static struct core core;
        struct snap_source *source;
        uint64_t next;

        make_core(&core, ARCH_X86_64, false);
        next = nexts[i] < 2 ? link_addr(&core, (unsigned)nexts[i]) : nexts[i];
        put_link(&core, 1,
                 (const uint64_t[]){LIB, TEXTS + 0x10, LIB + DATA + DYNAMIC, next,
                                    link_addr(&core, 0)});
        source = core_end_open(&core);
        assert_int_equal(source->note_count, 1);
        assert_non_null(strstr(source->notes[0].what, "list of modules is damaged"));
        assert_non_null(strstr(source->notes[0].what, "first 2"));
        next_code(source, APP + PAGE, "./program");
        next_code(source, LIB + PAGE, "/lib/one.so");
        expect_no_map(source);
        core_close(&core, source);
    }
}

/* Many entries, each right about the one before: as in memory that somebody has made. */
TEST_OF(modules_of_a_list_without_end_have_a_limit, core, core, ARCH_X86_64)
{
    static uint8_t links[16 * PAGE];
    const uint64_t base = UINT64_C(0x10000000), size = 5 * 8;
    const uint64_t count = sizeof(links) / size;
    struct snap_source *source;

    make_core(core, ARCH_X86_64, false);
    put_link(core, 2,
             (const uint64_t[]){LINKER, TEXTS + 0x20, LINKER + DATA + DYNAMIC, base,
                                link_addr(core, 1)});
    for (uint64_t i = 0; i < count; i++)
        put_words(core, links + i * size,
                  (const uint64_t[]){UINT64_MAX - i, UINT64_MAX, UINT64_MAX - 8,
                                     base + (i + 1) * size,
                                     i ? base + (i - 1) * size : link_addr(core, 2)},
                  5);
    core_load(core, base, sizeof(links), PF_R | PF_W, links, sizeof(links));
    source = core_end_open(core);
    assert_int_equal(source->note_count, 1); /* it ends in nothing */
    next_code(source, APP + PAGE, "./program");
    next_code(source, LIB + PAGE, "/lib/one.so");
    next_code(source, LINKER + PAGE, "/lib/ld.so");
}

TEST_OF(executable_without_list_and_headers_is_around_its_entry_point, core, core, ARCH_AARCH64)
{
    struct snap_source *source;
    const struct snap_map *map;

    make_core(core, ARCH_AARCH64, false);
    memset(app_data, 0, 0x800);
    source = core_end_open(core);
    map = next_code(source, APP + PAGE, "./program");
    assert_int_equal(map->anchor, SNAP_ANCHOR_ENTRY);
    assert_int_equal(map->anchor_addr, APP + PAGE + 0x10);
    assert_int_equal(map->end_addr, APP + 2 * PAGE);
    expect_no_map(source);
}

TEST_OF(executable_whose_segment_is_left_out_is_between_the_others, core, core, ARCH_X86_64)
{
    struct snap_source *source;
    const struct snap_map *map;

    core_thread_at(core, 40, 6, STACK + 0x800);
    core_info(core, 40, "app", "app");
    put_vector(core);
    core_load(core, APP + 5 * PAGE, PAGE, PF_R | PF_W, lib_data, PAGE);
    core_load(core, STACK, PAGE, PF_R | PF_W, lib_data, PAGE);
    source = core_end_open(core);
    map = next_code(source, APP, "app");
    assert_int_equal(map->end_addr, APP + 5 * PAGE);
}

TEST_OF(program_of_which_nothing_is_known_is_at_its_own_addresses, core, core, ARCH_ARM)
{
    struct snap_source *source;
    const struct snap_map *map;

    core_thread_at(core, 40, 6, STACK + 0x800);
    core_info(core, 40, "app", "app");
    core_load(core, 0x10000, PAGE, PF_R | PF_X, NULL, 0);
    core_load(core, STACK, PAGE, PF_R | PF_W, lib_data, PAGE);
    source = core_end_open(core);
    map = next_code(source, 0x10000, "app");
    assert_int_equal(map->anchor, SNAP_ANCHOR_BIAS);
    assert_int_equal(map->anchor_addr, 0);
}

/* A debugger, or a linker, has files in its memory that it does not run. */
TEST_OF(file_that_was_only_read_is_no_module, core, core, ARCH_X86_64)
{
    static uint8_t head[2 * PAGE];
    struct snap_source *source;

    make_core(core, ARCH_X86_64, true);
    make_head(core, head, ET_DYN, 0);
    core_load(core, UINT64_C(0x710000), 2 * PAGE, PF_R, head, sizeof(head));
    source = core_end_open(core);
    next_code(source, APP + PAGE, "./program");
    next_code(source, LIB + PAGE, "/lib/one.so");
    next_code(source, LINKER + PAGE, "/lib/ld.so");
    expect_no_map(source);
}

/* Numbers, sizes and addresses of headers that cannot be. */
TEST_OF(headers_that_lie_do_no_harm, core, core, ARCH_X86_64)
{
    static uint8_t head[PAGE];

    for (size_t at = 16; at < sizeof(Elf64_Ehdr) + 4 * sizeof(Elf64_Phdr); at += 2) {
        struct snap_source *source;
        struct snap_event event;
        struct diag diag;

        make_core(core, ARCH_X86_64, true);
        make_head(core, head, ET_DYN, 0);
        core_put(head + at, UINT64_MAX, 8);
        core->loads[3].bytes = head; /* the library's first page */
        source = core_end_open(core);
        while (snap_source_next(source, &event, &diag) == STATUS_OK)
            if (event.type == SNAP_MAP)
                assert_true(event.map.start_addr < event.map.end_addr);
        core_close(core, source);
    }
}
