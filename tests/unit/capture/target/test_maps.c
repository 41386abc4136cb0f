/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/proc_maps.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "unit_test.h"
#include "snapshot/format.h"

static const char sample[] =
    "55d000000000-55d000001000 r--p 00000000 fe:01 100                        /bin/a b\n"
    "55d000001000-55d000003000 r-xp 00001000 fe:01 100                        /bin/a b\n"
    "55d000003000-55d000004000 rw-p 00003000 fe:01 100                        /bin/a b\n"
    "55d000010000-55d000020000 rw-p 00000000 00:00 0                          [heap]\n"
    "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
    "7f0000002000-7f0000003000 r-xp 00005000 fe:01 200                        /lib/x (deleted)\n"
    "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]\n"
    "7ffc00100000-7ffc00102000 r-xp 00000000 00:00 0                          [vdso]\n";

static void read_text(struct maps *maps, const char *text, size_t size)
{
    int fd = memfd_create("maps", 0);

    assert_int_equal(write(fd, text, size), size);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(maps_read(maps, fd), STATUS_OK);
    close(fd);
}

TEST(line_every_field_is_parsed)
{
    static const char line[] = "7f0000002000-7f0000003000 r-xp 00005000 fe:01 200      /lib/x y";
    struct map_line map;

    assert_true(map_line_parse(line, strlen(line), &map));
    assert_int_equal(map.start_addr, 0x7f0000002000);
    assert_int_equal(map.end_addr, 0x7f0000003000);
    assert_int_equal(map.prot, MAP_PROT_READ | MAP_PROT_EXEC);
    assert_int_equal(map.file_off, 0x5000);
    assert_int_equal(map.dev, makedev(0xfe, 1));
    assert_int_equal(map.inode, 200);
    assert_int_equal(map.path_size, 8);
    assert_memory_equal(map.path, "/lib/x y", 8);
}

TEST(line_cut_short_is_refused)
{
    static const char line[] = "7f0000002000-7f0000003000 r-xp 00005000 fe:01 200";
    struct map_line map;

    for (size_t size = 0; size < strlen(line) - 2; size++)
        assert_false(map_line_parse(line, size, &map));
    assert_false(map_line_parse("2000-1000 r-xp 0 0:0 0", 22, &map));
    assert_false(map_line_parse("xyz", 3, &map));
}

TEST(maps_ranges_and_executables_are_found)
{
    struct maps maps = {0};
    const struct exec_map *map;

    read_text(&maps, sample, strlen(sample));
    assert_int_equal(maps.range_len, 8);
    assert_int_equal(maps.exec_len, 4);
    assert_null(maps_find(&maps, 0x1000));
    assert_null(maps_find(&maps, 0x55d000004000));
    assert_int_equal(maps_find(&maps, 0x55d000003fff)->start_addr, 0x55d000003000);
    assert_int_equal(maps_find(&maps, 0x55d000000000)->end_addr, 0x55d000001000);
    assert_null(maps_find(&maps, UINT64_MAX));
    map = maps_find_exec(&maps, 0x55d000002fff);
    assert_non_null(map);
    assert_int_equal(map->head_addr, 0x55d000000000);
    assert_string_equal(maps.paths + map->path_off, "/bin/a b");
    assert_null(maps_find_exec(&maps, 0x55d000003000));
    map = maps_find_exec(&maps, 0x7f0000002000);
    assert_int_equal(map->head_addr, 0);
    assert_string_equal(maps.paths + map->path_off, "/lib/x (deleted)");
    assert_string_equal(maps.paths + maps_find_exec(&maps, 0x7f0000000000)->path_off, "");
    assert_int_equal(maps_main_stack(&maps)->end_addr, 0x7ffc00021000);
    maps_deinit(&maps);
}

static void expect_place(const struct maps *maps, uint64_t addr, enum snap_place place,
                         uint64_t head_addr, const char *path)
{
    const struct map_range *range = maps_find(maps, addr);
    const struct map_file *file;

    assert_non_null(range);
    assert_int_equal(range->place, place);
    if (place != SNAP_PLACE_FILE)
        return;
    file = &maps->files[range->file];
    assert_int_equal(file->head_addr, head_addr);
    assert_string_equal(maps->names + file->name_off, path);
}

