/* SPDX-License-Identifier: MIT */
#include "capture/waits.h"

#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"

/* Bytes around a lock word: the lock and the structure that it is in. */
#define LOCK_BEFORE 64u
#define LOCK_AFTER  128u
/* Locks that are read at once. */
#define BATCH TARGET_PIECES_MAX
/* Locks of threads that have slept for SLEEP_NS are read again so often, */
#define SLEEP_NS    UINT64_C(1000000000)
#define INTERVAL_NS UINT64_C(500000000)
/* and all of them in at most this part of the time. */
#define SHARE 100u
/* Descriptors of select(2); poll(2) seldom has more, and no operation of futex(2) is above. */
#define SELECT_MAX 1024u

struct pollfd_entry { /* struct pollfd, the same everywhere */
    int32_t fd;
    int16_t events, revents;
};

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns an argument of the thread's call, with its program's word size. */
static uint64_t arg(const struct capture *cap, const struct pending_sample *sample, unsigned index)
{
    uint64_t value = sample->before.call.args[index];

    return cap->target.machine.arch->word_size == 4 ? (uint32_t)value : value;
}

static bool is_futex_wait(uint64_t op)
{
    switch (op & 127) { /* without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME */
    case 0:             /* FUTEX_WAIT */
    case 6:             /* FUTEX_LOCK_PI */
    case 9:             /* FUTEX_WAIT_BITSET */
    case 11:            /* FUTEX_WAIT_REQUEUE_PI */
    case 13:            /* FUTEX_LOCK_PI2 */
        return true;
    }
    return false;
}

/*
 * Finds the form of a call with a timeout that a stop has interrupted: it goes on as
 * restart_syscall(2), with its arguments where they were:
 *
 *     futex(2)              lock address, operation: WAIT or WAIT_BITSET, the only ones that go on
 *     poll(2)               address of a list, number of descriptors
 *     nanosleep(2)          address of a time, address or NULL
 *     clock_nanosleep(2)    a clock's number, ...
 *
 * C libraries set FUTEX_PRIVATE_FLAG or FUTEX_CLOCK_REALTIME, except for locks between processes:
 * mostly more than the number of descriptors.
 */
static enum syscall_form find_restarted(const struct capture *cap,
                                        const struct pending_sample *sample)
{
    uint64_t addr = arg(cap, sample, 0) & cap->target.machine.addr_mask,
             second = arg(cap, sample, 1);
    uint64_t operation = second & 127, flags = second & ~UINT64_C(127);
    bool is_futex = (operation == 0 || operation == 9) && flags && flags <= (128 | 256);

    if (!second || second > SELECT_MAX || !maps_find(&sample->thread->process->maps, addr))
        return FORM_NO_OBJECT;
    return is_futex ? FORM_FUTEX : FORM_POLL;
}

/* Returns how the call of a blocked thread tells what it waits for. */
static enum syscall_form find_form(const struct capture *cap, const struct pending_sample *sample)
{
    const struct proc_syscall *call = &sample->before.call;
    enum syscall known;

    if (!sample->before.known || call->running)
        return FORM_NO_OBJECT;
    known = syscall_find(cap->target.machine.arch->syscalls, call->nr);
    if (known == CALL_RESTART_SYSCALL)
        return find_restarted(cap, sample);
    return syscall_flags(known) & CALL_CAPTURED ? syscall_form(known) : FORM_NO_OBJECT;
}

/* Returns the range of `addr`; if not known, its page, which is mapped at least. */
static struct map_range range_around(const struct capture *cap, struct process *process,
                                     uint64_t addr)
{
    const struct map_range *known = maps_find(&process->maps, addr);
    uint64_t page = addr & ~(cap->target.machine.page_size - 1);

    if (known)
        return *known;
    process->maps_stale = true;
    return (struct map_range){.start_addr = page, .end_addr = page + cap->target.machine.page_size};
}

