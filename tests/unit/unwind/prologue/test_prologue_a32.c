/* SPDX-License-Identifier: MIT */
/* Prologue analysis of A32 code; the bytes are GNU as's. See prologue_fixture.h. */
#include "prologue_fixture.h"

static const struct line CASES[] = {
    FUNCTION(LEAF),
    {"\x01\x00\x80\xe2", 4, "sp+0"}, /* add r0, r0, #1 */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"}, /* bx lr */
    FUNCTION(LEAF_OF_ARMV4),
    {"\x01\x00\x80\xe2", 4, "sp+0"}, /* add r0, r0, #1 */
    {"\x0e\xf0\xa0\xe1", 4, "sp+0"}, /* mov pc, lr */
    FUNCTION(PLAIN),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},               /* push {r4, lr} */
    {"\x00\x40\xa0\xe1", 4, "sp+8 ra=c-4"},        /* mov r4, r0 */
    {"\xfe\x03\x00\xeb", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x04\x00\xa0\xe1", 4, "sp+8 r4=c-8 ra=c-4"}, /* mov r0, r4 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 r4=c-8 ra=c-4"}, /* pop {r4, pc} */
    FUNCTION(INTERWORKING_RETURN),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},        /* push {r4, lr} */
    {"\xfe\x03\x00\xfa", 4, "sp+8 ra=c-4"}, /* blx callee */
    {"\x10\x40\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, lr} */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"},        /* bx lr */
    FUNCTION(APCS_FRAME),
    {"\x0d\xc0\xa0\xe1", 4, "sp+0"},                          /* mov ip, sp */
    {"\x10\xd8\x2d\xe9", 4, "sp+0"},                          /* push {r4, fp, ip, lr, pc} */
    {"\x04\xb0\x4c\xe2", 4, "sp+20 ra=c-8"},                  /* sub fp, ip, #4 */
    {"\x0c\xd0\x4d\xe2", 4, "r11+4 r11=c-16 ra=c-8"},         /* sub sp, sp, #12 */
    {"\x00\x40\xa0\xe1", 4, "r11+4 r11=c-16 ra=c-8"},         /* mov r4, r0 */
    {"\xfe\x03\x00\xeb", 4, "r11+4 r4=c-20 r11=c-16 ra=c-8"}, /* bl callee */
    {"\x10\xd0\x4b\xe2", 4, "r11+4 r4=c-20 r11=c-16 ra=c-8"}, /* sub sp, fp, #16 */
    {"\x10\xa8\x9d\xe8", 4, "r11+4 r4=c-20 r11=c-16 ra=c-8"}, /* ldm sp, {r4, fp, sp, pc} */
    FUNCTION(APCS_RETURN_FROM_THE_FRAME_POINTER),
    {"\x0d\xc0\xa0\xe1", 4, "sp+0"},                  /* mov ip, sp */
    {"\x00\xd8\x2d\xe9", 4, "sp+0"},                  /* push {fp, ip, lr, pc} */
    {"\x04\xb0\x4c\xe2", 4, "sp+16 ra=c-8"},          /* sub fp, ip, #4 */
    {"\x00\xd0\x4d\xe0", 4, "r11+4 r11=c-16 ra=c-8"}, /* sub sp, sp, r0 */
    {"\xfe\x03\x00\xeb", 4, "r11+4 r11=c-16 ra=c-8"}, /* bl callee */
    {"\x00\xa8\x1b\xe9", 4, "r11+4 r11=c-16 ra=c-8"}, /* ldmdb fp, {fp, sp, pc} */
    FUNCTION(FRAME_POINTER),
    {"\x00\x48\x2d\xe9", 4, "sp+0"},                 /* push {fp, lr} */
    {"\x04\xb0\x8d\xe2", 4, "sp+8 ra=c-4"},          /* add fp, sp, #4 */
    {"\x08\xd0\x4d\xe2", 4, "r11+4 r11=c-8 ra=c-4"}, /* sub sp, sp, #8 */
    {"\xfe\x03\x00\xeb", 4, "r11+4 r11=c-8 ra=c-4"}, /* bl callee */
    {"\x04\xd0\x4b\xe2", 4, "r11+4 r11=c-8 ra=c-4"}, /* sub sp, fp, #4 */
    {"\x00\x88\xbd\xe8", 4, "r11+4 r11=c-8 ra=c-4"}, /* pop {fp, pc} */
    FUNCTION(FRAME_POINTER_OF_A_LEAF),
    {"\x04\xb0\x2d\xe5", 4, "sp+0"},          /* str fp, [sp, #-4]! */
    {"\x00\xb0\x8d\xe2", 4, "sp+4"},          /* add fp, sp, #0 */
    {"\x0c\xd0\x4d\xe2", 4, "r11+4 r11=c-4"}, /* sub sp, sp, #12 */
    {"\x08\x00\x0b\xe5", 4, "r11+4 r11=c-4"}, /* str r0, [fp, #-8] */
    {"\x00\xd0\x8b\xe2", 4, "r11+4 r11=c-4"}, /* add sp, fp, #0 */
    {"\x04\xb0\x9d\xe4", 4, "r11+4 r11=c-4"}, /* ldr fp, [sp], #4 */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"},          /* bx lr */
    FUNCTION(ALIGNED_LOCALS),
    {"\x00\x48\x2d\xe9", 4, "sp+0"},                 /* push {fp, lr} */
    {"\x04\xb0\x8d\xe2", 4, "sp+8 ra=c-4"},          /* add fp, sp, #4 */
    {"\x10\xd0\x4d\xe2", 4, "r11+4 r11=c-8 ra=c-4"}, /* sub sp, sp, #16 */
    {"\x0f\xd0\xcd\xe3", 4, "r11+4 r11=c-8 ra=c-4"}, /* bic sp, sp, #15 */
    {"\xfe\x03\x00\xeb", 4, "r11+4 r11=c-8 ra=c-4"}, /* bl callee */
    {"\x04\xd0\x4b\xe2", 4, "r11+4 r11=c-8 ra=c-4"}, /* sub sp, fp, #4 */
    {"\x00\x88\xbd\xe8", 4, "r11+4 r11=c-8 ra=c-4"}, /* pop {fp, pc} */
    FUNCTION(LARGE_FRAME),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},            /* push {r4, lr} */
    {"\x01\xd8\x4d\xe2", 4, "sp+8 ra=c-4"},     /* sub sp, sp, #65536 */
    {"\x10\xd0\x4d\xe2", 4, "sp+65544 ra=c-4"}, /* sub sp, sp, #16 */
    {"\xfe\x03\x00\xeb", 4, "sp+65560 ra=c-4"}, /* bl callee */
    {"\x01\xd8\x8d\xe2", 4, "sp+65560 ra=c-4"}, /* add sp, sp, #65536 */
    {"\x10\xd0\x8d\xe2", 4, "sp+24 ra=c-4"},    /* add sp, sp, #16 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},     /* pop {r4, pc} */
    FUNCTION(VARIADIC),
    {"\x0f\x00\x2d\xe9", 4, "sp+0"},          /* push {r0, r1, r2, r3} */
    {"\x04\xe0\x2d\xe5", 4, "sp+16"},         /* push {lr} */
    {"\x0c\xd0\x4d\xe2", 4, "sp+20 ra=c-20"}, /* sub sp, sp, #12 */
    {"\xfe\x03\x00\xeb", 4, "sp+32 ra=c-20"}, /* bl callee */
    {"\x0c\xd0\x8d\xe2", 4, "sp+32 ra=c-20"}, /* add sp, sp, #12 */
    {"\x04\xe0\x9d\xe4", 4, "sp+20 ra=c-20"}, /* pop {lr} */
    {"\x10\xd0\x8d\xe2", 4, "sp+16"},         /* add sp, sp, #16 */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"},          /* bx lr */
    FUNCTION(TAIL_CALL),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},        /* push {r4, lr} */
    {"\xfe\x03\x00\xeb", 4, "sp+8 ra=c-4"}, /* bl callee */
    {"\x10\x40\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, lr} */
    {"\xfe\x03\x00\xea", 4, "sp+0"},        /* b other */
    FUNCTION(EPILOGUE_IN_THE_MIDDLE),
    {"\x70\x40\x2d\xe9", 4, "sp+0"},                 /* push {r4, r5, r6, lr} */
    {"\x01\x40\x50\xe2", 4, "sp+16 ra=c-4"},         /* subs r4, r0, #1 */
    {"\x00\x00\x00\x1a", 4, "sp+16 r4=c-16 ra=c-4"}, /* bne +16 */
    {"\x70\x80\xbd\xe8", 4, "sp+16 r4=c-16 ra=c-4"}, /* pop {r4, r5, r6, pc} */
    {"\xfe\x03\x00\xeb", 4, "sp+16 r4=c-16 ra=c-4"}, /* bl callee */
    {"\x02\x8b\x2d\xed", 4, "sp+16 r4=c-16 ra=c-4"}, /* vpush {d8} */
    {"\x02\x8b\xbd\xec", 4, "sp+24 r4=c-16 ra=c-4"}, /* vpop {d8} */
    {"\x70\x80\xbd\xe8", 4, "sp+16 r4=c-16 ra=c-4"}, /* pop {r4, r5, r6, pc} */
    /* Go: the stack is too small, and the function is begun anew on a larger one. */
    FUNCTION(BEGUN_ANEW),
    {"\x08\x10\x9a\xe5", 4, "sp+0"},          /* ldr r1, [r10, #8] */
    {"\x01\x00\x5d\xe1", 4, "sp+0"},          /* cmp sp, r1 */
    {"\x02\x00\x00\x9a", 4, "sp+0"},          /* bls +16 */
    {"\x10\xe0\x2d\xe5", 4, "sp+0"},          /* str lr, [sp, #-16]! */
    {"\xf6\xfb\x07\xeb", 4, "sp+16 ra=c-16"}, /* bl callee */
    {"\x10\xf0\x9d\xe4", 4, "sp+16 ra=c-16"}, /* ldr pc, [sp], #16 */
    {"\x0e\x30\xa0\xe1", 4, "sp+0"},          /* mov r3, lr */
    {"\xf1\xfb\x07\xeb", 4, "sp+0"},          /* bl callee */
    {"\xf6\xff\xff\xea", 4, "sp+0"},          /* b -32 */
};

