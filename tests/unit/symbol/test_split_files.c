/* SPDX-License-Identifier: MIT */
#include "dwarf_fixture.h"

#include <unistd.h>

#include "symbol/module_set.h"
#include "symbol/split_files.h"

/* A scratch directory with the program ROOT/prog, and the search for its split units. */
struct place {
    char root[64];
    struct module module;
    struct elf_image *program;
    struct module_set *set;
    struct split_files *files;
};

static const char *path_of(const struct place *place, const char *name)
{
    static char path[256];

    snprintf(path, sizeof(path), "%s/%s", place->root, name);
    return path;
}

/* Writes ROOT/name with a split unit of that id. */
static void write_split(const struct place *place, const char *name, uint64_t id)
{
    static const uint8_t list[] = {ABBREV(1, compile_unit, false), 0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct bytes info = {.size = 0}, abbrev = {.size = 0};

    put(&abbrev, list, sizeof(list));
    put32(&info, 0);
    put16(&info, 5);
    put8(&info, DW_UT_split_compile);
    put8(&info, 8);
    put32(&info, 0);
    put64(&info, id);
    put8(&info, 1);
    close_length(&info, 0);
    fixture_debug(elf, ".debug_info.dwo", &info);
    fixture_debug(elf, ".debug_abbrev.dwo", &abbrev);
    fixture_finish(elf);
    fixture_write(elf, path_of(place, name));
    free(elf);
}

static void place_init(struct place *place)
{
    const struct module_options options = {0};
    struct elf_fixture *elf = fixture_create(EM_X86_64);

    *place = (struct place){.root = "/tmp/split_files_XXXXXX"};
    assert_non_null(mkdtemp(place->root));
    fixture_text(elf, 64);
    fixture_finish(elf);
    fixture_write(elf, path_of(place, "prog"));
    free(elf);
    assert_int_equal(elf_image_open(path_of(place, "prog"), &place->program, NULL), STATUS_OK);
    place->module.image = place->program;
    assert_int_equal(module_set_create(&options, &place->set), STATUS_OK);
    assert_int_equal(split_files_create(place->set, &place->module, place->program, &place->files),
                     STATUS_OK);
}

static void place_deinit(struct place *place)
{
    char command[128];

    split_files_destroy(place->files);
    module_set_destroy(place->set);
    elf_image_close(place->program);
    snprintf(command, sizeof(command), "rm -rf '%s'", place->root);
    assert_int_equal(system(command), 0);
}

/* Looks for the unit that a skeleton with that id and the name `name` wants. */
static enum status find(struct place *place, uint64_t id, const char *name)
{
    const struct split_wanted wanted = {.id = id, .name = name, .directory = place->root};
    struct split_found found;
    const enum status status = split_files_find(place->files, &wanted, &found);

    if (status == STATUS_OK)
        assert_int_equal(found.unit->split_id, id);
    return status;
}

/* How often this process has ROOT/name mapped. */
static unsigned count_mapped(const struct place *place, const char *name)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned count = 0;
    char line[512];

    assert_non_null(maps);
    while (fgets(line, sizeof(line), maps))
        count += strstr(line, path_of(place, name)) != NULL;
    fclose(maps);
    return count;
}

TEST_OF(split_file_with_the_unit_is_kept, place, place)
{
    write_split(place, "a.dwo", 1);
    assert_int_equal(find(place, 1, "a.dwo"), STATUS_OK);
    assert_int_equal(count_mapped(place, "a.dwo"), 1);
}

TEST_OF(split_file_with_the_unit_of_another_skeleton_is_kept_once, place, place)
{
    write_split(place, "a.dwo", 1);
    for (uint64_t id = 2; id < 10; id++)
        assert_int_equal(find(place, id, "a.dwo"), STATUS_NOT_FOUND);
    assert_int_equal(count_mapped(place, "a.dwo"), 1);
    assert_int_equal(find(place, 1, "a.dwo"), STATUS_OK);
}

TEST_OF(split_file_without_a_new_unit_is_closed, place, place)
{
    write_split(place, "a.dwo", 1);
    write_split(place, "copy.dwo", 1);
    assert_int_equal(find(place, 1, "a.dwo"), STATUS_OK);
    assert_int_equal(find(place, 2, "copy.dwo"), STATUS_NOT_FOUND);
    assert_int_equal(count_mapped(place, "copy.dwo"), 0);
}

/* What comes into the file later, in the same inode, is not seen. */
TEST_OF(split_file_that_was_unfit_is_not_read_again, place, place)
{
    write_split(place, "a.dwo", 0);
    assert_int_equal(find(place, 1, "a.dwo"), STATUS_NOT_FOUND);
    write_split(place, "a.dwo", 2);
    assert_int_equal(find(place, 2, "a.dwo"), STATUS_NOT_FOUND);
    assert_int_equal(find(place, 3, "./a.dwo"), STATUS_NOT_FOUND);
    assert_int_equal(count_mapped(place, "a.dwo"), 0);
}

TEST_OF(split_package_without_a_unit_is_closed, place, place)
{
    write_split(place, "prog.dwp", 0);
    assert_null(split_files_package(place->files));
    assert_int_equal(count_mapped(place, "prog.dwp"), 0);
}

/* Holes for the most part, but no larger than what file_map.h maps. */
TEST_OF(split_files_with_more_bytes_than_the_limit_are_not_read, place, place)
{
    const off_t size = (64 << 20) - 4096;
    char name[16];

    for (uint64_t i = 1; i <= SPLIT_BYTES_MAX >> 26; i++) {
        snprintf(name, sizeof(name), "%u.dwo", (unsigned)i);
        write_split(place, name, 0);
        assert_int_equal(truncate(path_of(place, name), size), 0);
        assert_int_equal(find(place, i, name), STATUS_NOT_FOUND);
    }
    write_split(place, "large.dwo", 1000);
    assert_int_equal(truncate(path_of(place, "large.dwo"), size), 0);
    assert_int_equal(find(place, 1000, "large.dwo"), STATUS_NOT_FOUND);
    write_split(place, "small.dwo", 1001);
    assert_int_equal(find(place, 1001, "small.dwo"), STATUS_OK);
}
