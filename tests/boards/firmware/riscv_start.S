/* SPDX-License-Identifier: MIT */
/*
 * RISC-V in machine mode: the start, and the entry of traps, which saves all registers in a frame:
 * slot i has xi, slot 0 mepc, slot 2 mstatus, and those of an FPU follow. The handler in C gives
 * the frame to go on with, which may be another task's. TRAP_STACK: handlers have a stack of their own.
 */
#if __riscv_xlen == 64
#define W 8
#define store sd
#define load ld
#else
#define W 4
#define store sw
#define load lw
#endif
#if __riscv_flen
#define FRAME (64 * W)
#else
#define FRAME (32 * W)
#endif

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
    la t0, data_load
    la t1, data_start
    la t2, data_end
1:  bgeu t1, t2, 2f
    lw t3, 0(t0)
    sw t3, 0(t1)
    addi t0, t0, 4
    addi t1, t1, 4
    j 1b
2:  la t1, bss_start
    la t2, bss_end
3:  bgeu t1, t2, 4f
    sw zero, 0(t1)
    addi t1, t1, 4
    j 3b
4:
#if __riscv_flen
    li t0, 0x6000
    csrs mstatus, t0
#endif
    la t0, trap_vector
    ori t0, t0, 1
    csrw mtvec, t0
    call main
5:  j 5b
    .size _start, . - _start

    .text
    .balign 256
    .option push
    .option norvc
    .globl trap_vector
trap_vector:
    j trap_entry
    j trap_entry
    j trap_entry
    j soft_handler
    j trap_entry
    j trap_entry
    j trap_entry
    j trap_entry
    .option pop

    .globl trap_entry
    .type trap_entry, @function
trap_entry:
    addi sp, sp, -FRAME
    store x1, 1 * W(sp)
    .irp i, 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    store x\i, \i * W(sp)
    .endr
#if __riscv_flen
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    fsd f\i, (32 + \i) * W(sp)
    .endr
#endif
    csrr t0, mepc
    store t0, 0(sp)
    csrr t1, mstatus
    store t1, 2 * W(sp)
    csrr a0, mcause
    mv a1, sp
#ifdef TRAP_STACK
    mv s0, sp
    la t0, trap_stack
    la t1, trap_stack + TRAP_STACK
    bltu sp, t0, 1f
    bltu sp, t1, 2f
1:  mv sp, t1
2:
#endif
    call trap_handler
    mv sp, a0
    load t0, 0(sp)
    csrw mepc, t0
    load t1, 2 * W(sp)
    csrw mstatus, t1
#if __riscv_flen
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    fld f\i, (32 + \i) * W(sp)
    .endr
#endif
    load x1, 1 * W(sp)
    .irp i, 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    load x\i, \i * W(sp)
    .endr
    addi sp, sp, FRAME
    mret
    .size trap_entry, . - trap_entry
