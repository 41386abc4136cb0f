/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_functions.h"

#include <string.h>

#include "base/text.h"

/* Innermost frames to look at, with nameless ones of a stripped library. */
#define FRAMES_MAX 12

#define NAME_MAX_LEN 64 /* bytes of a normal name */

struct known_function {
    const char *name; /* from normal_name */
    enum wait_kind kind;
};

/* Functions of both libraries. */
static const struct known_function known_functions[] = {
    {"pthread_mutex_lock", WAIT_MUTEX},
    {"pthread_mutex_lock_full", WAIT_MUTEX},
    {"pthread_mutex_cond_lock", WAIT_MUTEX},
    {"pthread_mutex_cond_lock_full", WAIT_MUTEX},
    {"pthread_mutex_timedlock", WAIT_MUTEX},
    {"pthread_mutex_timedlock_pi", WAIT_MUTEX},
    {"pthread_mutex_clocklock", WAIT_MUTEX},
    {"pthread_mutex_clocklock_common", WAIT_MUTEX},
    {"mtx_lock", WAIT_MUTEX},
    {"mtx_timedlock", WAIT_MUTEX},
    {"pthread_rwlock_rdlock", WAIT_RWLOCK_READ},
    {"pthread_rwlock_rdlock_full", WAIT_RWLOCK_READ},
    {"pthread_rwlock_timedrdlock", WAIT_RWLOCK_READ},
    {"pthread_rwlock_clockrdlock", WAIT_RWLOCK_READ},
    {"pthread_rwlock_wrlock", WAIT_RWLOCK_WRITE},
    {"pthread_rwlock_wrlock_full", WAIT_RWLOCK_WRITE},
    {"pthread_rwlock_timedwrlock", WAIT_RWLOCK_WRITE},
    {"pthread_rwlock_clockwrlock", WAIT_RWLOCK_WRITE},
    {"pthread_cond_wait", WAIT_CONDITION},
    {"pthread_cond_wait_common", WAIT_CONDITION},
    {"pthread_cond_timedwait", WAIT_CONDITION},
    {"pthread_cond_clockwait", WAIT_CONDITION},
    {"cnd_wait", WAIT_CONDITION},
    {"cnd_timedwait", WAIT_CONDITION},
    {"sem_wait", WAIT_SEMAPHORE},
    {"sem_wait_slow", WAIT_SEMAPHORE},
    {"sem_wait_fast", WAIT_SEMAPHORE},
    {"sem_timedwait", WAIT_SEMAPHORE},
    {"sem_clockwait", WAIT_SEMAPHORE},
    {"pthread_barrier_wait", WAIT_BARRIER},
    {"pthread_join", WAIT_JOIN},
    {"pthread_clockjoin_ex", WAIT_JOIN},
    {"pthread_timedjoin_ex", WAIT_JOIN},
    {"pthread_timedjoin_np", WAIT_JOIN},
    {"pthread_clockjoin_np", WAIT_JOIN},
    {"thrd_join", WAIT_JOIN},
    {"pthread_once", WAIT_ONCE},
    {"pthread_once_slow", WAIT_ONCE},
    {"pthread_once_full", WAIT_ONCE},
    {"call_once", WAIT_ONCE},
    {"cxa_guard_acquire", WAIT_ONCE},
    {"nanosleep", WAIT_SLEEP},
    {"clock_nanosleep", WAIT_SLEEP},
    {"poll", WAIT_POLL},
    {"ppoll", WAIT_POLL},
};

/* Inside of a known function, or, for locks of the library's own, of no function of the table. */
static const struct {
    const char *name;
    enum c_library library;
} internal_locks[] = {
    {"__lll_lock_wait", LIBRARY_GLIBC}, {"__lll_lock_wait_private", LIBRARY_GLIBC},
    {"__lock", LIBRARY_MUSL},           {"__tl_lock", LIBRARY_MUSL},
    {"__lockfile", LIBRARY_MUSL},
};

/* Beginnings of names that only one of the libraries has. */
static const struct {
    const char *prefix;
    enum c_library library;
} signs[] = {
    {"__lll_", LIBRARY_GLIBC},
    {"__futex_abstimed_", LIBRARY_GLIBC},
    {"___pthread_", LIBRARY_GLIBC},
    {"__new_sem_", LIBRARY_GLIBC},
    {"__pthread_clockjoin", LIBRARY_GLIBC},
    {"__pthread_once_slow", LIBRARY_GLIBC},
    {"do_futex_wait", LIBRARY_GLIBC},
    {"futex_", LIBRARY_GLIBC},
    {"__timedwait", LIBRARY_MUSL},
    {"__syscall_cp", LIBRARY_MUSL},
    {"__wait", LIBRARY_MUSL},
    {"__pthread_timedjoin_np", LIBRARY_MUSL},
};

