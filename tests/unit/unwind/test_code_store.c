/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "symbol/address_space.h"
#include "symbol/module_set.h"
#include "unit_test.h"
#include "runtime/jit/jit_map.h"
#include "unwind/code_store.h"

#define RSP   7
#define START UINT64_C(0x7f0000000000)

/*
 * 00  endbr64
 * 04  call 0x10
 * 09  ret
 * 0a  nopw 0(%rax,%rax,1)
 * 10  sub $0x18,%rsp
 * 14  mov %rdi,%rax
 * 17  add $0x18,%rsp
 * 1b  ret
 */
static const uint8_t code[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xe8, 0x07, 0x00, 0x00, 0x00, 0xc3,
                               0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x48, 0x83, 0xec, 0x18,
                               0x48, 0x89, 0xf8, 0x48, 0x83, 0xc4, 0x18, 0xc3};

struct fixture {
    struct module_set *set;
    struct code_stores *stores;
    struct address_space space;
};

static void fixture_init(struct fixture *f, enum arch_id arch)
{
    const struct module_options options = {.sysroot = "/nonexistent"};

    *f = (struct fixture){.set = NULL};
    assert_int_equal(module_set_create(&options, &f->set), STATUS_OK);
    assert_int_equal(code_stores_create(f->set, arch_get(arch), &f->stores), STATUS_OK);
}

static void fixture_deinit(struct fixture *f)
{
    address_space_deinit(&f->space);
    code_stores_destroy(f->stores);
    module_set_destroy(f->set);
}

static struct mapping *map_at(struct fixture *f, uint64_t start_addr, enum module_kind kind,
                              size_t build_id_size)
{
    static const uint8_t build_id[20] = {1};
    struct module *module;

    assert_int_equal(module_set_get(f->set, kind, kind == MODULE_ANON ? "[anon]" : "/no/such",
                                    build_id, build_id_size, false, &module),
                     STATUS_OK);
    assert_int_equal(address_space_add(&f->space, start_addr, start_addr + 0x100000, 0x1000,
                                       module),
                     STATUS_OK);
    return address_space_find(&f->space, start_addr);
}

static void add(struct fixture *f, struct mapping *mapping, uint64_t addr, const uint8_t *bytes,
                size_t size)
{
    assert_int_equal(code_stores_add(f->stores, mapping, addr, bytes, size), STATUS_OK);
}

static void expect_cfa(struct fixture *f, struct mapping *mapping, uint64_t vaddr, int off)
{
    const struct row *row;

    assert_int_equal(code_stores_find(f->stores, &(struct code_place){mapping, vaddr, NULL}, &row),
                     STATUS_OK);
    assert_int_equal(row->source, TRUST_PROLOGUE);
    assert_int_equal(row->cfa.kind, CFA_REG);
    assert_int_equal(row->cfa.reg, RSP);
    assert_int_equal(row->cfa.off, off);
}

static void expect_unknown(struct fixture *f, struct mapping *mapping, uint64_t vaddr)
{
    const struct row *row;

    assert_int_equal(code_stores_find(f->stores, &(struct code_place){mapping, vaddr, NULL}, &row),
                     STATUS_NOT_FOUND);
}

TEST_OF(code_store_rows_of_anonymous_code_are_by_run_time_address, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, START, MODULE_ANON, 0);

    expect_unknown(f, mapping, START);
    add(f, mapping, START, code, sizeof(code));
    expect_cfa(f, mapping, START, 8);
    expect_cfa(f, mapping, START + 0x10, 8);
    expect_cfa(f, mapping, START + 0x14, 32);
    expect_cfa(f, mapping, START + 0x1b, 8);
    expect_unknown(f, mapping, START + 0x1000);
}

TEST_OF(code_store_rows_of_a_file_are_by_offset_and_for_all_its_mappings, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, START, MODULE_FILE, 20);

    add(f, mapping, START + 0x40, code, sizeof(code));
    expect_cfa(f, mapping, 0x1054, 32);
    mapping = map_at(f, START * 2, MODULE_FILE, 20);
    expect_cfa(f, mapping, 0x1054, 32);
}

