/* SPDX-License-Identifier: MIT */
/* What registers and the stack point to, copied from this process, which plays the target. */
#include <fcntl.h>

#include "stack_fixture.h"

#include "capture/target/pointees.h"

#define SIZE 64u
#define SP   (2 * PAGE)

/* The stack lies in the first pages of `first`; what it points to, in its others and in `other`. */
struct scene {
    struct world world, *w; /* w: of world */
    uint64_t regs[ARCH_REG_MAX];
    struct pointee_request request;
    struct pointees found;
};

static void scene_init(struct scene *s)
{
    *s = (struct scene){.w = &s->world};
    world_init(s->w);
    memset(s->w->memory, 0, 4 * PAGE); /* no word is an address */
    for (unsigned i = 0; i < 2; i++) {
        s->w->ranges[i].prot = MAP_PROT_READ | MAP_PROT_WRITE;
        s->w->ranges[i].place = SNAP_PLACE_ANON;
    }
    s->w->target.machine.red_zone = 128;
    s->w->request.limit = PAGE;
    s->request = (struct pointee_request){.target = &s->w->target,
                                          .tid = getpid(),
                                          .maps = &s->w->maps,
                                          .regs = s->regs,
                                          .sp = s->w->addr + SP,
                                          .stack = &s->w->copy,
                                          .size = SIZE,
                                          .budget = POINTEES_BUDGET_DEFAULT};
}

static void scene_deinit(struct scene *s)
{
    world_deinit(s->w);
}

static enum status take(struct scene *s)
{
    assert_int_equal(copy(s->w, SP, 0), STATUS_OK);
    return pointees_copy(&s->request, &s->w->arena, &s->found);
}

static void point_to(struct scene *s, unsigned reg, uint64_t off)
{
    s->regs[reg] = s->w->addr + off;
}

/* Pieces are given by their offsets from, and behind the last one to. */
static void expect_pieces(const struct scene *s, const uint64_t (*spans)[2], unsigned count)
{
    const uint8_t *bytes = s->found.bytes;

    assert_int_equal(s->found.count, count);
    for (unsigned i = 0; i < count; i++) {
        const struct target_memory *piece = &s->found.pieces[i];

        assert_int_equal(piece->addr - s->w->addr, spans[i][0]);
        assert_int_equal(piece->size, spans[i][1] - spans[i][0]);
        assert_memory_equal(bytes, s->w->memory + spans[i][0], piece->size);
        bytes += piece->size;
    }
    assert_true(bytes <= s->w->arena.base + s->w->arena.used);
}

#define EXPECT(s, ...)                                                                             \
    do {                                                                                           \
        const uint64_t spans[][2] = {__VA_ARGS__};                                                 \
        expect_pieces(s, spans, sizeof(spans) / sizeof(spans[0]));                                 \
    } while (0)

TEST_OF(pointees_of_registers_red_zone_and_stack_are_copied, scene, s)
{
    point_to(s, 3, 10 * PAGE + 5);
    put_word(s->w, SP - 8, s->w->addr + 9 * PAGE);
    put_word(s->w, SP, s->w->addr + 33 * PAGE);
    put_word(s->w, SP + POINTEES_STACK - 8, s->w->addr + 8 * PAGE);
    put_word(s->w, SP + POINTEES_STACK, s->w->addr + 7 * PAGE);
    put_word(s->w, SP - 136, s->w->addr + 6 * PAGE);
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {8 * PAGE, 8 * PAGE + SIZE}, {9 * PAGE, 9 * PAGE + SIZE},
           {10 * PAGE + 5, 10 * PAGE + 5 + SIZE}, {33 * PAGE, 33 * PAGE + SIZE});
}

