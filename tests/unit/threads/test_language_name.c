/* SPDX-License-Identifier: MIT */
/* What a program calls functions of C++'s and Rust's libraries. */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "threads/language_name.h"

struct name_case {
    const char *name, *public_name;
};

static void check(const struct name_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *found = language_public_name(cases[i].name);

        assert_non_null(found);
        if (strcmp(found, cases[i].public_name) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", cases[i].name, found, cases[i].public_name);
        free(found);
    }
}

TEST(public_name_of_cxx_has_neither_types_nor_arguments)
{
    static const struct name_case cases[] = {
        {"void std::condition_variable::wait<serve()::{lambda()#1}>(std::unique_lock<std::mutex>&, "
         "serve()::{lambda()#1})",
         "std::condition_variable::wait"},
        {"std::condition_variable::wait<serve()::<lambda()> >", "std::condition_variable::wait"},
        {"std::lock_guard<std::mutex>::lock_guard(std::mutex&)", "std::lock_guard::lock_guard"},
        {"std::function<void ()>::operator()() const", "std::function::operator()"},
        {"std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)",
         "std::operator<< <std::char_traits<char> >"},
        {"operator new(unsigned long)", "operator new"},
        {"std::call_once<void (&)()>(std::once_flag&, void (&)())::{lambda()#1}::operator()() "
         "const",
         "std::call_once"},
        {"std::unique_ptr<int (*)(int)>::~unique_ptr()", "std::unique_ptr::~unique_ptr"},
        {"std::sort", "std::sort"},
        {"std::enable_if<(sizeof (int))<=(8), void>::type std::run<((4)<(5)), int>(int)",
         "std::run"},
        {"std::array<int, (sizeof(x)<<2)>::fill(int const&)", "std::array::fill"},
    };

    check(cases, sizeof(cases) / sizeof(cases[0]));
}

TEST(public_name_has_no_namespace_of_a_version)
{
    static const struct name_case cases[] = {
        {"std::__1::mutex::lock()", "std::mutex::lock"},
        {"std::__cxx11::basic_string<char>::append(char const*)", "std::basic_string::append"},
        {"std::_V2::condition_variable_any::wait()", "std::condition_variable_any::wait"},
    };

    check(cases, sizeof(cases) / sizeof(cases[0]));
}

TEST(public_name_of_rust_has_neither_traits_nor_closures)
{
    static const struct name_case cases[] = {
        {"std::sync::poison::mutex::Mutex<T>::lock", "std::sync::poison::mutex::Mutex::lock"},
        {"<std::sync::mpsc::Receiver<i32>>::recv", "std::sync::mpsc::Receiver::recv"},
        {"<alloc::boxed::Box<F, A> as core::ops::function::FnOnce<Args>>::call_once",
         "alloc::boxed::Box::call_once"},
        {"<std::vec::Vec<fn() -> i32> as core::ops::Drop>::drop", "std::vec::Vec::drop"},
        {"std::rt::lang_start::<()>::{closure#0}", "std::rt::lang_start"},
        {"std::rt::lang_start::{{closure}}", "std::rt::lang_start"},
        {"core::ops::function::FnOnce::call_once{{vtable.shim}}",
         "core::ops::function::FnOnce::call_once"},
    };

    check(cases, sizeof(cases) / sizeof(cases[0]));
}

TEST(internal_functions_have_no_public_name)
{
    static const struct name_case cases[] = {
        {"void std::__invoke_impl<void, void (*)()>(std::__invoke_other, void (*&&)())", ""},
        {"std::thread::_State_impl<std::thread::_Invoker<x> >::_M_run()", ""},
        {"std::sys::backtrace::__rust_begin_short_backtrace", ""},
        {"__gthread_mutex_lock(pthread_mutex_t*)", ""},
        {"__rust_try", ""},
        {"<std::sys::thread::unix::Thread>::new::thread_start", ""},
        {"std::sys_common::net::lookup", ""},
        {"", ""},
    };

    check(cases, sizeof(cases) / sizeof(cases[0]));
}

/* Nothing is read beyond its end. */
TEST(names_that_break_off_have_some_public_name_or_none)
{
    static const char *const names[] = {"<",         "<<",        "std::",          "::",
                                        "std::f<(",  "(",         "<T as ",         "std:",
                                        ">>)) (",    "operator",  "a::<b>::",       "<T",
                                        "std::x<->", "std::f<(<", "f<x)<",          "f<)<<=",
                                        "{",         " ",         "std::operator()"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *copy = strdup(names[i]), *found = language_public_name(copy);

        assert_non_null(found);
        assert_true(strlen(found) <= strlen(copy));
        free(found);
        free(copy);
    }
}
