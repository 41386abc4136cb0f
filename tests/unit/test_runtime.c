/* SPDX-License-Identifier: MIT */
/* Which frames are a C library's or a language's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "threads/runtime.h"

static struct module file(char *path)
{
    return (struct module){.kind = MODULE_FILE, .path = path};
}

static void c_libraries_are_known_by_their_files(void **state)
{
    static char *const libraries[] = {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/libc-2.31.so",
                                      "/lib/libpthread-2.31.so", "/lib/ld-musl-armhf.so.1",
                                      "/lib64/ld-linux-x86-64.so.2"};
    static char *const others[] = {"/usr/lib/libcrypto.so.3", "/usr/bin/ld", "/usr/lib/libcap.so.2",
                                   "/usr/lib/libc++.so.1"};

    (void)state;
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
        struct module module = file(libraries[i]);

        assert_true(runtime_is_c_library(&module));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct module module = file(others[i]);

        assert_false(runtime_is_c_library(&module));
    }
    assert_false(runtime_is_c_library(NULL));
}

static void language_functions_are_known_behind_what_they_return(void **state)
{
    static const char *const languages[] = {
        "std::thread::_M_start_thread(std::unique_ptr<x>, void (*)())",
        "void std::vector<std::thread>::_M_realloc_insert<void (&)(int), int&>(int)",
        "std::thread& std::vector<std::thread>::emplace_back<Consumer>(Consumer&&)",
        "core::ops::function::FnOnce::call_once",
        "<alloc::boxed::Box<F, A> as core::ops::function::FnOnce<Args>>::call_once",
        "execute_native_thread_routine"};
    static const char *const programs[] = {"worker",
                                           "produce(std::vector<int> const&)",
                                           "stdlib_init(int)",
                                           "Consumer::operator()() const",
                                           "(anonymous namespace)::run(std::thread&)",
                                           "std_worker",
                                           "void run<std::thread>(std::thread)",
                                           ""};

    (void)state;
    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        assert_true(runtime_is_language_function(languages[i]));
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        assert_false(runtime_is_language_function(programs[i]));
    assert_true(runtime_is_language_file("/usr/include/c++/12/bits/std_thread.h"));
    assert_false(runtime_is_language_file("/home/me/src/threads.cc"));
}

static void names_of_the_language_are_told_from_types(void **state)
{
    static const struct {
        const char *name;
        bool is_language;
    } cases[] = {
        {"std::sort(int*, int*)", true},
        {"void std::this_thread::sleep_for<long, std::ratio<1l, 1000l> >(x const&)", true},
        {"std::vector<int, std::allocator<int> > ns::f<int>(int)", false},
        {"std::string ns::operator<< <int>(std::x)", false},
        {"ns::f(std::vector<int>)", false},
        {"(anonymous namespace)::f(std::x)", false},
        {"__gthread_mutex_lock(pthread_mutex_t*)", true},
        {"core::ops::function::FnOnce::call_once", true},
        {"<std::thread::Builder as x>::y", true},
        {"operator new(unsigned long)", false},
        {"stdlib_main", false},
        {"std::unique_ptr<Pool> start<Pool>(int)", false},
        {"std::unique_ptr<Pool> (anonymous namespace)::start<Pool>(int)", false},
        {"__rust_begin_short_backtrace", true},
        {"", false},
        {">>)) (", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (runtime_is_language_function(cases[i].name) != cases[i].is_language)
            fail_msg("%s", cases[i].name);
}

static void starts_that_many_functions_share_are_told_from_a_closure_s(void **state)
{
    static const struct {
        const char *name;
        bool is_shared;
    } cases[] = {
        {"std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)(int), int> > >::"
         "_M_run()",
         true},
        {"std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (Pool::*)(), Pool*> > >::"
         "_M_run()",
         true},
        {"std::thread::_State_impl<std::thread::_Invoker<std::tuple<std::function<void ()> > > >::"
         "_M_run()",
         true},
        {"void* std::__1::__thread_proxy<std::__1::tuple<x, void (*)()> >(void*)", true},
        {"<std::sys::thread::unix::Thread>::new::thread_start", true},
        {"std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#1}> > >::"
         "_M_run()",
         false},
        {"run_pool(void (*)(), std::function<void ()>)", false},
        {"pool::thread_start", false},
        {"start_thread", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (runtime_is_shared_start(cases[i].name) != cases[i].is_shared)
            fail_msg("%s", cases[i].name);
}

static void c_functions_are_known_with_their_underscores(void **state)
{
    (void)state;
    assert_true(runtime_is_c_function("__clone3"));
    assert_true(runtime_is_c_function("__pthread_create_2_1"));
    assert_true(runtime_is_c_function("__GI___clone"));
    assert_true(runtime_is_c_function("start_thread"));
    assert_false(runtime_is_c_function("start_worker"));
    assert_false(runtime_is_c_function("clone_object"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c_libraries_are_known_by_their_files),
        cmocka_unit_test(language_functions_are_known_behind_what_they_return),
        cmocka_unit_test(names_of_the_language_are_told_from_types),
        cmocka_unit_test(starts_that_many_functions_share_are_told_from_a_closure_s),
        cmocka_unit_test(c_functions_are_known_with_their_underscores),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
