/* SPDX-License-Identifier: MIT */
/* Which frames are a C library's or a language's own. */
#include <string.h>

#include "unit_test.h"
#include "threads/runtime.h"

static struct module file(char *path)
{
    return (struct module){.kind = MODULE_FILE, .file.path = path};
}

TEST(c_libraries_are_known_by_their_files)
{
    static char *const libraries[] = {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/libc-2.31.so",
                                      "/lib/libpthread-2.31.so", "/lib/ld-musl-armhf.so.1",
                                      "/lib64/ld-linux-x86-64.so.2"};
    static char *const others[] = {"/usr/lib/libcrypto.so.3", "/usr/bin/ld", "/usr/lib/libcap.so.2",
                                   "/usr/lib/libc++.so.1"};

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

TEST(language_functions_are_known_behind_what_they_return)
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

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        assert_true(runtime_is_language_function(languages[i], NULL));
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        assert_false(runtime_is_language_function(programs[i], NULL));
}

/* C++ programs have namespaces of these names; what is demangled of C++ has arguments. */
TEST(crates_of_rust_are_told_from_namespaces)
{
    static const char *const languages[] = {
        "core::ptr::drop_in_place::<(alloc::string::String, fn())>",
        "alloc::slice::<impl [T]>::sort_by::{{closure}}",
        "core::ops::function::FnOnce::call_once{{vtable.shim}}",
        "<alloc::vec::Vec<u32> as core::ops::drop::Drop>::drop",
        "<std::sync::mpsc::Receiver<(u32, fn(u8) -> u8)>>::recv",
        "<alloc::boxed::Box<dyn FnOnce() -> i32> as core::ops::function::FnOnce<()>>::call_once"};
    static const char *const programs[] = {
        "core::engine_loop()",
        "void core::run<int>(int)",
        "core::pool::operator()(int)",
        "core::(anonymous namespace)::run(int) [clone .isra.0]",
        "alloc::refill_thread(unsigned long) const",
        "<alloc::vec::Vec<u32> as rs::Job>::run",
        "<std::vec::Vec<fn() -> <u8 as core::X>::Y> as rs::Job<core::Z>>::run",
        "<rs::Pool as core::ops::drop::Drop>::drop",
        "<alloc::vec::Vec<u32> as std_like::Job>::run"};

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        if (!runtime_is_language_function(languages[i], NULL))
            fail_msg("%s", languages[i]);
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        if (runtime_is_language_function(programs[i], NULL))
            fail_msg("%s", programs[i]);
}

/* The template's argument has no name with which it could be mangled. */
TEST(crates_of_rust_have_files_of_rust)
{
    static const char *const inlined = "core::pool_run<main()::<lambda()> >";

    assert_false(runtime_is_language_function(inlined, "/home/me/pool.cc"));
    assert_false(runtime_is_language_function(inlined, "rs"));
    assert_true(
        runtime_is_language_function("core::ptr::drop_in_place<T>", "/src/core/ptr/mod.rs"));
    assert_true(runtime_is_language_function("std::sort<main()::<lambda()> >", "/home/me/sort.h"));
}

TEST(files_of_the_language_are_told_from_directories_of_such_names)
{
    static const char *const languages[] = {
        "/usr/include/c++/12/bits/std_thread.h",
        "/opt/gcc-13/include/c++/13.2.0/mutex",
        "/home/me/ndk/r26/sysroot/include/c++/v1/thread",
        "/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/std/src/thread/mod.rs",
        "/rustc/1.75.0/library/core/src/ops/function.rs",
        "/home/me/.rustup/toolchains/x/lib/rustlib/src/rust/library/std/src/thread/mod.rs"};
    static const char *const programs[] = {
        "/home/me/src/threads.cc",
        "/home/me/pool/include/c++/pool.h",
        "/home/me/pool/include/c++/11/pool.h",
        "/usr/src/pool/include/c++/pool.h",
        "/home/me/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/src/main.rs",
        "/rustc/src/main.rs",
        "/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869",
        "/rustc/",
        ""};

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        if (!runtime_is_language_file(languages[i]))
            fail_msg("%s", languages[i]);
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        if (runtime_is_language_file(programs[i]))
            fail_msg("%s", programs[i]);
}

