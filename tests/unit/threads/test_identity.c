/* SPDX-License-Identifier: MIT */
/* Who threads are: which are one identity, what its hash depends on, what it is called. */
#include "threads_fixture.h"

static const struct fixture_function named[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "prog.c", .line = 10},
    {"worker", .start = 0x3000, .file = "prog.c", .line = 20},
    {"other", .start = 0x4000, .file = "prog.c", .line = 30},
    {"pool_a", .start = 0x5000, .file = "prog.c", .line = 40},
    {"pool_b", .start = 0x6000, .file = "prog.c", .line = 50},
    {"spawn", .start = 0x7000, .file = "prog.c", .line = 60},
    {"clone", .module = 1, .start = 0x1000, .name = "clone3"},
    {"start_thread", .module = 1, .start = 0x2000},
    {"create", .module = 1, .start = 0x3000, .name = "pthread_create"},
    {"create_thread", .module = 1, .start = 0x4000},
    {"wait", .module = 1, .start = 0x5000},
    {"libc_main", .module = 1, .start = 0x6000, .name = "__libc_start_main"},
    {"destroy", .start = 0x8000, .name = "destroy_locals", .file = "prog.c", .line = 70},
    {"run", .start = 0x9000, .name = "std::thread::_State_impl<main::{lambda()#1}>::_M_run()",
     .file = "thread", .line = 80},
    {"shared", .start = 0xa000, .name = "std::thread::_State_impl<void (*)()>::_M_run()",
     .file = "thread", .line = 80},
    {"invoke", .start = 0xb000, .name = "void std::__invoke_impl<void, void (*)()>(void (*&&)())",
     .file = "invoke.h", .line = 80},
    {0},
};

/* The same without symbols. */
static const struct fixture_function nameless[] = {
    {"start", .start = 0x1000, .is_nameless = true},
    {"main", .start = 0x2000, .is_nameless = true},
    {"worker", .start = 0x3000, .is_nameless = true},
    {"pool_a", .start = 0x5000, .is_nameless = true},
    {"clone", .module = 1, .start = 0x1000, .is_nameless = true},
    {"start_thread", .module = 1, .start = 0x2000, .is_nameless = true},
    {"create", .module = 1, .start = 0x3000, .name = "pthread_create"},
    {"wait", .module = 1, .start = 0x5000, .is_nameless = true},
    {0},
};

/* The C library is part of the program. */
static const struct fixture_function static_named[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000},
    {"worker", .start = 0x3000},
    {"pool_a", .start = 0x5000},
    {"clone", .start = 0x9000, .name = "__clone3"},
    {"start_thread", .start = 0xa000},
    {"create", .start = 0xb000, .name = "__pthread_create"},
    {"wait", .start = 0xc000},
    {0},
};

static const struct fixture_function static_nameless[] = {
    {"start", .start = 0x1000, .is_nameless = true},
    {"main", .start = 0x2000, .is_nameless = true},
    {"worker", .start = 0x3000, .is_nameless = true},
    {"pool_a", .start = 0x5000, .is_nameless = true},
    {"clone", .start = 0x9000, .is_nameless = true},
    {"start_thread", .start = 0xa000, .is_nameless = true},
    {"create", .start = 0xb000, .is_nameless = true},
    {"wait", .start = 0xc000, .is_nameless = true},
    {0},
};

#define MADE_BY_A "start libc_main main pool_a create clone"
#define MADE_BY_B "start libc_main main pool_b create clone"
#define WORKS     "clone start_thread worker wait"

TEST_OF(threads_of_one_chain_and_start_are_one_identity, story, s, named)
{
    const struct report *r;

    for (uint32_t tid = 8; tid < 72; tid++)
        story_thread(s, tid, "w", 7, tid % 2 ? MADE_BY_A : MADE_BY_B, tid);
    for (uint32_t tid = 8; tid < 72; tid++)
        story_sample(s, tid, 100 + tid, 'S', WORKS);
    r = story_report(s);
    assert_int_equal(r->identities->count, 3);
    assert_string_equal(story_identity(r, 0)->name, "main");
    assert_string_equal(story_identity(r, 1)->name, "worker via pool_b");
    assert_string_equal(story_identity(r, 2)->name, "worker via pool_a");
    assert_int_equal(story_identity(r, 1)->thread_count, 32);
    assert_string_not_equal(story_identity(r, 1)->hash, story_identity(r, 2)->hash);
    assert_true(story_identity(r, 1)->creation_known);
}