TEST_OF(code_store_without_build_id_a_mapping_has_its_own_code, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, START, MODULE_FILE, 0);

    add(f, mapping, START, code, sizeof(code));
    expect_cfa(f, mapping, 0x1014, 32);
    mapping = map_at(f, START * 2, MODULE_FILE, 0);
    expect_unknown(f, mapping, 0x1014);
    /* What is mapped in its place is another one. */
    mapping = map_at(f, START, MODULE_FILE, 0);
    expect_unknown(f, mapping, 0x1014);
}

TEST_OF(code_store_what_was_unknown_is_asked_again_when_code_comes, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, START, MODULE_ANON, 0);

    /* A piece that begins in the midst of a function says nothing of it. */
    add(f, mapping, START + 0x114, code + 0x14, sizeof(code) - 0x14);
    expect_unknown(f, mapping, START + 0x114);
    add(f, mapping, START + 0x100, code, 0x14);
    expect_cfa(f, mapping, START + 0x114, 32);
}

/*
 * 00  endbr32
 * 04  call 0x10
 * 09  ret
 * 0a  nopw 0(%eax,%eax,1)
 * 10  sub $0x1c,%esp
 * 13  mov %edx,%eax
 * 15  add $0x1c,%esp
 * 18  ret
 */
TEST_OF(code_store_code_of_i386_is_understood, fixture, f, ARCH_I386)
{
    static const uint8_t i386[] = {0xf3, 0x0f, 0x1e, 0xfb, 0xe8, 0x07, 0x00, 0x00, 0x00,
                                   0xc3, 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x83, 0xec,
                                   0x1c, 0x89, 0xd0, 0x83, 0xc4, 0x1c, 0xc3};
    const struct row *row;
    struct mapping *mapping = map_at(f, 0xf7000000, MODULE_ANON, 0);

    add(f, mapping, 0xf7000000, i386, sizeof(i386));
    assert_int_equal(code_stores_find(f->stores, &(struct code_place){mapping, 0xf7000013, NULL},
                                      &row),
                     STATUS_OK);
    assert_int_equal(row->cfa.off, 32);
    /* Beyond what 32 bits can address. */
    mapping = map_at(f, START, MODULE_ANON, 0);
    add(f, mapping, START, i386, sizeof(i386));
    expect_unknown(f, mapping, START);
}

TEST_OF(code_store_first_bytes_of_a_file_stay, fixture, f, ARCH_X86_64)
{
    static const uint8_t other[sizeof(code)] = {0};
    struct mapping *mapping = map_at(f, START, MODULE_FILE, 20);

    add(f, mapping, START, code, sizeof(code));
    add(f, mapping, START, other, sizeof(other));
    expect_cfa(f, mapping, 0x1014, 32);
}

/* Code is made where other code was. */
TEST_OF(code_store_last_bytes_of_a_mapping_count, fixture, f, ARCH_X86_64)
{
    uint8_t other[sizeof(code)];
    struct mapping *mapping;

    memcpy(other, code, sizeof(code));
    other[0x13] = other[0x1a] = 0x38;
    mapping = map_at(f, START, MODULE_ANON, 0);
    add(f, mapping, START, code, sizeof(code));
    expect_cfa(f, mapping, START + 0x14, 32);
    add(f, mapping, START, other, sizeof(other));
    expect_cfa(f, mapping, START + 0x14, 64);
}

/* Nothing calls it, and it begins amid other code. */
TEST_OF(code_store_functions_are_where_their_compiler_says, fixture, f, ARCH_X86_64)
{
    static const uint8_t two[] = {0x48, 0x83, 0xec, 0x38, 0x90, 0x48, 0x83, 0xec, 0x18,
                                  0x48, 0x89, 0xf8, 0x48, 0x83, 0xc4, 0x18, 0xc3};
    struct code_place place = {.vaddr = START + 9};
    struct pool names;
    const struct row *row;
    bool changed = false;
    char line[64];

    pool_init(&names);
    place.mapping = map_at(f, START, MODULE_ANON, 0);
    assert_int_equal(jit_map_create(&names, &place.jit), STATUS_OK);
    add(f, (struct mapping *)place.mapping, START, two, sizeof(two));
    assert_int_equal(code_stores_find(f->stores, &place, &row), STATUS_NOT_FOUND);
    snprintf(line, sizeof(line), "%llx %zx f\n", (unsigned long long)START + 5, sizeof(two) - 5);
    assert_int_equal(jit_map_add(place.jit, 0, (const uint8_t *)line, strlen(line), &changed),
                     STATUS_OK);
    assert_int_equal(code_stores_find(f->stores, &place, &row), STATUS_NOT_FOUND); /* kept */
    code_stores_ask_again(f->stores);
    assert_int_equal(code_stores_find(f->stores, &place, &row), STATUS_OK);
    assert_int_equal(row->cfa.off, 32);
    jit_map_destroy(place.jit);
    pool_deinit(&names);
}