/* Finds the memory that the thread waits for; size 0: none. */
static struct wait_memory locate(const struct capture *cap, const struct pending_sample *sample)
{
    enum syscall_form form = find_form(cap, sample);
    uint64_t addr = arg(cap, sample, 0) & cap->target.machine.addr_mask;
    uint64_t size = (uint32_t)arg(cap, sample, 1) * sizeof(struct pollfd_entry);
    struct wait_memory memory = {.addr = addr};
    struct map_range range;

    if (form != FORM_FUTEX && form != FORM_POLL)
        return memory;
    /* poll of nothing, which has no address, is a way to sleep. */
    if (form == FORM_POLL && !size)
        return memory;
    range = range_around(cap, sample->thread->process, addr);
    if (form == FORM_POLL) {
        memory.size = (uint32_t)min(min(size, SNAP_WAIT_MEMORY_MAX), range.end_addr - addr);
    } else if (is_futex_wait(arg(cap, sample, 1))) {
        memory.addr -= min(addr - range.start_addr, LOCK_BEFORE);
        memory.size = (uint32_t)(addr - memory.addr + min(range.end_addr - addr, LOCK_AFTER));
    }
    return memory;
}

/* Reads the memory to the arena's free part, without taking it; size 0: unreadable. */
static void read_memory(struct capture *cap, pid_t tid, struct wait_memory *memory)
{
    struct stack_arena *arena = &cap->arena;
    uint8_t *bytes = arena->base + arena->used;

    if (!memory->size)
        return;
    memory->time_ns = clock_now_ns();
    memory->bytes = bytes;
    if (memory->size > arena->size - arena->used ||
        target_read(&cap->target, tid, memory->addr, bytes, memory->size) != memory->size)
        memory->size = 0;
}

void waits_hold(struct capture *cap, struct pending_sample *sample)
{
    sample->memory = locate(cap, sample);
    read_memory(cap, sample->thread->target.tid, &sample->memory);
    stack_arena_take(&cap->arena, sample->memory.size);
}

/* Begins a WAIT record. False: the thread has SNAP_WAIT_MAX already. */
static bool begin(struct capture *cap, struct thread *thread, uint64_t time_ns,
                  enum snap_wait_kind kind)
{
    if (thread->wait_count >= SNAP_WAIT_MAX)
        return false;
    thread->wait_count++;
    snap_writer_begin(cap->writer, SNAP_WAIT, false);
    snap_writer_u32(cap->writer, (uint32_t)thread->process->target.pid);
    snap_writer_u32(cap->writer, (uint32_t)thread->target.tid);
    snap_writer_u64(cap->writer, time_ns);
    snap_writer_u8(cap->writer, (uint8_t)kind);
    return true;
}

static void record_memory(struct capture *cap, struct thread *thread,
                          const struct wait_memory *memory)
{
    const struct maps *maps = &thread->process->maps;
    const struct map_range *range = maps_find(maps, memory->addr);
    const struct map_file *file =
        range && range->place == SNAP_PLACE_FILE ? &maps->files[range->file] : NULL;
    char path[PATH_MAX] = "";

    if (!begin(cap, thread, memory->time_ns, SNAP_WAIT_MEMORY))
        return;
    if (file)
        maps_copy_path(path, sizeof(path), maps->names + file->name_off, MAPS_USUAL);
    snap_writer_u64(cap->writer, memory->addr);
    snap_writer_bytes(cap->writer, memory->bytes, memory->size);
    snap_writer_u8(cap->writer, range ? range->place : SNAP_PLACE_UNKNOWN);
    snap_writer_u64(cap->writer, range ? range->start_addr : 0);
    snap_writer_u64(cap->writer, range ? range->end_addr : 0);
    snap_writer_u64(cap->writer, file ? file->head_addr : 0);
    snap_writer_str(cap->writer, path);
    (void)!snap_writer_end(cap->writer);
}

