#include "threads/wait.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "graph/index.h"
#include "snapshot/sample_memory.h"
#include "threads/wait_calls.h"
#include "threads/wait_files.h"
#include "threads/wait_functions.h"
#include "threads/wait_lock.h"
#include "threads/wait_names.h"
#include "threads/wait_threads.h"

/* Operations of futex(2) that wait. */
enum {
    OP_WAIT = 0,
    OP_LOCK_PI = 6,
    OP_WAIT_BITSET = 9,
    OP_LOCK_PI_2 = 13,
};
#define OP_MASK 127u

/* What fcntl(2) waits with. */
enum { LOCK_WAIT = 7, LOCK_WAIT_64 = 14, OPEN_LOCK_WAIT = 38 };

/* Objects without a place that is known; those beyond are not looked at again. */
#define NAMELESS_MAX 4096

struct object_key {
    uint64_t addr, text; /* text: the hash of a link */
    uint32_t pid, fd, tid, kind;
};

struct waits_private {
    const struct arch *arch;
    struct module_set *modules;
    struct names *names;
    struct wait_threads threads;
    struct pool texts;
    struct index wait_index, object_index;
    struct object_key *keys; /* of objects */
    size_t key_cap;
    uint32_t *nameless; /* objects that may be on a stack that is not known yet */
    uint64_t *nameless_addrs;
    size_t nameless_count;
    struct map chains; /* id of a chain -> place in functions, for chains that were looked at */
    struct wait_functions *functions;
    size_t function_count, function_cap;
    struct map libraries; /* pid -> enum c_library, once some chain of the process has told */
};

/* One sample being looked at. */
struct finding {
    struct waits *waits;
    const struct ingest_sample *given;
    const struct snap_sample *sample;
    struct wait wait;
};

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
        [WAIT_FUTEX] = "futex",
        [WAIT_READ] = "read",
        [WAIT_WRITE] = "write",
        [WAIT_POLL] = "poll",
        [WAIT_ACCEPT] = "accept",
        [WAIT_CONNECT] = "connect",
        [WAIT_FILE_LOCK] = "file lock",
        [WAIT_SLEEP] = "sleep",
        [WAIT_CHILD] = "child",
        [WAIT_SIGNAL] = "signal",
        [WAIT_OTHER] = "system call",
        [WAIT_UNKNOWN] = "unknown",
    };

    return names[kind];
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
    free(p->keys);
    free(p->nameless);
    free(p->nameless_addrs);
    free(p->functions);
    free(p);
    free(waits->list);
    free(waits->objects);
    free(waits);
}

enum status waits_thread(struct waits *waits, const struct snap_thread *thread)
{
    return wait_threads_add(&waits->private->threads, thread);
}

void waits_thread_ended(struct waits *waits, uint32_t pid, uint32_t tid)
{
    wait_threads_remove(&waits->private->threads, pid, tid);
}

static enum status intern_text(struct waits *waits, const char *text, const char **out)
{
    struct pool *pool = &waits->private->texts;
    uint32_t id;
    enum status status = pool_intern(pool, text, &id);

    if (status == STATUS_OK)
        *out = pool->texts[id];
    return status;
}

static uint64_t hash_key(const struct object_key *key)
{
    return map_hash2(map_hash2(key->addr, key->text),
                     map_hash2((uint64_t)key->pid << 32 | key->fd,
                               (uint64_t)key->tid << 32 | key->kind));
}

static bool same_key(const struct object_key *a, const struct object_key *b)
{
    return a->addr == b->addr && a->text == b->text && a->pid == b->pid && a->fd == b->fd &&
           a->tid == b->tid && a->kind == b->kind;
}

