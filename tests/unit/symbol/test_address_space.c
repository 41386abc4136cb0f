/* SPDX-License-Identifier: MIT */
#include "elf_fixture.h"
#include "module_fixture.h"

#include "symbol/address_space.h"
#include "symbol/module_set.h"

static struct module module_a = {.file.path = "/a", .kind = MODULE_FILE};
static struct module module_b = {.file.path = "/b", .kind = MODULE_FILE};

/* What is mapped, as text: "start-end@offset=name …". */
static const char *layout(const struct address_space *space)
{
    static char text[512];
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < space->count; i++) {
        const struct mapping *mapping = &space->mappings[i];

        len +=
            (size_t)snprintf(text + len, sizeof(text) - len, "%s%llx-%llx@%llx%s", i ? " " : "",
                             (unsigned long long)mapping->start_addr,
                             (unsigned long long)mapping->end_addr,
                             (unsigned long long)mapping->file_off, mapping->module->file.path + 1);
    }
    return text;
}

static void add(struct address_space *space, uint64_t start, uint64_t end, uint64_t off,
                struct module *module)
{
    assert_int_equal(address_space_add(space, start, end, off, module), STATUS_OK);
}

TEST_OF(address_space_disjoint_mappings_are_sorted_and_found, address_space, space)
{
    add(space, 0x5000, 0x6000, 0, &module_b);
    add(space, 0x1000, 0x3000, 0x1000, &module_a);
    assert_string_equal(layout(space), "1000-3000@1000a 5000-6000@0b");
    assert_null(address_space_find(space, 0xfff));
    assert_ptr_equal(address_space_find(space, 0x1000)->module, &module_a);
    assert_ptr_equal(address_space_find(space, 0x2fff)->module, &module_a);
    assert_null(address_space_find(space, 0x3000));
    assert_ptr_equal(address_space_find(space, 0x5fff)->module, &module_b);
    assert_null(address_space_find(space, UINT64_MAX));
}

TEST_OF(address_space_new_mapping_replaces_what_it_overlaps, address_space, space)
{
    add(space, 0x1000, 0x9000, 0x100000, &module_a);
    add(space, 0x3000, 0x5000, 0, &module_b);
    assert_string_equal(layout(space), "1000-3000@100000a 3000-5000@0b 5000-9000@104000a");
    add(space, 0x2000, 0x6000, 0x7000, &module_b);
    assert_string_equal(layout(space), "1000-2000@100000a 2000-6000@7000b 6000-9000@105000a");
    add(space, 0, 0x10000, 0, &module_a);
    assert_string_equal(layout(space), "0-10000@0a");
}

TEST_OF(address_space_removal_cuts_splits_and_ignores_gaps, address_space, space)
{
    assert_int_equal(address_space_remove(space, 0x1000, 0x2000), STATUS_OK);
    add(space, 0x1000, 0x4000, 0, &module_a);
    add(space, 0x8000, 0x9000, 0, &module_b);
    assert_int_equal(address_space_remove(space, 0x2000, 0x3000), STATUS_OK);
    assert_string_equal(layout(space), "1000-2000@0a 3000-4000@2000a 8000-9000@0b");
    assert_int_equal(address_space_remove(space, 0x3800, 0x8800), STATUS_OK);
    assert_string_equal(layout(space), "1000-2000@0a 3000-3800@2000a 8800-9000@800b");
    assert_int_equal(address_space_remove(space, 0x5000, 0x6000), STATUS_OK);
    assert_string_equal(layout(space), "1000-2000@0a 3000-3800@2000a 8800-9000@800b");
    assert_int_equal(address_space_remove(space, 0, UINT64_MAX), STATUS_OK);
    assert_int_equal(space->count, 0);
}

TEST_OF(address_space_empty_range_is_bad_data, address_space, space)
{
    assert_int_equal(address_space_add(space, 0x2000, 0x2000, 0, &module_a), STATUS_BAD_DATA);
    assert_int_equal(address_space_add(space, 0x3000, 0x2000, 0, &module_a), STATUS_BAD_DATA);
    assert_int_equal(address_space_remove(space, 0x3000, 0x2000), STATUS_BAD_DATA);
}

