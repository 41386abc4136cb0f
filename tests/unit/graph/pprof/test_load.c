/* SPDX-License-Identifier: MIT */
/* Profiles of fixtures are written, read and written again; messages made by hand are damaged. */
#include "pprof_fixture.h"

static const struct fixture_function FUNCTIONS[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"foo", .start = 0x3000, .file = "src/foo.c", .line = 100},
    {"inl", .start = 0x9000, .name = "outer", .file = "o.c", .line = 5, .inlined = "inner"},
    {"twin1", .start = 0xa000, .name = "twin", .file = "t.c", .line = 5},
    {"twin2", .start = 0xb000, .name = "twin", .file = "t.c", .line = 50},
    {"inner", .start = 0xc000, .file = "i.c", .line = 7},
    {"nameless", .start = 0xd000, .is_nameless = true},
    {"lost", .start = 0xe000, .is_nameless = true, .no_start = true},
    {"read", .module = 1, .start = 0x1000},
    {0},
};

/* Which samples of the fixture; each part is a capture of its own, of another process. */
enum { PART_A = 1, PART_B = 2, PART_C = 4, PARTS = 3 };

static void add_part(struct fixture *f, unsigned part)
{
    const struct weights asleep = {.value = {2, 50, 0, 40}};

    if (part == PART_A) {
        fixture_add(f, "worker", 8, "start main inl/900 foo", 3);
        fixture_add(f, "worker", 8, "start main!fp foo", 1);
        assert_int_equal(profile_weigh(f->profile, 0, 0, 'S', &asleep), STATUS_OK);
    } else if (part == PART_B) {
        fixture_add(f, "t\n", 9, "start main lost/7 lost/6 nameless/44 read", 5);
        fixture_add(f, "worker", 8, "start main inl/900 foo", 4);
        fixture_add(f, "", 3, "main inner twin1 twin2", 2);
    } else {
        fixture_add(f, "other", 8, "start lib@77 anon@5000 @dead", 1);
        f->profile->chains[f->profile->chain_count - 1].stop = STOP_NO_RULE;
        fixture_add(f, "t?", 9, "start main lost/7 lost/6 nameless/44 read", 1);
        fixture_add(f, "deep", 1, "lost/6 inl/800", 1);
    }
}

/* Of these parts, as one run that reads the captures would. */
static void write_parts(unsigned parts, struct capture *file)
{
    static const char *const programs[PARTS] = {"/usr/bin/prog", "/usr/bin/prog", "/bin/other"};
    struct title title = {.count = 0};
    struct pprof_facts facts = {.programs = &title, .arch = arch_get(ARCH_X86_64)};
    struct quality quality;
    struct fixture f;

    fixture_init(&f, FUNCTIONS);
    f.modules[1].file.build_id = (const uint8_t *)"\xab";
    f.modules[1].file.build_id_size = 1;
    for (unsigned i = 0; i < PARTS; i++) {
        char text[64];

        if (!(parts >> i & 1))
            continue;
        add_part(&f, 1u << i);
        snprintf(text, sizeof(text), "%s (pid %u)", programs[i], i + 7);
        assert_int_equal(title_text(&title, text), STATUS_OK);
        facts.start_ns = facts.start_ns ? facts.start_ns : 1000 + i;
        facts.duration_ns += 10;
        facts.period_ns = i == 1 ? 20 : facts.period_ns ? facts.period_ns : 10;
    }
    fixture_view(&f, GRAPH_BY_FUNCTION, WEIGHT_SAMPLES, NULL);
    assert_int_equal(quality_fill(&quality, f.profile), STATUS_OK);
    quality.all.lost[1] = (uint64_t)__builtin_popcount(parts);
    quality.all.captures = quality.all.lost[1];
    quality.all.cpu.used_ns = 5 * quality.all.lost[1];
    quality.all.cpu.untold = parts & PART_B;
    facts.quality = &quality;
    assert_int_equal(pprof_write(f.view, f.names, &facts, capture_begin(file)), STATUS_OK);
    capture_end(file);
    title_deinit(&title);
    fixture_deinit(&f);
}

static void merge_files(const struct capture *files, size_t count, struct capture *out)
{
    struct pprof_merge merge;

    pprof_merge_init(&merge);
    for (size_t i = 0; i < count; i++)
        pprof_merge_file(&merge, &files[i]);
    pprof_merge_write(&merge, out);
    pprof_merge_deinit(&merge);
}

static void assert_same(const struct capture *a, const struct capture *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->text, b->text, a->size);
}

TEST(load_of_what_was_written_is_written_the_same)
{
    for (unsigned parts = 1; parts < 1u << PARTS; parts++) {
        struct capture once, again;

        write_parts(parts, &once);
        merge_files(&once, 1, &again);
        assert_same(&once, &again);
        free(once.text);
        free(again.text);
    }
}

