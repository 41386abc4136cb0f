/* SPDX-License-Identifier: MIT */
/*
 * Recognises the wait of a thread from its system call.
 */
#include "base/vec.h"
#include "snapshot/sample_memory.h"
#include "threads/waits/wait_calls.h"
#include "threads/waits/wait_private.h"

/* Operations of futex(2) that wait. */
enum {
    OP_WAIT = 0,
    OP_LOCK_PI = 6,
    OP_WAIT_BITSET = 9,
    OP_LOCK_PI_2 = 13,
};

/* Commands of fcntl(2) that wait. */
enum { LOCK_WAIT = 7, LOCK_WAIT_64 = 14, OPEN_LOCK_WAIT = 38 };

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
    if (out->library != LIBRARY_UNKNOWN && *library != out->library) {
        *library = out->library;
        p->epoch++;
    } else if (out->library == LIBRARY_UNKNOWN)
        out->library = (enum c_library) * library;
    return STATUS_OK;
}

static uint64_t target_addr(const struct finding *finding, uint64_t value)
{
    return finding->waits->private->arch->word_size == 4 ? (uint32_t)value : value;
}

/*
 * Whether the thread is about to go on: it may have been woken, and is still in the call as it was
 * stopped or got no CPU. A mutex may have a new owner, and the thread waits all the same.
 */
static bool is_over(const struct lock_view *view, const struct lock_found *found)
{
    uint32_t word;

    if (found->is_awaited || !lock_words(view, view->futex_addr, &word, 1))
        return false;
    return found->kind == WAIT_MUTEX ? !(word & FUTEX_TID) : word != view->expected;
}

/*
 * Memory is read a little after the sample. A waiter that memory names as the owner got the lock
 * meanwhile: then the owner is not known. If a later reading names it again, and it has not run, it
 * waits for itself.
 */
static void doubt_itself(struct finding *finding, const struct lock_found *found)
{
    const struct snap_sample *sample = finding->sample;
    struct wait_thread *thread = wait_threads_find(&finding->waits->private->threads, sample->tid);
    uint64_t read_ns = sample_memory_time(sample);

    if (!thread)
        return;
    if (found->kind == WAIT_JOIN || found->owner_tid != sample->tid) {
        thread->got_ns = 0;
        return;
    }
    if (sample->held || !read_ns) /* memory is of the sample's moment */
        return;
    if (!sample->repeat || !thread->got_ns)
        thread->got_ns = read_ns;
    if (read_ns > thread->got_ns)
        return;
    finding->wait.owner_tid = 0;
    finding->now.over = true;
    finding->not_kept = true;
}

static enum status take_futex(struct finding *finding, struct lock_view *view)
{
    struct wait_functions functions;
    struct lock_found found;
    enum status status = chain_functions(finding, &functions);

    if (status == STATUS_OK &&
        (functions.library == LIBRARY_GLIBC ||
         (functions.library == LIBRARY_UNKNOWN && functions.kind != WAIT_UNKNOWN)))
        status = wait_glibc_version(finding, &view->glibc);
    if (status != STATUS_OK)
        return status;
    view->sample = finding->sample;
    view->arch = finding->waits->private->arch;
    view->threads = &finding->waits->private->threads;
    view->named = functions.kind;
    lock_recognise(view, &functions, &found, &finding->wait.kind_evidence,
                   &finding->wait.owner_evidence);
    wait_take_condition(finding, &found);
    finding->wait.kind = found.kind;
    finding->wait.owner_tid = found.owner_tid;
    finding->wait.readers = found.readers;
    finding->wait.doubt = found.doubt;
    finding->now.over = is_over(view, &found);
    /* A join's futex is not private, as the kernel wakes it, but no other process does. */
    finding->now.shared = !view->is_private && found.kind != WAIT_JOIN;
    doubt_itself(finding, &found);
    return wait_take_lock(finding, &found);
}

/* futex(word, operation, value, timeout) */
static enum status take_futex_call(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;
    uint32_t operation = (uint32_t)args[1] & FUTEX_OP_MASK;
    struct lock_view view = {.futex_addr = target_addr(finding, args[0]),
                             .expected = (uint32_t)args[2],
                             .is_pi = operation == OP_LOCK_PI || operation == OP_LOCK_PI_2,
                             .is_private = args[1] & FUTEX_PRIVATE};

    finding->now.timed = args[3] != 0;
    return take_futex(finding, &view);
}

static enum status take_futex_2_call(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;
    struct lock_view view = {.futex_addr = target_addr(finding, args[0]),
                             .expected = (uint32_t)args[1],
                             .is_private = args[3] & FUTEX_PRIVATE};

    finding->now.timed = args[4] != 0;
    return take_futex(finding, &view);
}

/* Takes the first of several futexes. */
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
    finding->now.timed = finding->sample->syscall_args[3] != 0;
    return take_futex(finding, &view);
}

static enum status take_file(struct finding *finding, uint64_t fd)
{
    struct wait_files files = {.first = (uint32_t)fd, .count = 1};

    if (files.first > INT32_MAX) /* none, or lost in a core */
        return STATUS_OK;
    return wait_take_files(finding, &files);
}

/* poll and select of nothing are a way to sleep. */
static enum status take_several(struct finding *finding, const struct wait_files *files)
{
    if (files->count)
        return wait_take_files(finding, files);
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
 * After a stop the kernel continues a call with a timeout as restart_syscall, with the arguments
 * still in place. The chain's function tells the call, or a futex with the expected value.
 */
static enum status take_restart(struct finding *finding)
{
    const uint64_t *args = finding->sample->syscall_args;
    uint32_t operation = (uint32_t)args[1] & FUTEX_OP_MASK, word;
    struct wait_functions functions;
    enum status status = chain_functions(finding, &functions);

    if (status != STATUS_OK)
        return status;
    if ((wait_is_for_threads(functions.kind) && functions.kind != WAIT_FILE_LOCK) ||
        (functions.kind == WAIT_UNKNOWN && (operation == OP_WAIT || operation == OP_WAIT_BITSET) &&
         sample_read(finding->sample, target_addr(finding, args[0]), &word, sizeof(word)) &&
         word == (uint32_t)args[2]))
        return take_futex_call(finding);
    if (functions.kind == WAIT_UNKNOWN)
        return STATUS_OK;
    finding->wait.kind = functions.kind;
    return functions.kind == WAIT_POLL ? take_poll_call(finding) : STATUS_OK;
}

enum status wait_take_call(struct finding *finding)
{
    const struct wait_call call =
        wait_call_find(finding->waits->private->arch, finding->sample->syscall);

    finding->wait.kind = call.kind;
    switch (call.form) {
    case FORM_NO_OBJECT:
        return STATUS_OK;
    case FORM_FUTEX:
        return take_futex_call(finding);
    case FORM_FUTEX_2:
        return take_futex_2_call(finding);
    case FORM_FUTEX_V:
        return take_futex_v_call(finding);
    case FORM_FD:
        return take_file(finding, finding->sample->syscall_args[0]);
    case FORM_FCNTL:
        return take_fcntl_call(finding);
    case FORM_POLL:
        return take_poll_call(finding);
    case FORM_SELECT:
        return take_select_call(finding);
    case FORM_SOCKET:
        return take_socket_call(finding);
    case FORM_RESTART:
        return take_restart(finding);
    }
    return STATUS_OK;
}