static void expect_joined(const struct maps *maps, uint64_t addr, uint64_t top, uint64_t start_addr,
                          uint64_t end_addr)
{
    const struct map_range joined = maps_joined(maps, maps_find(maps, addr), top);

    assert_int_equal(joined.start_addr, start_addr);
    assert_int_equal(joined.end_addr, end_addr);
    assert_int_equal(joined.is_stack, end_addr == 0x16000);
}

TEST(maps_pieces_of_a_stack_are_joined_up_to_its_top)
{
    static const char text[] = "1000-2000 rw-p 00001000 fe:01 100 /bin/a\n"
                               "2000-3000 rw-p 00000000 00:00 0 \n"
                               "3000-4000 ---p 00000000 00:00 0 \n" /* a guard page */
                               "4000-6000 rw-p 00000000 00:00 0 \n"
                               "6000-7000 rw-s 00000000 00:01 9 /memfd:page (deleted)\n"
                               "7000-8000 r--p 00000000 00:00 0 \n"
                               "8000-a000 rw-p 00000000 00:00 0 \n"
                               "b000-c000 rw-p 00000000 00:00 0 \n"
                               "12000-13000 rw-p 00000000 00:00 0 \n"
                               "13000-14000 rwxp 00000000 00:00 0 \n"
                               "14000-16000 rw-p 00000000 00:00 0 [stack]\n";
    struct maps maps = {0};

    read_text(&maps, text, strlen(text));
    expect_joined(&maps, 0x4800, 0x9000, 0x4000, 0xa000);
    expect_joined(&maps, 0x7000, 0x9000, 0x4000, 0xa000);
    expect_joined(&maps, 0x9000, 0x9000, 0x4000, 0xa000);
    expect_joined(&maps, 0x4800, 0x6000, 0x4000, 0x7000);
    /* It does not reach the top: over a gap, below another thread's, above it. */
    expect_joined(&maps, 0x4800, 0xb000, 0x4000, 0x6000);
    expect_joined(&maps, 0x2000, 0x9000, 0x2000, 0x3000);
    expect_joined(&maps, 0x8000, 0x4000, 0x8000, 0xa000);
    expect_joined(&maps, 0x12000, 0x14000, 0x12000, 0x16000);
    expect_joined(&maps, 0x2000, 0x2000, 0x2000, 0x3000); /* a file is no stack */
    maps_deinit(&maps);
}

TEST(maps_kind_of_memory_is_known)
{
    static const char text[] =
        "1000-2000 r--p 00000000 fe:01 100 /bin/a\n"
        "2000-3000 rw-p 00001000 fe:01 100 /bin/a\n"
        "3000-4000 rw-p 00000000 00:00 0 \n" /* its .bss */
        "4000-5000 rw-p 00000000 00:00 0 [heap]\n"
        "6000-7000 rw-p 00000000 00:00 0 \n"
        "7000-8000 rw-s 00000000 00:05 9 /dev/shm/x (deleted)\n"
        "8000-9000 r--p 00000000 fe:01 200 /lib/b\n"
        "9000-a000 r-xp 00001000 fe:01 200 /lib/b\n"
        "a000-b000 ---p 00000000 00:00 0 \n"
        "b000-c000 rw-p 00002000 fe:01 200 /lib/b\n"
        "c000-d000 ---p 00000000 00:00 0 \n" /* a guard page, no .bss */
        "d000-e000 rw-p 00000000 00:00 0 [anon:libc_malloc]\n"
        "e000-f000 rw-p 00001000 fe:01 300 /lib/c\n" /* of which offset 0 is not mapped */
        "f100-f200 rw-p 00000000 00:00 0 [stack]\n"
        "f200-f300 r--p 00000000 00:00 0 [vvar]\n";
    struct maps maps = {0};

    read_text(&maps, text, strlen(text));
    expect_place(&maps, 0x1000, SNAP_PLACE_UNKNOWN, 0, NULL);
    expect_place(&maps, 0x2000, SNAP_PLACE_FILE, 0x1000, "/bin/a");
    expect_place(&maps, 0x3000, SNAP_PLACE_FILE, 0x1000, "/bin/a");
    expect_place(&maps, 0x4000, SNAP_PLACE_HEAP, 0, NULL);
    expect_place(&maps, 0x6000, SNAP_PLACE_ANON, 0, NULL);
    expect_place(&maps, 0x7000, SNAP_PLACE_FILE, 0x7000, "/dev/shm/x (deleted)");
    expect_place(&maps, 0xb000, SNAP_PLACE_FILE, 0x8000, "/lib/b");
    expect_place(&maps, 0xc000, SNAP_PLACE_ANON, 0, NULL);
    expect_place(&maps, 0xd000, SNAP_PLACE_ANON, 0, NULL);
    expect_place(&maps, 0xe000, SNAP_PLACE_FILE, 0, "/lib/c");
    expect_place(&maps, 0xf100, SNAP_PLACE_STACK, 0, NULL);
    expect_place(&maps, 0xf200, SNAP_PLACE_UNKNOWN, 0, NULL);
    maps_drop_paths(&maps);
    expect_place(&maps, 0x2000, SNAP_PLACE_FILE, 0x1000, "/bin/a");
    maps_deinit(&maps);
}

