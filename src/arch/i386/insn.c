/* SPDX-License-Identifier: MIT */
/* i386: what differs from x86-64. Registers and calls: System V psABI for Intel386, 2.2. */
#include "arch/analysis/capstone_decoder.h"
#include "arch/x86/insn.h"

enum { EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, EIP };

static const struct x86_mode i386 = {.word = 4,
                                     .pc = EIP,
                                     .numbers = {EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI},
                                     .call_clobbered = 1u << EAX | 1u << ECX | 1u << EDX};

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    return x86_decode(&i386, decoder, bytes, size, vaddr, out);
}

static uint64_t reads(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return x86_reads(&i386, decoder, bytes, size, vaddr);
}

static uint64_t jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return x86_jump_target(&i386, bytes, size, vaddr);
}

static uint64_t call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return x86_call_target(&i386, bytes, size, vaddr);
}

static bool is_trampoline(const uint8_t *bytes, uint64_t size)
{
    return x86_is_trampoline(&i386, bytes, size);
}

static bool strong_start(const uint8_t *bytes, uint64_t size)
{
    static const struct x86_pattern starts[] = {
        {"\xf3\x0f\x1e\xfb", 4},         /* endbr32 */
        {"\x55\x89\xe5", 3},             /* push ebp; mov ebp, esp */
        {"\x55\x8b\xec", 3},             /* the same in the other encoding */
        {"\x55\x57\x56\x53", 4},         /* push ebp; push edi; push esi; push ebx */
        {"\x8d\x4c\x24\x04\x83\xe4", 6}, /* lea ecx, [esp + 4]; and esp, ... */
    };

    return x86_begins_with(starts, sizeof(starts) / sizeof(starts[0]), bytes, size);
}

/* mov reg, [esp]; ret: 8b, ModR/M with a SIB byte, SIB of [esp], c3 */
static uint8_t pc_thunk(const uint8_t *bytes, uint64_t size)
{
    if (size < 4 || bytes[0] != 0x8b || (bytes[1] & 0xc7) != 0x04 || bytes[2] != 0x24 ||
        bytes[3] != 0xc3)
        return REG_NONE;
    return bytes[1] >> 3 & 7;
}

/*
 * The trampolines that signal handlers return to (asm/sigcontext.h, struct sigcontext_32); other
 * instructions may make the system call, too:
 *
 *     pop eax; mov eax, 119; int 0x80   sigreturn: the signal's number, then the sigcontext
 *     mov eax, 173; int 0x80            rt_sigreturn: number, two pointers, siginfo (128 bytes),
 *                                       ucontext (5 words, then the sigcontext)
 *
 * The first row holds before the pop only.
 */
static enum status sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out)
{
    static const struct x86_saved saved[] = {{EDI, 16}, {ESI, 20}, {EBP, 24}, {ESP, 28}, {EBX, 32},
                                             {EDX, 36}, {ECX, 40}, {EAX, 44}, {EIP, 56}};
    const size_t count = sizeof(saved) / sizeof(saved[0]);
    const unsigned nothing = x86_nothing(bytes, size);
    const bool pops = size > nothing && bytes[nothing] == 0x58;
    const unsigned popped = pops ? nothing + 1 : 0;
    struct x86_system_call call;

    if (!x86_system_call(&i386, bytes + popped, size - popped, &call))
        return STATUS_NOT_FOUND;
    if (pops && call.number == 119)
        x86_signal_row(&i386, saved, count, 4, vaddr, vaddr + popped, out);
    else if (!pops && call.number == 173)
        x86_signal_row(&i386, saved, count, 12 + 128 + 20, vaddr, vaddr + call.still_size, out);
    else
        return STATUS_NOT_FOUND;
    return STATUS_OK;
}

/* xor ebp, ebp; pop esi; mov ecx, esp; and esp, -16 */
#define START_CODE "\x31\xed\x5e\x89\xe1\x83\xe4\xf0"

const struct insn_set insn_set_i386 = {.arch = &arch_i386,
                                       .decoder = &capstone_decoder,
                                       .decoder_arch = CS_ARCH_X86,
                                       .decoder_mode = CS_MODE_32,
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
                                       .callee_pops = true,
                                       .is_trampoline = is_trampoline,
                                       .tells_anywhere = true,
                                       .strong_start = strong_start,
                                       .pc_thunk = pc_thunk,
                                       .sigreturn_row = sigreturn_row,
                                       .sigreturn_code = "\xb8\xad\0\0\0\xcd\x80",
                                       .sigreturn_size = 7,
                                       /* CS, SS of a 64-bit kernel; of a 32-bit one 0x73, 0x7b */
                                       .sigreturn_marks = {{220, ~UINT32_C(0x50), 0x23},
                                                           {232, ~UINT32_C(0x50), 0x2b}},
                                       .start_code = START_CODE};
