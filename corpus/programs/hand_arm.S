/* A32 and T32 alike, as the compiler's option says. */
        .syntax unified
#ifdef __thumb__
        .thumb
#else
        .arm
#endif
#ifdef __thumb__ /* each of 4 bytes */
#define ADD add.w
#define B   b.w
#else
#define ADD add
#define B   b
#endif
        .text

        .macro begin name
        .p2align 2
        .global \name
        .type \name, %function
\name:
        .endm

        .macro leaf number
        begin hand_leaf_\number
        mov     r3, #3
1:      subs    r3, r3, #1
        bne     1b
        bx      lr
        .size hand_leaf_\number, . - hand_leaf_\number
        .endm

        leaf 1
        leaf 2
        leaf 3
        leaf 4
        leaf 5
        leaf 6
        leaf 7
        leaf 9
        leaf 10

begin hand_plain
        push    {r4, lr}
        mov     r4, #7
        bl      hand_leaf_1
        pop     {r4, pc}
        .size hand_plain, . - hand_plain

begin hand_single
        str     lr, [sp, #-8]!
        bl      hand_leaf_2
        ldr     lr, [sp], #8
        bx      lr
        .size hand_single, . - hand_single

/* The return address stays in a register. */
begin hand_kept
        push    {r4, r5}
        mov     r5, lr
        bl      hand_leaf_3
        mov     lr, r5
        pop     {r4, r5}
        bx      lr
        .size hand_kept, . - hand_kept

begin hand_big
        push    {r4-r11, lr}
        vpush   {d8-d11}
        sub     sp, sp, #1024
        movw    r4, #5004
        sub     sp, sp, r4
        mov     r5, #0
        str     r5, [sp, #16]
        bl      hand_leaf_4
        add     sp, sp, r4
        add     sp, sp, #1024
        vpop    {d8-d11}
        pop     {r4-r11, lr}
        bx      lr
        .size hand_big, . - hand_big

/* Returns in the middle, on a condition. */
begin hand_cond
        push    {r4, lr}
        cmp     r0, #0
        it      eq
        popeq   {r4, pc}
        mov     r4, r0
        bl      hand_leaf_5
        cmp     r4, #1
        it      eq
        popeq   {r4, pc}
        bl      hand_leaf_5
        pop     {r4, pc}
        .size hand_cond, . - hand_cond

/* Arguments pushed where a variadic function wants them; popped without being restored. */
begin hand_arguments
        push    {r0-r3}
        push    {r6, lr}
        add     r6, sp, #8
        bl      hand_leaf_6
        ldr     r3, [r6]
        ldmia   sp!, {r6, lr}
        add     sp, sp, #16
        bx      lr
        .size hand_arguments, . - hand_arguments

/* A frame by a register that is not the frame pointer. */
begin hand_other_register
        stmdb   sp!, {r8, r9, lr}
        mov     r9, sp
        sub     r8, sp, #20
        bic     r8, r8, #63
        mov     sp, r8
        bl      hand_leaf_7
        mov     sp, r9
        ldmia   sp!, {r8, r9, pc}
        .size hand_other_register, . - hand_other_register

/* The return address in a register that calls may change: the helper leaves it alone. */
begin hand_lent
        mov     ip, lr
        bl      hand_leaf_9
        add     r3, r3, #1
        bl      hand_leaf_9
        bx      ip
        .size hand_lent, . - hand_lent

/* A frame as Go makes large ones: SP by a register, in one instruction. T32 has none such. */
begin hand_far
#ifdef __thumb__
        sub     sp, sp, #4096
        str     lr, [sp]
        bl      hand_leaf_10
        ldr     lr, [sp]
        add     sp, sp, #4096
        bx      lr
#else
        mvn     ip, #4080
        sub     ip, ip, #15
        str     lr, [sp, ip]!
        bl      hand_leaf_10
        mov     ip, #4096
        ldr     pc, [sp], ip
#endif
        .size hand_far, . - hand_far

/* Goes into straight code by a multiple of its length, which no table tells. */
begin hand_stride
        adr     r3, 1f
        add     r3, r3, r0, lsl #3
#ifdef __thumb__
        orr     r3, r3, #1
#endif
        bx      r3
        .p2align 2
1:      ADD     r1, r1, #1
        B       2f
        ADD     r1, r1, #2
        B       2f
        ADD     r1, r1, #3
        B       2f
2:      mov     r2, #3
3:      subs    r2, r2, #1
        bne     3b
        bx      lr
        .size hand_stride, . - hand_stride

/* The kernel's helper page: get_tls, through a register. */
begin hand_special
        push    {r4, lr}
        movw    r3, #0x0fe0
        movt    r3, #0xffff
        blx     r3
        pop     {r4, pc}
        .size hand_special, . - hand_special

        .section .note.GNU-stack, "", %progbits
