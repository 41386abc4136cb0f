/* SPDX-License-Identifier: MIT */
#include "threads/runtime.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "threads/language_name.h"

#define DIGITS "0123456789"
#define HEX    "0123456789abcdef"

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
           begins_with_any(text_basename(module->file.path), starts, count);
}

static bool is_c_library(const char *path)
{
    static const char *const starts[] = {"libc.so",  "libc-2.",   "libpthread.so", "libpthread-2.",
                                         "ld-linux", "ld-2.",     "ld-musl-",      "ld.so",
                                         "ld64.so",  "libuClibc", "ld-uClibc"};

    return begins_with_any(text_basename(path), starts, sizeof(starts) / sizeof(starts[0]));
}

bool runtime_is_c_library(const struct module *module)
{
    return module && (module->kind == MODULE_VDSO ||
                      (module->kind == MODULE_FILE && is_c_library(module->file.path)));
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

/* "libstd-<hash>.so" */
static bool is_rust_std(const char *file)
{
    static const char start[] = "libstd-";
    const char *hash = begins(file, start) ? file + strlen(start) : "";
    size_t length = strspn(hash, HEX);

    return length && begins(hash + length, ".so");
}

bool runtime_is_language_library(const struct module *module)
{
    static const char *const starts[] = {"libstdc++.so", "libc++.so", "libc++abi.so"};

    return file_begins(module, starts, sizeof(starts) / sizeof(starts[0])) ||
           (module && module->kind == MODULE_FILE && is_rust_std(text_basename(module->file.path)));
}

bool runtime_is_c_function(const char *name)
{
    static const char *const names[] = {"clone",
                                        "clone3",
                                        "clone3_internal",
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

static bool is_one_of(const char *name, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(name, names[i], length) == 0)
            return true;
    return false;
}

bool runtime_is_start(const char *name, size_t length, const char *path)
{
    /* Reserved names, and names that programs use for nothing else. */
    static const char *const names[] = {"_start",
                                        "_start_c",
                                        "__libc_start_main",
                                        "__libc_start_main_impl",
                                        "__libc_start_call_main",
                                        "__clone",
                                        "__clone3",
                                        "__GI___clone",
                                        "__GI___clone3",
                                        "__clone3_internal",
                                        "__clone_internal",
                                        "clone3",
                                        "start_thread",
                                        "libc_start_main_stage2"};
    static const char *const library_names[] = {"clone", "start", "start_c11", "thread_start",
                                                "generic_start_main"};

    return is_one_of(name, length, names, sizeof(names) / sizeof(names[0])) ||
           (is_c_library(path) && is_one_of(name, length, library_names,
                                            sizeof(library_names) / sizeof(library_names[0])));
}

static bool is_crate_of_rust(const char *name)
{
    return begins(name, "std::") || begins(name, "core::") || begins(name, "alloc::");
}

/* False for a program's trait of the library's type: `<alloc::vec::Vec<T> as Job>::run`. */
static bool is_method_of_rust(const char *name)
{
    const char *trait = language_name_trait(name);

    return is_crate_of_rust(name + 1) && (!trait || is_crate_of_rust(trait));
}

static bool is_of_rust(const char *file)
{
    size_t length = strlen(file);

    return length >= 3 && strcmp(file + length - 3, ".rs") == 0;
}

bool runtime_is_language_function(const char *name, const char *file)
{
    static const char *const starts[] = {"std::",        "__gnu_cxx::",
                                         "__cxxabiv1::", "execute_native_thread_routine",
                                         "__gthread_",   "__rust_"};

    name = language_name_begin(name);
    if (*name == '<')
        return is_method_of_rust(name);
    if (begins_with_any(name, starts, sizeof(starts) / sizeof(starts[0])))
        return true;
    /* C++ programs have such namespaces, too, and inlined functions no arguments in their names. */
    return is_crate_of_rust(name) && !language_name_has_arguments(name) &&
           (!file || is_of_rust(file));
}

/* "/rustc/<commit>/", or "/rustc/<version>/" of builds from an archive. */
static bool is_below_rustc(const char *path)
{
    static const char start[] = "/rustc/";
    const char *word = begins(path, start) ? path + strlen(start) : "";
    size_t length = strcspn(word, "/");

    return word[length] == '/' && ((length == 40 && strspn(word, HEX) == length) ||
                                   (strspn(word, DIGITS) && word[strspn(word, DIGITS)] == '.'));
}

/* "include/c++/12/", "include/c++/v1/", below directories of systems and compilers. */
static bool is_below_cxx(const char *path)
{
    static const char include[] = "/include/c++/";
    static const char *const places[] = {"/usr/",     "gcc",     "clang", "llvm",       "ndk",
                                         "toolchain", "sysroot", "conda", "/nix/store/"};
    const char *at = strstr(path, include), *version = at ? at + strlen(include) : NULL;

    if (!at || !strspn(version + (*version == 'v'), DIGITS))
        return false;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const char *place = strstr(path, places[i]);

        if (place && place <= at)
            return true;
    }
    return false;
}

bool runtime_is_language_file(const char *path)
{
    return is_below_cxx(path) || is_below_rustc(path) || strstr(path, "/rustlib/src/");
}

bool runtime_is_shared_start(const char *name)
{
    static const char *const marks[] = {"(*)", "::*)", "std::function<", "std::packaged_task<",
                                        "::thread_start"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (strstr(name, marks[i]))
            return runtime_is_language_function(name, NULL);
    return false;
}