TEST_OF(pointees_that_overlap_or_touch_are_one_piece, scene, s)
{
    point_to(s, 0, 8 * PAGE);
    point_to(s, 1, 8 * PAGE + 2 * SIZE);
    point_to(s, 2, 8 * PAGE + 4 * SIZE + 1);
    point_to(s, 3, 8 * PAGE + SIZE); /* joins the first two */
    point_to(s, 4, 8 * PAGE + 40);
    point_to(s, 5, 8 * PAGE);
    point_to(s, 6, 8 * PAGE - SIZE);
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {8 * PAGE - SIZE, 8 * PAGE + 3 * SIZE},
           {8 * PAGE + 4 * SIZE + 1, 8 * PAGE + 5 * SIZE + 1});
}

TEST_OF(pointees_keep_the_budget_and_registers_go_first, scene, s)
{
    s->request.budget = 3 * SIZE + 16;
    for (unsigned i = 0; i < 8; i++)
        put_word(s->w, SP + 8 * i, s->w->addr + 5 * PAGE + 1000 * i);
    point_to(s, 2, 12 * PAGE);
    point_to(s, 9, 13 * PAGE);
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {5 * PAGE, 5 * PAGE + SIZE}, {12 * PAGE, 12 * PAGE + SIZE},
           {13 * PAGE, 13 * PAGE + SIZE});
    /* What is left is for what adds little. */
    put_word(s->w, SP + 64, s->w->addr + 5 * PAGE + 16);
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {5 * PAGE, 5 * PAGE + SIZE + 16}, {12 * PAGE, 12 * PAGE + SIZE},
           {13 * PAGE, 13 * PAGE + SIZE});
}

TEST_OF(pointees_end_where_their_mapping_does, scene, s)
{
    point_to(s, 0, 16 * PAGE - 10);
    point_to(s, 1, 16 * PAGE);
    point_to(s, 2, 32 * PAGE - 8);
    point_to(s, 3, 40 * PAGE - 1);
    s->regs[4] = UINT64_MAX;
    s->regs[5] = 1;
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {16 * PAGE - 10, 16 * PAGE}, {40 * PAGE - 1, 40 * PAGE});
}

TEST_OF(pointees_in_what_was_captured_of_the_stack_are_not_copied_again, scene, s)
{
    const uint64_t low = SP - 128, high = SP + PAGE; /* as the limit has it */

    point_to(s, 0, low);
    point_to(s, 1, SP + 200);
    point_to(s, 2, high - 8);
    point_to(s, 3, low - 16);
    point_to(s, 4, high);
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {low - 16, low}, {high, high + SIZE});
}

TEST_OF(pointees_of_other_kinds_of_memory_are_left_alone, scene, s)
{
    static const struct map_range kinds[] = {
        {.prot = 0, .place = SNAP_PLACE_ANON},
        {.prot = MAP_PROT_WRITE, .place = SNAP_PLACE_ANON},
        {.prot = MAP_PROT_READ | MAP_PROT_EXEC, .place = SNAP_PLACE_ANON},
        {.prot = MAP_PROT_READ | MAP_PROT_WRITE, .place = SNAP_PLACE_ANON, .is_shared = true},
        {.prot = MAP_PROT_READ, .place = SNAP_PLACE_UNKNOWN, .is_file = true},
        {.prot = MAP_PROT_READ, .place = SNAP_PLACE_UNKNOWN}, /* [vvar] */
    };

    point_to(s, 0, 33 * PAGE);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct map_range *was = &s->w->ranges[1];
        struct map_range range = kinds[i];

        range.start_addr = was->start_addr;
        range.end_addr = was->end_addr;
        s->w->ranges[1] = range;
        assert_int_equal(take(s), STATUS_OK);
        assert_int_equal(s->found.count, 0);
    }
    s->w->ranges[1].prot = MAP_PROT_READ | MAP_PROT_WRITE;
    s->w->ranges[1].is_file = true; /* a library's data */
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {33 * PAGE, 33 * PAGE + SIZE});
}

