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

#if defined(__riscv)
#define FUNCTION "    .balign 4\n"
#define JUMP     "    j "
#define CALL     "    addi sp, sp, -16\n    sw ra, 12(sp)\n    call work\n"
#define RETURN   "    lw ra, 12(sp)\n    addi sp, sp, 16\n    ret\n"
#else
#define FUNCTION "    .thumb\n    .syntax unified\n    .balign 4\n    .thumb_func\n"
#define JUMP     "    b "
#define CALL     "    push {r4, lr}\n    bl work\n"
#define RETURN   "    pop {r4, pc}\n"
#endif

/* Labels are no functions, so that their addresses are even in Thumb, too. */
__asm__(".text\n    .global main, work_pc, called_pc, task_entry, work\n"
        "    .type work, %function\n    .type task_entry, %function\n    .type main, "
        "%function\n" FUNCTION "work:\n    nop\nwork_pc:\n    nop\n1:" JUMP
        "1b\n    .size work, . - work\n" FUNCTION "task_entry:\n" CALL "called_pc:\n" RETURN
        "    .size task_entry, . - task_entry\n" FUNCTION "main:\n    nop\n2:" JUMP
        "2b\n    .size main, . - main\n");

extern char work_pc[], called_pc[];

#define WORD(value) ((uintptr_t)(value))

/* What is behind the registers on the stack of a task: r4 and the return address of task_entry. */
#define THUMB(label) (WORD(label) + 1)

#endif
