#include "capture/regs.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static const struct regs_backend *const backends[] = {
#if defined(__x86_64__) && defined(__LP64__)
    &regs_x86_64,
#endif
    NULL,
};

const struct regs_backend *regs_backend_by_size(size_t regset_size)
{
    for (size_t i = 0; backends[i]; i++)
        if (backends[i]->regset_size == regset_size)
            return backends[i];
    return NULL;
}

const struct regs_backend *regs_backend_by_machine(uint16_t elf_machine)
{
    for (size_t i = 0; backends[i]; i++)
        if (arch_get(backends[i]->arch)->elf_machine == elf_machine)
            return backends[i];
    return NULL;
}

const struct regs_backend *regs_backend_host(void)
{
    return backends[0];
}

enum status regset_read(pid_t tid, struct regset *out)
{
    struct iovec iov = {.iov_base = out->bytes, .iov_len = sizeof(out->bytes)};

    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &iov) != 0)
        return STATUS_NOT_FOUND;
    out->size = iov.iov_len;
    return STATUS_OK;
}