TEST(maps_names_have_a_limit)
{
    struct maps maps = {0};
    size_t size = 0, cap = 2 * MAPS_NAMES_MAX;
    char *text = malloc(cap);

    assert_non_null(text);
    for (unsigned i = 1; size + 200 < cap; i++)
        size += (size_t)snprintf(text + size, cap - size,
                                 "%x000-%x800 rw-p 00000000 fe:01 %u /%0100u\n", i, i, i, i);
    read_text(&maps, text, size);
    assert_true(maps.name_len <= MAPS_NAMES_MAX);
    expect_place(&maps, 0x1000, SNAP_PLACE_FILE, 0x1000, maps.names);
    assert_int_equal(maps.ranges[maps.range_len - 1].place, SNAP_PLACE_UNKNOWN);
    maps_deinit(&maps);
    free(text);
}

TEST(maps_paths_are_copied_as_they_were_named)
{
    char path[32], small[4];

    assert_int_equal(maps_copy_path(path, sizeof(path), "/a\\012b (deleted)", MAPS_USUAL),
                     MAPS_USUAL);
    assert_string_equal(path, "/a\nb");
    assert_int_equal(maps_copy_path(path, sizeof(path), "/a\\012b (deleted)", MAPS_DELETED),
                     MAPS_DELETED);
    assert_string_equal(path, "/a\\012b");
    assert_int_equal(maps_copy_path(path, sizeof(path), "/a\\012b (deleted)", 0), 0);
    assert_string_equal(path, "/a\\012b (deleted)");
    assert_int_equal(maps_copy_path(path, sizeof(path), "/a (deleted) b", MAPS_USUAL), 0);
    assert_string_equal(path, "/a (deleted) b");
    assert_int_equal(maps_copy_path(small, sizeof(small), "/long", MAPS_USUAL), 0);
    assert_string_equal(small, "/lo");
}

/* Tells of which files the executable mapping `exec` may be a copy: "head_addr path, ..." */
static const char *besides_of(const struct maps *maps, uint32_t exec)
{
    static char text[200];
    size_t size = 0;

    text[0] = '\0';
    for (size_t i = 0; i < maps->beside_len; i++)
        if (maps->besides[i].exec == exec)
            size += (size_t)snprintf(text + size, sizeof(text) - size, "%lx %s, ",
                                     (unsigned long)maps->besides[i].head_addr,
                                     maps->paths + maps->besides[i].path_off);
    return text;
}

TEST(maps_text_moved_to_memory_has_its_file_before_or_behind)
{
    static const char text[] = "10000-11000 r--p 00000000 fe:01 3      /before\n"
                               "12000-13000 r-xp 00000000 00:00 0 \n" /* 0: a gap before */
                               "13000-14000 r-xp 00000000 00:01 4      /memfd:x (deleted)\n" /* 1 */
                               "14000-15000 r--p 00002000 fe:01 3      /before\n"
                               "15000-16000 r-xp 00000000 00:00 0 \n" /* 2: with a header */
                               "16000-17000 rw-p 00001000 fe:01 5      /behind\n"
                               "17000-18000 r-xp 00000000 00:00 0 \n" /* 3 */
                               "18000-19000 rw-p 00000000 00:00 0      [heap]\n"
                               "19000-1a000 r-xp 00000000 00:00 0 \n" /* 4: behind no file */
                               "40000000-40001000 r-xp 00000000 fe:01 6      /far\n";
    struct maps maps = {0};

    read_text(&maps, text, strlen(text));
    assert_int_equal(maps.exec_len, 6);
    assert_string_equal(besides_of(&maps, 0), "10000 /before, ");
    assert_string_equal(besides_of(&maps, 1), "10000 /before, ");
    assert_string_equal(besides_of(&maps, 2), "10000 /before, 15000 /behind, ");
    assert_string_equal(besides_of(&maps, 3), "");
    assert_string_equal(besides_of(&maps, 4), "");
    assert_string_equal(besides_of(&maps, 5), "");
    maps_drop_paths(&maps);
    assert_int_equal(maps.beside_len, 0);
    maps_deinit(&maps);
}