TEST_OF(calls_from_one_function_are_told_apart_by_line, story, s, named)
{
    const struct report *r;

    story_thread(s, 8, "w", 7, "start libc_main main pool_a/4 create clone", 1);
    story_thread(s, 9, "w", 7, "start libc_main main pool_a/9 create clone", 2);
    story_sample(s, 8, 10, 'S', WORKS);
    story_sample(s, 9, 10, 'S', WORKS);
    r = story_report(s);
    assert_string_equal(story_identity(r, 1)->name, "worker via pool_a:44");
    assert_string_equal(story_identity(r, 2)->name, "worker via pool_a:49");
}

struct named_threads {
    const char *names[12]; /* NULL: no more */
    const char *label;
};

TEST(threads_that_share_a_name_have_it_in_their_label)
{
    static const struct named_threads cases[] = {
        {{"render/0", "render/1", "render/12"}, "'render/*' worker"},
        {{"io/10", "io/11", "io/19"}, "'io/*' worker"}, /* no number is cut */
        {{"reader-0"}, "'reader-0' worker"},            /* one in full */
        {{"spawner", "spawner", "spawner"}, "'spawner' worker"},
        {{"stage1a", "stage1b"}, "'stage1*' worker"},
        {{"gr\u00fc", "gr\u00e4", "gr\u00f6"},
         "'gr\u00fc', 'gr\u00e4', 'gr\u00f6' worker"},           /* no halves */
        {{"prog", "render/1", "render/2"}, "'render/*' worker"}, /* not yet called so */
        {{"render/1", "prog", "render/2"}, "'render/*' worker"},
        {{"render/1", "render/2", "prog", "prog"}, "worker"},
        {{"prog", "render/1"}, "worker"},
        {{"render/1", "other"}, "'render/1', 'other' worker"},
        {{"gcc#0", "gcc#1", "VM", "sweep", "loop", "scan"}, "'gcc*', 'sweep', 'loop', … worker"},
        {{"prog", "prog"}, "worker"}, /* the process's own */
        {{"prog1", "prog2"}, "worker"},
        {{"w1", "w2"}, "worker"},
        {{"worker-1", "worker-2"}, "worker"}, /* says no more */
        {{"a\nbcd", "a\nbce"}, "'a?bc*' worker"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct report *r;
        struct story s;

        story_init(&s, named);
        for (uint32_t n = 0; n < 12 && cases[i].names[n]; n++) {
            story_thread(&s, 8 + n, cases[i].names[n], 7, MADE_BY_A, 1 + n);
            story_sample(&s, 8 + n, 100 + n, 'S', WORKS);
        }
        r = story_report(&s);
        assert_string_equal(identity_label(story_identity(r, 1)), cases[i].label);
        assert_string_equal(story_identity(r, 1)->name, "worker");
        assert_string_equal(identity_label(story_identity(r, 0)), "main");
        story_deinit(&s);
    }
}

/* The hash of the second thread of a story with one thread made and sampled so. */
static void hash_of(const struct fixture_function *functions, const char *made, const char *works,
                    char hash[9], bool *inferred)
{
    const struct identity *identity;
    struct story s;

    story_init(&s, functions);
    story_thread(&s, 8, "w", 7, made, 1);
    if (works)
        story_sample(&s, 8, 10, 'S', works);
    identity = story_identity(story_report(&s), 1);
    memcpy(hash, identity->hash, 9);
    if (inferred)
        *inferred = identity->start_inferred;
    story_deinit(&s);
}

TEST(hash_depends_neither_on_the_c_library_nor_on_the_sample)
{
    char one[9], other[9];

    hash_of(named, MADE_BY_A, WORKS, one, NULL);
    hash_of(named, "start libc_main/8 main pool_a create create_thread clone/30",
            "clone/40 start_thread/50 worker/9 spawn", other, NULL);
    assert_string_equal(one, other);
    hash_of(named, MADE_BY_A, "clone start_thread other wait", other, NULL);
    assert_string_not_equal(one, other);
    hash_of(named, "start libc_main main pool_a/11 create clone", WORKS, other, NULL);
    assert_string_not_equal(one, other);
}

TEST(hash_is_the_same_without_names)
{
    char one[9], other[9];

    hash_of(named, "start main pool_a create clone", WORKS, one, NULL);
    hash_of(nameless, "start main pool_a create clone", WORKS, other, NULL);
    assert_string_equal(one, other);
}

TEST(static_program_without_names_has_the_start_routine_of_one_with)
{
    char one[9], other[9];
    bool inferred;

    hash_of(static_named, "start main pool_a create clone", "clone/20 start_thread worker wait",
            one, &inferred);
    assert_false(inferred);
    hash_of(static_nameless, "start main pool_a create clone", "clone/20 start_thread worker wait",
            other, &inferred);
    assert_false(inferred);
    assert_string_equal(one, other);
    /* Nothing but the shape tells. */
    hash_of(static_named, NULL, "clone/20 start_thread worker wait", one, &inferred);
    assert_false(inferred);
    hash_of(static_nameless, NULL, "clone/20 start_thread worker wait", other, &inferred);
    assert_true(inferred);
    assert_string_equal(one, other);
}

TEST_OF(without_its_creation_the_start_routine_stands_in, story, s, named)
{
    const struct report *r;
    char seen[9];

    hash_of(named, MADE_BY_A, WORKS, seen, NULL);
    story_thread(s, 8, "w", 0, NULL, 1);
    story_thread(s, 9, "w", 0, NULL, 1);
    story_sample(s, 8, 10, 'S', WORKS);
    story_sample(s, 9, 10, 'R', "clone start_thread worker/30 other");
    r = story_report(s);
    assert_int_equal(r->identities->count, 2);
    assert_false(story_identity(r, 1)->creation_known);
    assert_string_equal(story_identity(r, 1)->name, "worker");
    assert_string_not_equal(story_identity(r, 1)->hash, seen);
}

TEST(thread_that_was_never_sampled_is_of_the_one_kind_made_there)
{
    const struct report *r;
    struct story s;

    story_init(&s, named);
    story_thread(&s, 8, "w", 7, MADE_BY_A, 1);
    story_thread(&s, 9, "w", 7, MADE_BY_A, 2);
    story_sample(&s, 9, 10, 'S', WORKS);
    r = story_report(&s);
    assert_int_equal(r->identities->count, 2);
    assert_string_equal(story_identity(r, 1)->name, "worker");
    assert_int_equal(story_identity(r, 1)->thread_count, 2);
    story_deinit(&s);
    /* Where one place makes two kinds nobody knows. */
    story_init(&s, named);
    story_thread(&s, 8, "w", 7, MADE_BY_A, 1);
    story_thread(&s, 9, "w", 7, MADE_BY_A, 2);
    story_thread(&s, 10, "w", 7, MADE_BY_A, 3);
    story_sample(&s, 9, 10, 'S', WORKS);
    story_sample(&s, 10, 10, 'S', "clone start_thread other wait");
    r = story_report(&s);
    assert_int_equal(r->identities->count, 4);
    assert_int_equal(story_identity(r, 1)->start_frame, IDENTITY_NONE);
    assert_string_equal(story_identity(r, 1)->name, "thread");
    story_deinit(&s);
}

TEST_OF(start_routine_is_what_most_complete_chains_begin_with, story, s, named)
{
    const struct report *r;

    story_thread(s, 8, "w", 7, MADE_BY_A, 1);
    story_sample(s, 8, 10, 'R', "clone start_thread destroy wait");
    story_sample_that_stops(s, 8, 20, 'R', "other wait", STOP_TRUNCATED);
    story_sample_that_stops(s, 8, 21, 'S', "other wait", STOP_TRUNCATED);
    story_sample_that_stops(s, 8, 22, 'R', "other wait", STOP_TRUNCATED);
    story_sample(s, 8, 30, 'S', WORKS);
    story_sample(s, 8, 40, 'R', "clone start_thread worker");
    r = story_report(s);
    assert_string_equal(story_identity(r, 1)->name, "worker");
}

/* std::thread([] …), inlined: what it calls is no part of what the thread is. */
TEST(threads_whose_functions_differ_are_called_after_what_they_share)
{
    const struct report *r;
    char alike[9];
    struct story s;

    for (int differ = 0; differ < 2; differ++) {
        story_init(&s, named);
        for (uint32_t tid = 8; tid < 11; tid++) {
            story_thread(&s, tid, "w", 0, NULL, 1);
            story_sample(&s, tid, 10, 'S',
                         differ && tid == 9 ? "clone start_thread run other wait"
                                            : "clone start_thread run worker wait");
        }
        r = story_report(&s);
        assert_int_equal(r->identities->count, 2);
        assert_int_equal(story_identity(r, 1)->thread_count, 3);
        assert_string_equal(story_identity(r, 1)->name,
                            differ ? "std::thread::_State_impl<..>::_M_run()" : "worker");
        if (!differ)
            memcpy(alike, story_identity(r, 1)->hash, 9);
        assert_string_equal(story_identity(r, 1)->hash, alike);
        story_deinit(&s);
    }
}

/* std::thread(f), not inlined: all functions of a type have one start routine. */
TEST(threads_of_a_shared_start_are_told_by_their_functions)
{
    char hashes[2][2][9];

    for (int made = 0; made < 2; made++) {
        const struct report *r;
        struct story s;

        story_init(&s, named);
        for (uint32_t tid = 8; tid < 12; tid++) {
            story_thread(&s, tid, "w", 7, made ? MADE_BY_A : NULL, 1);
            story_sample(&s, tid, 10, 'S',
                         tid % 2 ? "clone start_thread shared invoke other wait"
                                 : "clone start_thread shared invoke worker wait");
        }
        r = story_report(&s);
        assert_int_equal(r->identities->count, 3);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(story_identity(r, 1 + (uint32_t)i)->thread_count, 2);
            memcpy(hashes[made][i], story_identity(r, 1 + (uint32_t)i)->hash, 9);
        }
        assert_string_not_equal(hashes[made][0], hashes[made][1]);
        if (!made) {
            assert_string_equal(story_identity(r, 1)->name, "worker");
            assert_string_equal(story_identity(r, 2)->name, "other");
        }
        story_deinit(&s);
        /* Whoever else there is. */
        hash_of(named, made ? MADE_BY_A : NULL, "clone start_thread shared invoke worker wait",
                hashes[made][1], NULL);
        assert_string_equal(hashes[made][0], hashes[made][1]);
    }
}

