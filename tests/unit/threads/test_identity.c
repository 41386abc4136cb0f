/* SPDX-License-Identifier: MIT */
/* Who threads are: which are one identity, what its hash depends on, what it is called. */
#include "threads_fixture.h"

static const struct fixture_function named[] = {
    {"start", 0, 0x1000, "_start", NULL, 0, NULL, false},
    {"main", 0, 0x2000, "main", "prog.c", 10, NULL, false},
    {"worker", 0, 0x3000, "worker", "prog.c", 20, NULL, false},
    {"other", 0, 0x4000, "other", "prog.c", 30, NULL, false},
    {"pool_a", 0, 0x5000, "pool_a", "prog.c", 40, NULL, false},
    {"pool_b", 0, 0x6000, "pool_b", "prog.c", 50, NULL, false},
    {"spawn", 0, 0x7000, "spawn", "prog.c", 60, NULL, false},
    {"clone", 1, 0x1000, "clone3", NULL, 0, NULL, false},
    {"start_thread", 1, 0x2000, "start_thread", NULL, 0, NULL, false},
    {"create", 1, 0x3000, "pthread_create", NULL, 0, NULL, false},
    {"create_thread", 1, 0x4000, "create_thread", NULL, 0, NULL, false},
    {"wait", 1, 0x5000, "wait", NULL, 0, NULL, false},
    {"libc_main", 1, 0x6000, "__libc_start_main", NULL, 0, NULL, false},
    {"destroy", 0, 0x8000, "destroy_locals", "prog.c", 70, NULL, false},
    {"run", 0, 0x9000, "std::thread::_State_impl<main::{lambda()#1}>::_M_run()", "thread", 80, NULL,
     false},
    {"shared", 0, 0xa000, "std::thread::_State_impl<void (*)()>::_M_run()", "thread", 80, NULL,
     false},
    {"invoke", 0, 0xb000, "void std::__invoke_impl<void, void (*)()>(void (*&&)())", "invoke.h", 80,
     NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

/* The same without symbols. */
static const struct fixture_function nameless[] = {
    {"start", 0, 0x1000, NULL, NULL, 0, NULL, false},
    {"main", 0, 0x2000, NULL, NULL, 0, NULL, false},
    {"worker", 0, 0x3000, NULL, NULL, 0, NULL, false},
    {"pool_a", 0, 0x5000, NULL, NULL, 0, NULL, false},
    {"clone", 1, 0x1000, NULL, NULL, 0, NULL, false},
    {"start_thread", 1, 0x2000, NULL, NULL, 0, NULL, false},
    {"create", 1, 0x3000, "pthread_create", NULL, 0, NULL, false},
    {"wait", 1, 0x5000, NULL, NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

/* The C library is part of the program. */
static const struct fixture_function static_named[] = {
    {"start", 0, 0x1000, "_start", NULL, 0, NULL, false},
    {"main", 0, 0x2000, "main", NULL, 0, NULL, false},
    {"worker", 0, 0x3000, "worker", NULL, 0, NULL, false},
    {"pool_a", 0, 0x5000, "pool_a", NULL, 0, NULL, false},
    {"clone", 0, 0x9000, "__clone3", NULL, 0, NULL, false},
    {"start_thread", 0, 0xa000, "start_thread", NULL, 0, NULL, false},
    {"create", 0, 0xb000, "__pthread_create", NULL, 0, NULL, false},
    {"wait", 0, 0xc000, "wait", NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

static const struct fixture_function static_nameless[] = {
    {"start", 0, 0x1000, NULL, NULL, 0, NULL, false},
    {"main", 0, 0x2000, NULL, NULL, 0, NULL, false},
    {"worker", 0, 0x3000, NULL, NULL, 0, NULL, false},
    {"pool_a", 0, 0x5000, NULL, NULL, 0, NULL, false},
    {"clone", 0, 0x9000, NULL, NULL, 0, NULL, false},
    {"start_thread", 0, 0xa000, NULL, NULL, 0, NULL, false},
    {"create", 0, 0xb000, NULL, NULL, 0, NULL, false},
    {"wait", 0, 0xc000, NULL, NULL, 0, NULL, false},
    {NULL, 0, 0, NULL, NULL, 0, NULL, false},
};

#define MADE_BY_A "start libc_main main pool_a create clone"
#define MADE_BY_B "start libc_main main pool_b create clone"
#define WORKS     "clone start_thread worker wait"

static void threads_of_one_chain_and_start_are_one_identity(void **state)
{
    const struct report *r;
    struct story s;

    (void)state;
    story_begin(&s, named);
    for (uint32_t tid = 8; tid < 72; tid++)
        story_thread(&s, tid, "w", 7, tid % 2 ? MADE_BY_A : MADE_BY_B, tid);
    for (uint32_t tid = 8; tid < 72; tid++)
        story_sample(&s, tid, 100 + tid, 'S', WORKS);
    r = story_report(&s);
    assert_int_equal(r->identities->count, 3);
    assert_string_equal(story_identity(r, 0)->name, "main");
    assert_string_equal(story_identity(r, 1)->name, "worker via pool_b");
    assert_string_equal(story_identity(r, 2)->name, "worker via pool_a");
    assert_int_equal(story_identity(r, 1)->thread_count, 32);
    assert_string_not_equal(story_identity(r, 1)->hash, story_identity(r, 2)->hash);
    assert_true(story_identity(r, 1)->creation_known);
    story_deinit(&s);
}

static void calls_from_one_function_are_told_apart_by_line(void **state)
{
    const struct report *r;
    struct story s;

    (void)state;
    story_begin(&s, named);
    story_thread(&s, 8, "w", 7, "start libc_main main pool_a/4 create clone", 1);
    story_thread(&s, 9, "w", 7, "start libc_main main pool_a/9 create clone", 2);
    story_sample(&s, 8, 10, 'S', WORKS);
    story_sample(&s, 9, 10, 'S', WORKS);
    r = story_report(&s);
    assert_string_equal(story_identity(r, 1)->name, "worker via pool_a:44");
    assert_string_equal(story_identity(r, 2)->name, "worker via pool_a:49");
    story_deinit(&s);
}

struct named_threads {
    const char *names[12]; /* NULL: no more */
    const char *label;
};

static void threads_that_share_a_name_have_it_in_their_label(void **state)
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

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct report *r;
        struct story s;

        story_begin(&s, named);
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

    story_begin(&s, functions);
    story_thread(&s, 8, "w", 7, made, 1);
    if (works)
        story_sample(&s, 8, 10, 'S', works);
    identity = story_identity(story_report(&s), 1);
    memcpy(hash, identity->hash, 9);
    if (inferred)
        *inferred = identity->start_inferred;
    story_deinit(&s);
}

static void hash_depends_neither_on_the_c_library_nor_on_the_sample(void **state)
{
    char one[9], other[9];

    (void)state;
    hash_of(named, MADE_BY_A, WORKS, one, NULL);
    hash_of(named, "start libc_main/8 main pool_a create create_thread clone/30",
            "clone/40 start_thread/50 worker/9 spawn", other, NULL);
    assert_string_equal(one, other);
    hash_of(named, MADE_BY_A, "clone start_thread other wait", other, NULL);
    assert_string_not_equal(one, other);
    hash_of(named, "start libc_main main pool_a/11 create clone", WORKS, other, NULL);
    assert_string_not_equal(one, other);
}

static void hash_is_the_same_without_names(void **state)
{
    char one[9], other[9];

    (void)state;
    hash_of(named, "start main pool_a create clone", WORKS, one, NULL);
    hash_of(nameless, "start main pool_a create clone", WORKS, other, NULL);
    assert_string_equal(one, other);
}

static void static_program_without_names_has_the_start_routine_of_one_with(void **state)
{
    char one[9], other[9];
    bool inferred;

    (void)state;
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

static void without_its_creation_the_start_routine_stands_in(void **state)
{
    const struct report *r;
    char seen[9];
    struct story s;

    (void)state;
    hash_of(named, MADE_BY_A, WORKS, seen, NULL);
    story_begin(&s, named);
    story_thread(&s, 8, "w", 0, NULL, 1);
    story_thread(&s, 9, "w", 0, NULL, 1);
    story_sample(&s, 8, 10, 'S', WORKS);
    story_sample(&s, 9, 10, 'R', "clone start_thread worker/30 other");
    r = story_report(&s);
    assert_int_equal(r->identities->count, 2);
    assert_false(story_identity(r, 1)->creation_known);
    assert_string_equal(story_identity(r, 1)->name, "worker");
    assert_string_not_equal(story_identity(r, 1)->hash, seen);
    story_deinit(&s);
}

static void thread_that_was_never_sampled_is_of_the_one_kind_made_there(void **state)
{
    const struct report *r;
    struct story s;

    (void)state;
    story_begin(&s, named);
    story_thread(&s, 8, "w", 7, MADE_BY_A, 1);
    story_thread(&s, 9, "w", 7, MADE_BY_A, 2);
    story_sample(&s, 9, 10, 'S', WORKS);
    r = story_report(&s);
    assert_int_equal(r->identities->count, 2);
    assert_string_equal(story_identity(r, 1)->name, "worker");
    assert_int_equal(story_identity(r, 1)->thread_count, 2);
    story_deinit(&s);
    /* Where one place makes two kinds nobody knows. */
    story_begin(&s, named);
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

static void start_routine_is_what_most_complete_chains_begin_with(void **state)
{
    const struct report *r;
    struct story s;

    (void)state;
    story_begin(&s, named);
    story_thread(&s, 8, "w", 7, MADE_BY_A, 1);
    story_sample(&s, 8, 10, 'R', "clone start_thread destroy wait");
    story_sample_that_stops(&s, 8, 20, 'R', "other wait", STOP_TRUNCATED);
    story_sample_that_stops(&s, 8, 21, 'S', "other wait", STOP_TRUNCATED);
    story_sample_that_stops(&s, 8, 22, 'R', "other wait", STOP_TRUNCATED);
    story_sample(&s, 8, 30, 'S', WORKS);
    story_sample(&s, 8, 40, 'R', "clone start_thread worker");
    r = story_report(&s);
    assert_string_equal(story_identity(r, 1)->name, "worker");
    story_deinit(&s);
}

/* std::thread([] …), inlined: what it calls is no part of what the thread is. */
static void threads_whose_functions_differ_are_called_after_what_they_share(void **state)
{
    const struct report *r;
    char alike[9];
    struct story s;

    (void)state;
    for (int differ = 0; differ < 2; differ++) {
        story_begin(&s, named);
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
static void threads_of_a_shared_start_are_told_by_their_functions(void **state)
{
    char hashes[2][2][9];

    (void)state;
    for (int made = 0; made < 2; made++) {
        const struct report *r;
        struct story s;

        story_begin(&s, named);
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

static void thread_whose_function_was_not_seen_is_of_the_one_kind_made_there(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++) {
        const struct report *r;
        struct story s;

        story_begin(&s, named);
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
static void function_of_a_thread_is_what_most_of_its_samples_have(void **state)
{
    struct story s;

    (void)state;
    story_begin(&s, named);
    for (uint32_t tid = 8; tid < 10; tid++) {
        story_thread(&s, tid, "w", 0, NULL, 1);
        if (tid == 9)
            story_sample(&s, tid, 9, 'R', "clone start_thread run destroy");
        story_sample(&s, tid, 10, 'S', "clone start_thread run worker wait");
        story_sample(&s, tid, 20, 'R', "clone start_thread run worker");
    }
    assert_string_equal(story_identity(story_report(&s), 2)->name, "worker");
    story_deinit(&s);
}

static void forked_process_is_known_by_where_it_was_forked(void **state)
{
    const struct report *r;
    struct story s;

    (void)state;
    story_begin(&s, named);
    story_process(&s, 20, "/usr/bin/prog");
    story_thread(&s, 20, "prog", 7, MADE_BY_A, 1);
    story_sample(&s, 20, 10, 'S', "start libc_main main pool_a wait");
    r = story_report(&s);
    assert_int_equal(r->identities->count, 2);
    assert_string_equal(story_identity(r, 0)->name, "main of prog");
    assert_string_equal(story_identity(r, 1)->name, "main via pool_a");
    assert_true(story_identity(r, 1)->is_main);
    story_deinit(&s);
}

static void module_is_known_by_its_build_id_wherever_it_lies(void **state)
{
    char plain[9], moved[9], built[9];
    struct story s;

    (void)state;
    hash_of(named, MADE_BY_A, WORKS, plain, NULL);
    for (int i = 0; i < 2; i++) {
        story_begin(&s, named);
        s.fixture.modules[0].path = i ? "/tmp/elsewhere/prog" : "/tmp/other";
        s.fixture.modules[0].build_id_size = i ? 0 : 4;
        story_thread(&s, 8, "w", 7, MADE_BY_A, 1);
        story_sample(&s, 8, 10, 'S', WORKS);
        memcpy(i ? moved : built, story_identity(story_report(&s), 1)->hash, 9);
        story_deinit(&s);
    }
    assert_string_equal(plain, moved);
    assert_string_not_equal(plain, built);
}

static void threads_of_which_nothing_is_known_go_by_their_names(void **state)
{
    const struct report *r;
    struct story s;

    (void)state;
    story_begin(&s, named);
    story_thread(&s, 8, "kworker\x1b[2J", 0, NULL, 1);
    story_thread(&s, 9, "kworker\x1b[2J", 0, NULL, 1);
    story_thread(&s, 10, "rcu", 0, NULL, 1);
    r = story_report(&s);
    assert_int_equal(r->identities->count, 3);
    assert_string_equal(story_identity(r, 1)->name, "kworker?[2J");
    assert_int_equal(story_identity(r, 1)->thread_count, 2);
    story_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_one_chain_and_start_are_one_identity),
        cmocka_unit_test(threads_that_share_a_name_have_it_in_their_label),
        cmocka_unit_test(calls_from_one_function_are_told_apart_by_line),
        cmocka_unit_test(hash_depends_neither_on_the_c_library_nor_on_the_sample),
        cmocka_unit_test(hash_is_the_same_without_names),
        cmocka_unit_test(static_program_without_names_has_the_start_routine_of_one_with),
        cmocka_unit_test(without_its_creation_the_start_routine_stands_in),
        cmocka_unit_test(thread_that_was_never_sampled_is_of_the_one_kind_made_there),
        cmocka_unit_test(start_routine_is_what_most_complete_chains_begin_with),
        cmocka_unit_test(threads_whose_functions_differ_are_called_after_what_they_share),
        cmocka_unit_test(threads_of_a_shared_start_are_told_by_their_functions),
        cmocka_unit_test(thread_whose_function_was_not_seen_is_of_the_one_kind_made_there),
        cmocka_unit_test(function_of_a_thread_is_what_most_of_its_samples_have),
        cmocka_unit_test(forked_process_is_known_by_where_it_was_forked),
        cmocka_unit_test(module_is_known_by_its_build_id_wherever_it_lies),
        cmocka_unit_test(threads_of_which_nothing_is_known_go_by_their_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
