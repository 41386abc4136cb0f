/* SPDX-License-Identifier: MIT */
#include "threads/runtime.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "threads/language_name.h"

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool begins_with_any(const char *text, const char *const *starts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(text, starts[i]))
            return true;
    return false;
}

static bool file_begins(const struct module *module, const char *const *starts, size_t count)
{
    return module && module->kind == MODULE_FILE &&
           begins_with_any(text_basename(module->path), starts, count);
}

bool runtime_is_c_library(const struct module *module)
{
    static const char *const starts[] = {"libc.so",  "libc-2.",   "libpthread.so", "libpthread-2.",
                                         "ld-linux", "ld-2.",     "ld-musl-",      "ld.so",
                                         "ld64.so",  "libuClibc", "ld-uClibc"};

    return (module && module->kind == MODULE_VDSO) ||
           file_begins(module, starts, sizeof(starts) / sizeof(starts[0]));
}

bool runtime_is_thread_library(const struct module *module)
{
    static const char *const starts[] = {"libstdc++.so", "libc++.so", "libglib-2.0.so",
                                         "libgomp.so",   "libomp.so", "libasan.so",
                                         "libtsan.so",   "liblsan.so"};

    return file_begins(module, starts, sizeof(starts) / sizeof(starts[0]));
}

bool runtime_has_trampoline(const struct module *module)
{
    static const char *const starts[] = {"libstdc++.so", "libglib-2.0.so"};

    return file_begins(module, starts, sizeof(starts) / sizeof(starts[0]));
}

bool runtime_is_language_library(const struct module *module)
{
    static const char *const starts[] = {"libstdc++.so", "libc++.so", "libc++abi.so", "libstd-"};

    return file_begins(module, starts, sizeof(starts) / sizeof(starts[0]));
}

bool runtime_is_c_function(const char *name)
{
    static const char *const names[] = {"clone",
                                        "clone3",
                                        "clone_internal",
                                        "clone_internal_fallback",
                                        "create_thread",
                                        "thrd_create",
                                        "start_thread",
                                        "thread_start",
                                        "start",
                                        "start_c",
                                        "libc_start_main",
                                        "libc_start_call_main",
                                        "fork",
                                        "Fork",
                                        "vfork",
                                        "libc_fork",
                                        "libc_vfork",
                                        "arch_fork",
                                        "libc_start_main_stage2",
                                        "start_c11",
                                        "posix_spawn",
                                        "spawni",
                                        "spawnix",
                                        "libc_start_main_impl"};

    name += strspn(name, "_");
    if (begins(name, "GI_"))
        name += 3 + strspn(name + 3, "_");
    if (begins(name, "pthread_create"))
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool runtime_is_language_function(const char *name)
{
    static const char *const starts[] = {
        "std::",      "__gnu_cxx::", "__cxxabiv1::", "execute_native_thread_routine",
        "__gthread_", "__rust_",     "core::",       "alloc::",
        "<std::",     "<core::",     "<alloc::"};

    return begins_with_any(language_name_begin(name), starts, sizeof(starts) / sizeof(starts[0]));
}

bool runtime_is_language_file(const char *path)
{
    return strstr(path, "/include/c++/") || strstr(path, "/rustc/") ||
           strstr(path, "/rustlib/src/");
}

bool runtime_is_shared_start(const char *name)
{
    static const char *const marks[] = {"(*)", "::*)", "std::function<", "std::packaged_task<",
                                        "::thread_start"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (strstr(name, marks[i]))
            return runtime_is_language_function(name);
    return false;
}