TEST(thread_whose_function_was_not_seen_is_of_the_one_kind_made_there)
{
    for (int two = 0; two < 2; two++) {
        const struct report *r;
        struct story s;

        story_init(&s, named);
        for (uint32_t tid = 8; tid < 11; tid++)
            story_thread(&s, tid, "w", 7, MADE_BY_A, tid);
        story_sample(&s, 8, 10, 'R', "clone start_thread shared invoke");
        story_sample(&s, 9, 10, 'S', "clone start_thread shared invoke worker wait");
        story_sample(&s, 10, 10, 'S',
                     two ? "clone start_thread shared invoke other wait"
                         : "clone start_thread shared invoke worker wait");
        r = story_report(&s);
        assert_int_equal(r->identities->count, two ? 4 : 2);
        assert_int_equal(story_identity(r, 1)->thread_count, two ? 1 : 3);
        story_deinit(&s);
    }
}

/* What a thread does before its function and after it is no other function of it. */
TEST_OF(function_of_a_thread_is_what_most_of_its_samples_have, story, s, named)
{
    for (uint32_t tid = 8; tid < 10; tid++) {
        story_thread(s, tid, "w", 0, NULL, 1);
        if (tid == 9)
            story_sample(s, tid, 9, 'R', "clone start_thread run destroy");
        story_sample(s, tid, 10, 'S', "clone start_thread run worker wait");
        story_sample(s, tid, 20, 'R', "clone start_thread run worker");
    }
    assert_string_equal(story_identity(story_report(s), 2)->name, "worker");
}

