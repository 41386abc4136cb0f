/* SPDX-License-Identifier: MIT */
#include "arch/capture.h"

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* This build's own architecture first, then the others that its kernel runs. */
static const struct arch_capture *const tables[] = {
#if defined(__x86_64__) && defined(__LP64__)
    &x86_64_capture,
    &i386_capture,
#elif defined(__i386__)
    &i386_capture,
#elif defined(__aarch64__)
    &aarch64_capture,
    &arm_capture,
#elif defined(__arm__)
    &arm_capture,
#elif defined(__riscv) && __riscv_xlen == 64
    &riscv64_capture,
    &riscv32_capture,
#elif defined(__riscv)
    &riscv32_capture,
#else
#error "nothing captures on this architecture: see arch.h"
#endif
};

const struct arch_capture *arch_capture_find(uint16_t elf_machine, unsigned word_size)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (tables[i]->arch->elf_machine == elf_machine && tables[i]->arch->word_size == word_size)
            return tables[i];
    return NULL;
}

const struct arch_capture *arch_capture_of_size(unsigned word_size)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (tables[i]->arch->word_size == word_size)
            return tables[i];
    return NULL;
}

const struct arch_capture *arch_capture_host(void)
{
    return tables[0];
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

void regset_decode(const struct regset *regset, const struct arch *arch, uint64_t *values)
{
    for (unsigned i = 0; i < arch->reg_count; i++)
        values[i] = arch->regset_order[i] != REG_NONE
                        ? regset_word(regset, arch->word_size, arch->regset_order[i])
                        : 0;
}