/* Against an array of one entry a page. */
TEST_OF(address_space_random_changes_agree_with_a_page_table, address_space, space)
{
    struct module *pages[64] = {0}, *modules[] = {&module_a, &module_b};
    uint64_t offs[64] = {0}, random = 0x9e3779b97f4a7c15u;

    for (unsigned round = 0; round < 3000; round++) {
        uint64_t start, end;

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        start = random % 63;
        end = start + 1 + (random >> 8) % (64 - start);
        for (uint64_t page = start; page < end; page++) {
            pages[page] = random >> 30 & 1 ? modules[random >> 31 & 1] : NULL;
            offs[page] = (page - start) << 12;
        }
        if (random >> 30 & 1)
            add(space, start << 12, end << 12, 0, modules[random >> 31 & 1]);
        else
            assert_int_equal(address_space_remove(space, start << 12, end << 12), STATUS_OK);
        for (uint64_t page = 0; page < 64; page++) {
            const struct mapping *mapping = address_space_find(space, (page << 12) + 0x123);

            assert_ptr_equal(mapping ? mapping->module : NULL, pages[page]);
            if (mapping)
                assert_int_equal(mapping->file_off + (page << 12) - mapping->start_addr,
                                 offs[page]);
        }
    }
}

/*
 * As lld lays a file out: the executable segment does not begin at a page, and its page also holds
 * the end of the read-only one.
 *
 *     R   offset 0      vaddr 0        size 0x1744
 *     RX  offset 0x1750 vaddr 0x2750   size 0x900     mapped from offset 0x1000 at 0x2000
 */
TEST(mapping_vaddr_uses_the_executable_segment_of_a_shared_page)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct module_options options = {0};
    struct module_set *set;
    struct address_space space;
    struct mapping *mapping;
    uint64_t vaddr;

    fixture_text(elf, 0x2000);
    fixture_segment(elf, PT_LOAD, PF_R, 0, 0, 0x1744);
    fixture_segment(elf, PT_LOAD, PF_R | PF_X, 0x1750, 0x2750, 0x900);
    fixture_headers(elf, false);
    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    address_space_init(&space);
    add(&space, 0x7f0000002000, 0x7f0000004000, 0x1000, fixture_module(set, elf));
    mapping = address_space_find(&space, 0x7f0000002800);
    assert_true(mapping_vaddr(set, mapping, 0x7f0000002800, &vaddr));
    assert_int_equal(vaddr, 0x2800);
    assert_int_equal(mapping->bias, 0x7f0000000000);
    address_space_deinit(&space);
    module_set_destroy(set);
}

TEST(mapping_vaddr_of_a_cut_mapping_keeps_the_bias)
{
    struct elf_fixture *elf = fixture_create(EM_X86_64);
    struct module_options options = {0};
    struct module_set *set;
    struct address_space space;
    uint64_t vaddr;

    fixture_text(elf, 0x3000);
    fixture_finish(elf);
    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    address_space_init(&space);
    add(&space, 0x10000, 0x14000, 0, fixture_module(set, elf));
    assert_int_equal(address_space_remove(&space, 0x10000, 0x11000), STATUS_OK);
    assert_true(mapping_vaddr(set, address_space_find(&space, 0x11800), 0x11800, &vaddr));
    assert_int_equal(vaddr, FIXTURE_BASE + 0x1800);
    address_space_deinit(&space);
    module_set_destroy(set);
}

TEST(mapping_vaddr_without_file_is_the_file_offset)
{
    struct module_options options = {0};
    struct module *missing, *anon;
    struct module_set *set;
    struct address_space space;
    uint64_t vaddr;

    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    assert_int_equal(module_set_get(set, MODULE_FILE, "/no/such/file.so", NULL, 0, false, &missing),
                     STATUS_OK);
    assert_int_equal(module_set_get(set, MODULE_ANON, "[anon]", NULL, 0, false, &anon), STATUS_OK);
    address_space_init(&space);
    add(&space, 0x10000, 0x14000, 0x3000, missing);
    add(&space, 0x20000, 0x24000, 0, anon);
    assert_false(mapping_vaddr(set, address_space_find(&space, 0x11234), 0x11234, &vaddr));
    assert_int_equal(vaddr, 0x4234);
    assert_false(mapping_vaddr(set, address_space_find(&space, 0x21234), 0x21234, &vaddr));
    assert_int_equal(vaddr, 0x21234);
    address_space_deinit(&space);
    module_set_destroy(set);
}