TEST(load_of_parts_in_any_order_and_grouping_is_the_whole)
{
    struct capture whole, part[PARTS], merged[4];
    static const unsigned orders[4][PARTS] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};

    write_parts(PART_A | PART_B | PART_C, &whole);
    for (unsigned i = 0; i < PARTS; i++)
        write_parts(1u << i, &part[i]);
    for (size_t i = 0; i < 4; i++) {
        struct capture two[2] = {{0}};
        const struct capture pair[2] = {part[orders[i][0]], part[orders[i][1]]};

        merge_files(pair, 2, &two[i % 2]);
        two[1 - i % 2] = part[orders[i][2]];
        merge_files(two, 2, &merged[i]);
        assert_same(&merged[i], &whole);
        free(two[i % 2].text);
        free(merged[i].text);
    }
    for (unsigned i = 0; i < PARTS; i++)
        free(part[i].text);
    free(whole.text);
}

TEST(load_gives_threads_states_trust_and_weights_back)
{
    struct capture file;
    struct pprof_merge merge;
    const struct profile *profile;
    bool has_fp = false;

    write_parts(PART_A, &file);
    pprof_merge_init(&merge);
    pprof_merge_file(&merge, &file);
    profile = merge.ingest.profile;
    assert_int_equal(profile->cell_count, 3);
    assert_int_equal(merge.ingest.samples, 3);
    assert_string_equal(profile->threads[0].name, "worker");
    assert_int_equal(profile->threads[0].tid, 8);
    for (size_t i = 0; i < profile->cell_count; i++) {
        const struct profile_cell *cell = &profile->cells[i];

        if (cell->state != 'S')
            continue;
        assert_int_equal(cell->weights.value[WEIGHT_SAMPLES], 2);
        assert_int_equal(cell->weights.value[WEIGHT_OFFCPU], 40);
    }
    for (size_t i = 0; i < profile->frame_count; i++)
        has_fp |= profile->frames[i].trust == TRUST_FP && profile->frames[i].is_call;
    assert_true(has_fp);
    assert_string_equal(merge.ingest.title.text, "/usr/bin/prog (pid 7)");
    assert_int_equal(profile->chains_unwound, 2);
    assert_int_equal(merge.ingest.account.lost[1], 1);
    pprof_merge_deinit(&merge);
    free(file.text);
}

/* A profile by hand, as another program may write it. */
struct by_hand {
    struct proto message, part, line;
    const char *types[2][2];
    const char *function;
    uint64_t location_id, mapping_id, addr, values[2];
};

static void put_part(struct by_hand *p, uint32_t field)
{
    proto_message(&p->message, field, &p->part);
    proto_clear(&p->part);
}

static void make_by_hand(struct by_hand *p)
{
    static const char *const texts[] = {"", "/bin/go", "[vdso]"};
    const char *all[8];
    size_t count = 3;

    memcpy(all, texts, sizeof(texts));
    for (size_t i = 0; i < 2 && p->types[i][0]; i++) {
        proto_number(&p->part, VALUE_TYPE_TYPE, count);
        proto_number(&p->part, VALUE_TYPE_UNIT, count + 1);
        put_part(p, PROFILE_SAMPLE_TYPE);
        all[count++] = p->types[i][0];
        all[count++] = p->types[i][1];
    }
    proto_number(&p->part, SAMPLE_LOCATION_ID, p->location_id); /* not packed */
    proto_packed(&p->part, SAMPLE_VALUE, p->values, p->types[1][0] ? 2 : 1);
    put_part(p, PROFILE_SAMPLE);
    proto_number(&p->part, MAPPING_ID, 900);
    proto_number(&p->part, MAPPING_MEMORY_START, 0x400000);
    proto_number(&p->part, MAPPING_MEMORY_LIMIT, 0x500000);
    proto_number(&p->part, MAPPING_FILENAME, 1);
    put_part(p, PROFILE_MAPPING);
    proto_number(&p->line, LINE_FUNCTION, 5);
    proto_number(&p->line, LINE_LINE, 12);
    proto_number(&p->part, LOCATION_ID, 77);
    proto_number(&p->part, LOCATION_MAPPING, p->mapping_id);
    proto_number(&p->part, LOCATION_ADDRESS, p->addr);
    proto_message(&p->part, LOCATION_LINE, &p->line);
    put_part(p, PROFILE_LOCATION);
    proto_number(&p->part, FUNCTION_ID, 5);
    proto_number(&p->part, FUNCTION_NAME, count);
    put_part(p, PROFILE_FUNCTION);
    all[count++] = p->function;
    for (size_t i = 0; i < count; i++)
        proto_bytes(&p->message, PROFILE_STRING_TABLE, all[i], strlen(all[i]));
    assert_false(p->message.failed);
}

static const struct by_hand GO = {.types = {{"samples", "count"}, {"cpu", "microseconds"}},
                                  .function = "main.work",
                                  .location_id = 77,
                                  .mapping_id = 900,
                                  .addr = 0x400123,
                                  .values = {3, 30}};

static enum status read_by_hand(struct by_hand p, struct pprof_merge *merge)
{
    enum status status;

    pprof_merge_init(merge);
    make_by_hand(&p);
    status = pprof_merge_message(merge, p.message.bytes, p.message.len);
    proto_deinit(&p.message);
    proto_deinit(&p.part);
    proto_deinit(&p.line);
    return status;
}

