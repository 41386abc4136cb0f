/* SPDX-License-Identifier: MIT */
/* Versions of Go in memory that may hold anything, and where goroutines have their numbers. */
#include <string.h>

#include "unit_test.h"
#include "runtime/go/memory/go_version.h"

#define BASE UINT64_C(0x500000)
#define PAGE 4096u

struct world {
    uint8_t bytes[8 * PAGE];
    unsigned hidden_page; /* which cannot be read */
    unsigned reads;
    struct goroutine_memory memory;
};

static bool read_world(const void *context, uint64_t addr, void *bytes, size_t size)
{
    struct world *w = (struct world *)(uintptr_t)context;
    uint64_t off = addr - BASE;

    w->reads++;
    if (off > sizeof(w->bytes) || size > sizeof(w->bytes) - off ||
        (off / PAGE <= w->hidden_page && (off + size - 1) / PAGE >= w->hidden_page))
        return false;
    memcpy(bytes, w->bytes + off, size);
    return true;
}

static struct world *world(void)
{
    static struct world w;

    memset(&w, 0, sizeof(w));
    w.hidden_page = 99;
    w.memory = (struct goroutine_memory){.read = read_world,
                                         .context = &w,
                                         .addr_mask = UINT64_MAX,
                                         .word_size = 8};
    return &w;
}

static void put_info(struct world *w, size_t off, uint8_t flags, const char *text)
{
    memcpy(w->bytes + off, "\xff Go buildinf:\x08", 15);
    w->bytes[off + 15] = flags;
    w->bytes[off + 32] = (uint8_t)strlen(text);
    memcpy(w->bytes + off + 33, text, strlen(text));
}

static unsigned find(struct world *w)
{
    return go_version_find(&w->memory, BASE, BASE + sizeof(w->bytes));
}

TEST(go_version_is_that_of_releases_only)
{
    static const struct {
        const char *text;
        unsigned version;
    } cases[] = {
        {"go1.22.5", 22},
        {"go1.18", 18},
        {"go1.26.4 X:nodwarf5,greenteagc,jsonv2,and,more,of,them", 26},
        {"go1.123.4", 123},
        {"go1.24rc1", 0},
        {"go1.26-devel_abcdef", 0},
        {"devel go1.23-0123456789 Mon", 0},
        {"go2.1.1", 0},
        {"go1.", 0},
        {"go1.99999999999999999999", 0},
        {"", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct world *w = world();

        put_info(w, 2 * PAGE + 16, 2, cases[i].text);
        assert_int_equal(find(w), cases[i].version);
    }
}

TEST(go_version_is_found_where_it_can_be_read)
{
    struct world *w = world();

    assert_int_equal(find(w), 0);
    put_info(w, 5 * PAGE - 16, 2, "go1.20.4"); /* across two pages */
    w->hidden_page = 1;
    assert_int_equal(find(w), 20);
    w->hidden_page = 5;
    assert_int_equal(find(w), 0);
    w = world();
    put_info(w, 3 * PAGE + 8, 2, "go1.20.4"); /* it is at a multiple of 16 */
    assert_int_equal(find(w), 0);
    put_info(w, 4 * PAGE, 0, "go1.20.4"); /* an older one, which points to the text */
    assert_int_equal(find(w), 0);
    put_info(w, sizeof(w->bytes) - 48, 2, "go1.20.4");
    memset(w->bytes + 4 * PAGE, 0, 64);
    assert_int_equal(find(w), 0); /* there is no room for it */
}

TEST(go_version_is_looked_for_in_so_many_bytes)
{
    struct world *w = world();

    assert_int_equal(go_version_find(&w->memory, BASE, UINT64_MAX), 0);
    assert_true(w->reads <= GO_VERSION_SEARCH_MAX / PAGE + 1);
    assert_int_equal(go_version_find(&w->memory, UINT64_MAX - 100, UINT64_MAX), 0);
    assert_int_equal(go_version_find(&w->memory, BASE + PAGE, BASE), 0);
    put_info(w, PAGE, 2, "go1.20.4");
    assert_int_equal(go_version_find(&w->memory, BASE, BASE + PAGE), 0);
    assert_int_equal(go_version_find(&w->memory, BASE + 8, BASE + PAGE + 16), 20);
}

/* What is at words 18 and 19 of a g: status and lock, 32 bits each, then the number. */
static uint64_t id_of(struct world *w, unsigned version)
{
    struct goroutine g = {.addr = BASE};

    return go_version_goroutine_id(&w->memory, &g, version);
}

static void put_status(struct world *w, size_t off, uint32_t status, uint64_t id)
{
    memset(w->bytes, 0xee, PAGE);
    memcpy(w->bytes + off, &status, 4);
    memset(w->bytes + off + 4, 0, 4);
    memcpy(w->bytes + off + 8, &id, 8);
}

TEST(goroutine_number_is_where_the_version_has_it)
{
    struct world *w = world();

    for (unsigned version = 0; version < 40; version++) {
        bool is_known = version >= 16 && version <= 26, is_late = version == 23 || version == 24;

        w->memory.word_size = 8;
        put_status(w, 144, 2, 77);
        assert_int_equal(id_of(w, version), is_known && !is_late ? 77 : 0);
        put_status(w, 152, 3, 78);
        assert_int_equal(id_of(w, version), is_late ? 78 : 0);
        w->memory.word_size = 4;
        put_status(w, 72, 4, 79);
        assert_int_equal(id_of(w, version), is_known && !is_late ? 79 : 0);
        put_status(w, 76, 0x1002, 80);
        assert_int_equal(id_of(w, version), is_late ? 80 : 0);
    }
}

TEST(goroutine_number_is_none_without_a_status_before_it)
{
    static const uint32_t none[] = {0, 5, 7, 10, 0x1000, 0x2002, 0x500000, UINT32_MAX};
    struct world *w = world();

    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        put_status(w, 144, none[i], 77);
        assert_int_equal(id_of(w, 22), 0);
    }
    put_status(w, 144, 2, 77);
    w->hidden_page = 0;
    assert_int_equal(id_of(w, 22), 0);
}
