/* SPDX-License-Identifier: MIT */
#include "gopclntab_fixture.h"

static const struct go_shape all_shapes[] = {
    {.version = GO_V1_16, .word = 8},
    {.version = GO_V1_16, .word = 4},
    {.version = GO_V1_18, .word = 8},
    {.version = GO_V1_18, .word = 4},
    {.version = GO_V1_18, .word = 8, .text_in_module = true},
    {.version = GO_V1_20, .word = 8},
    {.version = GO_V1_20, .word = 4},
    {.version = GO_V1_20, .word = 8, .is_merged = true},
    {.version = GO_V1_26, .word = 8, .text_in_module = true},
    {.version = GO_V1_26, .word = 4, .text_in_module = true},
};

#define SHAPES (sizeof(all_shapes) / sizeof(all_shapes[0]))

static void expect_source(const struct go_source *source, const char *function, const char *file,
                          uint32_t line, bool is_inline)
{
    assert_string_equal(source->function, function);
    assert_non_null(source->file);
    assert_string_equal(source->file, file);
    assert_int_equal(source->line, line);
    assert_int_equal(source->is_inline, is_inline);
}

static struct go_function find(const struct gopclntab *table, uint64_t off)
{
    struct go_function function;

    assert_int_equal(gopclntab_find(table, FIXTURE_FIRST + off, &function), STATUS_OK);
    return function;
}

static void expect_functions(const struct gopclntab *table)
{
    struct go_function function;

    assert_int_equal(gopclntab_count(table), 2);
    assert_int_equal(gopclntab_at(table, 0, &function), STATUS_OK);
    assert_string_equal(function.name, "main.main");
    assert_int_equal(function.start_vaddr, FIXTURE_FIRST);
    assert_int_equal(function.end_vaddr, FIXTURE_FIRST + GO_MAIN_SIZE);
    assert_int_equal(function.flags, 0);
    assert_int_equal(gopclntab_at(table, 1, &function), STATUS_OK);
    assert_string_equal(function.name, "main.asm");
    assert_int_equal(function.flags, GO_FUNCTION_TOP | GO_FUNCTION_SP_WRITE | GO_FUNCTION_ASM);
    assert_int_equal(gopclntab_at(table, 2, &function), STATUS_NOT_FOUND);
    assert_string_equal(find(table, 0).name, "main.main");
    assert_string_equal(find(table, GO_MAIN_SIZE - 1).name, "main.main");
    assert_string_equal(find(table, GO_MAIN_SIZE).name, "main.asm");
    assert_string_equal(find(table, GO_CODE_SIZE - 1).name, "main.asm");
    assert_int_equal(gopclntab_find(table, FIXTURE_FIRST - 1, &function), STATUS_NOT_FOUND);
    assert_int_equal(gopclntab_find(table, FIXTURE_FIRST + GO_CODE_SIZE, &function),
                     STATUS_NOT_FOUND);
}

static void expect_delta(const struct gopclntab *table, uint64_t off, int32_t delta, uint64_t start,
                         uint64_t end)
{
    struct go_function function = find(table, off);
    struct go_sp_delta out = {0};

    assert_int_equal(gopclntab_sp_delta(table, &function, FIXTURE_FIRST + off, &out), STATUS_OK);
    assert_int_equal(out.delta, delta);
    assert_int_equal(out.start_vaddr, FIXTURE_FIRST + start);
    assert_int_equal(out.end_vaddr, FIXTURE_FIRST + end);
}

static void expect_deltas(const struct gopclntab *table)
{
    struct go_function function = find(table, GO_MAIN_SIZE);
    struct go_sp_delta out = {0};

    expect_delta(table, 0, 0, 0, 4);
    expect_delta(table, 3, 0, 0, 4);
    expect_delta(table, 4, 0x18, 4, 0x3c);
    expect_delta(table, 0x3b, 0x18, 4, 0x3c);
    expect_delta(table, 0x3c, 0, 0x3c, 0x40);
    assert_int_equal(gopclntab_sp_delta(table, &function, function.start_vaddr, &out),
                     STATUS_NOT_FOUND);
    function = find(table, 0);
    assert_int_equal(gopclntab_sp_delta(table, &function, function.end_vaddr, &out),
                     STATUS_NOT_FOUND);
}

/* From place to place, also back and from another function: as asked anew. */
static void expect_deltas_that_go_on(const struct gopclntab *table)
{
    static const uint64_t offs[] = {0, 3, 4, 0x3b, 0x3c, GO_MAIN_SIZE, 0x3c, 5, 0x3c, 0};
    struct go_sp_delta last = {0}, anew;

    for (size_t i = 0; i < sizeof(offs) / sizeof(offs[0]); i++) {
        const struct go_function function = find(table, offs[i]);
        const uint64_t vaddr = FIXTURE_FIRST + offs[i];
        enum status status;

        anew = (struct go_sp_delta){0};
        status = gopclntab_sp_delta(table, &function, vaddr, &anew);
        assert_int_equal(gopclntab_sp_delta(table, &function, vaddr, &last), status);
        if (status == STATUS_OK)
            assert_true(last.start_vaddr == anew.start_vaddr && last.end_vaddr == anew.end_vaddr &&
                        last.delta == anew.delta);
    }
}