/* Not for a closed descriptor: the thread has gone on, and nothing tells what it was. */
static void record_fd(struct capture *cap, struct thread *thread, uint32_t fd)
{
    const struct target *target = &cap->target;
    char link[PATH_MAX];

    if (!target->backend->read_fd(target->state, &thread->target, fd, link, sizeof(link)) ||
        !begin(cap, thread, clock_now_ns(), SNAP_WAIT_FD))
        return;
    snap_writer_u32(cap->writer, fd);
    snap_writer_str(cap->writer, link);
    (void)!snap_writer_end(cap->writer);
}

static void record_polled(struct capture *cap, struct thread *thread,
                          const struct wait_memory *memory)
{
    struct pollfd_entry entry;

    for (uint32_t off = 0; memory->size - off >= sizeof(entry); off += (uint32_t)sizeof(entry)) {
        if (thread->wait_count >= SNAP_WAIT_MAX)
            return;
        memcpy(&entry, memory->bytes + off, sizeof(entry));
        if (entry.fd >= 0)
            record_fd(cap, thread, (uint32_t)entry.fd);
    }
}

static void record_selected(struct capture *cap, const struct pending_sample *sample)
{
    uint32_t count = (uint32_t)min(arg(cap, sample, 0), SELECT_MAX);
    uint8_t sets[3][SELECT_MAX / 8] = {{0}};
    struct thread *thread = sample->thread;

    for (unsigned i = 0; i < 3; i++) {
        uint64_t addr = arg(cap, sample, i + 1);
        if (addr)
            (void)!target_read(&cap->target, thread->target.tid, addr, sets[i], (count + 7) / 8);
    }
    for (uint32_t fd = 0; fd < count && thread->wait_count < SNAP_WAIT_MAX; fd++)
        if ((sets[0][fd / 8] | sets[1][fd / 8] | sets[2][fd / 8]) >> fd % 8 & 1)
            record_fd(cap, thread, fd);
}

/* socketcall(2): the descriptor is the first of the arguments in memory. */
static void record_socket(struct capture *cap, const struct pending_sample *sample)
{
    uint32_t fd;

    if (target_read(&cap->target, sample->thread->target.tid, arg(cap, sample, 1), &fd,
                    sizeof(fd)) == sizeof(fd))
        record_fd(cap, sample->thread, fd);
}

void waits_record(struct capture *cap, const struct pending_sample *sample)
{
    enum syscall_form form = find_form(cap, sample);
    struct wait_memory memory = sample->memory;
    struct thread *thread = sample->thread;

    thread->lock = (struct lock){.size = 0};
    if (form == FORM_NO_OBJECT)
        return;
    if (!memory.size) {
        memory = locate(cap, sample);
        read_memory(cap, thread->target.tid, &memory);
    }
    if (memory.size)
        record_memory(cap, thread, &memory);
    switch (form) {
    case FORM_FUTEX:
        thread->lock = (struct lock){.addr = memory.addr,
                                     .size = memory.size,
                                     .hash = hash_bytes(HASH_BYTES, memory.bytes, memory.size)};
        return;
    case FORM_POLL:
        record_polled(cap, thread, &memory);
        return;
    case FORM_SELECT:
        record_selected(cap, sample);
        return;
    case FORM_SOCKET:
        record_socket(cap, sample);
        return;
    case FORM_FD:
    case FORM_FCNTL:
        record_fd(cap, thread, (uint32_t)arg(cap, sample, 0));
        return;
    case FORM_NO_OBJECT:
    case FORM_FUTEX_2:
    case FORM_FUTEX_V:
    case FORM_RESTART:
        return; /* not captured */
    }
}

/* Locks to be read again. */
struct batch {
    struct thread *threads[BATCH];
    struct target_memory remote[BATCH];
    size_t count, size;
    bool tells; /* unchanged ones are to be written, too */
    pid_t same[BATCH];
    size_t same_count;
};

