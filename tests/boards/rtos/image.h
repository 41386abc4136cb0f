/* SPDX-License-Identifier: MIT */
/*
 * What the images of other systems' kernels share: a program whose variables are as those of a
 * kernel in the midst of its work, so that the file itself holds the memory of a halt.
 *
 * Tasks were stopped in `work_pc`, which `task_entry` called.
 */
#ifndef TESTS_BOARDS_RTOS_IMAGE_H
#define TESTS_BOARDS_RTOS_IMAGE_H

#include <stdint.h>

/* Labels are no functions, so that their addresses are even in Thumb, too. */
__asm__(".text\n    .balign 4\n    .global main, work_pc, called_pc, task_entry, work\n"
        "    .type work, %function\n    .type task_entry, %function\n    .type main, %function\n"
#if !defined(__riscv)
        "    .thumb\n    .syntax unified\n    .thumb_func\n"
#endif
        "work:\n    nop\nwork_pc:\n    nop\n1:  b 1b\n    .size work, . - work\n"
#if defined(__riscv)
        "task_entry:\n    addi sp, sp, -16\n    sw ra, 12(sp)\n    call work\n"
        "called_pc:\n    lw ra, 12(sp)\n    addi sp, sp, 16\n    ret\n"
#else
        "    .thumb_func\n"
        "task_entry:\n    push {r4, lr}\n    bl work\ncalled_pc:\n    pop {r4, pc}\n"
#endif
        "    .size task_entry, . - task_entry\n"
#if !defined(__riscv)
        "    .thumb_func\n"
#endif
        "main:\n    nop\n2:  b 2b\n    .size main, . - main\n");

extern char work_pc[], called_pc[];

#define WORD(value) ((uintptr_t)(value))

/* What is behind the registers on the stack of a task: r4 and the return address of task_entry. */
#define THUMB(label) (WORD(label) + 1)

#endif
