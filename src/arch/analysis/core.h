/* SPDX-License-Identifier: MIT */
/*
 * The layout of the notes in a Linux core (struct elf_prstatus and struct elf_prpsinfo of
 * <sys/procfs.h>, of the core's machine), and how to tell the system call in which a thread was
 * blocked. For snapshot/import/core.
 */
#ifndef ARCH_ANALYSIS_CORE_H
#define ARCH_ANALYSIS_CORE_H

#include <stdint.h>

/*
 * A core does not say in which system call a thread was. But to stop a thread the kernel makes its
 * system call return early, with a result that programs never see (ERESTARTSYS and its like,
 * linux/errno.h) or seldom (EINTR). These are the places of the call in the thread's registers:
 */
enum core_syscall {
    /* the call's number is in struct arch's orig_word, the early result in syscall_result */
    CORE_SYSCALL_ORIG_NUMBER = 1,
    /* PC is at the call's instruction; the first argument is in orig_word */
    CORE_SYSCALL_ORIG_ARGUMENT,
    /*
     * There is no orig_word; the call's instruction is at PC, or before it (RISC-V kernels before
     * 6.6 leave PC behind it, with the result).
     */
    CORE_SYSCALL_INSN,
};

struct core_layout {
    /* byte offsets in NT_PRSTATUS of pr_cursig, pr_pid, pr_reg */
    uint8_t signal_off, tid_off, regs_off;
    /* byte offsets in NT_PRPSINFO of pr_sname, pr_pid, pr_ppid, pr_fname, pr_psargs */
    uint8_t state_off, pid_off, parent_off, name_off, args_off;
    /*
     * address and name of a page of the kernel that all processes have ([vectors]); 0, NULL: none
     */
    uint64_t special_addr;
    const char *special_name;
    enum core_syscall syscall;
    /*
     * The place of the thread pointer in a core:
     *
     *     pointer_word     pointer_note   the thread pointer is
     *     a word           0              in that word of pr_reg
     *     CORE_WORD_NONE   a note's type  the first word of the note
     *     a word           a note's type  the base of the segment that the word selects, in the
     *                                     note (struct user_desc of the kernel's <asm/ldt.h>)
     */
    uint8_t pointer_word;
    uint16_t pointer_note;
};

#define CORE_WORD_NONE 0xff

/*
 * Initialise struct core_layout for architectures of 64 or 32 bits; CORE_INFO_32: pr_uid and pr_gid
 * have 16 bits.
 */
#define CORE_STATUS_64 .signal_off = 12, .tid_off = 32, .regs_off = 112
#define CORE_STATUS_32 .signal_off = 12, .tid_off = 24, .regs_off = 72
#define CORE_INFO_64                                                                               \
    .state_off = 1, .pid_off = 24, .parent_off = 28, .name_off = 40, .args_off = CORE_ARGS_OFF_64
#define CORE_INFO_32                                                                               \
    .state_off = 1, .pid_off = 12, .parent_off = 16, .name_off = 28, .args_off = CORE_ARGS_OFF_32
/* Initialises struct core_layout for 32-bit architectures whose pr_uid and pr_gid have 32 bits. */
#define CORE_INFO_32_WIDE                                                                          \
    .state_off = 1, .pid_off = 16, .parent_off = 20, .name_off = 32, .args_off = 48
#define CORE_ARGS_OFF_64 56
#define CORE_ARGS_OFF_32 44

#endif