/* Code made at run time lies beside files, too, in far more mappings. */
TEST(maps_text_is_looked_for_in_eight_mappings_in_a_row)
{
    char text[2000];
    struct maps maps = {0};

    for (unsigned count = 8; count <= 9; count++) {
        size_t size = (size_t)sprintf(text, "10000-11000 r--p 00000000 fe:01 3      /before\n");

        for (unsigned i = 1; i <= count + 1; i++)
            size += (size_t)sprintf(text + size, "%x000-%x000 r%cxp 00000000 %s\n", 0x10 + i,
                                    0x11 + i, i % 2 ? '-' : 'w',
                                    i <= count ? "00:00 0 " : "fe:01 5      /behind");
        read_text(&maps, text, size);
        assert_int_equal(maps.exec_len, count + 1);
        assert_string_equal(besides_of(&maps, 7),
                            count == 8 ? "10000 /before, 11000 /behind, " : "10000 /before, ");
        assert_string_equal(besides_of(&maps, 8), "");
    }
    maps_deinit(&maps);
}

TEST(maps_reading_again_replaces)
{
    struct maps maps = {0};

    read_text(&maps, sample, strlen(sample));
    read_text(&maps, "1000-2000 rw-p 00000000 00:00 0 \n", 34 - 1);
    assert_int_equal(maps.range_len, 1);
    assert_int_equal(maps.exec_len, 0);
    assert_null(maps_main_stack(&maps));
    maps_deinit(&maps);
}

TEST(maps_repeated_line_is_taken_once)
{
    static const char text[] = "1000-3000 rw-p 00000000 00:00 0 \n"
                               "1000-3000 rw-p 00000000 00:00 0 \n"
                               "2000-4000 rw-p 00000000 00:00 0 \n"
                               "4000-5000 rw-p 00000000 00:00 0 \n";
    struct maps maps = {0};

    read_text(&maps, text, strlen(text));
    assert_int_equal(maps.range_len, 2);
    assert_int_equal(maps_find(&maps, 0x4000)->start_addr, 0x4000);
    maps_deinit(&maps);
}

/* Longer than any buffer: the lines are found whole whatever the pieces are. */
TEST(maps_thousands_of_long_lines_are_whole)
{
    struct maps maps = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    for (unsigned i = 1; i <= 3000; i++)
        fprintf(file, "%x000-%x000 r-xp 00000000 fe:01 %u      /%0*u\n", i, i + 1, i,
                (int)(i % 4000), i);
    fclose(file);
    read_text(&maps, text, size);
    assert_int_equal(maps.range_len, 3000);
    assert_int_equal(maps.exec_len, 3000);
    for (unsigned i = 0; i < 3000; i++) {
        const struct exec_map *map = &maps.execs[i];
        assert_int_equal(map->inode, i + 1);
        assert_int_equal(strtoul(maps.paths + map->path_off + 1, NULL, 10), i + 1);
    }
    free(text);
    maps_deinit(&maps);
}

TEST(maps_line_beyond_any_length_does_not_hang)
{
    struct maps maps = {0};
    char *text = malloc(100000);
    int fd = memfd_create("maps", 0);

    assert_non_null(text);
    memset(text, 'a', 100000);
    assert_int_equal(write(fd, text, 100000), 100000);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(maps_read(&maps, fd), STATUS_IO);
    free(text);
    close(fd);
    maps_deinit(&maps);
}

TEST(maps_of_this_process_hold_its_code_and_stack)
{
    struct maps maps = {0};
    int fd = open("/proc/self/maps", O_RDONLY);
    int local = 0;

    assert_int_equal(maps_read(&maps, fd), STATUS_OK);
    close(fd);
    assert_non_null(
        maps_find_exec(&maps, (uint64_t)(uintptr_t)maps_of_this_process_hold_its_code_and_stack));
    assert_ptr_equal(maps_find(&maps, (uint64_t)(uintptr_t)&local), maps_main_stack(&maps));
    maps_deinit(&maps);
}