static void expect_sources(const struct gopclntab *table, uint64_t asm_off)
{
    struct go_function function = find(table, 0);
    struct go_source sources[GO_SOURCES_MAX];

    assert_int_equal(gopclntab_sources(table, &function, FIXTURE_FIRST, sources), 1);
    expect_source(&sources[0], "main.main", "/a.go", 10, false);
    assert_int_equal(gopclntab_sources(table, &function, FIXTURE_FIRST + 0x1f, sources), 3);
    expect_source(&sources[0], "main.leaf", "/b.go", 30, true);
    expect_source(&sources[1], "main.mid", "/a.go", 20, true);
    expect_source(&sources[2], "main.main", "/a.go", 10, false);
    assert_int_equal(gopclntab_sources(table, &function, FIXTURE_FIRST + 0x20, sources), 2);
    expect_source(&sources[0], "main.mid", "/a.go", 20, true);
    expect_source(&sources[1], "main.main", "/a.go", 10, false);
    assert_int_equal(gopclntab_sources(table, &function, FIXTURE_FIRST + 0x28, sources), 1);
    expect_source(&sources[0], "main.main", "/a.go", 11, false);

    function = find(table, asm_off);
    assert_int_equal(gopclntab_sources(table, &function, function.start_vaddr, sources), 1);
    assert_string_equal(sources[0].function, "main.asm");
    assert_null(sources[0].file);
    assert_int_equal(sources[0].line, 0);
}

static void expect_all(const struct gopclntab *table)
{
    expect_functions(table);
    expect_deltas(table);
    expect_deltas_that_go_on(table);
    expect_sources(table, GO_MAIN_SIZE);
}

/* A program, and the table that is read of it. */
struct program {
    struct go_fixture go;
    struct elf_image *image;
    struct gopclntab *table;
};

static void program_init(struct program *p, const struct go_shape *shape)
{
    *p = (struct program){.image = NULL};
    go_fixture_init(&p->go, shape);
}

static void program_deinit(struct program *p)
{
    gopclntab_destroy(p->table);
    elf_image_close(p->image);
}

static void read_table(struct program *p, struct elf_image *image)
{
    p->image = image;
    assert_int_equal(gopclntab_create(image, &p->table), STATUS_OK);
}

TEST(gopclntab_each_layout_gives_functions_deltas_and_sources)
{
    struct program p;

    for (size_t i = 0; i < SHAPES; i++) {
        program_init(&p, &all_shapes[i]);
        go_fixture_add(&p.go, p.go.size);
        read_table(&p, go_fixture_open(&p.go));
        expect_all(p.table);
        program_deinit(&p);
    }
}

TEST(gopclntab_is_found_without_section_headers)
{
    struct program p;

    for (size_t i = 0; i < SHAPES; i++) {
        if (all_shapes[i].word != 8)
            continue;
        program_init(&p, &all_shapes[i]);
        go_fixture_add(&p.go, p.go.size);
        fixture_finish_stripped(p.go.elf);
        read_table(&p, fixture_open(p.go.elf));
        expect_all(p.table);
        program_deinit(&p);
    }
}

TEST(gopclntab_functions_of_several_text_sections_are_where_these_are)
{
    static const struct go_shape shapes[] = {
        {.version = GO_V1_18, .word = 4, .is_split = true},
        {.version = GO_V1_20, .word = 8, .is_split = true},
        {.version = GO_V1_26, .word = 4, .text_in_module = true, .is_split = true},
    };
    struct program p;
    struct go_function function;

    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        program_init(&p, &shapes[i]);
        go_fixture_add(&p.go, p.go.size);
        read_table(&p, go_fixture_open(&p.go));
        expect_sources(p.table, GO_MAIN_SIZE + GO_SPLIT_GAP);
        function = find(p.table, GO_MAIN_SIZE + GO_SPLIT_GAP);
        assert_string_equal(function.name, "main.asm");
        assert_int_equal(function.start_vaddr, FIXTURE_FIRST + GO_MAIN_SIZE + GO_SPLIT_GAP);
        assert_int_equal(function.end_vaddr, FIXTURE_FIRST + GO_CODE_SIZE + GO_SPLIT_GAP);
        program_deinit(&p);
    }
}

