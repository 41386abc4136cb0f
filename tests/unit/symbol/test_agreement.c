/* SPDX-License-Identifier: MIT */
/* Whether a file is what the memory of a process has at some place. */
#include "elf_fixture.h"

#include "symbol/agreement.h"

#define BIAS      UINT64_C(0x10000000)
#define TEXT_SIZE 0x3000u
#define TAGS      5
#define CONSTANTS 64 /* words, of which each other is 0 in the file */

/* A file, and the memory of a process that has run it: its one segment at BIAS. */
struct scene {
    struct elf_fixture *elf;
    struct elf_image *image;
    uint8_t memory[FIXTURE_SIZE_MAX];
    size_t dynamic_off, constants_off;
    uint64_t first_off; /* of what the memory has */
    struct process_memory process;
    struct module module;
    struct diag why;
};

static bool read_memory(const void *context, uint64_t addr, void *buffer, size_t size)
{
    const struct scene *scene = context;
    const uint64_t start = BIAS + FIXTURE_BASE;

    if (addr < start + scene->first_off || addr - start > scene->elf->size ||
        size > scene->elf->size - (addr - start))
        return false;
    memcpy(buffer, scene->memory + (addr - start), size);
    return true;
}

static void scene_init(struct scene *scene)
{
    static uint8_t text[TEXT_SIZE];
    static uint64_t constants[CONSTANTS];
    const Elf64_Dyn dynamic[TAGS] = {{.d_tag = DT_NEEDED, .d_un.d_val = 1},
                                     {.d_tag = DT_STRTAB, .d_un.d_ptr = FIXTURE_BASE + 0x500},
                                     {.d_tag = DT_STRSZ, .d_un.d_val = 77},
                                     {.d_tag = DT_DEBUG},
                                     {.d_tag = DT_NULL}};
    unsigned section;

    *scene = (struct scene){0};
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (uint8_t)(i * 7 + i / 256);
    scene->elf = fixture_create(EM_X86_64);
    fixture_section(scene->elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text,
                    sizeof(text));
    section =
        fixture_section(scene->elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, dynamic, sizeof(dynamic));
    scene->dynamic_off = scene->elf->sections[section].sh_offset;
    fixture_segment_of(scene->elf, PT_DYNAMIC, section);
    for (size_t i = 1; i < CONSTANTS; i += 2)
        constants[i] = FIXTURE_BASE + i * 16;
    section = fixture_section(scene->elf, ".data.rel.ro", SHT_PROGBITS, SHF_ALLOC, constants,
                              sizeof(constants));
    scene->constants_off = scene->elf->sections[section].sh_offset;
    fixture_finish(scene->elf);
    assert_int_equal(elf_image_open_bytes(scene->elf->bytes, scene->elf->size, "file",
                                          &scene->image, NULL),
                     STATUS_OK);
    memcpy(scene->memory, scene->elf->bytes, scene->elf->size);
    scene->process = (struct process_memory){.read = read_memory, .context = scene};
    scene->module.place.where = (struct mapping){.start_addr = BIAS + FIXTURE_BASE,
                                                 .end_addr = BIAS + FIXTURE_BASE + 0x10000,
                                                 .anchor = MAPPING_BIAS,
                                                 .anchor_addr = BIAS};
}

static void scene_deinit(struct scene *scene)
{
    elf_image_close(scene->image);
    free(scene->elf);
}

/* An entry of the dynamic section, in the file and in memory. */
static void set_dynamic(struct scene *scene, unsigned index, int64_t tag, uint64_t value)
{
    const Elf64_Dyn entry = {.d_tag = tag, .d_un.d_val = value};
    const size_t at = scene->dynamic_off + index * sizeof(entry);

    memcpy(scene->elf->bytes + at, &entry, sizeof(entry));
    memcpy(scene->memory + at, &entry, sizeof(entry));
    elf_image_close(scene->image);
    assert_int_equal(elf_image_open_bytes(scene->elf->bytes, scene->elf->size, "file",
                                          &scene->image, NULL),
                     STATUS_OK);
}

