        .arch armv8.3-a
        .text

        .macro begin name
        .p2align 2
        .global \name
        .type \name, %function
\name:
        .endm

        .macro leaf number
        begin hand_leaf_\number
        mov     x3, #3
1:      subs    x3, x3, #1
        b.ne    1b
        ret
        .size hand_leaf_\number, . - hand_leaf_\number
        .endm

        leaf 1
        leaf 2
        leaf 3
        leaf 4
        leaf 5
        leaf 6
        leaf 7
        leaf 8
        leaf 9
        leaf 10

begin hand_plain
        stp     x29, x30, [sp, #-16]!
        mov     x29, sp
        bl      hand_leaf_1
        ldp     x29, x30, [sp], #16
        ret
        .size hand_plain, . - hand_plain

begin hand_single
        str     x30, [sp, #-16]!
        bl      hand_leaf_2
        ldr     x30, [sp], #16
        ret
        .size hand_single, . - hand_single

/* The return address stays in a register, and it is returned to by that register. */
begin hand_kept
        stp     x19, x20, [sp, #-16]!
        mov     x19, x30
        bl      hand_leaf_3
        mov     x9, x19
        ldp     x19, x20, [sp], #16
        ret     x9
        .size hand_kept, . - hand_kept

begin hand_big
        sub     sp, sp, #8, lsl #12
        sub     sp, sp, #96
        stp     d8, d9, [sp, #16]
        str     x30, [sp, #40]
        str     xzr, [sp, #80]
        bl      hand_leaf_4
        ldr     x30, [sp, #40]
        ldp     d8, d9, [sp, #16]
        add     sp, sp, #8, lsl #12
        add     sp, sp, #96
        ret
        .size hand_big, . - hand_big

/* The frame on one way only. */
begin hand_cond
        cbz     w0, 1f
        stp     x29, x30, [sp, #-32]!
        bl      hand_leaf_5
        ldp     x29, x30, [sp], #32
1:      ret
        .size hand_cond, . - hand_cond

/* Pairs in unusual places, the frame record not at the frame's end. */
begin hand_arguments
        stp     x0, x1, [sp, #-64]!
        stp     x2, x3, [sp, #16]
        stp     x29, x30, [sp, #32]
        add     x29, sp, #32
        bl      hand_leaf_6
        ldp     x29, x30, [sp, #32]
        add     sp, sp, #64
        ret
        .size hand_arguments, . - hand_arguments

/* A frame by a register that is not the frame pointer. */
begin hand_other_register
        stp     x21, x30, [sp, #-16]!
        mov     x21, sp
        sub     x9, sp, #80
        and     sp, x9, #0xffffffffffffffc0
        bl      hand_leaf_7
        mov     sp, x21
        ldp     x21, x30, [sp], #16
        ret
        .size hand_other_register, . - hand_other_register

/* The return address in a register that calls may change: the helper leaves it alone. */
begin hand_lent
        mov     x10, x30
        bl      hand_leaf_9
        add     x3, x3, #1
        bl      hand_leaf_9
        ret     x10
        .size hand_lent, . - hand_lent

/* Vectors are stored right below the return address. */
begin hand_far
        sub     sp, sp, #1, lsl #12
        str     x30, [sp, #48]
        add     x9, sp, #16
        st1     {v0.16b, v1.16b}, [x9]
        bl      hand_leaf_10
        ldr     x30, [sp, #48]
        add     sp, sp, #1, lsl #12
        ret
        .size hand_far, . - hand_far

/* Goes into straight code by a multiple of its length, which no table tells. */
begin hand_stride
        adr     x9, 1f
        add     x9, x9, w0, uxtw #3
        br      x9
1:      add     x1, x1, #1
        b       2f
        add     x1, x1, #2
        b       2f
        add     x1, x1, #3
        b       2f
2:      mov     x2, #3
3:      subs    x2, x2, #1
        b.ne    3b
        ret
        .size hand_stride, . - hand_stride

/* Signed with the other key, returned by the instruction that checks. */
begin hand_special
        pacibsp
        stp     x29, x30, [sp, #-32]!
        mov     x29, sp
        bl      hand_leaf_8
        ldp     x29, x30, [sp], #32
        retab
        .size hand_special, . - hand_special

        .section .note.GNU-stack, "", %progbits
