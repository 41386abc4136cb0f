/* SPDX-License-Identifier: MIT */
#include "runtime/jit/load/jit_dump_load.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mapped.h"
#include "runtime/jit/jit_dump.h"

#define SECOND_NS UINT64_C(1000000000)
#define WINDOW    ((size_t)1 << 20) /* bytes of the dump that stay in memory; whole pages */

bool jit_dump_is_file(int fd)
{
    uint8_t magic[4];

    return pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
           jit_dump_is(magic, sizeof(magic));
}

/* Checks that the process can have written the dump. BAD_DATA with `diag` filled: it cannot. */
static enum status check_owner(const struct jit_dump *dump, const struct stat *st, const char *path,
                               const struct jit_dump_owner *owner, struct diag *diag)
{
    const uint64_t changed_ns = (uint64_t)st->st_mtim.tv_sec * SECOND_NS;

    if (dump->machine != owner->machine)
        diag_set_at(diag, path, 12, "a jitdump of another machine (%u), not used", dump->machine);
    else if ((!owner->inner_pid || dump->pid != owner->inner_pid) && dump->pid != owner->pid)
        diag_set_at(diag, path, 20, "a jitdump of process %u, not of %u, not used", dump->pid,
                    owner->inner_pid ? owner->inner_pid : owner->pid);
    else if (owner->start_ns && changed_ns + SECOND_NS < owner->start_ns)
        diag_set(diag, path, "a jitdump that is older than its process, not used");
    else
        return STATUS_OK;
    return STATUS_BAD_DATA;
}

/*
 * Gives back the pages that were read, since mapped pages count as our memory. The kernel maps them
 * again for the name of a function that was moved.
 */
static void give_back(const struct jit_dump *dump, size_t *given_back)
{
    const size_t size = (dump->at.pos - *given_back) & ~(WINDOW - 1);

    if (size == 0)
        return;
    madvise((void *)(uintptr_t)(dump->at.data + *given_back), size, MADV_DONTNEED);
    *given_back += size;
}

static enum status add_functions(struct jit_dump *dump, const char *path, struct jit_map *map,
                                 struct diag *diag)
{
    struct jit_dump_function function;
    size_t given_back = 0;
    enum status status;

    while ((status = jit_dump_next(dump, path, &function, diag)) == STATUS_OK) {
        status = jit_map_add_function(map, function.start_addr, function.size, function.name,
                                      function.name_len);
        if (status != STATUS_OK)
            return status;
        give_back(dump, &given_back);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

enum status jit_dump_load(int fd, const char *path, const struct jit_dump_owner *owner,
                          struct jit_map *map, struct diag *diag)
{
    struct jit_dump dump;
    struct stat st;
    enum status status;
    uint8_t *bytes;
    size_t size;

    if (fstat(fd, &st) != 0)
        return STATUS_IO;
    size = (uint64_t)st.st_size < JIT_DUMP_BYTES_MAX ? (size_t)st.st_size : JIT_DUMP_BYTES_MAX;
    bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return STATUS_IO;
    mapped_add(bytes, size, path);
    status = jit_dump_init(&dump, bytes, size, path, diag);
    if (status == STATUS_OK) {
        if (owner)
            status = check_owner(&dump, &st, path, owner, diag);
        if (status == STATUS_OK)
            status = add_functions(&dump, path, map, diag);
        jit_dump_deinit(&dump);
    }
    mapped_remove(bytes);
    munmap(bytes, size);
    return status;
}
