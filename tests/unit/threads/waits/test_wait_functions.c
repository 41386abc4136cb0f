/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait_functions.h"

#include "graph_fixture.h"

/* Functions of these names at 0x1000, 0x2000 …, each in the module that its number says. */
struct chain_case {
    const char *functions[6]; /* innermost first; "" has no name, NULL ends */
    enum wait_kind kind;
    enum c_library library;
    bool is_internal;
};

#define PROG 0 /* modules of the fixture */
#define LIBC 1

static struct wait_functions find(const char *const *names, uint32_t module)
{
    struct fixture_function functions[8] = {0};
    struct frame frames[8] = {0};
    struct chain chain = {.frames = frames};
    struct wait_functions found;
    struct fixture f;

    for (size_t i = 0; names[i]; i++)
        functions[i] = (struct fixture_function){.alias = "x",
                                                 .module = module,
                                                 .start = 0x1000 * (i + 1),
                                                 .name = names[i],
                                                 .is_nameless = !names[i][0]};
    fixture_init(&f, functions);
    for (; names[chain.count]; chain.count++)
        frames[chain.count] = (struct frame){.pc_addr = 0x1000 * (chain.count + 1) + 8,
                                             .lookup_vaddr = 0x1000 * (chain.count + 1) + 8,
                                             .module = &f.modules[module],
                                             .vaddr_known = true};
    assert_int_equal(wait_functions_find(f.names, &chain, &found), STATUS_OK);
    fixture_deinit(&f);
    return found;
}

static const struct chain_case chains[] = {
    {{"__lll_lock_wait", "___pthread_mutex_lock", "main"}, WAIT_MUTEX, LIBRARY_GLIBC, false},
    {{"__GI___pthread_mutex_lock", "main"}, WAIT_MUTEX, LIBRARY_UNKNOWN, false},
    {{"", "", "pthread_mutex_lock", "main"}, WAIT_MUTEX, LIBRARY_UNKNOWN, false},
    {{"__futex_abstimed_wait_common64", "__pthread_rwlock_rdlock_full64.isra.0", "x"},
     WAIT_RWLOCK_READ,
     LIBRARY_GLIBC,
     false},
    {{"__pthread_rwlock_timedwrlock", "main"}, WAIT_RWLOCK_WRITE, LIBRARY_UNKNOWN, false},
    {{"__futex_abstimed_wait_cancelable64", "__new_sem_wait_slow64.constprop.0", "main"},
     WAIT_SEMAPHORE,
     LIBRARY_GLIBC,
     false},
    {{"do_futex_wait.constprop.0", "sem_timedwait@@GLIBC_2.34", "main"},
     WAIT_SEMAPHORE,
     LIBRARY_GLIBC,
     false},
    {{"futex_wait_cancelable", "pthread_cond_wait@@GLIBC_2.3.2", "main"},
     WAIT_CONDITION,
     LIBRARY_GLIBC,
     false},
    {{"__syscall_cp_asm", "__syscall_cp_c", "__timedwait_cp", "__pthread_cond_timedwait", "main"},
     WAIT_CONDITION,
     LIBRARY_MUSL,
     false},
    {{"__timedwait_cp", "__pthread_timedjoin_np", "main"}, WAIT_JOIN, LIBRARY_MUSL, false},
    {{"__timedwait_cp", "__pthread_timedjoin_np_time64", "main"}, WAIT_JOIN, LIBRARY_MUSL, false},
    {{"__timedwait_cp", "__sem_timedwait_time64", "main"}, WAIT_SEMAPHORE, LIBRARY_MUSL, false},
    {{"__pthread_clockjoin_ex", "main"}, WAIT_JOIN, LIBRARY_GLIBC, false},
    {{"__pthread_once_slow", "main"}, WAIT_ONCE, LIBRARY_GLIBC, false},
    {{"syscall", "__cxa_guard_acquire", "_ZN3one3twoEv"}, WAIT_ONCE, LIBRARY_UNKNOWN, false},
    {{"__lll_lock_wait_private", "", "malloc", "main"}, WAIT_MUTEX, LIBRARY_GLIBC, true},
    {{"__lockfile", "fputs", "main"}, WAIT_MUTEX, LIBRARY_MUSL, true},
    /* What the program itself waits for is not what it was called from. */
    {{"syscall", "my_lock", "__pthread_once_slow", "main"}, WAIT_UNKNOWN, LIBRARY_UNKNOWN, false},
    {{"syscall", "_ZN4mine4waitEv", "pthread_once", "main"}, WAIT_UNKNOWN, LIBRARY_UNKNOWN, false},
};

TEST(functions_of_the_library_tell_the_kind)
{
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++) {
        struct wait_functions found = find(chains[i].functions, PROG);

        if (found.kind != chains[i].kind || found.library != chains[i].library ||
            found.is_internal != chains[i].is_internal)
            fail_msg("%s < %s: kind %d, library %d, internal %d", chains[i].functions[0],
                     chains[i].functions[1], (int)found.kind, (int)found.library,
                     found.is_internal);
    }
}

TEST(functions_module_tells_the_library)
{
    static const char *const names[] = {"", "pthread_barrier_wait", NULL};

    assert_int_equal(find(names, LIBC).library, LIBRARY_GLIBC);
    assert_int_equal(find(names, PROG).library, LIBRARY_UNKNOWN);
}