static enum agreement find(struct scene *scene)
{
    return agreement_find(&scene->process, &scene->module, scene->image, &scene->why);
}

static void expect_broken(struct scene *scene, const char *what)
{
    assert_int_equal(find(scene), AGREEMENT_BROKEN);
    assert_non_null(strstr(scene->why.what, what));
}

TEST_OF(agreement_of_a_file_with_itself_is_full_with_code, scene, scene)
{
    assert_int_equal(find(scene), AGREEMENT_CODE);
}

TEST_OF(agreement_with_memory_of_nothing_is_unknown, scene, scene)
{
    scene->first_off = FIXTURE_SIZE_MAX;
    assert_int_equal(find(scene), AGREEMENT_UNKNOWN);
    scene->process.read = NULL;
    assert_int_equal(find(scene), AGREEMENT_UNKNOWN);
}

TEST_OF(agreement_bears_breakpoints_and_no_other_code, scene, scene)
{
    const size_t code = 0x1000; /* the first page is for headers */

    for (size_t i = 0; i < 20; i++)
        scene->memory[code + i * 256] ^= 0xcc;
    assert_int_equal(find(scene), AGREEMENT_CODE);
    for (size_t i = 0; i < 100; i++)
        scene->memory[code + i] ^= 0xcc;
    scene->first_off = code; /* without program headers */
    expect_broken(scene, "code differs");
}

/* As a dump has flash that could not be read, or a page that was left out. */
TEST_OF(agreement_takes_words_of_zeroes_and_ones_for_not_there, scene, scene)
{
    const size_t code = 0x1000;

    scene->first_off = code;
    memset(scene->memory + code, 0, 0x800);
    memset(scene->memory + code + 0x800, 0xff, 0x800);
    assert_int_equal(find(scene), AGREEMENT_CODE);
    memset(scene->memory + code + 0x800, 0xfe, 0x800);
    expect_broken(scene, "code differs");
}

/* Small linker scripts make one segment of code and variables. */
TEST_OF(agreement_of_a_writable_segment_is_that_of_its_code, scene, scene)
{
    Elf64_Phdr *phdr = (Elf64_Phdr *)(scene->elf->bytes + sizeof(Elf64_Ehdr));
    const size_t variables_off = scene->constants_off + CONSTANTS * sizeof(uint64_t);

    while (phdr->p_type != PT_LOAD)
        phdr++;
    phdr->p_flags |= PF_W;
    elf_image_close(scene->image);
    assert_int_equal(elf_image_open_bytes(scene->elf->bytes, scene->elf->size, "file",
                                          &scene->image, NULL),
                     STATUS_OK);
    scene->first_off = 0x1000;
    assert_true(scene->elf->size > variables_off + 0x80); /* more than what is borne */
    memset(scene->memory + variables_off, 0x77, scene->elf->size - variables_off);
    assert_int_equal(find(scene), AGREEMENT_CODE);
    for (size_t i = 0; i < 0x1000; i++)
        scene->memory[0x1000 + i] ^= 0xcc;
    expect_broken(scene, "code differs");
}

TEST_OF(agreement_with_the_file_s_headers_bears_code_that_was_changed, scene, scene)
{
    const size_t code = 0x1000;

    for (size_t i = 0; i < 0x400; i++)
        scene->memory[code + i] ^= 0xcc;
    assert_int_equal(find(scene), AGREEMENT_CHANGED);
    assert_non_null(strstr(scene->why.what, "code"));
    for (size_t i = 0; i < 0x800; i++)
        scene->memory[code + 0x400 + i] ^= 0xcc;
    expect_broken(scene, "code differs");
}

