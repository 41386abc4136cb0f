/* SPDX-License-Identifier: MIT */
/* x86-64: what differs from i386. Registers and calls: System V psABI 3.2. */
#include "arch/analysis/capstone_decoder.h"
#include "arch/x86/insn.h"

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14, R15, RIP };

static const struct x86_mode x86_64 = {.word = 8,
                                       .pc = RIP,
                                       .numbers = {RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9,
                                                   R10, R11, R12, R13, R14, R15},
                                       .call_clobbered = 1u << RAX | 1u << RDX | 1u << RCX |
                                                         1u << RSI | 1u << RDI | 1u << R8 |
                                                         1u << R9 | 1u << R10 | 1u << R11};

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    return x86_decode(&x86_64, decoder, bytes, size, vaddr, out);
}

static uint64_t reads(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return x86_reads(&x86_64, decoder, bytes, size, vaddr);
}

static uint64_t jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return x86_jump_target(&x86_64, bytes, size, vaddr);
}

static uint64_t call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return x86_call_target(&x86_64, bytes, size, vaddr);
}

static bool is_trampoline(const uint8_t *bytes, uint64_t size)
{
    return x86_is_trampoline(&x86_64, bytes, size);
}

static bool strong_start(const uint8_t *bytes, uint64_t size)
{
    static const struct x86_pattern starts[] = {
        {"\xf3\x0f\x1e\xfa", 4}, /* endbr64 */
        {"\x55\x48\x89\xe5", 4}, /* push rbp; mov rbp, rsp */
        {"\x55\x48\x8b\xec", 4}, /* the same in the other encoding */
        {"\x41\x57\x41\x56", 4}, /* push r15; push r14 */
    };

    return x86_begins_with(starts, sizeof(starts) / sizeof(starts[0]), bytes, size);
}

/*
 * mov $15,%rax; syscall (glibc, musl, the kernel's ABI), or what else makes system call 15:
 * rt_sigreturn. At that point RSP points at struct ucontext, which has a struct sigcontext_64
 * (asm/sigcontext.h) at +40.
 */
static enum status sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out)
{
    static const struct x86_saved saved[] = {{R8, 0},   {R9, 8},    {R10, 16},  {R11, 24},
                                             {R12, 32}, {R13, 40},  {R14, 48},  {R15, 56},
                                             {RDI, 64}, {RSI, 72},  {RBP, 80},  {RBX, 88},
                                             {RDX, 96}, {RAX, 104}, {RCX, 112}, {RSP, 120},
                                             {RIP, 128}};
    struct x86_system_call call;

    if (!x86_system_call(&x86_64, bytes, size, &call) || call.number != 15)
        return STATUS_NOT_FOUND;
    x86_signal_row(&x86_64, saved, sizeof(saved) / sizeof(saved[0]), 40, vaddr,
                   vaddr + call.still_size, out);
    return STATUS_OK;
}

/* xor ebp, ebp; mov r9, rdx; pop rsi; mov rdx, rsp */
#define START_CODE "\x31\xed\x49\x89\xd1\x5e\x48\x89"

const struct insn_set insn_set_x86_64 = {.arch = &arch_x86_64,
                                         .decoder = &capstone_decoder,
                                         .decoder_arch = CS_ARCH_X86,
                                         .decoder_mode = CS_MODE_64,
                                         .alignment = 1,
                                         .filler_trap = "\xcc", /* int3 */
                                         .decode = decode,
                                         .reads = reads,
                                         .jump_target = jump_target,
                                         .call_target = call_target,
                                         .jump_bytes = X86_JUMP_BYTES,
                                         .call_bytes = X86_CALL_BYTES,
                                         .call_alignment = 16,
                                         .ends_with_call = x86_ends_with_call,
                                         .undefined_at_entry = 1u << RAX,
                                         .is_trampoline = is_trampoline,
                                         .tells_anywhere = true,
                                         .strong_start = strong_start,
                                         .sigreturn_row = sigreturn_row,
                                         .sigreturn_code = "\xb8\x0f\0\0\0\x0f\x05",
                                         .sigreturn_size = 7,
                                         /* CS and GS, FS and SS: 0 in old kernels */
                                         .sigreturn_marks = {{184, UINT32_MAX, 0x33},
                                                             {188, ~UINT32_C(0x2b0000), 0}},
                                         .start_code = START_CODE};
