/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32.h"
#include "symbol/debug_files.h"
#include "symbol/module_set.h"

#define HEX "101112131415161718191a1b1c1d1e1f20212223" /* of fixture_build_id(elf, 0x10) */

/* A scratch directory with the places that debug files are looked for in. */
struct place {
    char root[64];
    char dir[96];   /* ROOT/dbg, the debug directory */
    char image[96]; /* ROOT/bin/prog */
    const char *dirs[1];
    struct module_options options;
};

static void make_dir(const char *root, const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void place_init(struct place *place)
{
    *place = (struct place){0};
    strcpy(place->root, "/tmp/debug_files_XXXXXX");
    assert_non_null(mkdtemp(place->root));
    make_dir(place->root, "bin");
    make_dir(place->root, "bin/.debug");
    make_dir(place->root, "dbg");
    make_dir(place->root, "dbg/.build-id");
    make_dir(place->root, "dbg/.build-id/10");
    make_dir(place->root, "dbg/opt");
    snprintf(place->dir, sizeof(place->dir), "%s/dbg", place->root);
    snprintf(place->image, sizeof(place->image), "%s/bin/prog", place->root);
    place->dirs[0] = place->dir;
    place->options.debug_dirs = place->dirs;
    place->options.debug_dir_count = 1;
}

static void place_deinit(struct place *place)
{
    char command[128];

    snprintf(command, sizeof(command), "rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
}

/* Writes a debug file (of that build-id; 0: none) below the root. Returns its CRC. */
static uint32_t write_debug(const struct place *place, const char *name, uint8_t build_id)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    char path[256];
    uint32_t crc;

    fixture_section(elf, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 64);
    if (build_id)
        fixture_build_id(elf, build_id);
    fixture_finish(elf);
    snprintf(path, sizeof(path), "%s/%s", place->root, name);
    fixture_write(elf, path);
    crc = crc32_update(0, elf->bytes, elf->size);
    free(elf);
    return crc;
}

/* The program, which links to prog.debug by `crc`. */
static struct elf_image *open_program(const struct place *place, uint8_t build_id, uint32_t crc)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t link[16] = "prog.debug";
    struct elf_image *image;
    struct diag diag;

    memcpy(link + 12, &crc, 4);
    fixture_text(elf, 64);
    if (build_id)
        fixture_build_id(elf, build_id);
    fixture_section(elf, ".gnu_debuglink", SHT_PROGBITS, 0, link, sizeof(link));
    fixture_finish(elf);
    fixture_write(elf, place->image);
    free(elf);
    assert_int_equal(elf_image_open(place->image, &image, &diag), STATUS_OK);
    return image;
}

/* Looks for the program's debug file: its path below the root, or "-". */
static const char *found(const struct place *place, struct elf_image *image, const char *target)
{
    static char path[256];
    const struct module module = {.file.path = target};
    struct elf_image *debug;

    if (debug_file_open(&place->options, &module, image, &debug) != STATUS_OK)
        return "-";
    snprintf(path, sizeof(path), "%s", elf_image_path(debug) + strlen(place->root) + 1);
    elf_image_close(debug);
    return path;
}

TEST(build_id_hex_is_lower_case_and_bounded)
{
    uint8_t id[100] = {0xab, 0x01};
    char hex[BUILD_ID_HEX_MAX];

    assert_string_equal(build_id_hex(id, 2, hex), "ab01");
    assert_int_equal(strlen(build_id_hex(id, 100, hex)), 128);
    assert_string_equal(build_id_hex(id, 0, hex), "");
}

TEST_OF(debug_file_by_build_id_is_found, place, place)
{
    struct elf_image *image = open_program(place, 0x10, 0);

    write_debug(place, "dbg/.build-id/10/" HEX ".debug", 0x10);
    assert_string_equal(found(place, image, "/opt/prog"),
                        "-"); /* the first two digits are the directory */
    write_debug(place, "dbg/.build-id/10/1112131415161718191a1b1c1d1e1f20212223.debug", 0x10);
    assert_string_equal(found(place, image, "/opt/prog"),
                        "dbg/.build-id/10/1112131415161718191a1b1c1d1e1f20212223.debug");
    elf_image_close(image);
}

TEST_OF(debug_file_of_another_build_id_is_passed_over, place, place)
{
    uint32_t crc = write_debug(place, "bin/prog.debug", 0x11);
    struct elf_image *image = open_program(place, 0x10, crc);

    write_debug(place, "dbg/.build-id/10/1112131415161718191a1b1c1d1e1f20212223.debug", 0x11);
    assert_string_equal(found(place, image, "/opt/prog"), "-");
    elf_image_close(image);
}

TEST_OF(debug_link_is_looked_for_in_three_places, place, place)
{
    uint32_t crc = write_debug(place, "dbg/opt/prog.debug", 0);
    struct elf_image *image = open_program(place, 0x10, crc);

    assert_string_equal(found(place, image, "/opt/prog"), "dbg/opt/prog.debug");
    assert_string_equal(found(place, image, "[vdso]"), "-");
    write_debug(place, "bin/.debug/prog.debug", 0);
    assert_string_equal(found(place, image, "/opt/prog"), "bin/.debug/prog.debug");
    write_debug(place, "bin/prog.debug", 0);
    assert_string_equal(found(place, image, "/opt/prog"), "bin/prog.debug");
    elf_image_close(image);
}

TEST_OF(debug_link_with_another_crc_is_passed_over, place, place)
{
    uint32_t crc = write_debug(place, "bin/prog.debug", 0);
    struct elf_image *image = open_program(place, 0, crc ^ 1);

    assert_string_equal(found(place, image, "/opt/prog"), "-");
    elf_image_close(image);
}

TEST_OF(debug_link_that_climbs_directories_is_refused, place, place)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t link[20] = "../prog.debug";
    uint32_t crc = write_debug(place, "prog.debug", 0);
    struct elf_image *image;
    struct diag diag;

    memcpy(link + 16, &crc, 4);
    fixture_text(elf, 64);
    fixture_section(elf, ".gnu_debuglink", SHT_PROGBITS, 0, link, sizeof(link));
    fixture_finish(elf);
    fixture_write(elf, place->image);
    free(elf);
    assert_int_equal(elf_image_open(place->image, &image, &diag), STATUS_OK);
    assert_string_equal(found(place, image, "/opt/prog"), "-");
    elf_image_close(image);
}

/* As dwz leaves it: a path relative to the debug file, then the build-id. */
TEST_OF(debug_file_shared_with_others_is_found_by_relative_path, place, place)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    uint8_t link[40] = "../dbg/common.debug";
    const struct module module = {.file.path = "/opt/prog"};
    struct elf_image *image, *shared;
    struct diag diag;

    for (uint8_t i = 0; i < 20; i++)
        link[20 + i] = (uint8_t)(0x55 + i);
    write_debug(place, "dbg/common.debug", 0x55);
    fixture_text(elf, 64);
    fixture_section(elf, ".gnu_debugaltlink", SHT_PROGBITS, 0, link, sizeof(link));
    fixture_finish(elf);
    fixture_write(elf, place->image);
    free(elf);
    assert_int_equal(elf_image_open(place->image, &image, &diag), STATUS_OK);
    assert_int_equal(debug_file_open_shared(&place->options, &module, image, &shared), STATUS_OK);
    elf_image_close(shared);
    write_debug(place, "dbg/common.debug", 0x56);
    assert_int_equal(debug_file_open_shared(&place->options, &module, image, &shared),
                     STATUS_NOT_FOUND);
    elf_image_close(image);
}