TEST_OF(code_store_pieces_are_one_across_chunks, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, START, MODULE_ANON, 0);

    add(f, mapping, START + 0xfff0, code, sizeof(code));
    expect_cfa(f, mapping, START + 0xfff0, 8);
    expect_cfa(f, mapping, START + 0x10004, 32);
    assert_false(code_stores_after_call(f->stores, mapping, START + 0x10000, CODE_DEFAULT));
    assert_true(code_stores_after_call(f->stores, mapping, START + 0xfff9, CODE_DEFAULT));
}

TEST_OF(code_store_return_address_without_code_may_be_right, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, START, MODULE_ANON, 0);

    assert_true(code_stores_after_call(f->stores, mapping, START + 0x20, CODE_DEFAULT));
    add(f, mapping, START, code, sizeof(code));
    assert_true(code_stores_after_call(f->stores, mapping, START + 0x1000, CODE_DEFAULT));
    assert_true(code_stores_after_call(f->stores, mapping, START + 0x09, CODE_DEFAULT));
    assert_false(code_stores_after_call(f->stores, mapping, START + 0x14, CODE_DEFAULT));
}

/* Flash that is erased; what a dump has left out. */
TEST(code_store_zeroes_and_ones_are_no_code)
{
    static const uint8_t fillers[] = {0, 0xff};
    uint8_t bytes[64];
    struct fixture f;
    struct mapping *mapping;

    for (size_t i = 0; i < sizeof(fillers); i++) {
        fixture_init(&f, ARCH_X86_64);
        mapping = map_at(&f, START, MODULE_ANON, 0);
        memset(bytes, fillers[i], sizeof(bytes));
        memcpy(bytes, code, 16);
        add(&f, mapping, START, bytes, sizeof(bytes));
        assert_true(code_stores_is_absent(f.stores, mapping, START + 32));
        assert_true(code_stores_is_absent(f.stores, mapping, START + 20));
        assert_true(code_stores_is_absent(f.stores, mapping, START + 64));
        assert_false(code_stores_is_absent(f.stores, mapping, START + 16));
        bytes[33] = bytes[48] = 0x90; /* so few may be between functions */
        add(&f, mapping, START, bytes, sizeof(bytes));
        assert_false(code_stores_is_absent(f.stores, mapping, START + 46));
        fixture_deinit(&f);
    }
}

TEST_OF(code_store_too_many_pieces_are_left_out, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, START, MODULE_ANON, 0);

    add(f, mapping, START, code, sizeof(code));
    for (uint64_t off = 0x40000; off > 0x30000; off -= 2)
        add(f, mapping, START + off, code, 1);
    expect_unknown(f, mapping, START + 0x30002);
    expect_cfa(f, mapping, START + 0x14, 32);
}

TEST_OF(code_store_addresses_that_wrap_around_are_left_out, fixture, f, ARCH_X86_64)
{
    struct mapping *mapping = map_at(f, UINT64_MAX - 0x100000, MODULE_ANON, 0);

    add(f, mapping, UINT64_MAX - sizeof(code), code, sizeof(code));
    expect_unknown(f, mapping, UINT64_MAX - sizeof(code));
    mapping = map_at(f, START, MODULE_FILE, 0);
    mapping->file_off = UINT64_MAX - 8;
    add(f, mapping, START, code, sizeof(code));
    expect_unknown(f, mapping, UINT64_MAX - 8);
}