TEST(load_of_another_programs_profile_has_its_functions_and_weights)
{
    struct pprof_merge merge;
    struct capture file;
    const struct profile *profile;

    assert_int_equal(read_by_hand(GO, &merge), STATUS_OK);
    profile = merge.ingest.profile;
    assert_int_equal(profile->cell_count, 1);
    assert_int_equal(profile->cells[0].weights.value[WEIGHT_SAMPLES], 3);
    assert_int_equal(profile->cells[0].weights.value[WEIGHT_CPU], 30000);
    assert_int_equal(profile->frames[0].addr, 0x123);
    assert_string_equal(profile->frames[0].module->file.path, "/bin/go");
    assert_string_equal(merge.ingest.title.text, "/bin/go");
    pprof_merge_write(&merge, &file);
    assert_string_equal(names_function(merge.names, profile->places[0]->list[0].function)->name,
                        "main.work");
    free(file.text);
    pprof_merge_deinit(&merge);
}

TEST(load_of_a_location_without_address_is_found_by_its_lines)
{
    struct by_hand p = GO;
    struct pprof_merge merge;
    uint64_t addr;

    p.mapping_id = p.addr = 0;
    assert_int_equal(read_by_hand(p, &merge), STATUS_OK);
    assert_string_equal(merge.ingest.profile->frames[0].module->file.path, "[unknown]");
    addr = merge.ingest.profile->frames[0].addr;
    pprof_merge_deinit(&merge);
    p.function = "main.rest";
    assert_int_equal(read_by_hand(p, &merge), STATUS_OK);
    assert_true(merge.ingest.profile->frames[0].addr != addr);
    pprof_merge_deinit(&merge);
}

TEST(load_of_values_that_are_no_weights_is_refused_or_told)
{
    struct by_hand p = GO;
    struct pprof_merge merge;

    p.types[0][0] = "alloc_objects";
    assert_int_equal(read_by_hand(p, &merge), STATUS_OK);
    assert_non_null(strstr(merge.found.note.what, "alloc_objects/count"));
    pprof_merge_deinit(&merge);
    p.types[1][0] = "inuse_space";
    p.types[1][1] = "bytes";
    assert_int_equal(read_by_hand(p, &merge), STATUS_UNSUPPORTED);
    assert_non_null(strstr(merge.diag.what, "inuse_space/bytes"));
    pprof_merge_deinit(&merge);
}

TEST(load_of_ids_that_are_not_there_is_bad_data)
{
    static const char *const wanted[] = {"location that is not there", "mapping that is not there"};
    struct by_hand p[2] = {GO, GO};

    p[0].location_id = 78;
    p[1].mapping_id = 901;
    for (size_t i = 0; i < 2; i++) {
        struct pprof_merge merge;

        assert_int_equal(read_by_hand(p[i], &merge), STATUS_BAD_DATA);
        assert_non_null(strstr(merge.diag.what, wanted[i]));
        assert_true(merge.diag.has_off);
        assert_string_equal(merge.diag.file, "file");
        pprof_merge_deinit(&merge);
    }
}

TEST(load_of_something_else_is_bad_data)
{
    static const char *const texts[] = {"", "no profile", "\x50\x01", "\x0a\xff\xff\xff\xff\x0f"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct pprof_merge merge;

        pprof_merge_init(&merge);
        assert_int_equal(pprof_merge_message(&merge, texts[i], strlen(texts[i])), STATUS_BAD_DATA);
        assert_non_null(strstr(merge.diag.what, "no pprof profile"));
        pprof_merge_deinit(&merge);
    }
}

/* Whatever is damaged: what is read can be written, what cannot be read is told. */
static void read_damaged(const uint8_t *bytes, size_t size)
{
    struct pprof_merge merge;
    struct capture file;

    pprof_merge_init(&merge);
    if (pprof_merge_message(&merge, bytes, size) != STATUS_OK)
        assert_true(merge.diag.what[0] != '\0');
    pprof_merge_write(&merge, &file);
    free(file.text);
    pprof_merge_deinit(&merge);
}

TEST(load_of_each_damaged_byte_and_each_cut_is_told_or_read)
{
    struct capture file;
    struct diag diag;
    uint8_t *bytes;
    size_t size;

    write_parts(PART_B | PART_C, &file);
    assert_int_equal(pprof_gunzip(file.text, file.size, PPROF_SIZE_MAX, &bytes, &size, &diag),
                     STATUS_OK);
    for (size_t i = 0; i < size; i++) {
        static const uint8_t masks[] = {0x01, 0x80, 0xff};
        uint8_t *cut = malloc(i + 1); /* of that size, for the sanitizer */

        memcpy(cut, bytes, i);
        read_damaged(cut, i);
        free(cut);
        for (size_t j = 0; j < sizeof(masks); j++) {
            bytes[i] ^= masks[j];
            read_damaged(bytes, size);
            bytes[i] ^= masks[j];
        }
    }
    free(bytes);
    free(file.text);
}
