/* SPDX-License-Identifier: MIT */
/* A page's entries: nothing is lost, whatever is shown, and times are right to a unit. */
#include "graph_fixture.h"

#include "output/html/page_entries.h"
#include "output/html/page_profile.h"

#define MS UINT64_C(1000000)

static const struct fixture_function FUNCTIONS[] = {
    {"main", .start = 0x2000, .file = "src/main.c", .line = 10},
    {"f", .start = 0x3000, .file = "src/f.c", .line = 100},
    {"g", .start = 0x4000, .file = "src/g.c", .line = 1},
    {0},
};

struct made {
    struct fixture f;
    struct history history; /* of two threads that were seen more than once */
    struct history_thread threads[2];
    struct sample_log log;
    struct output output;
    struct page_entries entries;
    struct page_chains chains;
};

static void made_init(struct made *made)
{
    *made = (struct made){.threads = {{.samples = 2}, {.samples = 2}}};
    fixture_init(&made->f, FUNCTIONS);
    made->history.threads = made->threads;
    made->history.thread_count = 2;
}

/* A sample of thread 0 or 1, as a format sees it. */
static void sample(struct made *made, uint32_t thread, const char *text, char state,
                   uint64_t time_ns, struct weights weights)
{
    const struct profile *profile = made->f.profile;
    const size_t before = profile->cell_count;
    uint32_t cell;

    fixture_weigh(&made->f, thread ? "one" : "zero", 7 + thread, text, state, weights);
    /* Most of these samples are the first of their cell. */
    cell = (uint32_t)(profile->cell_count > before ? before : profile->cell_count - 1);
    assert_int_equal(sample_log_add(&made->log, page_source_of_history(thread), cell, time_ns,
                                    &weights),
                     STATUS_OK);
}

/* With sources for threads of the page: that of the history is its own number. */
static void make(struct made *made, enum weight_kind weight, const struct graph_filter *filter,
                 bool has_sums)
{
    uint32_t thread_of[8];

    for (uint32_t i = 0; i < 8; i++)
        thread_of[i] = i / 2;
    made->output =
        (struct output){.view = fixture_view(&made->f, GRAPH_BY_FUNCTION, weight, filter),
                        .profile = made->f.profile,
                        .history = &made->history};
    assert_int_equal(page_entries_take(&made->entries, &made->output, &made->log, has_sums),
                     STATUS_OK);
    assert_int_equal(page_chains_init(&made->chains, made->f.view, made->entries.is_used),
                     STATUS_OK);
    assert_int_equal(page_entries_place(&made->entries, thread_of, &made->chains), STATUS_OK);
}

static void made_deinit(struct made *made)
{
    page_entries_deinit(&made->entries);
    page_chains_deinit(&made->chains);
    sample_log_deinit(&made->log);
    fixture_deinit(&made->f);
}

static uint64_t sum(const struct sample_log *log, enum weight_kind kind)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < log->count; i++)
        sum += log->list[i].weight[kind];
    return sum;
}

static void add_some(struct made *made)
{
    sample(made, 0, "main f", 'R', 0, (struct weights){.value = {1, 7, 5, 0}});
    sample(made, 1, "main g", 'S', 3 * MS, (struct weights){.value = {1, 11, 0, 11}});
    sample(made, 0, "main g", 'R', 10 * MS, (struct weights){.value = {1, 13, 13, 0}});
    sample(made, 1, "main f", 'S', 12 * MS, (struct weights){.value = {1, 17, 1, 16}});
    sample(made, 1, "main f g", 'R', 30 * MS, (struct weights){.value = {0, 0, 19, 0}}); /* tick */
}

TEST(sums_are_those_of_the_view_by_each_weight)
{
    static const char *const patterns[] = {NULL, "g", "nothing"};

    for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++)
        for (enum weight_kind kind = WEIGHT_SAMPLES; kind <= WEIGHT_OFFCPU; kind++) {
            struct graph_filter filter = {.has_tid = false};
            struct made made;
            struct diag diag;

            if (patterns[p])
                assert_int_equal(graph_filter_set(&filter, FILTER_FOCUS, patterns[p], &diag),
                                 STATUS_OK);
            made_init(&made);
            add_some(&made);
            make(&made, kind, &filter, false);
            assert_int_equal(sum(&made.log, kind), made.f.view->shown);
            assert_int_equal(made.entries.shown.value[kind], made.f.view->shown);
            assert_int_equal(made.entries.totals.value[kind], made.f.view->total);
            assert_true(made.entries.has_time);
            assert_int_equal(made.entries.buckets, 31);
            graph_filter_deinit(&filter);
            made_deinit(&made);
        }
}

