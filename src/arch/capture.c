#include "arch/capture.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* The host's own first, then what its kernel runs besides. */
static const struct regs_backend *const backends[] = {
#if defined(__x86_64__) && defined(__LP64__)
    &regs_x86_64,
    &regs_i386,
#elif defined(__i386__)
    &regs_i386,
#elif defined(__aarch64__)
    &regs_aarch64,
    &regs_arm,
#elif defined(__arm__)
    &regs_arm,
#else
#error "no register backend for this architecture: see regs.h"
#endif
};

const struct regs_backend *regs_backend_find(uint16_t elf_machine, unsigned word_size)
{
    for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
        if (arch_get(backends[i]->arch)->elf_machine == elf_machine &&
            backends[i]->word_size == word_size)
            return backends[i];
    return NULL;
}

const struct regs_backend *regs_backend_of_size(unsigned word_size)
{
    for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
        if (backends[i]->word_size == word_size)
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

enum status regset_write(pid_t tid, const struct regset *regset)
{
    struct iovec iov = {.iov_base = (void *)(uintptr_t)regset->bytes, .iov_len = regset->size};

    return ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &iov) == 0 ? STATUS_OK
                                                                         : STATUS_NOT_FOUND;
}

/* Tracer and tracee have the same byte order, which FORMAT.md wants to be little-endian. */
uint64_t regset_word(const struct regset *regset, unsigned word_size, unsigned index)
{
    uint64_t word = 0;

    memcpy(&word, (const uint8_t *)regset->bytes + (size_t)index * word_size, word_size);
    return word;
}

void regset_set_word(struct regset *regset, unsigned word_size, unsigned index, uint64_t value)
{
    memcpy((uint8_t *)regset->bytes + (size_t)index * word_size, &value, word_size);
}

void regset_pick(const struct regset *regset, unsigned word_size, const uint8_t *from, size_t count,
                 uint64_t *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = regset_word(regset, word_size, from[i]);
}