TEST_OF(agreement_of_code_with_relocations_is_that_of_all_else, scene, scene)
{
    const size_t code = 0x1000;

    set_dynamic(scene, 3, DT_TEXTREL, 0);
    for (size_t i = 0; i < 0x1000; i++)
        scene->memory[code + i] ^= 0xcc;
    scene->first_off = code; /* without program headers */
    assert_int_equal(find(scene), AGREEMENT_FULL);
    set_dynamic(scene, 3, DT_FLAGS, DF_TEXTREL);
    assert_int_equal(find(scene), AGREEMENT_FULL);
    set_dynamic(scene, 3, DT_FLAGS, DF_STATIC_TLS);
    expect_broken(scene, "code differs");
}

/* Words that are 0 in the file are the linker's to fill, others may have become addresses. */
TEST_OF(agreement_is_with_constant_data_too, scene, scene)
{
    uint64_t *words = (uint64_t *)(scene->memory + scene->constants_off);

    scene->first_off = scene->constants_off; /* nothing else is there */
    assert_int_equal(find(scene), AGREEMENT_FULL);
    for (size_t i = 0; i < CONSTANTS; i++)
        words[i] = i % 2 ? words[i] + BIAS : UINT64_C(0x1234567);
    assert_int_equal(find(scene), AGREEMENT_FULL);
    for (size_t i = 0; i < CONSTANTS; i++)
        words[i] += 16;
    expect_broken(scene, "constant data differs");
}

TEST_OF(agreement_is_with_what_the_linker_makes_of_the_dynamic_section, scene, scene)
{
    Elf64_Dyn *dynamic = (Elf64_Dyn *)(scene->memory + scene->dynamic_off);

    dynamic[1].d_un.d_ptr += BIAS;
    dynamic[3].d_un.d_ptr = 0x7777;
    scene->first_off = scene->dynamic_off; /* nothing else is there */
    assert_int_equal(find(scene), AGREEMENT_FULL);
    dynamic[2].d_un.d_val++;
    expect_broken(scene, "dynamic section differs");
    dynamic[2].d_un.d_val--;
    dynamic[2].d_tag = DT_SYMENT;
    expect_broken(scene, "dynamic section differs");
}

TEST_OF(agreement_is_broken_by_another_program_header, scene, scene)
{
    scene->memory[sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 32]++; /* p_filesz of the PT_LOAD */
    expect_broken(scene, "program header differs");
}

TEST_OF(agreement_of_the_executable_is_with_the_auxiliary_vector_too, scene, scene)
{
    scene->first_off = FIXTURE_SIZE_MAX;
    scene->module.place.is_executable = true;
    scene->process.entry_addr = BIAS + FIXTURE_FIRST;
    scene->process.phdr_addr = BIAS + FIXTURE_BASE + sizeof(Elf64_Ehdr);
    scene->process.phdr_count = 2;
    scene->process.phdr_size = sizeof(Elf64_Phdr);
    assert_int_equal(find(scene), AGREEMENT_PLACE);
    assert_non_null(strstr(scene->why.what, "place of its code alone"));
    scene->process.phdr_count++;
    expect_broken(scene, "number of program headers");
    scene->process.phdr_count--;
    scene->process.phdr_addr += 8;
    expect_broken(scene, "program headers are elsewhere");
    scene->process.phdr_addr -= 8;
    scene->process.entry_addr += 0x1000;
    expect_broken(scene, "entry point");
    scene->module.place.is_executable = false;
    assert_int_equal(find(scene), AGREEMENT_UNKNOWN);
}

TEST_OF(agreement_at_an_entry_point_is_that_of_the_bias_from_it, scene, scene)
{
    scene->module.place.where.anchor = MAPPING_ENTRY;
    scene->module.place.where.anchor_addr = BIAS + FIXTURE_FIRST;
    assert_int_equal(find(scene), AGREEMENT_CODE);
    scene->module.place.where.anchor_addr += 16; /* whole pages are mapped */
    expect_broken(scene, "entry point");
}

TEST_OF(agreement_where_the_file_has_no_code_is_broken, scene, scene)
{
    scene->module.place.where.anchor_addr += UINT64_C(1) << 32;
    expect_broken(scene, "no code");
}
