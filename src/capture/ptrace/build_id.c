/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/build_id.h"

#include <sys/uio.h>
#include <unistd.h>

struct note_memory {
    pid_t pid;
    uint64_t addr;
};

/*
 * The first segment maps the file's beginning: offsets in it are distances in memory. A note in
 * another segment is misread, and has no GNU name, or is unreadable.
 */
static bool read_memory(void *context, uint64_t off, void *buffer, size_t size)
{
    const struct note_memory *memory = context;
    struct iovec local = {.iov_base = buffer, .iov_len = size};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)(memory->addr + off), .iov_len = size};

    return process_vm_readv(memory->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

enum status build_id_from_memory(pid_t pid, uint64_t addr, struct build_id *out)
{
    struct note_memory memory = {.pid = pid, .addr = addr};

    return build_id_find(read_memory, &memory, out);
}

static bool read_fd(void *context, uint64_t off, void *buffer, size_t size)
{
    const int *fd = context;

    return off <= INT64_MAX && pread(*fd, buffer, size, (off_t)off) == (ssize_t)size;
}

enum status build_id_from_fd(int fd, struct build_id *out)
{
    return build_id_find(read_fd, &fd, out);
}