TEST(prologue_every_instruction_has_its_row)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_DEFAULT, CASES);
}

static const struct line JUMP_TABLES[] = {
    FUNCTION(TABLE_OF_BRANCHES),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},               /* push {r4, lr} */
    {"\x01\x00\x50\xe3", 4, "sp+8 ra=c-4"},        /* cmp r0, #1 */
    {"\x00\xf1\x8f\x90", 4, "sp+8 ra=c-4"},        /* addls pc, pc, r0, lsl #2 */
    {"\x06\x00\x00\xea", 4, "sp+8 ra=c-4"},        /* b +44 */
    {"\x00\x00\x00\xea", 4, "sp+8 ra=c-4"},        /* b +24 */
    {"\x01\x00\x00\xea", 4, "sp+8 ra=c-4"},        /* b +32 */
    {"\x04\x00\xa0\xe3", 4, "sp+8 ra=c-4"},        /* mov r0, #4 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* pop {r4, pc} */
    {"\x00\x40\xa0\xe1", 4, "sp+8 ra=c-4"},        /* mov r4, r0 */
    {"\xfe\x03\x00\xeb", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x10\x80\xbd\xe8", 4, "sp+8 r4=c-8 ra=c-4"}, /* pop {r4, pc} */
    {"\x00\x00\xa0\xe3", 4, "sp+8 ra=c-4"},        /* mov r0, #0 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* pop {r4, pc} */
    FUNCTION(TABLE_OF_ADDRESSES),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},               /* push {r4, lr} */
    {"\x01\x00\x50\xe3", 4, "sp+8 ra=c-4"},        /* cmp r0, #1 */
    {"\x00\xf1\x9f\x97", 4, "sp+8 ra=c-4"},        /* ldrls pc, [pc, r0, lsl #2] */
    {"\x06\x00\x00\xea", 4, "sp+8 ra=c-4"},        /* b +44 */
    {"\x18\x10\x40\x00", 4, NULL},                 /* .word 0x401018 */
    {"\x20\x10\x40\x00", 4, NULL},                 /* .word 0x401020 */
    {"\x04\x00\xa0\xe3", 4, "sp+8 ra=c-4"},        /* mov r0, #4 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* pop {r4, pc} */
    {"\x00\x40\xa0\xe1", 4, "sp+8 ra=c-4"},        /* mov r4, r0 */
    {"\xfe\x03\x00\xeb", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x10\x80\xbd\xe8", 4, "sp+8 r4=c-8 ra=c-4"}, /* pop {r4, pc} */
    {"\x00\x00\xa0\xe3", 4, "sp+8 ra=c-4"},        /* mov r0, #0 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* pop {r4, pc} */
};

