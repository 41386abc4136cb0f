/* SPDX-License-Identifier: MIT */
/* What C++ and Rust put around a program's functions is made short. */
#include "graph_fixture.h"

#include "threads/chain_words.h"

static const struct fixture_function functions[] = {
    {"start", .start = 0x1000, .name = "_start"},
    {"main", .start = 0x2000, .file = "prog.cc", .line = 10},
    {"serve", .start = 0x3000, .file = "prog.cc", .line = 20},
    {"load", .start = 0x4000, .file = "prog.cc", .line = 30},
    {"once", .start = 0x5000,
     .name = "void std::call_once<void (&)()>(std::once_flag&, void (&)())",
     .file = "/usr/include/c++/12/mutex", .line = 40},
    {"invoke", .start = 0x6000, .name = "void std::__invoke_impl<void, void (*)()>(void (*&&)())"},
    {"run", .start = 0x7000, .name = "std::thread::_State_impl<void (*)()>::_M_run()"},
    {"wait", .start = 0x8000,
     .name = "void std::condition_variable::wait<X>(std::unique_lock<std::mutex>&, X)"},
    {"lambda", .start = 0x9000, .name = "serve", .file = "prog.cc", .line = 20,
     .inlined = "std::__invoke"},
    {"clone", .module = 1, .start = 0x1000, .name = "clone3"},
    {"once_slow", .module = 1, .start = 0x2000, .name = "__pthread_once_slow"},
    {"cond_wait", .module = 1, .start = 0x3000, .name = "pthread_cond_wait"},
    {"restore", .module = 1, .start = 0x5000, .name = "__restore_rt"},
    {"exit", .module = 1, .start = 0x4000},
    {"rust_start", .start = 0xa000, .name = "<std::sys::thread::unix::Thread>::new::thread_start"},
    {"rust_call", .start = 0xb000, .name = "core::ops::function::FnOnce::call_once{{vtable.shim}}"},
    {"recv", .start = 0xc000, .name = "<std::sync::mpsc::Receiver<u32>>::recv"},
    {"trampoline", .module = 2, .start = 0x1000, .is_nameless = true},
    {0},
};

struct words_case {
    const char *chain; /* outermost first */
    const char *told;  /* innermost first */
};

/* Adds the chain's frames, of the innermost one without `skip` functions. */
static void find_words(struct fixture *f, const char *text, uint32_t skip, struct chain_words *out)
{
    struct chain chain = fixture_chain(f, text);
    uint32_t id, node;

    for (size_t i = 1; i < chain.count; i++) /* "restore" was not called: a signal came */
        if (chain.frames[i - 1].module->id == 1 && chain.frames[i - 1].lookup_vaddr >> 12 == 5)
            chain.frames[i].is_call = false;
    assert_int_equal(profile_chain(f->profile, &chain, NULL, &id), STATUS_OK);
    chain_deinit(&chain);
    assert_int_equal(profile_resolve(f->profile, f->names), STATUS_OK);
    *out = (struct chain_words){.profile = f->profile};
    for (node = f->profile->chains[id].leaf; node != TRIE_ROOT;
         node = f->profile->trie.nodes[node].parent, skip = 0)
        assert_int_equal(chain_words_add(out, f->profile->trie.nodes[node].key, skip), STATUS_OK);
}

static void told(const struct chain_words *words, char *text, size_t size)
{
    size_t at = 0;

    text[0] = '\0';
    for (size_t i = 0; i < words->count; i++) {
        const struct chain_word *word = &words->list[i];
        const char *name = word->name
                               ? word->name
                               : names_function(words->profile->names, word->place->function)->name;

        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "", name);
        assert_true(at < size);
    }
}

static void check(const char *chain, uint32_t skip, bool shorten, const char *expected)
{
    struct fixture f;
    struct chain_words words;
    char text[512];

    fixture_init(&f, functions);
    f.modules[2].file.path = "/usr/lib/libstdc++.so.6.0.30";
    find_words(&f, chain, skip, &words);
    if (shorten)
        assert_int_equal(chain_words_shorten(&words), STATUS_OK);
    told(&words, text, sizeof(text));
    assert_string_equal(text, expected);
    chain_words_deinit(&words);
    fixture_deinit(&f);
}

TEST(runs_of_the_language_are_one_word_each)
{
    static const struct words_case cases[] = {
        /* what the program called, and what called it where a thread begins */
        {"clone trampoline run invoke serve wait cond_wait",
         "pthread_cond_wait std::condition_variable::wait serve … clone3"},
        /* with what the C library does between two of them */
        {"start main once once_slow invoke load", "load std::call_once main _start"},
        {"start main once once_slow load", "load std::call_once main _start"},
        /* but not between the program and it */
        {"start main exit invoke", "… exit main _start"},
        {"start main exit wait invoke", "std::condition_variable::wait exit main _start"},
        /* nothing in it has a name for others */
        {"start main invoke load", "load … main _start"},
        /* all of a chain */
        {"clone run wait cond_wait", "pthread_cond_wait std::condition_variable::wait clone3"},
        {"clone trampoline", "… clone3"},
        {"clone rust_start rust_call recv cond_wait",
         "pthread_cond_wait std::sync::mpsc::Receiver::recv clone3"},
        {"clone rust_start cond_wait", "pthread_cond_wait … clone3"},
        {"clone rust_start rust_call load recv once",
         "std::sync::mpsc::Receiver::recv load … clone3"},
        /* inlined */
        {"start main lambda/900", "… serve main _start"},
        {"start main serve", "serve main _start"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check(cases[i].chain, 0, true, cases[i].told);
}

/* A handler was called by the kernel, not by what ran when the signal came. */
TEST(run_ends_where_a_signal_interrupted)
{
    check("start main wait restore load", 0, true,
          "load __restore_rt std::condition_variable::wait main _start");
    check("start main wait restore invoke", 0, true,
          "… __restore_rt std::condition_variable::wait main _start");
}

TEST(chain_that_is_not_made_short_has_all_functions)
{
    check("start main once once_slow invoke load", 0, false,
          "load void std::__invoke_impl<void, void (*)()>(void (*&&)()) __pthread_once_slow "
          "void std::call_once<void (&)()>(std::once_flag&, void (&)()) main _start");
    check("start main lambda/900", 0, false, "std::__invoke serve main _start");
    check("start main lambda/900", 1, false, "serve main _start");
}

TEST_OF(words_count_the_functions_that_they_stand_for, fixture, f, functions)
{
    struct chain_words words;

    find_words(f, "start main once once_slow invoke load", 0, &words);
    assert_int_equal(chain_words_shorten(&words), STATUS_OK);
    assert_int_equal(words.count, 4);
    assert_int_equal(words.list[0].count, 1);
    assert_int_equal(words.list[1].count, 3);
    assert_null(words.list[1].place);
    chain_words_deinit(&words);
}
