/* SPDX-License-Identifier: MIT */
#include "threads/waits/wait.h"

#include <stdlib.h>

#include "base/keyed_hash.h"
#include "base/vec.h"
#include "threads/waits/wait_code.h"
#include "threads/waits/wait_private.h"

const char *wait_kind_name(enum wait_kind kind)
{
    static const char *const names[WAIT_KIND_COUNT] = {
        [WAIT_MUTEX] = "mutex",
        [WAIT_RWLOCK_READ] = "rwlock (read)",
        [WAIT_RWLOCK_WRITE] = "rwlock (write)",
        [WAIT_CONDITION] = "condition",
        [WAIT_SEMAPHORE] = "semaphore",
        [WAIT_BARRIER] = "barrier",
        [WAIT_JOIN] = "join",
        [WAIT_ONCE] = "once",
        [WAIT_RECEIVE] = "queue (receive)",
        [WAIT_SEND] = "queue (send)",
        [WAIT_EVENT] = "event",
        [WAIT_FILE_LOCK] = "file lock",
        [WAIT_FUTEX] = "futex",
        [WAIT_READ] = "read",
        [WAIT_WRITE] = "write",
        [WAIT_POLL] = "poll",
        [WAIT_ACCEPT] = "accept",
        [WAIT_CONNECT] = "connect",
        [WAIT_SLEEP] = "sleep",
        [WAIT_CHILD] = "child",
        [WAIT_SIGNAL] = "signal",
        [WAIT_OTHER] = "system call",
        [WAIT_UNKNOWN] = "unknown",
    };

    return names[kind];
}

bool wait_is_lock(enum wait_kind kind)
{
    return kind == WAIT_MUTEX || kind == WAIT_RWLOCK_READ || kind == WAIT_RWLOCK_WRITE ||
           kind == WAIT_ONCE || kind == WAIT_FILE_LOCK;
}

enum status waits_create(const struct arch *arch, struct module_set *modules, struct names *names,
                         struct waits **out)
{
    struct waits *waits = calloc(1, sizeof(*waits));

    if (!waits)
        return STATUS_NO_MEMORY;
    waits->private = calloc(1, sizeof(*waits->private));
    if (!waits->private) {
        free(waits);
        return STATUS_NO_MEMORY;
    }
    waits->private->epoch = 1;
    waits->private->arch = arch;
    waits->private->modules = modules;
    waits->private->names = names;
    *out = waits;
    return STATUS_OK;
}

void waits_destroy(struct waits *waits)
{
    struct waits_private *p;

    if (!waits)
        return;
    p = waits->private;
    wait_threads_deinit(&p->threads);
    pool_deinit(&p->texts);
    index_deinit(&p->wait_index);
    index_deinit(&p->object_index);
    map_deinit(&p->chains);
    map_deinit(&p->libraries);
    map_deinit(&p->versions);
    map_deinit(&p->programs);
    free(p->lives);
    free(p->keys);
    free(p->nameless);
    free(p->nameless_addrs);
    map_deinit(&p->conditions);
    free(p->lost);
    free(p->functions);
    free(p);
    free(waits->list);
    free(waits->objects);
    free(waits);
}

enum status waits_thread(struct waits *waits, const struct snap_thread *thread)
{
    struct wait_threads *threads = &waits->private->threads;
    const struct wait_thread *known = wait_threads_find(threads, thread->tid);

    if (!known || known->pid != thread->pid) /* else only its name may differ */
        waits->private->epoch++;
    return wait_threads_add(threads, thread);
}

void waits_thread_ended(struct waits *waits, uint32_t pid, uint32_t tid)
{
    waits->private->epoch++;
    wait_threads_remove(&waits->private->threads, pid, tid);
}

enum status waits_process(struct waits *waits, uint32_t pid)
{
    struct waits_private *p = waits->private;
    uint64_t *program = map_put(&p->programs, pid, 0);

    if (!program)
        return STATUS_NO_MEMORY;
    ++*program;
    p->epoch++;
    map_remove(&p->libraries, pid);
    wait_forget_lost(waits, pid);
    return STATUS_OK;
}

static bool same_wait(const struct wait *a, const struct wait *b)
{
    return a->kind == b->kind && a->kind_evidence == b->kind_evidence && a->object == b->object &&
           a->owner_tid == b->owner_tid && a->owner_evidence == b->owner_evidence &&
           a->doubt == b->doubt && a->readers == b->readers && a->syscall == b->syscall;
}

static uint64_t hash_wait(const struct wait *wait)
{
    return keyed_words(keyed_words((uint64_t)wait->object << 32 | wait->owner_tid,
                                   (uint64_t)wait->readers << 32 | wait->kind),
                       keyed_words((uint64_t)wait->syscall, (uintptr_t)wait->doubt));
}

