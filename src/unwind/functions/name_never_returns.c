/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unwind/functions/module_code.h"

/* Functions of libc, the C++ runtime, libgcc and GLib that their headers declare noreturn. */
static const char *const names[] = {
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "pthread_exit",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__stack_chk_fail",
    "__stack_chk_fail_local",
    "__fortify_fail",
    "__chk_fail",
    "__libc_fatal",
    "__libc_start_main",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_call_terminate",
    "__cxa_call_unexpected",
    "__cxa_deleted_virtual",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_length",
    "__cxa_throw_bad_array_new_length",
    "__cxa_end_cleanup",
    "_Unwind_Resume",
    "_ZSt9terminatev",
    "_ZSt10unexpectedv",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "__longjmp_chk",
};

/* Functions of libc and widely used libraries, with names that programs may use otherwise. */
static const char *const free_names[] = {
    "err",
    "errx",
    "verr",
    "verrx",
    "thrd_exit",
    "g_abort",
    "g_assertion_message_expr",
    "g_thread_exit",
    "xexit", /* libiberty, libbfd */
    "xmalloc_failed",
    "_bfd_abort",
    "png_error",
    "rb_exc_raise",
    "rb_raise",
    "Perl_croak",
    "Perl_croak_no_modify",
    "Perl_croak_nocontext",
    "Perl_croak_xs_usage",
    "Py_Exit",
    "Py_FatalError",
    "_Py_FatalErrorFunc",
    "Tcl_Panic",
    "_gfortran_error_stop_numeric",
    "_gfortran_error_stop_string",
    "_gfortran_os_error_at",
    "_gfortran_runtime_error",
    "_gfortran_runtime_error_at",
    "_gfortran_stop_numeric",
    "_gfortran_stop_string",
};

/* Functions that compilers take to return twice. */
static const char *const twice[] = {"setjmp", "_setjmp", "sigsetjmp",  "__sigsetjmp", "savectx",
                                    "vfork",  "__vfork", "getcontext", "swapcontext"};

static bool is_among(const char *name, size_t len, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == len && strncmp(name, list[i], len) == 0)
            return true;
    return false;
}

static bool ends_with(const char *name, size_t len, const char *end)
{
    return len >= strlen(end) && strncmp(name + len - strlen(end), end, strlen(end)) == 0;
}

/* Is it a sanitizer's report that ends the program? Those for -fsanitize-recover return. */
static bool is_last_report(const char *name, size_t len)
{
    return (strncmp(name, "__asan_report_", 14) == 0 && !ends_with(name, len, "_noabort")) ||
           (strncmp(name, "__ubsan_handle_", 15) == 0 && ends_with(name, len, "_abort"));
}

bool name_never_returns(const char *name, bool own)
{
    size_t len = strcspn(name, "@");

    if (is_among(name, len, names, sizeof(names) / sizeof(names[0])) ||
        (!own && is_among(name, len, free_names, sizeof(free_names) / sizeof(free_names[0]))) ||
        is_last_report(name, len))
        return true;
    return strncmp(name, "_ZSt", 4) == 0 &&
           strncmp(name + 4 + strspn(name + 4, "0123456789"), "__throw_", 8) == 0;
}

bool name_returns_twice(const char *name)
{
    return is_among(name, strcspn(name, "@"), twice, sizeof(twice) / sizeof(twice[0]));
}
