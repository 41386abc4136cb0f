/* SPDX-License-Identifier: MIT */
#include "waiter_fixture.h"

#include "output/threads/waits_dot.h"
#include "output/threads/waits_report.h"
#include "threads/report_text.h"

#define MS UINT64_C(1000000)

static struct wait_words words(const struct waiter *f)
{
    return (
        struct wait_words){.graph = f->made, .history = &f->history, .profile = f->graph.profile};
}

static const char *report_as(struct waiter *f, const char *thread, bool whole_chains)
{
    struct graph_filter filter = {0};
    struct waits_report given = {.title = "prog (pid 7)", .filter = &filter};
    struct capture capture;

    if (thread)
        assert_int_equal(graph_filter_set(&filter, FILTER_THREAD, thread, NULL), STATUS_OK);
    waiter_make(f);
    given.words = words(f);
    given.words.whole_chains = whole_chains;
    given.deadlocks = f->deadlocks;
    given.orders = f->orders;
    assert_int_equal(waits_report_write(&given, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    graph_filter_deinit(&filter);
    return waiter_keep(f, capture.text);
}

static const char *report(struct waiter *f, const char *thread)
{
    return report_as(f, thread, false);
}

static const char *dot(struct waiter *f, const struct identities *identities, size_t objects_max)
{
    struct waits_dot given = {.title = "prog \"x\" (pid 7)", .objects_max = objects_max};
    struct capture capture;

    waiter_make(f);
    given.words = words(f);
    given.words.identities = identities;
    given.deadlocks = f->deadlocks;
    assert_int_equal(waits_dot_write(&given, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    return waiter_keep(f, capture.text);
}

/* T2 had waited for what it holds; a third waits behind; main joins; others sleep and poll. */
static void add_story(struct waiter *f)
{
    uint32_t first, second, thread;

    first = waiter_object(f, WAIT_MUTEX, "g_first");
    second = waiter_object(f, WAIT_RWLOCK_READ, "heap+0x12a0");
    f->waits.objects[first].detail = "recursive";
    waiter_thread(f, 7, "prog");
    waiter_thread(f, 11, "left");
    waiter_thread(f, 12, "right");
    waiter_thread(f, 13, "behind");
    waiter_thread(f, 14, "loop");
    waiter_waits(f, 2, 20 * MS, 50 * MS, first, 0)->chain = waiter_chain(f, "start work lock");
    waiter_runs(f, 2, 50 * MS, 120 * MS);
    waiter_waits(f, 1, 100 * MS, 2000 * MS, first, 12);
    waiter_waits(f, 2, 120 * MS, 2000 * MS, second, 11);
    waiter_waits(f, 3, 500 * MS, 2000 * MS, first, 12);
    thread = waiter_object(f, WAIT_JOIN, "thread prog (11)"); /* its name then */
    f->waits.objects[thread].tid = 11;
    waiter_waits(f, 0, 30 * MS, 2000 * MS, thread, 11);
    waiter_waits(f, 4, 10 * MS, 900 * MS, waiter_object(f, WAIT_POLL, "eventpoll"), 0);
    f->waits.objects[f->waits.object_count - 1].fd = 5;
    waiter_runs(f, 4, 900 * MS, 2000 * MS);
    f->history.first_ns = 10 * MS;
}

TEST_OF(report_of_a_deadlock_is_the_golden_one, waiter, f)
{
    const char *text;

    add_story(f);
    text = report(f, NULL);
    assert_golden("waits-deadlock.txt", text);
}

TEST_OF(dot_of_a_deadlock_is_the_golden_one, waiter, f)
{
    const char *text;

    add_story(f);
    text = dot(f, NULL, 0);
    assert_golden("waits-deadlock.dot", text);
}

TEST_OF(report_has_the_title_made_harmless, waiter, f)
{
    struct waits_report given = {.title = "pr\x1bog"};
    struct capture capture;

    waiter_thread(f, 7, "prog");
    waiter_make(f);
    given.words = words(f);
    given.deadlocks = f->deadlocks;
    given.orders = f->orders;
    assert_int_equal(waits_report_write(&given, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    assert_memory_equal(capture.text, "pr?og\n", 6);
    free(capture.text);
}

TEST_OF(report_of_what_is_doubtful_says_so, waiter, f)
{
    struct wait *wait;
    const char *text;

    for (uint32_t i = 0; i < 4; i++)
        waiter_thread(f, 10 + i, "t\x1b");
    waiter_waits(f, 0, 0, 0, waiter_object(f, WAIT_MUTEX, "g_one"), 4711);
    waiter_waits(f, 1, 0, 0, waiter_object(f, WAIT_MUTEX, "g_two"), 12);
    waiter_waits(f, 2, 0, 0, waiter_object(f, WAIT_MUTEX, "g_three"), 11);
    waiter_waits(f, 3, 0, 0, waiter_object(f, WAIT_RWLOCK_READ, "g_table"), 0);
    f->waits.list[0].doubt = "no thread of the process has this tid";
    f->waits.list[1].owner_evidence = WAIT_INFERRED;
    wait = &f->waits.list[3];
    wait->kind = WAIT_RWLOCK_WRITE;
    wait->kind_evidence = WAIT_INFERRED;
    wait->readers = 2;
    text = report(f, NULL);
    assert_golden("waits-doubtful.txt", text);
    f->history.processes[0].one_moment = true;
    text = report(f, NULL);
    assert_non_null(strstr(text, "Likely deadlock: 2 threads"));
    assert_non_null(strstr(text, "an owner is inferred"));
}

TEST_OF(report_of_a_deadlock_that_ends_by_itself_says_so, waiter, f)
{
    const char *text;

    add_story(f);
    f->history.threads[1].proof.now.timed = true;
    text = report(f, NULL);
    assert_non_null(strstr(text, "\nTemporary deadlock: 2 threads wait for one another"));
    assert_non_null(strstr(text, "a wait has a time limit, at which it ends by itself"));
    text = dot(f, NULL, 0);
    assert_null(strstr(text, "#c0281c"));
}

/* Each thread was looked at once, a little later than the one before: that is no time. */
TEST_OF(report_of_one_look_has_no_times, waiter, f)
{
    uint32_t locks[2];
    const char *text;

    for (uint32_t i = 0; i < 2; i++) {
        waiter_thread(f, 11 + i, "t");
        locks[i] = waiter_object(f, WAIT_MUTEX, "lock");
    }
    for (uint32_t i = 0; i < 2; i++) {
        waiter_waits(f, i, (1 + i) * MS, (1 + i) * MS, locks[i], 12 - i);
        f->history.threads[i].proof = (struct span_proof){0};
    }
    f->history.first_ns = MS;
    text = report(f, NULL);
    assert_non_null(strstr(text, "2 threads, one look;"));
    assert_non_null(strstr(text, "Possible deadlock: 2 threads wait for one another\n"));
    assert_non_null(strstr(text, "seen in one look"));
    assert_null(strstr(text, " for all of the capture"));
    assert_null(strstr(text, "lost"));
    assert_null(strstr(text, "0 s"));
    assert_null(strstr(text, " ms"));
    text = dot(f, NULL, 0);
    assert_null(strstr(text, "waits 0"));
    f->history.threads[0].samples = 2;
    text = report(f, NULL);
    assert_null(strstr(text, "one look"));
    assert_non_null(strstr(text, "not seen blocked for so long"));
}

TEST_OF(report_of_a_wait_that_begins_with_the_last_sample_is_of_no_time, waiter, f)
{
    const char *text;

    waiter_thread(f, 11, "t");
    waiter_runs(f, 0, MS, 5 * MS);
    waiter_waits(f, 0, 5 * MS, 5 * MS, waiter_object(f, WAIT_MUTEX, "lock"), 0);
    f->history.first_ns = MS;
    text = report(f, NULL);
    assert_non_null(strstr(text, "mutex lock, owner not known, for 0 s\n"));
}

TEST_OF(report_of_orders_that_contradict_is_the_golden_one, waiter, f)
{
    uint32_t locks[2];
    const char *text;

    locks[0] = waiter_object(f, WAIT_MUTEX, "g_first");
    locks[1] = waiter_object(f, WAIT_MUTEX, "g_second");
    for (uint32_t i = 0; i < 3; i++)
        waiter_thread(f, 11 + i, "t");
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t start = (1 + i * 200) * MS;

        waiter_waits(f, i, start, start + 100 * MS, locks[1 - i], 0);
        waiter_waits(f, 2, start + 10 * MS, start + 50 * MS, locks[i], 11 + i);
        waiter_runs(f, i, start + 100 * MS, start + 100 * MS);
        waiter_runs(f, 2, start + 50 * MS, start + 100 * MS);
    }
    f->history.first_ns = f->history.zero_ns = MS;
    text = report(f, NULL);
    assert_golden("waits-orders.txt", text);
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;

    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

/* From pthread_mutex_lock to main, or to what the thread was given, wherever the C library is. */
TEST(report_of_a_chain_leaves_the_c_library_out)
{
    static const char *const chains[][2] = {
        {"clone begin main f lock inside",
         "in:       pthread_mutex_lock ← take_both (locks.c:116) ← main (main.c:26)\n"},
        {"start main f linked linked_inside",
         "in:       ___pthread_mutex_lock ← take_both (locks.c:116) ← main (main.c:26)\n"},
        {"clone own_start f lock",
         "in:       pthread_mutex_lock ← take_both (locks.c:116) ← start\n"},
        {"start main f", "in:       take_both (locks.c:116) ← main (main.c:26)\n"},
        {"clone inside", "in:       __GI___lll_lock_wait ← clone3\n"},
    };

    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++) {
        struct waiter f;
        const char *text;

        waiter_init(&f);
        waiter_thread(&f, 11, "a");
        waiter_waits(&f, 0, 100 * MS, 900 * MS, waiter_object(&f, WAIT_MUTEX, "g_lock"), 0)->chain =
            waiter_chain(&f, chains[i][0]);
        text = report(&f, NULL);
        if (!strstr(text, chains[i][1]))
            fail_msg("no \"%s\" in\n%s", chains[i][1], text);
        text = report_as(&f, NULL, true);
        if (i == 0) {
            assert_non_null(strstr(text, "in:       __GI___lll_lock_wait ← pthread_mutex_lock ←"));
            assert_non_null(strstr(text, "clone3"));
        }
        waiter_deinit(&f);
    }
}

TEST(report_of_a_chain_makes_what_is_the_language_s_short)
{
    for (int whole = 0; whole < 2; whole++) {
        const char *expected = whole ? "std::lock_guard<..>::lock_guard(..) (std_mutex.h:245)"
                                     : "in:       pthread_mutex_lock ← std::lock_guard::lock_guard "
                                       "← take_both (locks.c:116) ← …\n";
        struct waiter f;
        const char *text;

        waiter_init(&f);
        waiter_thread(&f, 11, "a");
        waiter_waits(&f, 0, 100 * MS, 900 * MS, waiter_object(&f, WAIT_MUTEX, "g_lock"), 0)->chain =
            waiter_chain(&f, "clone begin run f guard lock inside");
        text = report_as(&f, NULL, whole);
        if (!strstr(text, expected))
            fail_msg("no \"%s\" in\n%s", expected, text);
        waiter_deinit(&f);
    }
}

/* Two threads that wait for two locks in one chain, which "Locks" has as well. */
static const char *report_of_one_chain(struct waiter *f, const char *chain)
{
    for (uint32_t i = 0; i < 2; i++) {
        waiter_thread(f, 11 + i, "t");
        waiter_waits(f, i, 100 * MS, 900 * MS, waiter_object(f, WAIT_MUTEX, "lock"), 0)->chain =
            waiter_chain(f, chain);
    }
    return report(f, NULL);
}

TEST_OF(report_tells_a_chain_once_and_then_whose_it_was, waiter, f)
{
    const char *text;

    text = report_of_one_chain(f, "start main work f lock");
    assert_int_equal(count_of(text, " ← take_both (locks.c:116) ← work (locks.c:316)"), 1);
    assert_int_equal(count_of(text, "      in:       pthread_mutex_lock ← take_both (locks.c:116), "
                                    "as tid 11 above\n"),
                     1);
    assert_int_equal(count_of(text, "      waits in: pthread_mutex_lock ← take_both (locks.c:116), "
                                    "as tid 11 above\n"),
                     2);
}

TEST_OF(report_tells_a_chain_again_that_is_no_longer_than_where_it_is, waiter, f)
{
    const char *text;

    text = report_of_one_chain(f, "start main");
    assert_int_equal(count_of(text, "in:       main (main.c:26)\n"), 2);
    assert_int_equal(count_of(text, "waits in: main (main.c:26)\n"), 2);
    assert_null(strstr(text, "above"));
}

/* A thread that waits for one lock after the other, in these chains, and still for the last one. */
static const char *report_of_chains(struct waiter *f, const char *const *chains, uint64_t count)
{
    waiter_thread(f, 11, "t");
    for (uint64_t i = 0; i < count; i++)
        waiter_waits(f, 0, (100 + 100 * i) * MS, (200 + 100 * i) * MS,
                     waiter_object(f, WAIT_MUTEX, "lock"), 0)
            ->chain = waiter_chain(f, chains[i]);
    return report(f, NULL);
}

/* Which of two chains that begin alike "as above" means nobody could say. */
TEST(report_tells_a_chain_again_where_another_one_begins_alike)
{
    static const char full[] =
        "waits in: pthread_mutex_lock ← take_both (locks.c:116) ← work (locks.c:316)";
    static const struct {
        const char *last; /* told first */
        size_t full;
        const char *reference; /* to the others; NULL: to nothing */
    } cases[] = {
        {"start main g f lock", 2, NULL},
        {"start main work f linked linked_inside", 1,
         "waits in: pthread_mutex_lock ← take_both (locks.c:116), as above\n"},
        {"start main work g lock", 1,
         "waits in: pthread_mutex_lock ← take_both (locks.c:116), as above\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *const chains[] = {"start main work f lock", "start main work f lock",
                                      cases[i].last};
        struct waiter f;
        const char *text;

        waiter_init(&f);
        text = report_of_chains(&f, chains, sizeof(chains) / sizeof(chains[0]));
        if (count_of(text, full) != cases[i].full ||
            (cases[i].reference ? !strstr(text, cases[i].reference)
                                : strstr(text, "as above") != NULL))
            fail_msg("%s:\n%s", cases[i].last, text);
        waiter_deinit(&f);
    }
}

/* Also where the other one came in between. */
TEST_OF(report_tells_a_chain_again_after_another_one_that_begins_alike, waiter, f)
{
    static const char *const chains[] = {"start main work f lock", "start main g f lock",
                                         "start main work f lock", "start main g lock"};
    const char *text;

    text = report_of_chains(f, chains, sizeof(chains) / sizeof(chains[0]));
    assert_int_equal(count_of(text, "lock ← take_both (locks.c:116) ← work (locks.c:316)"), 2);
    assert_int_equal(count_of(text, "lock ← take_both (locks.c:116) ← take_other (locks.c:216)"),
                     1);
    assert_null(strstr(text, "as above"));
}

TEST_OF(report_refers_to_a_chain_by_what_the_program_called, waiter, f)
{
    const char *text;

    text = report_of_one_chain(f, "clone begin run f guard lock inside");
    assert_int_equal(count_of(text, "in:       pthread_mutex_lock ← std::lock_guard::lock_guard ← "
                                    "take_both (locks.c:116) ← …\n"),
                     1);
    assert_int_equal(count_of(text, " std::lock_guard::lock_guard ← take_both (locks.c:116), "
                                    "as tid 11 above\n"),
                     3);
}

/* Where a chain has no function of the program, nothing of it could be looked for. */
TEST_OF(report_tells_a_chain_again_that_has_no_place_in_the_program, waiter, f)
{
    const char *text;

    text = report_of_one_chain(f, "clone begin run guard lock inside");
    assert_int_equal(count_of(text, "pthread_mutex_lock ← std::lock_guard::lock_guard\n"), 4);
    assert_null(strstr(text, "above"));
}

TEST_OF(report_tells_threads_that_wait_alike_once, waiter, f)
{
    uint32_t condition;
    const char *text;

    condition = waiter_object(f, WAIT_CONDITION, "g_work");
    for (uint32_t i = 0; i < 64; i++) {
        waiter_thread(f, 11 + i, "worker");
        waiter_waits(f, i, 100 * MS, 900 * MS, condition, 0)->chain = waiter_chain(f, "start work");
    }
    waiter_thread(f, 7, "prog");
    waiter_waits(f, 64, 100 * MS, 900 * MS, waiter_object(f, WAIT_CONDITION, "g_done"), 0);
    f->history.first_ns = 100 * MS;
    text = report(f, NULL);
    assert_int_equal(count_of(text, "'worker'"), 1);
    assert_non_null(
        strstr(text, "'worker' (tid 11) and 63 more: condition g_work, up to 800.0 ms"));
    assert_non_null(
        strstr(text, "condition g_done, for all of the capture (800.0 ms): nothing has woken it"));
    assert_non_null(strstr(text, "Standstill: all 65 threads of process 7"));
    assert_non_null(strstr(text, "No deadlock was found."));
    /* Whether a task of an RTOS waited once or several times is not told by anything. */
    f->history.threads[64].task.is_known = true;
    text = report(f, NULL);
    assert_non_null(strstr(text, "(800.0 ms): nothing is seen to have woken it"));
}

TEST_OF(report_of_a_capture_without_states_says_that_waits_are_not_known, waiter, f)
{
    const char *text;

    waiter_thread(f, 7, "prog");
    waiter_waits(f, 0, 100 * MS, 900 * MS, waiter_object(f, WAIT_SLEEP, ""), 0);
    f->history.threads[0].spans[0].state = '\0';
    f->history.threads[0].spans[0].wait = WAIT_NONE;
    text = report(f, NULL);
    assert_null(strstr(text, "No deadlock"));
    assert_non_null(strstr(text, "What threads wait for is not known"));
    f->history.threads[0].spans[0].state = 'R';
    text = report(f, NULL);
    assert_non_null(strstr(text, "No deadlock was found."));
    /* Of a core of which no thread waits: their registers would tell. */
    f->history.threads[0].spans[0].state = '\0';
    f->history.processes[0].one_moment = true;
    text = report(f, NULL);
    assert_non_null(strstr(text, "No deadlock was found."));
}

/* Thread `i` sleeps for so long, in a chain that begins with these functions. */
static void add_sleeper(struct waiter *f, uint32_t i, uint64_t ms, const char *chain)
{
    uint32_t object = f->waits.object_count ? 0 : waiter_object(f, WAIT_SLEEP, "");
    struct span *span;

    waiter_thread(f, 11 + i, "sleeper");
    span = waiter_waits(f, i, 100 * MS, (100 + ms) * MS, object, 0);
    span->chain = waiter_chain(f, chain);
    f->waits.list[span->wait].object = WAIT_NONE;
}

TEST_OF(report_says_where_threads_sleep, waiter, f)
{
    const char *text;

    add_sleeper(f, 0, 100, "start main work");
    add_sleeper(f, 1, 700, "start main f");
    f->history.first_ns = 100 * MS;
    text = report(f, NULL);
    assert_non_null(strstr(text, "\n  sleep        2 threads, 800.0 ms\n"
                                 "    'sleeper' (tid 12), 700.0 ms\n"
                                 "      waits in: take_both (locks.c:116) ← main (main.c:26)\n"
                                 "    'sleeper' (tid 11), 100.0 ms\n"
                                 "      waits in: work (locks.c:316) ← main (main.c:26)\n\n"));
    text = report(f, "11");
    assert_non_null(strstr(text, "\n  sleep        1 thread, 100.0 ms\n    'sleeper' (tid 11),"));
    assert_null(strstr(text, "take_both"));
}

TEST_OF(report_tells_sleepers_of_one_place_as_one, waiter, f)
{
    const char *text;

    for (uint32_t i = 0; i < 64; i++)
        add_sleeper(f, i, 100, "start main work");
    text = report(f, NULL);
    assert_non_null(strstr(text, "\n    'sleeper' (tid 11) and 63 more, 6.400 s\n"));
    assert_int_equal(count_of(text, "'sleeper'"), 1);
}

TEST_OF(report_tells_sleepers_of_two_identities_apart, waiter, f)
{
    struct identity list[] = {{.name = "reader"}, {.name = "writer"}};
    uint32_t of_thread[2] = {0, 1};
    const struct identities identities = {.list = list, .count = 2, .of_thread = of_thread};
    struct waits_report given = {0};
    struct capture capture;

    for (uint32_t i = 0; i < 2; i++)
        add_sleeper(f, i, 100, "start main work");
    waiter_make(f);
    given.words = words(f);
    given.words.identities = &identities;
    given.deadlocks = f->deadlocks;
    given.orders = f->orders;
    assert_int_equal(waits_report_write(&given, capture_begin(&capture)), STATUS_OK);
    capture_end(&capture);
    assert_non_null(strstr(capture.text, "    'sleeper' (tid 11, reader), 100.0 ms\n"));
    assert_non_null(strstr(capture.text, "    'sleeper' (tid 12, writer), 100.0 ms\n"));
    free(capture.text);
}

/* The longest ones, and how many more there are; all with whole chains. */
TEST_OF(report_of_sleepers_in_many_places_is_cut_and_counted, waiter, f)
{
    const char *text;
    char chain[32];

    for (uint32_t i = 0; i < 7; i++) {
        snprintf(chain, sizeof(chain), "start main work/%x", i + 1);
        add_sleeper(f, i, 100 * (i + 1), chain);
    }
    text = report(f, NULL);
    assert_int_equal(count_of(text, "    'sleeper' (tid "), WAITS_REPORT_PLACES_MAX);
    assert_non_null(strstr(text, "(tid 17), 700.0 ms\n"));
    assert_non_null(strstr(text, "(tid 15), 500.0 ms\n"));
    assert_non_null(strstr(text, "\n    ... and 4 more\n"));
    text = report_as(f, NULL, true);
    assert_int_equal(count_of(text, "    'sleeper' (tid "), 7);
}

TEST_OF(report_says_a_descriptor_of_which_no_more_is_known_once, waiter, f)
{
    const char *text;

    waiter_thread(f, 7, "prog");
    waiter_waits(f, 0, 10 * MS, 900 * MS, waiter_object(f, WAIT_POLL, "descriptor 6 and 2 more"),
                 0);
    f->waits.objects[0].fd = 6;
    text = report(f, NULL);
    assert_non_null(strstr(text, "poll of descriptor 6 and 2 more\n"));
}

TEST_OF(report_of_one_thread_leaves_others_out, waiter, f)
{
    const char *text;

    add_story(f);
    text = report(f, "loop");
    assert_null(strstr(text, "Deadlock:"));
    assert_non_null(strstr(text, "No deadlock of the threads that are shown."));
    assert_null(strstr(text, "g_first"));
    assert_null(strstr(text, "join"));
    assert_non_null(strstr(text, "poll of descriptor 5 (eventpoll)"));
    text = report(f, "11");
    assert_non_null(strstr(text, "Deadlock:"));
    assert_null(strstr(text, "poll"));
    text = report(f, "behind"); /* waits for those who are in it */
    assert_non_null(strstr(text, "Deadlock:"));
}

TEST_OF(report_of_several_processes_says_which, waiter, f)
{
    const char *text;

    waiter_thread(f, 7, "a");
    waiter_waits(f, 0, 100 * MS, 900 * MS, waiter_object(f, WAIT_MUTEX, "g_lock"), 0);
    waiter_process(f, 8, false);
    waiter_thread(f, 8, "a");
    waiter_waits(f, 1, 100 * MS, 900 * MS, waiter_object(f, WAIT_MUTEX, "g_lock"), 0);
    f->waits.objects[1].pid = 8;
    text = report(f, NULL);
    assert_non_null(strstr(text, "'a' (tid 8 of process 8): mutex g_lock of process 8,"));
    assert_non_null(strstr(text, "'a' (tid 7 of process 7): mutex g_lock of process 7,"));
}

/* They may be locks, or anything else. */
TEST_OF(report_of_futexes_that_nobody_knows_calls_them_no_locks, waiter, f)
{
    const char *text;

    waiter_thread(f, 11, "a");
    waiter_waits(f, 0, 100 * MS, 900 * MS, waiter_object(f, WAIT_FUTEX, "runtime.sched"), 0);
    text = report(f, NULL);
    assert_null(strstr(text, "\nLocks"));
    assert_non_null(strstr(text, "\nOther objects, by the time that threads waited for them"));
}

TEST_OF(report_of_very_many_is_cut_and_counted, waiter, f)
{
    const char *text;

    for (uint32_t i = 0; i < 500; i++) {
        waiter_thread(f, 11 + i, "t");
        waiter_waits(f, i, 100, 900, waiter_object(f, WAIT_MUTEX, "lock"), 0);
    }
    text = report(f, NULL);
    assert_int_equal(count_of(text, "owner not known"), WAITS_REPORT_BLOCKED_MAX);
    assert_non_null(strstr(text, "... and 300 more"));
    assert_non_null(strstr(text, "... and 480 more"));
}

TEST_OF(dot_of_many_threads_is_of_identities, waiter, f)
{
    struct identity list[] = {
        {.name = "worker \"w\"", .label = "'w*' worker \"w\"", .thread_count = 64}};
    uint32_t of_thread[64] = {0};
    const struct identities identities = {.list = list, .count = 1, .of_thread = of_thread};
    uint32_t lock;
    const char *text;

    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    for (uint32_t i = 0; i < 64; i++) {
        waiter_thread(f, 11 + i, "worker");
        waiter_waits(f, i, 100 * MS, 900 * MS, lock, 0);
    }
    text = dot(f, &identities, 0);
    assert_int_equal(count_of(text, "shape=box"), 1);
    assert_int_equal(count_of(text, " -> "), 1);
    assert_non_null(strstr(text, "'w*' worker \\\"w\\\" \xc3\x97"
                                 "64"));
    assert_non_null(strstr(text, "waits 51.200 s \xc3\x97"
                                 "64"));
}

static uint32_t add_join(struct waiter *f, uint32_t waiter, uint32_t thread, uint64_t start_ns,
                         uint64_t end_ns)
{
    uint32_t tid = f->history.threads[thread].tid, object = waiter_object(f, WAIT_JOIN, "thread");

    f->waits.objects[object].tid = tid;
    waiter_waits(f, waiter, start_ns, end_ns, object, tid);
    return object;
}

/*
 * Main joins three of one kind, which have ended, of the last of which the memory told no more, one
 * of another kind, and at the end a fourth of the first kind, which has not ended.
 */
static void add_joins(struct waiter *f)
{
    waiter_thread(f, 10, "main");
    for (uint32_t i = 1; i < 6; i++) {
        waiter_thread(f, 10 + i, i == 4 ? "other" : "burst");
        waiter_runs(f, i, i * 100 * MS, (i * 100 + 10 * i) * MS);
        if (i != 5)
            f->history.threads[i].end_ns = (i * 100 + (i == 3 ? 5 : 50)) * MS;
        add_join(f, 0, i, (i * 100 + 10) * MS, (i * 100 + 10 + 10 * i) * MS);
    }
    f->waits.list[2].doubt = "its owner is no thread that is known";
}

TEST_OF(report_has_joins_of_one_identity_as_one_object, waiter, f)
{
    struct identity list[] = {{.name = "main", .thread_count = 1},
                              {.name = "burst", .label = "'b*' burst", .thread_count = 4},
                              {.name = "other", .thread_count = 1}};
    uint32_t of_thread[] = {0, 1, 1, 1, 2, 1};
    const struct identities identities = {.list = list, .count = 3, .of_thread = of_thread};
    const char *text;

    f->identities = &identities;
    add_joins(f);
    text = report(f, NULL);
    assert_non_null(
        strstr(text, "60.0 ms      ≥ 3         0.10        1        1  join 'b*' burst \xc3\x97"
                     "3\n"));
    assert_int_equal(count_of(text, "join "), 4); /* of them one in what is blocked at the end */
    assert_non_null(strstr(text, "join 'other' (tid 14)\n"));
    assert_int_equal(count_of(text, "join 'burst' (tid 15)"), 2);
    assert_int_equal(f->made->node_count, 3);
    assert_int_equal(wait_graph_node(f->made, 0, 0), WAIT_GRAPH_NONE);
    assert_int_not_equal(wait_graph_node(f->made, 0, 4), WAIT_GRAPH_NONE);
    text = dot(f, NULL, 0);
    assert_int_equal(count_of(text, "shape=ellipse"), 3);
    assert_int_equal(count_of(text, "label=\"join 'b*' burst \xc3\x97"
                                    "3\\n60.0 ms\""),
                     1);
    assert_int_equal(count_of(text, "shape=box"), 3); /* main, the other, and who is waited for */
    assert_int_equal(count_of(text, "the end of"), 2);
    f->identities = NULL;
    text = report(f, NULL);
    assert_int_equal(count_of(text, "join "), 6);
}

TEST_OF(report_says_what_is_doubtful_of_an_object, waiter, f)
{
    uint32_t condition, lock;
    const char *text;

    condition = waiter_object(f, WAIT_CONDITION, "heap+0x1028");
    lock = waiter_object(f, WAIT_MUTEX, "g_lock");
    waiter_thread(f, 11, "a");
    waiter_thread(f, 12, "b");
    waiter_waits(f, 0, 100 * MS, 200 * MS, condition, 0);
    waiter_waits(f, 0, 300 * MS, 400 * MS, lock, 0);
    waiter_waits(f, 1, 300 * MS, 400 * MS, lock, 12);
    waiter_runs(f, 0, 400 * MS, 500 * MS);
    waiter_runs(f, 1, 400 * MS, 500 * MS);
    waiter_thread(f, 13, "c");
    waiter_waits(f, 2, 450 * MS, 500 * MS, condition, 0);
    f->waits.list[0].doubt = "the memory around it was not captured";
    f->waits.list[1].doubt = "the memory around it was not captured";
    text = report(f, NULL);
    assert_non_null(strstr(text, "condition heap+0x1028 [the memory around it\n"));
    assert_non_null(
        strstr(text, "condition heap+0x1028, [the memory around it was not captured],"));
    assert_int_equal(count_of(text, "[the memory"), 2); /* another has seen whose the lock is */
}

/* The deadlock stays, whatever else weighs more. */
TEST_OF(dot_is_cut_to_the_objects_that_matter, waiter, f)
{
    const char *text;

    waiter_thread(f, 10, "t");
    waiter_waits(f, 0, 890, 900, waiter_object(f, WAIT_MUTEX, "g_own"), 10);
    for (uint32_t i = 1; i < 6; i++) {
        waiter_thread(f, 10 + i, "t");
        waiter_waits(f, i, 100, 900,
                     waiter_object(f, i == 1 ? WAIT_READ : WAIT_MUTEX, i == 1 ? "pipe" : "g_lock"),
                     0);
    }
    text = dot(f, NULL, 3);
    assert_non_null(strstr(text, "g_own"));
    assert_int_equal(count_of(text, "mutex g_lock"), 2);
    assert_null(strstr(text, "pipe"));
    assert_non_null(strstr(text, "3 more objects are left out"));
}

static void assert_paragraph(size_t columns, unsigned lines)
{
    struct report_text text = {.columns = columns};
    struct capture capture;
    char word[64];
    size_t widest = 0;

    text.out = capture_begin(&capture);
    report_text_begin(&text, 2, 4);
    memset(word, 'x', 29);
    word[29] = '\0';
    for (int i = 0; i < 9; i++)
        report_text_put(&text, " <- ", word);
    report_text_end(&text);
    capture_end(&capture);
    for (const char *line = capture.text; *line; line = strchr(line, '\n') + 1)
        if (strcspn(line, "\n") > widest)
            widest = strcspn(line, "\n");
    assert_true(widest <= report_text_columns(columns));
    assert_int_equal(count_of(capture.text, "\n"), lines);
    assert_int_equal(count_of(capture.text, " <-"), 8);
    assert_int_equal(count_of(capture.text, "\n    <- x"), lines - 1);
    free(capture.text);
}

TEST(paragraph_is_filled_to_its_width)
{
    assert_paragraph(0, 4);
    assert_paragraph(70, 5); /* of a terminal */
    assert_paragraph(300, 4);
}