enum status wait_index_again(struct waits *waits, uint32_t wait)
{
    return index_add(&waits->private->wait_index, hash_wait(&waits->list[wait]), wait);
}

static enum status intern_wait(struct waits *waits, const struct wait *wait, uint32_t *out)
{
    struct waits_private *p = waits->private;
    uint64_t hash = hash_wait(wait);
    struct index_probe probe = index_find(&p->wait_index, hash);

    while (index_next(&probe, out))
        if (same_wait(&waits->list[*out], wait))
            return STATUS_OK;
    if (vec_reserve(&waits->list, &waits->cap, waits->count + 1, sizeof(*waits->list)) !=
            STATUS_OK ||
        index_add(&p->wait_index, hash, (uint32_t)waits->count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = (uint32_t)waits->count++;
    waits->list[*out] = *wait;
    return STATUS_OK;
}

static enum status intern_found(struct waits *waits, struct wait *found, uint32_t *out)
{
    if (waits->count >= WAITS_MAX)
        *found = (struct wait){.kind = found->kind, .object = WAIT_NONE, .syscall = -1};
    return intern_wait(waits, found, out);
}

static enum status note_stack(struct finding *finding)
{
    const struct snap_sample *sample = finding->sample;
    struct waits_private *p = finding->waits->private;
    struct wait_thread *thread = wait_threads_find(&p->threads, sample->tid);
    uint64_t sp = sample->regs.value[p->arch->sp];
    bool is_first;

    if (!thread || sample->region_count == 0 || sp < sample->regions[0].start_addr ||
        sp > sample->regions[0].end_addr)
        return STATUS_OK;
    is_first = !thread->stack_end;
    thread->stack_sp = sample->regions[0].start_addr;
    thread->stack_end = sample->regions[0].map_end_addr;
    thread->stack_map_addr =
        sample->stack_map_addr ? sample->stack_map_addr : sample->regions[0].start_addr;
    return is_first && p->nameless_count ? wait_name_again(finding) : STATUS_OK;
}

/* A core has no state of threads but the first: a system call in the registers tells. */
static bool is_blocked(const struct snap_sample *sample)
{
    switch (sample->state) {
    case 'R':
    case SNAP_STATE_READY:
    case 'Z':
    case 'X':
        return false;
    case '\0':
    case 'T':
    case 't':
        return sample->has_syscall;
    default:
        return true;
    }
}

static enum status recognise(struct waits *waits, const struct ingest_sample *given, uint32_t *wait,
                             struct wait_now *now, bool *is_kept)
{
    const struct snap_sample *sample = given->sample;
    struct finding finding = {.waits = waits,
                              .given = given,
                              .sample = sample,
                              .wait = {.kind = WAIT_UNKNOWN, .object = WAIT_NONE, .syscall = -1}};
    struct snap_sample in_call;
    const size_t count = waits->count;
    enum status status = sample->repeat ? STATUS_OK : note_stack(&finding);

    *wait = WAIT_NONE;
    *now = (struct wait_now){0};
    if (status == STATUS_OK && sample->task) {
        if (!wait_take_task(&finding, &status))
            return status;
        *now = finding.now;
        return status == STATUS_OK ? intern_found(waits, &finding.wait, wait) : status;
    }
    if (!sample->has_syscall && !snap_state_is_runnable(sample->state) &&
        wait_code_call(waits->private->arch, given, &in_call))
        finding.sample = sample = &in_call;
    if (status != STATUS_OK || !is_blocked(sample))
        return status;
    if (sample->has_syscall) {
        finding.wait.syscall = sample->syscall;
        status = wait_take_call(&finding);
        *now = finding.now;
        *is_kept = !finding.not_kept;
    }
    if (status == STATUS_OK)
        status = intern_found(waits, &finding.wait, wait);
    return status == STATUS_OK && finding.lost_addr && waits->count > count
               ? wait_note_lost(&finding, *wait)
               : status;
}

/* Repeats, of which there may be many, take the thread's last answer. */
enum status waits_find(struct waits *waits, const struct ingest_sample *given, uint32_t *wait,
                       struct wait_now *now)
{
    const struct snap_sample *sample = given->sample;
    struct waits_private *p = waits->private;
    struct wait_thread *thread = wait_threads_find(&p->threads, sample->tid);
    bool is_kept = true;
    enum status status;

    if (thread && thread->pid != sample->pid)
        thread = NULL;
    if (thread && sample->repeat && sample->same_waits && !sample->task &&
        thread->known.epoch == p->epoch && thread->known.chain == given->chain_id) {
        *wait = thread->known.wait;
        *now = thread->known.now;
        return STATUS_OK;
    }
    status = recognise(waits, given, wait, now, &is_kept);
    if (thread)
        thread->known = (struct known_wait){.epoch = is_kept ? p->epoch : 0,
                                            .chain = given->chain_id,
                                            .wait = *wait,
                                            .now = *now};
    return status;
}