/* The word in the file is 0, a relocation has the address. */
TEST_OF(gopclntab_relocated_addresses_are_those_of_the_relocations, program, p, &all_shapes[0])
{
    Elf64_Rela relas[5];
    uint64_t pcln;

    pcln = p->go.vaddr + p->go.pcln_off;
    for (size_t i = 0; i < 3; i++) {
        relas[i] = (Elf64_Rela){.r_offset = pcln + i * 16,
                                .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                                .r_addend = (int64_t)(FIXTURE_FIRST + i * GO_MAIN_SIZE)};
        go_put_at(&p->go, p->go.pcln_off + i * 16, 0, 8);
    }
    for (size_t i = 0; i < 2; i++) { /* the entry in struct _func */
        uint64_t off;

        memcpy(&off, p->go.bytes + p->go.pcln_off + i * 16 + 8, 8);
        relas[3 + i] = (Elf64_Rela){.r_offset = pcln + off,
                                    .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                                    .r_addend = (int64_t)(FIXTURE_FIRST + i * GO_MAIN_SIZE)};
        go_put_at(&p->go, p->go.pcln_off + off, 0, 8);
    }
    go_fixture_add(&p->go, p->go.size);
    fixture_section(p->go.elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, relas, sizeof(relas));
    read_table(p, go_fixture_open(&p->go));
    expect_all(p->table);
}

static const struct go_shape text_in_module = {.version = GO_V1_18,
                                               .word = 8,
                                               .text_in_module = true};

TEST_OF(gopclntab_relocated_text_is_that_of_the_relocation, program, p, &text_in_module)
{
    Elf64_Rela rela;

    rela = (Elf64_Rela){.r_offset = p->go.vaddr + 24,
                        .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE),
                        .r_addend = (int64_t)FIXTURE_FIRST + 0x10};
    go_fixture_add(&p->go, p->go.size);
    fixture_section(p->go.elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, &rela, sizeof(rela));
    read_table(p, go_fixture_open(&p->go));
    assert_int_equal(find(p->table, 0x10).start_vaddr, FIXTURE_FIRST + 0x10);
}

static enum status create_status(struct go_fixture *go)
{
    struct elf_image *image;
    struct gopclntab *table;
    enum status status;

    go_fixture_add(go, go->size);
    image = go_fixture_open(go);
    status = gopclntab_create(image, &table);
    if (status == STATUS_OK)
        gopclntab_destroy(table);
    elf_image_close(image);
    return status;
}

TEST(gopclntab_of_other_versions_is_unsupported)
{
    struct go_fixture go;

    go_fixture_init(&go, &all_shapes[2]);
    go_put_at(&go, 0, 0xfffffffb, 4); /* Go 1.2 to 1.15 */
    assert_int_equal(create_status(&go), STATUS_UNSUPPORTED);
    go_fixture_init(&go, &all_shapes[2]);
    go_put_at(&go, 0, 0xffffffe0, 4);
    assert_int_equal(create_status(&go), STATUS_UNSUPPORTED);
    go_fixture_init(&go, &all_shapes[2]);
    go_put_at(&go, 0, 0x12345678, 4);
    assert_int_equal(create_status(&go), STATUS_BAD_DATA);
}

TEST(gopclntab_is_absent_from_other_programs)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct elf_image *image;
    struct gopclntab *table;

    fixture_text(elf, 0x100);
    fixture_finish(elf);
    image = fixture_open(elf);
    assert_int_equal(gopclntab_create(image, &table), STATUS_NOT_FOUND);
    elf_image_close(image);
}

TEST(gopclntab_header_that_cannot_be_right_is_refused)
{
    struct go_fixture go;

    for (size_t i = 0; i < SHAPES; i++) {
        unsigned word = all_shapes[i].word, words = all_shapes[i].version == GO_V1_16 ? 7 : 8;

        for (unsigned at = 0; at < words; at++) {
            /* The number of files is not used, and the text is found otherwise. */
            if (at == 1 || (at == 2 && words == 8) || all_shapes[i].is_merged)
                continue;
            go_fixture_init(&go, &all_shapes[i]);
            go_put_at(&go, 8 + at * word, UINT64_MAX, word);
            assert_int_equal(create_status(&go), STATUS_BAD_DATA);
        }
        go_fixture_init(&go, &all_shapes[i]);
        go_put_at(&go, 7, 3, 1);
        assert_int_equal(create_status(&go),
                         all_shapes[i].is_merged ? STATUS_NOT_FOUND : STATUS_BAD_DATA);
    }
}

TEST(gopclntab_with_functions_outside_of_code_is_refused)
{
    struct go_fixture go;

    go_fixture_init(&go, &all_shapes[2]);
    go_put_at(&go, go.pcln_off + 8, 0x10000000, 4); /* the last function's entry */
    assert_int_equal(create_status(&go), STATUS_BAD_DATA);
}

