/* SPDX-License-Identifier: MIT */
#include "runtime/jit/capture/registered.h"

#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

#include <elf.h>

#define BASE UINT64_C(0x10000)

static uint8_t memory[8192];

static bool read_memory(void *context, uint64_t at, void *buffer, size_t size)
{
    (void)context;
    if (at < BASE || at - BASE > sizeof(memory) || size > sizeof(memory) - (at - BASE))
        return false;
    memcpy(buffer, memory + (at - BASE), size);
    return true;
}

static const struct target_bytes from = {.read = read_memory};

static int set_up(void **state)
{
    (void)state;
    memset(memory, 0, sizeof(memory));
    return 0;
}

static void put(uint64_t at, uint64_t value, size_t size)
{
    memcpy(memory + (at - BASE), &value, size);
}

static void put_entry(uint64_t at, uint64_t next, uint64_t file, uint64_t size)
{
    put(at, next, 8);
    put(at + 16, file, 8);
    put(at + 24, size, 8);
}

static const struct jit_layout wide = {.is_64 = true, .size_off = 24};

TEST_WITH(registered_descriptor_is_read_by_its_layout, set_up, NULL)
{
    const struct jit_layout i386 = jit_layout_of(&(struct elf_head){.machine = EM_386});
    const struct jit_layout arm = jit_layout_of(&(struct elf_head){.machine = EM_ARM});
    struct jit_descriptor descriptor;
    struct jit_entry entry;

    put(BASE, 1, 4);
    put(BASE + 4, 2, 4);
    put(BASE + 8, 0x1234, 4);
    put(BASE + 12, 0x5678, 4);
    assert_int_equal(jit_descriptor_size(&i386), 16);
    assert_int_equal(jit_descriptor_size(&wide), 24);
    assert_true(jit_descriptor_read(&from, &i386, BASE, &descriptor));
    assert_int_equal(descriptor.action, 2);
    assert_int_equal(descriptor.relevant_addr, 0x1234);
    assert_int_equal(descriptor.first_addr, 0x5678);
    put(BASE + 100 + 12, 7, 4);
    put(BASE + 100 + 16, 9, 4);
    assert_true(jit_entry_read(&from, &i386, BASE + 100, &entry));
    assert_true(entry.file_size == (UINT64_C(9) << 32 | 7));
    assert_true(jit_entry_read(&from, &arm, BASE + 100, &entry));
    assert_int_equal(entry.file_size, 9);
}

TEST_WITH(registered_descriptor_of_another_version_is_none, set_up, NULL)
{
    struct jit_descriptor descriptor;

    put(BASE, 2, 4);
    assert_false(jit_descriptor_read(&from, &wide, BASE, &descriptor));
    assert_false(jit_descriptor_read(&from, &wide, BASE + sizeof(memory) - 8, &descriptor));
}

TEST_WITH(registered_list_is_read_to_its_end, set_up, NULL)
{
    struct jit_entries entries = {.count = 0};
    struct jit_entry wanted = {.addr = BASE + 64, .file_addr = 0x2000, .file_size = 20};

    put_entry(BASE, BASE + 64, 0x1000, 10);
    put_entry(BASE + 64, 0, 0x2000, 20);
    assert_int_equal(jit_entries_read(&from, &wide, BASE, &entries), STATUS_OK);
    assert_int_equal(entries.count, 2);
    assert_true(jit_entries_have(&entries, &wanted));
    wanted.file_size++;
    assert_false(jit_entries_have(&entries, &wanted));
    assert_int_equal(jit_entries_read(&from, &wide, 0, &entries), STATUS_OK);
    assert_int_equal(entries.count, 0);
    jit_entries_deinit(&entries);
}

/* 20 entries in front of a circle of 7. */
TEST_WITH(registered_list_that_leads_back_ends, set_up, NULL)
{
    struct jit_entries entries = {.count = 0};

    for (unsigned i = 0; i < 27; i++)
        put_entry(BASE + i * 32, BASE + (i < 26 ? i + 1 : 20) * 32, 0x1000, 10);
    assert_int_equal(jit_entries_read(&from, &wide, BASE, &entries), STATUS_OK);
    assert_in_range(entries.count, 27, 80);
    put_entry(BASE, BASE, 0x1000, 10);
    assert_int_equal(jit_entries_read(&from, &wide, BASE, &entries), STATUS_OK);
    assert_in_range(entries.count, 1, 2);
    jit_entries_deinit(&entries);
}

TEST_WITH(registered_list_ends_where_it_cannot_be_read, set_up, NULL)
{
    struct jit_entries entries = {.count = 0};

    put_entry(BASE, UINT64_MAX, 0x1000, 10);
    assert_int_equal(jit_entries_read(&from, &wide, BASE, &entries), STATUS_OK);
    assert_int_equal(entries.count, 1);
    jit_entries_deinit(&entries);
}

/* A file of 512 bytes at BASE with one section header at 256. */
static struct jit_entry put_file(void)
{
    Elf64_Ehdr head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB},
                       .e_shoff = 256,
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = 1};

    memcpy(memory, &head, sizeof(head));
    return (struct jit_entry){.file_addr = BASE, .file_size = 512};
}

TEST_WITH(registered_files_print_tells_changes, set_up, NULL)
{
    const struct jit_entry entry = put_file();
    const uint64_t print = jit_file_print(&from, &wide, &entry);

    assert_true(print != 0);
    assert_true(jit_file_print(&from, &wide, &entry) == print);
    put(BASE + 256 + offsetof(Elf64_Shdr, sh_addr), 0x4000, 8);
    assert_true(jit_file_print(&from, &wide, &entry) != print);
}

TEST_WITH(registered_file_that_is_none_has_no_print, set_up, NULL)
{
    const struct jit_layout narrow = jit_layout_of(&(struct elf_head){.machine = EM_386});
    struct jit_entry entry = put_file();

    assert_true(jit_file_print(&from, &narrow, &entry) == 0);
    entry.file_size = 300; /* ends in its section header */
    assert_true(jit_file_print(&from, &wide, &entry) == 0);
    entry.file_size = 20;
    assert_true(jit_file_print(&from, &wide, &entry) == 0);
    entry.file_size = UINT64_C(1) << 62;
    assert_true(jit_file_print(&from, &wide, &entry) == 0);
    entry = put_file();
    put(BASE, 0, 4);
    assert_true(jit_file_print(&from, &wide, &entry) == 0);
}
