/* SPDX-License-Identifier: MIT */
#include "base/mapped.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 4096

/* `start` is set last and cleared first: the handler may look at any time. */
struct guard_slot {
    _Atomic uintptr_t start; /* 0: free */
    size_t size;
    char name[MAPPED_NAME_MAX];
};

static struct guard_slot slots[SLOTS];
static _Atomic size_t slots_used; /* slots from here on are free */
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before; /* the handler that the guard replaced */
static size_t page_size;
static char cut_name[MAPPED_NAME_MAX];
static atomic_flag cut_claimed = ATOMIC_FLAG_INIT;
static atomic_bool cut_named;

static struct guard_slot *slot_of(uintptr_t addr)
{
    for (size_t i = 0; i < slots_used; i++)
        if (slots[i].start && addr - slots[i].start < slots[i].size)
            return &slots[i];
    return NULL;
}

/* Maps zeroes over the rest of the mapping. A handler may call mmap, a bare system call. */
static void on_sigbus(int signal, siginfo_t *info, void *context)
{
    const int saved_errno = errno;
    uintptr_t addr = (uintptr_t)info->si_addr & ~(uintptr_t)(page_size - 1);
    struct guard_slot *slot =
        info->si_code == BUS_ADRERR ? slot_of((uintptr_t)info->si_addr) : NULL;

    (void)context;
    if (info->si_code <= 0) { /* a process sent it */
        sigaction(signal, &before, NULL);
        raise(signal);
        return;
    }
    if (!slot || mmap((void *)addr, slot->start + slot->size - addr, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
        sigaction(signal, &before, NULL); /* it faults again, as it would have without us */
        return;
    }
    errno = saved_errno;
    if (atomic_flag_test_and_set(&cut_claimed))
        return;
    memcpy(cut_name, slot->name, sizeof(cut_name));
    cut_named = true;
}

void mapped_guard(void)
{
    struct sigaction action = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};

    page_size = (size_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, &before);
}

void mapped_add(const void *bytes, size_t size, const char *name)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    pthread_mutex_lock(&slots_lock);
    for (size_t i = 0; i < SLOTS; i++) {
        struct guard_slot *slot = &slots[i];

        if (slot->start)
            continue;
        slot->size = (size + page - 1) & ~(page - 1);
        strncpy(slot->name, name, sizeof(slot->name) - 1);
        slot->start = (uintptr_t)bytes;
        if (i >= slots_used)
            slots_used = i + 1;
        break;
    }
    pthread_mutex_unlock(&slots_lock);
}

void mapped_remove(const void *bytes)
{
    pthread_mutex_lock(&slots_lock);
    for (size_t i = 0; i < slots_used; i++)
        if (slots[i].start == (uintptr_t)bytes)
            slots[i].start = 0;
    pthread_mutex_unlock(&slots_lock);
}

const char *mapped_cut(void)
{
    return cut_named ? cut_name : NULL;
}