/* *is_new: its name and detail are to be filled. WAIT_NONE: there are too many. */
static enum status intern_object(struct waits *waits, const struct object_key *key, uint32_t *out,
                                 bool *is_new)
{
    struct waits_private *p = waits->private;
    uint64_t hash = hash_key(key);
    struct index_probe probe = index_find(&p->object_index, hash);

    *is_new = false;
    while (index_next(&probe, out))
        if (same_key(&p->keys[*out], key))
            return STATUS_OK;
    *out = WAIT_NONE;
    if (waits->object_count == WAIT_OBJECTS_MAX)
        return STATUS_OK;
    if (vec_reserve(&waits->objects, &waits->object_cap, waits->object_count + 1,
                    sizeof(*waits->objects)) != STATUS_OK ||
        vec_reserve(&p->keys, &p->key_cap, waits->object_count + 1, sizeof(*p->keys)) !=
            STATUS_OK ||
        index_add(&p->object_index, hash, (uint32_t)waits->object_count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *is_new = true;
    *out = (uint32_t)waits->object_count++;
    p->keys[*out] = *key;
    waits->objects[*out] = (struct wait_object){.pid = key->pid,
                                                .kind = (enum wait_kind)key->kind,
                                                .addr = key->addr,
                                                .fd = key->fd,
                                                .name = "",
                                                .detail = ""};
    return STATUS_OK;
}

static enum status set_name(struct waits *waits, uint32_t object, char *name)
{
    enum status status = intern_text(waits, name, &waits->objects[object].name);

    free(name);
    return status;
}

static enum status note_nameless(struct waits_private *p, uint32_t object, uint64_t addr)
{
    if (!p->nameless) {
        p->nameless = calloc(NAMELESS_MAX, sizeof(*p->nameless));
        p->nameless_addrs = calloc(NAMELESS_MAX, sizeof(*p->nameless_addrs));
        if (!p->nameless || !p->nameless_addrs)
            return STATUS_NO_MEMORY;
    }
    if (p->nameless_count == NAMELESS_MAX)
        return STATUS_OK;
    p->nameless[p->nameless_count] = object;
    p->nameless_addrs[p->nameless_count++] = addr;
    return STATUS_OK;
}

static enum status name_place(struct finding *finding, uint32_t object, uint64_t addr,
                              bool *is_known)
{
    struct waits_private *p = finding->waits->private;
    struct wait_place place = {.modules = p->modules,
                               .space = finding->given->space,
                               .threads = &p->threads,
                               .sample = finding->sample,
                               .addr = addr};
    char *name;
    enum status status = wait_place_name(&place, &name, is_known);

    return status == STATUS_OK ? set_name(finding->waits, object, name) : status;
}

static enum status name_thread(struct finding *finding, uint32_t object, uint32_t tid)
{
    const struct wait_thread *thread = wait_threads_find(&finding->waits->private->threads, tid);
    char *name;
    int len = thread ? asprintf(&name, "thread %s (%" PRIu32 ")", thread->name, tid)
                     : asprintf(&name, "thread %" PRIu32, tid);

    return len < 0 ? STATUS_NO_MEMORY : set_name(finding->waits, object, name);
}

/* The object that a lock is, with its name. */
static enum status take_lock_object(struct finding *finding, const struct lock_found *found)
{
    struct waits *waits = finding->waits;
    struct object_key key = {.addr = found->addr,
                             .pid = finding->sample->pid,
                             .tid = found->kind == WAIT_JOIN ? found->owner_tid : 0,
                             .kind =
                                 found->kind == WAIT_RWLOCK_WRITE ? WAIT_RWLOCK_READ : found->kind};
    uint32_t object;
    bool is_new, is_known = true;
    enum status status;

    if (!found->addr)
        return STATUS_OK;
    status = intern_object(waits, &key, &object, &is_new);
    finding->wait.object = object;
    if (status != STATUS_OK || !is_new)
        return status;
    if (key.tid)
        status = name_thread(finding, object, key.tid);
    else
        status = name_place(finding, object, found->addr, &is_known);
    if (status == STATUS_OK && !is_known)
        status = note_nameless(waits->private, object, found->addr);
    if (status == STATUS_OK)
        status = intern_text(waits, found->detail, &waits->objects[object].detail);
    return status;
}

static enum status chain_functions(struct finding *finding, struct wait_functions *out)
{
    struct waits_private *p = finding->waits->private;
    uint64_t *place = map_put(&p->chains, finding->given->chain_id, UINT64_MAX), *library;
    enum status status;

    if (!place)
        return STATUS_NO_MEMORY;
    if (*place == UINT64_MAX) {
        if (vec_reserve(&p->functions, &p->function_cap, p->function_count + 1,
                        sizeof(*p->functions)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        status =
            wait_functions_find(p->names, finding->given->chain, &p->functions[p->function_count]);
        if (status != STATUS_OK)
            return status;
        *place = p->function_count++;
    }
    *out = p->functions[*place];
    library = map_put(&p->libraries, finding->sample->pid, out->library);
    if (!library)
        return STATUS_NO_MEMORY;
    if (out->library != LIBRARY_UNKNOWN)
        *library = out->library;
    else
        out->library = (enum c_library) * library;
    return STATUS_OK;
}

static uint64_t target_addr(const struct finding *finding, uint64_t value)
{
    return finding->waits->private->arch->word_size == 4 ? (uint32_t)value : value;
}

static enum status take_futex(struct finding *finding, struct lock_view *view)
{
    struct wait_functions functions;
    struct lock_found found;
    enum status status = chain_functions(finding, &functions);

    if (status != STATUS_OK)
        return status;
    view->sample = finding->sample;
    view->arch = finding->waits->private->arch;
    view->threads = &finding->waits->private->threads;
    view->named = functions.kind;
    lock_recognise(view, &functions, &found, &finding->wait.kind_evidence,
                   &finding->wait.owner_evidence);
    finding->wait.kind = found.kind;
    finding->wait.owner_tid = found.owner_tid;
    finding->wait.readers = found.readers;
    finding->wait.doubt = found.doubt;
    return take_lock_object(finding, &found);
}

/* futex(word, operation, value): what does not wait is a futex all the same. */
static enum status take_futex_call(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;
    uint32_t operation = (uint32_t)args[1] & OP_MASK;
    struct lock_view view = {.futex_addr = target_addr(finding, args[0]),
                             .expected = (uint32_t)args[2],
                             .is_pi = operation == OP_LOCK_PI || operation == OP_LOCK_PI_2,
                             .is_private = args[1] & FUTEX_PRIVATE};

    return take_futex(finding, &view);
}

static enum status take_futex_2_call(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;
    struct lock_view view = {.futex_addr = target_addr(finding, args[0]),
                             .expected = (uint32_t)args[1],
                             .is_private = args[3] & FUTEX_PRIVATE};

    return take_futex(finding, &view);
}

/* Of several futexes the first stands for all. */
static enum status take_futex_v_call(struct finding *finding)
{
    struct { /* struct futex_waitv */
        uint64_t value, addr;
        uint32_t flags, reserved;
    } first;
    struct lock_view view;

    if (!sample_read(finding->sample, target_addr(finding, finding->sample->syscall_args[0]),
                     &first, sizeof(first)))
        return STATUS_OK;
    view = (struct lock_view){.futex_addr = target_addr(finding, first.addr),
                              .expected = (uint32_t)first.value,
                              .is_private = first.flags & FUTEX_PRIVATE};
    return take_futex(finding, &view);
}

static enum status take_files(struct finding *finding, const struct wait_files *files)
{
    struct object_key key = {.pid = finding->sample->pid,
                             .fd = files->first,
                             .kind = finding->wait.kind};
    uint32_t object;
    bool is_new;
    char *name;
    enum status status = wait_files_name(finding->sample, files, &name);

    if (status != STATUS_OK)
        return status;
    key.text = index_hash_text(name);
    status = intern_object(finding->waits, &key, &object, &is_new);
    finding->wait.object = object;
    if (status == STATUS_OK && is_new)
        return set_name(finding->waits, object, name);
    free(name);
    return status;
}

static enum status take_file(struct finding *finding, uint64_t fd)
{
    struct wait_files files = {.first = (uint32_t)fd, .count = 1};

    return take_files(finding, &files);
}

/* poll and select of nothing are a way to sleep. */
static enum status take_several(struct finding *finding, const struct wait_files *files)
{
    if (files->count)
        return take_files(finding, files);
    if (files->is_known)
        finding->wait.kind = WAIT_SLEEP;
    return STATUS_OK;
}

static enum status take_poll_call(struct finding *finding)
{
    struct wait_files files;

    wait_files_poll(finding->sample, finding->waits->private->arch, &files);
    return take_several(finding, &files);
}

static enum status take_select_call(struct finding *finding)
{
    struct wait_files files;

    wait_files_select(finding->sample, finding->waits->private->arch, &files);
    return take_several(finding, &files);
}

static enum status take_fcntl_call(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;

    if (args[1] != LOCK_WAIT && args[1] != LOCK_WAIT_64 && args[1] != OPEN_LOCK_WAIT)
        finding->wait.kind = WAIT_OTHER;
    return take_file(finding, args[0]);
}

static enum status take_socket_call(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;
    uint32_t fd;

    finding->wait.kind = wait_socket_call_kind(args[0]);
    if (!sample_read(finding->sample, target_addr(finding, args[1]), &fd, sizeof(fd)))
        return STATUS_OK;
    return take_file(finding, fd);
}

/*
 * The kernel continues a call with a timeout after a stop, under another number; the arguments are
 * still there. Which call it was the function tells, or a futex that has what is waited for.
 */
static enum status take_restart(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;
    uint32_t operation = (uint32_t)args[1] & OP_MASK, word;
    struct wait_functions functions;
    enum status status = chain_functions(finding, &functions);

    if (status != STATUS_OK)
        return status;
    if (functions.kind <= WAIT_FUTEX ||
        (functions.kind == WAIT_UNKNOWN && (operation == OP_WAIT || operation == OP_WAIT_BITSET) &&
         sample_read(finding->sample, target_addr(finding, args[0]), &word, sizeof(word)) &&
         word == (uint32_t)args[2]))
        return take_futex_call(finding);
    if (functions.kind == WAIT_UNKNOWN)
        return STATUS_OK;
    finding->wait.kind = functions.kind;
    return functions.kind == WAIT_POLL ? take_poll_call(finding) : STATUS_OK;
}

static enum status take_call(struct finding *finding)
{
    const struct wait_call *call =
        wait_call_find(finding->waits->private->arch->id, finding->sample->syscall);

    finding->wait.kind = call ? call->kind : WAIT_OTHER;
    switch (call ? call->form : CALL_NO_OBJECT) {
    case CALL_NO_OBJECT:
        return STATUS_OK;
    case CALL_FUTEX:
        return take_futex_call(finding);
    case CALL_FUTEX_2:
        return take_futex_2_call(finding);
    case CALL_FUTEX_V:
        return take_futex_v_call(finding);
    case CALL_FD:
        return take_file(finding, finding->sample->syscall_args[0]);
    case CALL_FCNTL:
        return take_fcntl_call(finding);
    case CALL_POLL:
        return take_poll_call(finding);
    case CALL_SELECT:
        return take_select_call(finding);
    case CALL_SOCKET:
        return take_socket_call(finding);
    case CALL_RESTART:
        return take_restart(finding);
    }
    return STATUS_OK;
}

static bool same_wait(const struct wait *a, const struct wait *b)
{
    return a->kind == b->kind && a->kind_evidence == b->kind_evidence && a->object == b->object &&
           a->owner_tid == b->owner_tid && a->owner_evidence == b->owner_evidence &&
           a->doubt == b->doubt && a->readers == b->readers && a->syscall == b->syscall;
}

static enum status intern_wait(struct waits *waits, const struct wait *wait, uint32_t *out)
{
    struct waits_private *p = waits->private;
    uint64_t hash = map_hash2(map_hash2((uint64_t)wait->object << 32 | wait->owner_tid,
                                        (uint64_t)wait->readers << 32 | wait->kind),
                              map_hash2((uint64_t)wait->syscall, (uintptr_t)wait->doubt));
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

/* Objects that had no name may be on the stack that is known now. */
static enum status name_again(struct finding *finding)
{
    struct waits_private *p = finding->waits->private;
    size_t kept = 0;

    for (size_t i = 0; i < p->nameless_count; i++) {
        uint32_t object = p->nameless[i];
        bool is_known = false;

        if (finding->waits->objects[object].pid == finding->sample->pid &&
            wait_threads_stack(&p->threads, finding->sample->pid, p->nameless_addrs[i])) {
            enum status status = name_place(finding, object, p->nameless_addrs[i], &is_known);

            if (status != STATUS_OK)
                return status;
        }
        if (!is_known) {
            p->nameless[kept] = object;
            p->nameless_addrs[kept++] = p->nameless_addrs[i];
        }
    }
    p->nameless_count = kept;
    return STATUS_OK;
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
    return is_first && p->nameless_count ? name_again(finding) : STATUS_OK;
}

/* Of a core's threads but the first the state is not known, and their registers tell. */
static bool is_blocked(const struct snap_sample *sample)
{
    switch (sample->state) {
    case 'R':
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

enum status waits_find(struct waits *waits, const struct ingest_sample *given, uint32_t *wait)
{
    const struct snap_sample *sample = given->sample;
    struct finding finding = {.waits = waits,
                              .given = given,
                              .sample = sample,
                              .wait = {.kind = WAIT_UNKNOWN, .object = WAIT_NONE, .syscall = -1}};
    enum status status = sample->repeat ? STATUS_OK : note_stack(&finding);

    *wait = WAIT_NONE;
    if (status != STATUS_OK || !is_blocked(sample))
        return status;
    if (sample->has_syscall) {
        finding.wait.syscall = sample->syscall;
        status = take_call(&finding);
    }
    if (status == STATUS_OK && waits->count >= WAITS_MAX)
        finding.wait = (struct wait){.kind = finding.wait.kind, .object = WAIT_NONE, .syscall = -1};
    return status == STATUS_OK ? intern_wait(waits, &finding.wait, wait) : status;
}
