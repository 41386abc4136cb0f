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
 * linux/errno.h) or seldom (EINTR). The registers then show:
 */
enum core_syscall {
    CORE_SYSCALL_ORIG_NUMBER = 1, /* the number in orig_word, the result in its register */
    CORE_SYSCALL_ORIG_ARGUMENT,   /* PC at the instruction; the first argument in orig_word */
    /*
     * The same without an orig_word: look at the instruction at PC, or before it. (RISC-V kernels
     * before 6.6 leave PC behind it, with the result.)
     */
    CORE_SYSCALL_INSN,
};

struct core_layout {
    /* NT_PRSTATUS, offsets of pr_cursig, pr_pid, pr_reg */
    uint8_t signal_off, tid_off, regs_off;
    /* NT_PRPSINFO, offsets of pr_sname, pr_pid, pr_ppid, pr_fname, pr_psargs */
    uint8_t state_off, pid_off, parent_off, name_off, args_off;
    /* A page of the kernel that all processes have; 0 and NULL: none */
    uint64_t special_addr;
    const char *special_name;
    enum core_syscall syscall;
    /*
     * The thread pointer:
     *
     *     pointer_word     pointer_note   where it is
     *     a word           0              in that word of pr_reg
     *     CORE_WORD_NONE   a note's type  the first word of the note
     *     a word           a note's type  the base of the segment that the word selects, in the
     *                                     note (struct user_desc of the kernel's <asm/ldt.h>)
     */
    uint8_t pointer_word;
    uint16_t pointer_note;
};

#define CORE_WORD_NONE 0xff

/* Initialisers: 64-bit architectures; 32-bit ones whose pr_uid and pr_gid have 16 bits. */
#define CORE_STATUS_64 .signal_off = 12, .tid_off = 32, .regs_off = 112
#define CORE_STATUS_32 .signal_off = 12, .tid_off = 24, .regs_off = 72
#define CORE_INFO_64                                                                               \
    .state_off = 1, .pid_off = 24, .parent_off = 28, .name_off = 40, .args_off = CORE_ARGS_OFF_64
#define CORE_INFO_32                                                                               \
    .state_off = 1, .pid_off = 12, .parent_off = 16, .name_off = 28, .args_off = CORE_ARGS_OFF_32
/* ... whose pr_uid and pr_gid have 32 bits: later architectures */
#define CORE_INFO_32_WIDE                                                                          \
    .state_off = 1, .pid_off = 16, .parent_off = 20, .name_off = 32, .args_off = 48
#define CORE_ARGS_OFF_64 56
#define CORE_ARGS_OFF_32 44

#endif