TEST_OF(forked_process_is_known_by_where_it_was_forked, story, s, named)
{
    const struct report *r;

    story_process(s, 20, "/usr/bin/prog");
    story_thread(s, 20, "prog", 7, MADE_BY_A, 1);
    story_sample(s, 20, 10, 'S', "start libc_main main pool_a wait");
    r = story_report(s);
    assert_int_equal(r->identities->count, 2);
    assert_string_equal(story_identity(r, 0)->name, "main of prog");
    assert_string_equal(story_identity(r, 1)->name, "main via pool_a");
    assert_true(story_identity(r, 1)->is_main);
}

TEST(module_is_known_by_its_build_id_wherever_it_lies)
{
    char plain[9], moved[9], built[9];
    struct story s;

    hash_of(named, MADE_BY_A, WORKS, plain, NULL);
    for (int i = 0; i < 2; i++) {
        story_init(&s, named);
        s.fixture.modules[0].file.path = i ? "/tmp/elsewhere/prog" : "/tmp/other";
        s.fixture.modules[0].file.build_id = (const uint8_t *)"\1\2\3\4";
        s.fixture.modules[0].file.build_id_size = i ? 0 : 4;
        story_thread(&s, 8, "w", 7, MADE_BY_A, 1);
        story_sample(&s, 8, 10, 'S', WORKS);
        memcpy(i ? moved : built, story_identity(story_report(&s), 1)->hash, 9);
        story_deinit(&s);
    }
    assert_string_equal(plain, moved);
    assert_string_not_equal(plain, built);
}

TEST_OF(threads_of_which_nothing_is_known_go_by_their_names, story, s, named)
{
    const struct report *r;

    story_thread(s, 8, "kworker\x1b[2J", 0, NULL, 1);
    story_thread(s, 9, "kworker\x1b[2J", 0, NULL, 1);
    story_thread(s, 10, "rcu", 0, NULL, 1);
    r = story_report(s);
    assert_int_equal(r->identities->count, 3);
    assert_string_equal(story_identity(r, 1)->name, "kworker?[2J");
    assert_int_equal(story_identity(r, 1)->thread_count, 2);
}