static const char *without_prefix(const char *name, const char *prefix)
{
    size_t len = strlen(prefix);

    return strncmp(name, prefix, len) == 0 ? name + len : name;
}

static size_t without_suffix(const char *name, size_t len, const char *suffix)
{
    size_t suffix_len = strlen(suffix);

    return len > suffix_len && strncmp(name + len - suffix_len, suffix, suffix_len) == 0
               ? len - suffix_len
               : len;
}

/*
 * Strips prefixes and suffixes of versions and compilers: "___pthread_mutex_lock",
 * "__GI___pthread_mutex_lock", "__new_sem_wait_slow64.constprop.0", "sem_wait@@GLIBC_2.2.5",
 * "__sem_timedwait_time64" of 32-bit musl.
 */
static void normal_name(const char *name, char out[NAME_MAX_LEN])
{
    size_t len;

    name += strspn(name, "_");
    name = without_prefix(name, "GI_");
    name += strspn(name, "_");
    name = without_prefix(name, "new_");
    len = strcspn(name, ".@");
    len = without_suffix(name, len, "_time64");
    len = without_suffix(name, len, "64");
    if (len >= NAME_MAX_LEN)
        len = 0;
    memcpy(out, name, len);
    out[len] = '\0';
}

static const struct known_function *find_known(const char *name)
{
    char normal[NAME_MAX_LEN];

    normal_name(name, normal);
    for (size_t i = 0; i < sizeof(known_functions) / sizeof(known_functions[0]); i++)
        if (strcmp(normal, known_functions[i].name) == 0)
            return &known_functions[i];
    return NULL;
}

bool wait_functions_is_call(const char *name)
{
    return find_known(name) != NULL;
}

bool wait_functions_is_inside(const char *name)
{
    if (strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0)
        return false; /* C++ or Rust */
    return name[0] == '_' || strncmp(name, "futex_", 6) == 0 || strncmp(name, "do_futex", 8) == 0 ||
           strncmp(name, "lll_", 4) == 0 || strcmp(name, "syscall") == 0;
}

/* Takes a function's name; false: callers of it need not be looked at. */
static bool take_name(struct wait_functions *out, const char *name)
{
    const struct known_function *known;

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        if (without_prefix(name, signs[i].prefix) != name)
            out->library = signs[i].library;
    for (size_t i = 0; i < sizeof(internal_locks) / sizeof(internal_locks[0]); i++)
        if (strcmp(name, internal_locks[i].name) == 0) {
            out->kind = WAIT_MUTEX;
            out->is_internal = true;
            out->library = internal_locks[i].library;
            return true;
        }
    known = find_known(name);
    if (known) {
        out->kind = known->kind;
        out->is_internal = false;
        return false;
    }
    return wait_functions_is_inside(name);
}

enum c_library wait_functions_library(const struct module *module)
{
    const char *name = text_basename(module->file.path);

    if (strncmp(name, "ld-musl", 7) == 0 || strncmp(name, "libc.musl", 9) == 0)
        return LIBRARY_MUSL;
    if (strncmp(name, "libc.so.6", 9) == 0 || strncmp(name, "libc-2.", 7) == 0 ||
        strncmp(name, "libpthread", 10) == 0)
        return LIBRARY_GLIBC;
    return LIBRARY_UNKNOWN;
}

static enum status take_frame(struct wait_functions *out, struct names *names,
                              const struct frame *frame, bool *more)
{
    const struct places *places;
    enum status status = names_find_frame(names, frame, &places);

    if (status != STATUS_OK)
        return status;
    for (uint32_t i = 0; i < places->count && *more; i++) {
        const struct function *function = names_function(names, places->list[i].function);

        if (function->has_name && function->raw_name)
            *more = take_name(out, function->raw_name);
    }
    if (frame->module && wait_functions_library(frame->module) != LIBRARY_UNKNOWN)
        out->library = wait_functions_library(frame->module);
    return STATUS_OK;
}

enum status wait_functions_find(struct names *names, const struct chain *chain,
                                struct wait_functions *out)
{
    enum status status = STATUS_OK;
    bool more = true;

    *out = (struct wait_functions){.kind = WAIT_UNKNOWN};
    for (size_t i = 0; i < chain->count && i < FRAMES_MAX && more && status == STATUS_OK; i++)
        if (chain->frames[i].signal_frame)
            break;
        else
            status = take_frame(out, names, &chain->frames[i], &more);
    return status;
}