TEST(prologue_cases_of_a_jump_table_have_the_frame_of_the_jump)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_DEFAULT, JUMP_TABLES);
}

static const struct line LARGE_FRAME_BY_LITERAL[] = {
    {"\x10\x40\x2d\xe9", 4, "sp+0"},            /* push {r4, lr} */
    {"\x10\xc0\x9f\xe5", 4, "sp+8 ra=c-4"},     /* ldr ip, +28 */
    {"\x0c\xd0\x4d\xe0", 4, "sp+8 ra=c-4"},     /* sub sp, sp, ip */
    {"\xfe\x03\x00\xeb", 4, "sp+70008 ra=c-4"}, /* bl callee */
    {"\x04\xc0\x9f\xe5", 4, "sp+70008 ra=c-4"}, /* ldr ip, +28 */
    {"\x0c\xd0\x8d\xe0", 4, "sp+70008 ra=c-4"}, /* add sp, sp, ip */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},     /* pop {r4, pc} */
    {"\x70\x11\x01\x00", 4, NULL},              /* .word 70000 */
};

TEST(prologue_frame_size_may_be_in_the_literal_pool)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_DEFAULT, LARGE_FRAME_BY_LITERAL);
}

static const struct line CONDITIONAL[] = {
    FUNCTION(CONDITIONAL_RETURNS),
    {"\x00\x00\x50\xe3", 4, "sp+0"},               /* cmp r0, #0 */
    {"\x1e\xff\x2f\x01", 4, "sp+0"},               /* bxeq lr */
    {"\x10\x40\x2d\xe9", 4, "sp+0"},               /* push {r4, lr} */
    {"\x00\x40\xa0\xe1", 4, "sp+8 ra=c-4"},        /* mov r4, r0 */
    {"\xfe\x03\x00\xeb", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x00\x00\x50\xe3", 4, "sp+8 r4=c-8 ra=c-4"}, /* cmp r0, #0 */
    {"\x10\x80\xbd\x18", 4, "sp+8 r4=c-8 ra=c-4"}, /* popne {r4, pc} */
    {"\x04\x00\xa0\xe1", 4, "sp+8 r4=c-8 ra=c-4"}, /* mov r0, r4 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 r4=c-8 ra=c-4"}, /* pop {r4, pc} */
    FUNCTION(CONDITIONAL_RETURN_OF_ARMV4),
    {"\x00\x00\x50\xe3", 4, "sp+0"},        /* cmp r0, #0 */
    {"\x0e\xf0\xa0\x01", 4, "sp+0"},        /* moveq pc, lr */
    {"\x04\xe0\x2d\xe5", 4, "sp+0"},        /* str lr, [sp, #-4]! */
    {"\xfe\x03\x00\xeb", 4, "sp+4 ra=c-4"}, /* bl callee */
    {"\x04\xf0\x9d\xe4", 4, "sp+4 ra=c-4"}, /* ldr pc, [sp], #4 */
    /*
     * The whole epilogue is conditional: behind it SP is as if it were not there. In the middle of
     * it SP depends on a condition that is not known.
     */
    FUNCTION(CONDITIONAL_EPILOGUE),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},                /* push {r4, lr} */
    {"\x08\xd0\x4d\xe2", 4, "sp+8 ra=c-4"},         /* sub sp, sp, #8 */
    {"\xfe\x03\x00\xeb", 4, "sp+16 ra=c-4"},        /* bl callee */
    {"\x00\x00\x50\xe3", 4, "sp+16 ra=c-4"},        /* cmp r0, #0 */
    {"\x08\xd0\x8d\x02", 4, "sp+16 ra=c-4"},        /* addeq sp, sp, #8 */
    {"\x10\x80\xbd\x08", 4, "u"},                   /* popeq {r4, pc} */
    {"\x00\x40\xa0\xe1", 4, "sp+16 ra=c-4"},        /* mov r4, r0 */
    {"\x08\xd0\x8d\xe2", 4, "sp+16 r4=c-8 ra=c-4"}, /* add sp, sp, #8 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 r4=c-8 ra=c-4"},  /* pop {r4, pc} */
    /* As libc's memcpy has it: the jump takes along what was popped under its condition. */
    FUNCTION(CONDITIONAL_JUMP),
    {"\x04\x80\x2d\xe5", 4, "sp+0"}, /* str r8, [sp, #-4]! */
    {"\x04\x00\x52\xe3", 4, "sp+4"}, /* cmp r2, #4 */
    {"\x04\x80\x9d\x34", 4, "sp+4"}, /* ldrcc r8, [sp], #4 */
    {"\x01\x00\x00\x3a", 4, "u"},    /* bcc 0f */
    {"\x04\x80\x9d\xe4", 4, "sp+4"}, /* ldr r8, [sp], #4 */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"}, /* bx lr */
    {"\x1e\xff\x2f\xe1", 4, "sp+0"}, /* 0: bx lr */
    FUNCTION(CONDITIONAL_CALL),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},        /* push {r4, lr} */
    {"\x00\x00\x50\xe3", 4, "sp+8 ra=c-4"}, /* cmp r0, #0 */
    {"\xfe\x03\x00\x1b", 4, "sp+8 ra=c-4"}, /* blne callee */
    {"\x00\x00\xa0\xe3", 4, "sp+8 ra=c-4"}, /* mov r0, #0 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    /* The branch is taken without the second comparison too: SP need not be r4 there. */
    FUNCTION(CONDITIONAL_COMPARISON),
    {"\x10\x40\x2d\xe9", 4, "sp+0"},               /* push {r4, lr} */
    {"\x0d\x40\xa0\xe1", 4, "sp+8 ra=c-4"},        /* mov r4, sp */
    {"\x00\xd0\x4d\xe0", 4, "sp+8 r4=c-8 ra=c-4"}, /* sub sp, sp, r0 */
    {"\x00\x00\x51\xe3", 4, "r4+8 r4=c-8 ra=c-4"}, /* cmp r1, #0 */
    {"\x04\x00\x5d\x11", 4, "r4+8 r4=c-8 ra=c-4"}, /* cmpne sp, r4 */
    {"\x01\x00\x00\x0a", 4, "r4+8 r4=c-8 ra=c-4"}, /* beq +32 */
    {"\x04\xd0\xa0\xe1", 4, "r4+8 r4=c-8 ra=c-4"}, /* mov sp, r4 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 r4=c-8 ra=c-4"}, /* pop {r4, pc} */
    {"\x04\xd0\xa0\xe1", 4, "r4+8 r4=c-8 ra=c-4"}, /* mov sp, r4 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 r4=c-8 ra=c-4"}, /* pop {r4, pc} */
};

TEST(prologue_conditional_instructions_leave_both_states)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_DEFAULT, CONDITIONAL);
}

TEST(prologue_code_cut_anywhere_is_survived)
{
    CHECK_PREFIXES(ARCH_ARM, CODE_DEFAULT, CASES);
}