TEST(library_of_rust_has_a_hash_in_its_name)
{
    struct module std = file("/usr/lib/libstd-8af4d4ba0f7d3c6e.so");
    struct module others[] = {file("/usr/lib/libstd-pool.so"), file("/usr/lib/libstd-.so"),
                              file("/usr/lib/libstd-8af4"), file("/usr/lib/libstdpool.so")};

    assert_true(runtime_is_language_library(&std));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_false(runtime_is_language_library(&others[i]));
}

TEST(names_of_the_language_are_told_from_types)
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
        {"<std::thread::Builder as core::fmt::Debug>::fmt", true},
        {"operator new(unsigned long)", false},
        {"stdlib_main", false},
        {"std::unique_ptr<Pool> start<Pool>(int)", false},
        {"std::unique_ptr<Pool> (anonymous namespace)::start<Pool>(int)", false},
        {"__rust_begin_short_backtrace", true},
        {"", false},
        {">>)) (", false},
        /* operators that look like brackets */
        {"std::enable_if<(sizeof(T)<=8), void>::type small_worker<int>(int)", false},
        {"std::enable_if<(sizeof (int))<=(8), void>::type small_worker<int>(int)", false},
        {"std::enable_if<(sizeof (int))<(9), std::vector<int> >::type small_worker<int>(int)",
         false},
        {"std::enable_if<((1)<<(sizeof (int)))>=(9), int>::type small_worker<int>(int)", false},
        {"std::enable_if<(N < 8) && (2 >> 1), int>::type small_worker<int>(int)", false},
        {"std::function<void (std::vector<int>)> make<int>(int)", false},
        {"void std::apply<decltype (&Pool::operator()<int>), X>(X)", true},
        {"core::mem::swap::<<u8 as core::X>::Y>", true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (runtime_is_language_function(cases[i].name, NULL) != cases[i].is_language)
            fail_msg("%s", cases[i].name);
}

TEST(starts_that_many_functions_share_are_told_from_a_closure_s)
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

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (runtime_is_shared_start(cases[i].name) != cases[i].is_shared)
            fail_msg("%s", cases[i].name);
}

TEST(c_functions_are_known_with_their_underscores)
{
    assert_true(runtime_is_c_function("__clone3"));
    assert_true(runtime_is_c_function("__clone3_internal"));
    assert_true(runtime_is_c_function("__pthread_create_2_1"));
    assert_true(runtime_is_c_function("__GI___clone"));
    assert_true(runtime_is_c_function("start_thread"));
    assert_false(runtime_is_c_function("start_worker"));
    assert_false(runtime_is_c_function("clone_object"));
}

TEST(starts_are_known_and_told_from_functions_of_programs)
{
    static const struct {
        const char *name, *path;
        bool is_start;
    } cases[] = {
        {"_start", "/usr/bin/prog", true},
        {"_start", "/lib64/ld-linux-x86-64.so.2", true},
        {"__libc_start_main", "/usr/lib/libc.so.6", true},
        {"__libc_start_call_main", "/usr/lib/libc.so.6", true},
        {"start_thread", "/usr/bin/static", true},
        {"__clone3", "/usr/lib/libc.so.6", true},
        {"clone", "/lib/arm-linux-gnueabihf/libc-2.31.so", true},
        {"start", "/lib/ld-musl-x86_64.so.1", true},
        {"start", "/usr/bin/prog", false},
        {"clone", "/usr/bin/prog", false},
        {"fork", "/usr/lib/libc.so.6", false},
        {"main", "/usr/bin/prog", false},
        {"start_threads", "/usr/lib/libc.so.6", false},
        {"start_thread (pthread_create.c:442)", "/usr/lib/libc.so.6", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (runtime_is_start(cases[i].name, strlen(cases[i].name), cases[i].path) !=
            cases[i].is_start)
            fail_msg("%s in %s", cases[i].name, cases[i].path);
    assert_true(runtime_is_start("_start (x.S:1)", strlen("_start"), "/usr/bin/prog"));
}
