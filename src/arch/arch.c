#include "arch/arch.h"

#include <elf.h>

#define BIT(n) (UINT64_C(1) << (n))

static const char *const x86_64_names[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
                                           "rbp", "rsp", "r8",  "r9",  "r10", "r11",
                                           "r12", "r13", "r14", "r15", "rip"};
static const char *const i386_names[] = {"eax", "ecx", "edx", "ebx", "esp",
                                         "ebp", "esi", "edi", "eip"};
static const char *const arm_names[] = {"r0", "r1",  "r2",  "r3",  "r4", "r5", "r6", "r7",  "r8",
                                        "r9", "r10", "r11", "r12", "sp", "lr", "pc", "cpsr"};
static const char *const aarch64_names[] = {"x0",  "x1",  "x2",  "x3",           "x4",  "x5",
                                            "x6",  "x7",  "x8",  "x9",           "x10", "x11",
                                            "x12", "x13", "x14", "x15",          "x16", "x17",
                                            "x18", "x19", "x20", "x21",          "x22", "x23",
                                            "x24", "x25", "x26", "x27",          "x28", "x29",
                                            "x30", "sp",  "pc",  "ra_sign_state"};

static const struct arch archs[ARCH_COUNT] = {
    {.id = ARCH_X86_64,
     .name = "x86_64",
     .elf_machine = EM_X86_64,
     .word_size = 8,
     .reg_count = 17,
     .pc = 16,
     .sp = 7,
     .fp = 6,
     .lr = REG_NONE,
     .first_arg = 5,
     .ra_column = 16,
     .red_zone = 128,
     .cfa_entry_off = 8,
     .frame_cfa_off = 16,
     .syscall_size = 2,
     .callee_saved = BIT(3) | BIT(6) | BIT(12) | BIT(13) | BIT(14) | BIT(15),
     .reg_names = x86_64_names},
    {.id = ARCH_I386,
     .name = "i386",
     .elf_machine = EM_386,
     .word_size = 4,
     .reg_count = 9,
     .pc = 8,
     .sp = 4,
     .fp = 5,
     .lr = REG_NONE,
     .first_arg = REG_NONE,
     .ra_column = 8,
     .cfa_entry_off = 4,
     .frame_cfa_off = 8,
     .syscall_size = 2,
     .callee_saved = BIT(3) | BIT(5) | BIT(6) | BIT(7),
     .reg_names = i386_names},
    {.id = ARCH_ARM,
     .name = "arm",
     .elf_machine = EM_ARM,
     .word_size = 4,
     .reg_count = 17,
     .pc = 15,
     .sp = 13,
     .fp = 11,
     .lr = 14,
     .first_arg = 0,
     .ra_column = 14,
     .isa_bit = 1,
     .cfa_entry_off = 0,
     .frame_cfa_off = 4,
     .syscall_size = 2,
     .callee_saved = BIT(4) | BIT(5) | BIT(6) | BIT(7) | BIT(8) | BIT(9) | BIT(10) | BIT(11),
     .reg_names = arm_names},
    {.id = ARCH_AARCH64,
     .name = "aarch64",
     .elf_machine = EM_AARCH64,
     .word_size = 8,
     .reg_count = 33,
     .pc = 32,
     .sp = 31,
     .fp = 29,
     .lr = 30,
     .first_arg = 0,
     .ra_column = 30,
     .cfa_entry_off = 0,
     .syscall_size = 4,
     .callee_saved = BIT(19) | BIT(20) | BIT(21) | BIT(22) | BIT(23) | BIT(24) | BIT(25) | BIT(26) |
                     BIT(27) | BIT(28) | BIT(29),
     .reg_names = aarch64_names},
};

const struct arch *arch_by_machine(uint16_t elf_machine)
{
    for (size_t i = 0; i < ARCH_COUNT; i++)
        if (archs[i].elf_machine == elf_machine)
            return &archs[i];
    return NULL;
}

const struct arch *arch_get(enum arch_id id)
{
    return &archs[id];
}