static void record_unchanged(struct capture *cap, const struct process *process, uint64_t time_ns,
                             const struct batch *batch)
{
    snap_writer_begin(cap->writer, SNAP_UNCHANGED, false);
    snap_writer_u32(cap->writer, (uint32_t)process->target.pid);
    snap_writer_u64(cap->writer, time_ns);
    snap_writer_u32(cap->writer, (uint32_t)batch->same_count);
    for (size_t i = 0; i < batch->same_count; i++)
        snap_writer_u32(cap->writer, (uint32_t)batch->same[i]);
    (void)!snap_writer_end(cap->writer);
}

/* Compares the thread's lock with what was written last; writes it if changed. True: same. */
static bool compare(struct capture *cap, struct thread *thread, const uint8_t *bytes)
{
    struct lock *lock = &thread->lock;
    uint64_t hash = hash_bytes(HASH_BYTES, bytes, lock->size);
    const struct wait_memory memory = {.addr = lock->addr,
                                       .size = lock->size,
                                       .bytes = bytes,
                                       .time_ns = clock_now_ns()};

    if (hash == lock->hash)
        return true;
    record_memory(cap, thread, &memory);
    lock->hash = hash;
    return false;
}

/* Reads all locks, in one system call; it ends at an unreadable lock, which is not tried again. */
static void read_batch(struct capture *cap, struct batch *batch)
{
    /* The first thread of the process may have ended before the others. */
    const pid_t tid = batch->count ? batch->threads[0]->target.tid : 0;
    const struct target *target = &cap->target;
    const struct stack_arena *arena = &cap->arena;
    const uint64_t begin_ns = clock_now_ns();
    size_t done = 0;

    batch->same_count = 0;
    while (done < batch->count && batch->size <= arena->size - arena->used) {
        const uint8_t *bytes = arena->base + arena->used;
        size_t left = 0;
        enum status status =
            target->backend->memory(target->state, tid, &batch->remote[done], batch->count - done,
                                    arena->base + arena->used, &left);
        if (status != STATUS_OK && status != STATUS_FAULT)
            break;
        for (; done < batch->count && left >= batch->remote[done].size; done++) {
            if (compare(cap, batch->threads[done], bytes))
                batch->same[batch->same_count++] = batch->threads[done]->target.tid;
            bytes += batch->remote[done].size;
            left -= batch->remote[done].size;
            batch->size -= batch->remote[done].size;
        }
        if (done < batch->count) {
            batch->size -= batch->remote[done].size;
            batch->threads[done++]->lock.size = 0;
        }
    }
    if (batch->tells && batch->same_count)
        record_unchanged(cap, batch->threads[0]->process, begin_ns, batch);
    batch->count = 0;
    batch->size = 0;
}

static void add(struct capture *cap, struct batch *batch, struct thread *thread)
{
    const struct lock *lock = &thread->lock;

    batch->threads[batch->count] = thread;
    batch->remote[batch->count] = (struct target_memory){.addr = lock->addr, .size = lock->size};
    batch->size += lock->size;
    if (++batch->count == BATCH)
        read_batch(cap, batch);
}

void waits_refresh(struct capture *cap, struct process *process)
{
    uint64_t begin_ns = clock_now_ns(), now;
    bool sleepers = begin_ns - process->sleepers_ns >= INTERVAL_NS;
    struct batch batch = {.tells = sleepers};

    if (begin_ns < process->locks_due_ns)
        return;
    if (sleepers)
        process->sleepers_ns = begin_ns;
    for (size_t i = 0; i < process->thread_len; i++) {
        struct thread *thread = process->threads[i];
        if (thread->quiet && thread->lock.size &&
            (sleepers || begin_ns - thread->ran_ns < SLEEP_NS))
            add(cap, &batch, thread);
    }
    read_batch(cap, &batch);
    now = clock_now_ns();
    process->locks_due_ns = now + (now - begin_ns) * SHARE;
}

void waits_settled(struct thread *thread)
{
    thread->wait_count = 0;
}