/* What is mapped there has changed since the mappings were read. */
TEST_OF(pointees_are_read_where_the_process_s_own_pages_are_in_memory, scene, s)
{
    int fd = memfd_create("file", 0);
    uint8_t *other;

    other = s->w->memory + 33 * PAGE;
    assert_int_equal(ftruncate(fd, 8 * PAGE), 0);
    assert_ptr_equal(mmap(other, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0),
                     other);
    other[0] = 1;                     /* a page of its own */
    assert_int_equal(other[PAGE], 0); /* the file's, in memory */
    assert_ptr_equal(mmap(other + 4 * PAGE, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0),
                     other + 4 * PAGE);
    assert_int_equal(other[4 * PAGE], 0);
    madvise(other + 5 * PAGE, PAGE, MADV_DONTNEED);
    point_to(s, 0, 33 * PAGE);
    point_to(s, 1, 34 * PAGE - 8); /* cut where the next page is not its own */
    point_to(s, 2, 34 * PAGE + 100);
    point_to(s, 3, 35 * PAGE + 100); /* was never touched */
    point_to(s, 4, 37 * PAGE);
    point_to(s, 5, 38 * PAGE);
    point_to(s, 6, 39 * PAGE);
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {33 * PAGE, 33 * PAGE + SIZE}, {34 * PAGE - 8, 34 * PAGE},
           {39 * PAGE, 39 * PAGE + SIZE});
    close(fd);
}

TEST_OF(pointees_that_cannot_be_read_are_left_out, scene, s)
{
    mprotect(s->w->memory + 9 * PAGE, PAGE, PROT_NONE); /* in memory, and the maps say otherwise */
    point_to(s, 0, 8 * PAGE);
    point_to(s, 1, 9 * PAGE + 32);
    point_to(s, 2, 10 * PAGE - 8); /* the second page could be read */
    point_to(s, 3, 11 * PAGE);
    point_to(s, 4, 9 * PAGE - 16); /* and of this the first */
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {8 * PAGE, 8 * PAGE + SIZE}, {11 * PAGE, 11 * PAGE + SIZE});
}

static enum status no_pages(void *state, pid_t tid, struct target_page *pages, size_t count)
{
    (void)state;
    (void)tid;
    (void)pages;
    (void)count;
    return STATUS_IO;
}

TEST_OF(pointees_are_not_read_where_pages_cannot_be_told, scene, s)
{
    struct capture_backend backend = ptrace_backend;

    s->w->target.backend = &backend;
    point_to(s, 0, 8 * PAGE);
    backend.own_pages = no_pages;
    assert_int_equal(take(s), STATUS_IO);
    assert_int_equal(s->found.count, 0);
    backend.own_pages = NULL;
    assert_int_equal(take(s), STATUS_IO);
    s->regs[0] = 0; /* nothing is to be read */
    assert_int_equal(take(s), STATUS_OK);
}

TEST_OF(pointees_that_find_no_room_are_left_out, scene, s)
{
    point_to(s, 0, 8 * PAGE);
    assert_int_equal(copy(s->w, SP, 0), STATUS_OK);
    s->w->arena.used = s->w->arena.size - SIZE;
    assert_int_equal(pointees_copy(&s->request, &s->w->arena, &s->found), STATUS_OK);
    assert_int_equal(s->found.count, 0);
    assert_int_equal(s->w->arena.used, s->w->arena.size - SIZE);
}

TEST_OF(pointees_without_their_tags_are_addresses, scene, s)
{
    s->w->target.machine.addr_mask = UINT64_MAX >> 8;
    point_to(s, 0, 8 * PAGE);
    s->regs[0] |= UINT64_C(0xb4) << 56;
    assert_int_equal(take(s), STATUS_OK);
    EXPECT(s, {8 * PAGE, 8 * PAGE + SIZE});
}

TEST_OF(pointees_of_all_words_may_be_apart, scene, s)
{
    s->request.size = 1;
    for (unsigned i = 0; i < POINTEES_STACK / 8; i++)
        put_word(s->w, SP + 8 * i, s->w->addr + 5 * PAGE + 40 * i);
    assert_int_equal(take(s), STATUS_OK);
    assert_int_equal(s->found.count, POINTEES_STACK / 8);
}
