/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include "symbol/elf/dynamic.h"

#define NAMES_SIZE 32

struct dynamic_tables {
    Elf64_Sym symbols[5];
    char names[NAMES_SIZE];
    uint32_t gnu_hash[16];
    uint32_t hash[2];
};

/*
 * DT_GNU_HASH: 2 buckets, symbols from 1 on are hashed, 1 bloom word; bucket 0 begins at 1, bucket
 * 1 at 3; the chain of bucket 1 ends at symbol 4.
 */
static const struct dynamic_tables sound = {
    .names = "\0f\0g",
    .gnu_hash = {2, 1, 1, 0, 0xffffffff, 0xffffffff, 1, 3, /* chains: */ 10, 11, 20, 21},
    .hash = {1, 5},
};

/* A stripped file with `tables` in its first section, and the dynamic section that `tags` make. */
static struct elf_image *image_of(const struct dynamic_tables *tables, bool gnu, bool sysv)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint64_t at = FIXTURE_FIRST;
    Elf64_Dyn tags[6] = {{.d_tag = DT_SYMTAB,
                          .d_un.d_ptr = at + offsetof(struct dynamic_tables, symbols)},
                         {.d_tag = DT_STRTAB,
                          .d_un.d_ptr = at + offsetof(struct dynamic_tables, names)},
                         {.d_tag = DT_STRSZ, .d_un.d_val = NAMES_SIZE}};
    unsigned count = 3, index;

    if (gnu)
        tags[count++] = (Elf64_Dyn){.d_tag = DT_GNU_HASH,
                                    .d_un.d_ptr = at + offsetof(struct dynamic_tables, gnu_hash)};
    if (sysv)
        tags[count++] =
            (Elf64_Dyn){.d_tag = DT_HASH, .d_un.d_ptr = at + offsetof(struct dynamic_tables, hash)};
    fixture_section(elf, "tables", SHT_PROGBITS, SHF_ALLOC, tables, sizeof(*tables));
    index =
        fixture_section(elf, "dynamic", SHT_PROGBITS, SHF_ALLOC, tags, (count + 1) * sizeof(*tags));
    fixture_segment_of(elf, PT_DYNAMIC, index);
    fixture_finish_stripped(elf);
    return fixture_open(elf);
}

TEST(dynamic_gnu_hash_tells_the_number_of_symbols)
{
    struct elf_image *image = image_of(&sound, true, false);
    struct dynamic_symbols found;

    assert_int_equal(dynamic_find_symbols(image, &found), STATUS_OK);
    assert_int_equal(found.size, 5 * sizeof(Elf64_Sym));
    assert_int_equal(found.names_size, NAMES_SIZE);
    assert_string_equal(found.names + 1, "f");
    elf_image_close(image);
}

TEST(dynamic_sysv_hash_tells_the_number_of_symbols)
{
    struct elf_image *image = image_of(&sound, false, true);
    struct dynamic_symbols found;

    assert_int_equal(dynamic_find_symbols(image, &found), STATUS_OK);
    assert_int_equal(found.size, 5 * sizeof(Elf64_Sym));
    elf_image_close(image);
}

TEST(dynamic_without_hash_has_no_symbols)
{
    struct elf_image *image = image_of(&sound, false, false);
    struct dynamic_symbols found;

    assert_int_equal(dynamic_find_symbols(image, &found), STATUS_NOT_FOUND);
    elf_image_close(image);
}

TEST(dynamic_more_symbols_than_bytes_is_bad_data)
{
    struct dynamic_tables tables = sound;
    struct dynamic_symbols found;
    struct elf_image *image;

    tables.hash[1] = 0x7fffffff;
    image = image_of(&tables, false, true);
    assert_int_equal(dynamic_find_symbols(image, &found), STATUS_BAD_DATA);
    elf_image_close(image);
}

TEST(dynamic_hostile_gnu_hash_ends)
{
    static const uint32_t words[] = {0, 1, 3, 0x7fffffff, 0xffffffff};
    struct dynamic_symbols found;

    for (size_t word = 0; word < 12; word++) {
        for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
            struct dynamic_tables tables = sound;
            struct elf_image *image;
            const uint8_t *file;
            size_t size;

            tables.gnu_hash[word] = words[i];
            image = image_of(&tables, true, false);
            file = elf_image_file_bytes(image, &size);
            if (dynamic_find_symbols(image, &found) == STATUS_OK)
                assert_true(found.size <= size - (size_t)(found.symbols - file));
            elf_image_close(image);
        }
    }
}