TEST_OF(sums_of_a_profile_are_entries_without_times, made, made)
{
    add_some(made);
    fixture_add(&made->f, "other", 9, "main g", 100); /* of a pprof: no sample was seen */
    fixture_add_base(&made->f, "base", 5, "main f", 20);
    make(made, WEIGHT_SAMPLES, NULL, true);
    assert_false(made->entries.has_time);
    assert_int_equal(sum(&made->log, WEIGHT_SAMPLES), made->f.view->shown);
    assert_int_equal(made->f.view->shown, 104);
    assert_int_equal(sum(&made->entries.base, WEIGHT_SAMPLES), 20);
    assert_int_equal(made->entries.base_totals.value[WEIGHT_SAMPLES], 20);
}

TEST(buckets_have_a_width_that_people_know)
{
    static const struct {
        uint64_t last_ms, width_ms, count;
    } cases[] = {{0, 1, 1},         {2047, 1, 2048},    {2048, 2, 1025},
                 {4096, 5, 820},    {10239, 5, 2048},   {10240, 10, 1025},
                 {20480, 20, 1025}, {100000, 50, 2001}, {3600000, 2000, 1801}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct made made;

        made_init(&made);
        sample(&made, 0, "main f", 'R', 0, (struct weights){.value = {1}});
        sample(&made, 0, "main g", 'R', cases[i].last_ms * MS, (struct weights){.value = {1}});
        make(&made, WEIGHT_SAMPLES, NULL, false);
        assert_int_equal(made.entries.bucket_ns, cases[i].width_ms * MS);
        assert_int_equal(made.entries.buckets, cases[i].count);
        assert_int_equal(made.entries.from_ns, 0);
        made_deinit(&made);
    }
}

TEST_OF(buckets_begin_with_the_part_that_is_shown, made, made)
{
    sample(made, 0, "main f", 'R', 100007 * MS, (struct weights){.value = {1}});
    sample(made, 0, "main g", 'R', 104107 * MS, (struct weights){.value = {1}});
    make(made, WEIGHT_SAMPLES, NULL, false);
    assert_int_equal(made->entries.bucket_ns, 5 * MS);
    assert_int_equal(made->entries.from_ns, 100005 * MS);
    assert_int_equal(made->entries.buckets, 821);
    assert_int_equal(made->log.list[0].slot, 0);
    assert_int_equal(made->log.list[1].slot, 820);
}

/* The first bytes of a column of small numbers. */
static void expect_bytes(const struct page_columns *columns, const char *name, const char *bytes,
                         size_t count)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->list[i].name, name) == 0) {
            assert_int_equal(columns->list[i].size, count);
            assert_memory_equal(columns->list[i].bytes, bytes, count);
            return;
        }
    fail_msg("no column %s", name);
}

TEST_OF(what_is_rounded_off_is_carried_on, made, made)
{
    struct page_columns columns = {.count = 0};
    struct json_line head = json_line_begin(NULL);
    uint32_t *order;

    /* Of units of 1000 ns, three times 600. */
    sample(made, 0, "main f", 'R', 0, (struct weights){.value = {1, 600, 600, 0}});
    sample(made, 0, "main g", 'S', 5 * MS, (struct weights){.value = {1, 600, 0, 600}});
    sample(made, 0, "main", 'R', 9 * MS, (struct weights){.value = {1, 600, 600, 0}});
    make(made, WEIGHT_WALL, NULL, false);
    made->entries.unit_ns = 1000;
    order = page_profile_order(&made->chains);
    page_entries_write(&made->entries, order, 2, &head, &columns);
    expect_bytes(&columns, "thread.entries", "\3\0", 2);
    expect_bytes(&columns, "entry.bucket", "\0\5\4", 3);
    expect_bytes(&columns, "entry.samples", "\1\1\1", 3);
    expect_bytes(&columns, "entry.wall", "\0\1\0", 3);   /* 600, 1200, 800 */
    expect_bytes(&columns, "entry.cpu", "\0\0\1", 3);    /* 600, 600, 1200 */
    expect_bytes(&columns, "entry.offcpu", "\0\1\0", 3); /* less 0, 1, 0: 0, -1, 0 */
    assert_false(head.failed);
    free(order);
    json_decref(head.json);
    page_columns_deinit(&columns);
}

TEST(states_have_places)
{
    assert_int_equal(page_state_index(0), 0);
    assert_int_equal(page_state_index('R'), 1);
    assert_int_equal(page_state_index(SNAP_STATE_READY), 2);
    assert_int_equal(page_state_index('?'), 0);
}