static void touch_function(const struct gopclntab *table, const struct go_function *function)
{
    struct go_source sources[GO_SOURCES_MAX];
    struct go_sp_delta delta = {0};

    assert_true(strlen(function->name) < 65536);
    assert_true(function->start_vaddr < function->end_vaddr);
    for (uint64_t off = 0; off < GO_CODE_SIZE; off += 4) {
        uint64_t vaddr = function->start_vaddr + off;
        size_t count = gopclntab_sources(table, function, vaddr, sources);

        assert_in_range(count, 1, GO_SOURCES_MAX);
        for (size_t i = 0; i < count; i++)
            assert_true(strlen(sources[i].function) < 65536 &&
                        (!sources[i].file || strlen(sources[i].file) < 65536));
        if (gopclntab_sp_delta(table, function, vaddr, &delta) == STATUS_OK)
            assert_true(delta.start_vaddr <= vaddr && vaddr < delta.end_vaddr);
    }
}

/* Whatever it says, nothing is read outside of the file. */
static void touch_all(struct elf_image *image)
{
    struct go_function function;
    struct gopclntab *table;

    if (gopclntab_create(image, &table) == STATUS_OK) {
        for (size_t i = 0; i < gopclntab_count(table) && i < 8; i++)
            if (gopclntab_at(table, i, &function) == STATUS_OK)
                touch_function(table, &function);
        for (uint64_t off = 0; off < GO_CODE_SIZE; off += 8)
            if (gopclntab_find(table, FIXTURE_FIRST + off, &function) == STATUS_OK)
                assert_true(function.start_vaddr <= FIXTURE_FIRST + off &&
                            FIXTURE_FIRST + off < function.end_vaddr);
        gopclntab_destroy(table);
    }
    elf_image_close(image);
}

/* The table is the last that the file has, so that a sanitizer sees a read behind it. */
TEST(gopclntab_that_is_cut_anywhere_is_no_harm)
{
    struct go_fixture go;

    for (size_t i = 0; i < SHAPES; i++) {
        size_t size = 1;

        for (size_t cut = 0; cut < size; cut++) {
            go_fixture_init(&go, &all_shapes[i]);
            size = go.size;
            go_fixture_add(&go, cut);
            if (all_shapes[i].word == 8) {
                go.elf->size = (size_t)(go.vaddr - FIXTURE_BASE) + cut;
                fixture_finish_stripped(go.elf);
                touch_all(fixture_open(go.elf));
            } else {
                touch_all(go_fixture_open(&go));
            }
        }
    }
}

TEST(gopclntab_with_any_other_byte_is_no_harm)
{
    static const uint8_t values[] = {0x00, 0x7f, 0x80, 0xff};
    struct go_fixture go;

    for (size_t i = 0; i < SHAPES; i++) {
        size_t size = 1;

        for (size_t at = 0; at < size; at++) {
            for (size_t k = 0; k < sizeof(values); k++) {
                go_fixture_init(&go, &all_shapes[i]);
                size = go.size;
                go.bytes[at] = values[k];
                go_fixture_add(&go, go.size);
                touch_all(go_fixture_open(&go));
            }
        }
    }
}

TEST_OF(gopclntab_number_without_an_end_is_not_read, program, p, &all_shapes[5])
{
    struct go_function function;
    struct go_source sources[GO_SOURCES_MAX];
    struct go_sp_delta delta = {0};

    memset(p->go.bytes + p->go.pctab_off, 0xff, p->go.pcln_off - p->go.pctab_off);
    go_fixture_add(&p->go, p->go.size);
    read_table(p, go_fixture_open(&p->go));
    function = find(p->table, 0);
    assert_int_equal(gopclntab_sp_delta(p->table, &function, FIXTURE_FIRST, &delta),
                     STATUS_NOT_FOUND);
    assert_int_equal(gopclntab_sources(p->table, &function, FIXTURE_FIRST, sources), 1);
    assert_string_equal(sources[0].function, "main.main");
    assert_null(sources[0].file);
}

static const struct go_shape inlined_into_themselves = {.version = GO_V1_20,
                                                        .word = 8,
                                                        .leaf_parent = 0x24,
                                                        .mid_parent = 0x18};

TEST_OF(gopclntab_calls_inlined_into_themselves_are_cut, program, p, &inlined_into_themselves)
{
    struct go_source sources[GO_SOURCES_MAX];
    struct go_function function;

    go_fixture_add(&p->go, p->go.size);
    read_table(p, go_fixture_open(&p->go));
    function = find(p->table, 0);
    assert_int_equal(gopclntab_sources(p->table, &function, FIXTURE_FIRST + 0x18, sources),
                     GO_SOURCES_MAX);
    assert_string_equal(sources[GO_SOURCES_MAX - 1].function, "main.main");
    assert_false(sources[GO_SOURCES_MAX - 1].is_inline);
}
