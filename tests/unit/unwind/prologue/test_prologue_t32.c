/* SPDX-License-Identifier: MIT */
/* Prologue analysis of T32 (Thumb-2) code; the bytes are GNU as's. See prologue_fixture.h. */
#include "prologue_fixture.h"

static const struct line CASES[] = {
    FUNCTION(LEAF),
    {"\x01\x30", 2, "sp+0"}, /* adds r0, #1 */
    {"\x70\x47", 2, "sp+0"}, /* bx lr */
    FUNCTION(PLAIN),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x20\x46", 2, "sp+8 r4=c-8 ra=c-4"},         /* mov r0, r4 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    FUNCTION(WIDE_PUSH_AND_LOCALS),
    {"\x2d\xe9\xf0\x4f", 4, "sp+0"},         /* push.w {r4, r5, r6, r7, r8, r9, r10, r11, lr} */
    {"\x83\xb0", 2, "sp+36 ra=c-4"},         /* sub sp, #12 */
    {"\x04\x46", 2, "sp+48 ra=c-4"},         /* mov r4, r0 */
    {"\x8b\x46", 2, "sp+48 r4=c-36 ra=c-4"}, /* mov r11, r1 */
    {"\x00\xf0\xfe\xff", 4, "sp+48 r4=c-36 r11=c-8 ra=c-4"}, /* bl callee */
    {"\x03\xb0", 2, "sp+48 r4=c-36 r11=c-8 ra=c-4"},         /* add sp, #12 */
    {"\xbd\xe8\xf0\x8f", 4,
     "sp+36 r4=c-36 r11=c-8 ra=c-4"}, /* pop.w {r4, r5, r6, r7, r8, r9, r10, r11, pc} */
    FUNCTION(VECTOR_REGISTERS_SAVED),
    {"\x10\xb5", 2, "sp+0"},                        /* push {r4, lr} */
    {"\x2d\xed\x04\x8b", 4, "sp+8 ra=c-4"},         /* vpush {d8, d9} */
    {"\x82\xb0", 2, "sp+24 ra=c-4"},                /* sub sp, #8 */
    {"\x04\x46", 2, "sp+32 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+32 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x02\xb0", 2, "sp+32 r4=c-8 ra=c-4"},         /* add sp, #8 */
    {"\xbd\xec\x04\x8b", 4, "sp+24 r4=c-8 ra=c-4"}, /* vpop {d8, d9} */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},          /* pop {r4, pc} */
    FUNCTION(LARGE_FRAME),
    {"\x10\xb5", 2, "sp+0"},                           /* push {r4, lr} */
    {"\x41\xf2\x70\x14", 4, "sp+8 ra=c-4"},            /* movw r4, #4464 */
    {"\xc0\xf2\x01\x04", 4, "sp+8 r4=c-8 ra=c-4"},     /* movt r4, #1 */
    {"\xad\xeb\x04\x0d", 4, "sp+8 r4=c-8 ra=c-4"},     /* sub.w sp, sp, r4 */
    {"\x00\xf0\xfe\xff", 4, "sp+70008 r4=c-8 ra=c-4"}, /* bl callee */
    {"\xa5\x44", 2, "sp+70008 r4=c-8 ra=c-4"},         /* add sp, r4 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},             /* pop {r4, pc} */
    FUNCTION(LARGE_FRAME_IN_TWO_STEPS),
    {"\x10\xb5", 2, "sp+0"},                           /* push {r4, lr} */
    {"\xad\xf5\x80\x3d", 4, "sp+8 ra=c-4"},            /* sub.w sp, sp, #65536 */
    {"\xad\xf2\x1c\x4d", 4, "sp+65544 ra=c-4"},        /* subw sp, sp, #1052 */
    {"\x04\x46", 2, "sp+66596 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+66596 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x0d\xf5\x80\x3d", 4, "sp+66596 r4=c-8 ra=c-4"}, /* add.w sp, sp, #65536 */
    {"\x0d\xf2\x1c\x4d", 4, "sp+1060 r4=c-8 ra=c-4"},  /* addw sp, sp, #1052 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},             /* pop {r4, pc} */
    /* What alloca makes of SP nobody knows; the frame pointer is r7. */
    FUNCTION(ALLOCA),
    {"\x90\xb5", 2, "sp+0"},                        /* push {r4, r7, lr} */
    {"\x81\xb0", 2, "sp+12 ra=c-4"},                /* sub sp, #4 */
    {"\x00\xaf", 2, "sp+16 ra=c-4"},                /* add r7, sp, #0 */
    {"\xad\xeb\x00\x0d", 4, "sp+16 r7=c-8 ra=c-4"}, /* sub.w sp, sp, r0 */
    {"\x68\x46", 2, "r7+16 r7=c-8 ra=c-4"},         /* mov r0, sp */
    {"\x00\xf0\xfe\xff", 4, "r7+16 r7=c-8 ra=c-4"}, /* bl callee */
    {"\x04\x37", 2, "r7+16 r7=c-8 ra=c-4"},         /* adds r7, #4 */
    {"\xbd\x46", 2, "r7+12 r7=c-8 ra=c-4"},         /* mov sp, r7 */
    {"\x90\xbd", 2, "sp+12 r7=c-8 ra=c-4"},         /* pop {r4, r7, pc} */
    /* clang's frame for aligned locals. */
    FUNCTION(REALIGNED),
    {"\xd0\xb5", 2, "sp+0"},                                /* push {r4, r6, r7, lr} */
    {"\x02\xaf", 2, "sp+16 ra=c-4"},                        /* add r7, sp, #8 */
    {"\x86\xb0", 2, "sp+16 r7=c-8 ra=c-4"},                 /* sub sp, #24 */
    {"\x6c\x46", 2, "sp+40 r7=c-8 ra=c-4"},                 /* mov r4, sp */
    {"\x6f\xf3\x03\x04", 4, "sp+40 r4=c-16 r7=c-8 ra=c-4"}, /* bfc r4, #0, #4 */
    {"\xa5\x46", 2, "sp+40 r4=c-16 r7=c-8 ra=c-4"},         /* mov sp, r4 */
    {"\x00\xf0\xfe\xff", 4, "r7+8 r4=c-16 r7=c-8 ra=c-4"},  /* bl callee */
    {"\xa7\xf1\x08\x04", 4, "r7+8 r4=c-16 r7=c-8 ra=c-4"},  /* sub.w r4, r7, #8 */
    {"\xa5\x46", 2, "r4+16 r4=c-16 r7=c-8 ra=c-4"},         /* mov sp, r4 */
    {"\xd0\xbd", 2, "sp+16 r4=c-16 r7=c-8 ra=c-4"},         /* pop {r4, r6, r7, pc} */
    /* What follows the first pop has the state of the branch, not of the line above. */
    FUNCTION(SHRINK_WRAPPED),
    {"\x38\xb1", 2, "sp+0"},                       /* cbz r0, +18 */
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x00\xb1", 2, "sp+8 r4=c-8 ra=c-4"},         /* cbz r0, +14 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    {"\x01\x20", 2, "sp+8 r4=c-8 ra=c-4"},         /* movs r0, #1 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    {"\x00\x20", 2, "sp+0"},                       /* movs r0, #0 */
    {"\x70\x47", 2, "sp+0"},                       /* bx lr */
    FUNCTION(VARIADIC),
    {"\x0f\xb4", 2, "sp+0"},                  /* push {r0, r1, r2, r3} */
    {"\x10\xb5", 2, "sp+16"},                 /* push {r4, lr} */
    {"\x82\xb0", 2, "sp+24 ra=c-20"},         /* sub sp, #8 */
    {"\x04\xab", 2, "sp+32 ra=c-20"},         /* add r3, sp, #16 */
    {"\x00\xf0\xfe\xff", 4, "sp+32 ra=c-20"}, /* bl callee */
    {"\x02\xb0", 2, "sp+32 ra=c-20"},         /* add sp, #8 */
    {"\xbd\xe8\x10\x40", 4, "sp+24 ra=c-20"}, /* pop.w {r4, lr} */
    {"\x04\xb0", 2, "sp+16"},                 /* add sp, #16 */
    {"\x70\x47", 2, "sp+0"},                  /* bx lr */
    FUNCTION(VARIADIC_RETURNING_THROUGH_PC),
    {"\x0c\xb4", 2, "sp+0"},                  /* push {r2, r3} */
    {"\x4d\xf8\x04\xed", 4, "sp+8"},          /* str lr, [sp, #-4]! */
    {"\x81\xb0", 2, "sp+12 ra=c-12"},         /* sub sp, #4 */
    {"\x00\xf0\xfe\xff", 4, "sp+16 ra=c-12"}, /* bl callee */
    {"\x01\xb0", 2, "sp+16 ra=c-12"},         /* add sp, #4 */
    {"\x5d\xf8\x04\xeb", 4, "sp+12 ra=c-12"}, /* ldr lr, [sp], #4 */
    {"\x02\xb0", 2, "sp+8"},                  /* add sp, #8 */
    {"\xf7\x46", 2, "sp+0"},                  /* mov pc, lr */
    FUNCTION(TAIL_CALL),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x20\x46", 2, "sp+8 r4=c-8 ra=c-4"},         /* mov r0, r4 */
    {"\xbd\xe8\x10\x40", 4, "sp+8 r4=c-8 ra=c-4"}, /* pop.w {r4, lr} */
    {"\x00\xf0\xfe\xbf", 4, "sp+0"},               /* b.w other */
    FUNCTION(LINK_REGISTER_ALONE),
    {"\x4d\xf8\x04\xed", 4, "sp+0"},        /* str lr, [sp, #-4]! */
    {"\x81\xb0", 2, "sp+4 ra=c-4"},         /* sub sp, #4 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 ra=c-4"}, /* bl callee */
    {"\x01\xb0", 2, "sp+8 ra=c-4"},         /* add sp, #4 */
    {"\x5d\xf8\x04\xfb", 4, "sp+4 ra=c-4"}, /* ldr pc, [sp], #4 */
    /* As glibc's string functions do. */
    FUNCTION(DOUBLE_STORES),
    {"\x6d\xe9\x04\x45", 4, "sp+0"},                        /* strd r4, r5, [sp, #-16]! */
    {"\xcd\xe9\x02\x6e", 4, "sp+16"},                       /* strd r6, lr, [sp, #8] */
    {"\x04\x46", 2, "sp+16 ra=c-4"},                        /* mov r4, r0 */
    {"\x0e\x46", 2, "sp+16 r4=c-16 ra=c-4"},                /* mov r6, r1 */
    {"\x00\xf0\xfe\xff", 4, "sp+16 r4=c-16 r6=c-8 ra=c-4"}, /* bl callee */
    {"\xdd\xe9\x02\x6e", 4, "sp+16 r4=c-16 r6=c-8 ra=c-4"}, /* ldrd r6, lr, [sp, #8] */
    {"\xfd\xe8\x04\x45", 4, "sp+16 r4=c-16 ra=c-4"},        /* ldrd r4, r5, [sp], #16 */
    {"\x70\x47", 2, "sp+0"},                                /* bx lr */
    /* Saved by the way, at a fixed place of the frame. */
    FUNCTION(SAVED_LATE),
    {"\x84\xb0", 2, "sp+0"},                        /* sub sp, #16 */
    {"\xcd\xf8\x0c\xe0", 4, "sp+16"},               /* str.w lr, [sp, #12] */
    {"\x02\x94", 2, "sp+16 ra=c-4"},                /* str r4, [sp, #8] */
    {"\x04\x46", 2, "sp+16 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+16 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x02\x9c", 2, "sp+16 r4=c-8 ra=c-4"},         /* ldr r4, [sp, #8] */
    {"\xdd\xf8\x0c\xe0", 4, "sp+16 ra=c-4"},        /* ldr.w lr, [sp, #12] */
    {"\x04\xb0", 2, "sp+16 ra=c-4"},                /* add sp, #16 */
    {"\x70\x47", 2, "sp+0"},                        /* bx lr */
    /* The link register is in another register, as in code that calls a helper only. */
    FUNCTION(RETURN_ADDRESS_IN_ANOTHER_REGISTER),
    {"\xf4\x46", 2, "sp+0"},        /* mov ip, lr */
    {"\x86\x46", 2, "sp+0"},        /* mov lr, r0 */
    {"\x01\x30", 2, "sp+0 ra=r12"}, /* adds r0, #1 */
    {"\x60\x47", 2, "sp+0 ra=r12"}, /* bx ip */
    /* Overwritten by the local array. */
    FUNCTION(SAVED_WORD_OVERWRITTEN),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x00\x24", 2, "sp+8 ra=c-4"},                /* movs r4, #0 */
    {"\x8d\xed\x00\x0b", 4, "sp+8 r4=c-8 ra=c-4"}, /* vstr d0, [sp] */
    {"\x70\x47", 2, "sp+8 r4=u"},                  /* bx lr */
};

TEST(prologue_every_instruction_has_its_row)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, CASES);
}

static const struct line JUMP_TABLES[] = {
    /* The cases are reached through the table only. */
    FUNCTION(TABLE_OF_BYTES),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x02\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #2 */
    {"\x09\xd8", 2, "sp+8 ra=c-4"},                /* bhi +26 */
    {"\xdf\xe8\x00\xf0", 4, "sp+8 ra=c-4"},        /* tbb [pc, r0] */
    {"\x02\x04\x08\x00", 4, NULL},                 /* .byte 2, 4, 8, 0 */
    {"\x04\x20", 2, "sp+8 ra=c-4"},                /* movs r0, #4 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    {"\x00\x20", 2, "sp+8 ra=c-4"},                /* movs r0, #0 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    FUNCTION(TABLE_OF_HALFWORDS),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x01\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #1 */
    {"\x09\xd8", 2, "sp+8 ra=c-4"},                /* bhi +26 */
    {"\xdf\xe8\x10\xf0", 4, "sp+8 ra=c-4"},        /* tbh [pc, r0, lsl #1] */
    {"\x02\x00\x04\x00", 4, NULL},                 /* .short 2, 4 */
    {"\x04\x20", 2, "sp+8 ra=c-4"},                /* movs r0, #4 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    {"\x00\x20", 2, "sp+8 ra=c-4"},                /* movs r0, #0 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    /* -fPIC: distances from the table. */
    FUNCTION(TABLE_OF_DISTANCES),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x01\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #1 */
    {"\x10\xd8", 2, "sp+8 ra=c-4"},                /* bhi +40 */
    {"\x0f\xf2\x0c\x03", 4, "sp+8 ra=c-4"},        /* adr r3, +20 */
    {"\x53\xf8\x20\x20", 4, "sp+8 ra=c-4"},        /* ldr.w r2, [r3, r0, lsl #2] */
    {"\x13\x44", 2, "sp+8 ra=c-4"},                /* add r3, r2 */
    {"\x18\x47", 2, "sp+8 ra=c-4"},                /* bx r3 */
    {"\x00\xbf", 2, NULL},                         /* nop */
    {"\x09\x00\x00\x00\x0d\x00\x00\x00", 8, NULL}, /* .word 8+1, 12+1 */
    {"\x04\x20", 2, "sp+8 ra=c-4"},                /* movs r0, #4 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    {"\x00\x20", 2, "sp+8 ra=c-4"},                /* movs r0, #0 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
};

TEST(prologue_cases_of_a_jump_table_have_the_frame_of_the_jump)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, JUMP_TABLES);
}

static const struct line LARGE_FRAME_BY_LITERAL[] = {
    {"\x10\xb5", 2, "sp+0"},                          /* push {r4, lr} */
    {"\x03\x4c", 2, "sp+8 ra=c-4"},                   /* ldr r4, +16 */
    {"\xa5\x44", 2, "sp+8 r4=c-8 ra=c-4"},            /* add sp, r4 */
    {"\x00\xf0\xfe\xff", 4, "sp+1008 r4=c-8 ra=c-4"}, /* bl callee */
    {"\xad\xeb\x04\x0d", 4, "sp+1008 r4=c-8 ra=c-4"}, /* sub.w sp, sp, r4 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},            /* pop {r4, pc} */
    {"\x18\xfc\xff\xff", 4, NULL},                    /* .word -1000 */
};

TEST(prologue_frame_size_may_be_in_the_literal_pool)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, LARGE_FRAME_BY_LITERAL);
}

static const struct line CONDITIONAL[] = {
    FUNCTION(CONDITIONAL_RETURN),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x00\x28", 2, "sp+8 r4=c-8 ra=c-4"},         /* cmp r0, #0 */
    {"\x08\xbf", 2, "sp+8 r4=c-8 ra=c-4"},         /* it eq */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* popeq {r4, pc} */
    {"\x20\x46", 2, "sp+8 r4=c-8 ra=c-4"},         /* mov r0, r4 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    FUNCTION(CONDITIONAL_RETURN_BEFORE_THE_PROLOGUE),
    {"\x00\x28", 2, "sp+0"},                       /* cmp r0, #0 */
    {"\x08\xbf", 2, "sp+0"},                       /* it eq */
    {"\x70\x47", 2, "sp+0"},                       /* bxeq lr */
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    /*
     * The whole epilogue is conditional: behind it SP is as if it were not there. In the middle of
     * it SP depends on a condition that is not known.
     */
    FUNCTION(CONDITIONAL_EPILOGUE),
    {"\x10\xb5", 2, "sp+0"},                 /* push {r4, lr} */
    {"\x82\xb0", 2, "sp+8 ra=c-4"},          /* sub sp, #8 */
    {"\x00\xf0\xfe\xff", 4, "sp+16 ra=c-4"}, /* bl callee */
    {"\x00\x28", 2, "sp+16 ra=c-4"},         /* cmp r0, #0 */
    {"\x04\xbf", 2, "sp+16 ra=c-4"},         /* itt eq */
    {"\x02\xb0", 2, "sp+16 ra=c-4"},         /* addeq sp, #8 */
    {"\x10\xbd", 2, "u"},                    /* popeq {r4, pc} */
    {"\x04\x46", 2, "sp+16 ra=c-4"},         /* mov r4, r0 */
    {"\x02\xb0", 2, "sp+16 r4=c-8 ra=c-4"},  /* add sp, #8 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},   /* pop {r4, pc} */
    /* Each of the two writes r4, one of them does. */
    FUNCTION(CONDITIONAL_MOVES),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x00\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #0 */
    {"\x14\xbf", 2, "sp+8 ra=c-4"},                /* ite ne */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* movne r4, r0 */
    {"\x0c\x46", 2, "sp+8 r4=c-8 ra=c-4"},         /* moveq r4, r1 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x20\x46", 2, "sp+8 r4=c-8 ra=c-4"},         /* mov r0, r4 */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    FUNCTION(CONDITIONAL_CALL),
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x00\x28", 2, "sp+8 ra=c-4"},         /* cmp r0, #0 */
    {"\x18\xbf", 2, "sp+8 ra=c-4"},         /* it ne */
    {"\x00\xf0\xfe\xff", 4, "sp+8 ra=c-4"}, /* blne callee */
    {"\x00\x20", 2, "sp+8 ra=c-4"},         /* movs r0, #0 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* pop {r4, pc} */
    FUNCTION(CONDITIONAL_BRANCH_IN_A_BLOCK),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x00\x28", 2, "sp+8 r4=c-8 ra=c-4"},         /* cmp r0, #0 */
    {"\x04\xbf", 2, "sp+8 r4=c-8 ra=c-4"},         /* itt eq */
    {"\x08\x46", 2, "sp+8 r4=c-8 ra=c-4"},         /* moveq r0, r1 */
    {"\x02\xe0", 2, "sp+8 r4=c-8 ra=c-4"},         /* beq +18 */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* bl callee */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* pop {r4, pc} */
    /* As OpenSSL's ends a loop: SP is restored on one path, the other goes back. */
    FUNCTION(CONDITION_IN_TWO_BLOCKS),
    {"\x10\xb5", 2, "sp+0"},                        /* push {r4, lr} */
    {"\xec\x46", 2, "sp+8 ra=c-4"},                 /* mov ip, sp */
    {"\x94\xb0", 2, "sp+8 ra=c-4"},                 /* sub sp, #80 */
    {"\xcd\xf8\x4c\xc0", 4, "sp+88 ra=c-4"},        /* str.w ip, [sp, #76] */
    {"\x51\xf8\x04\xcb", 4, "sp+88 r4=c-8 ra=c-4"}, /* 1: ldr.w ip, [r1], #4 */
    {"\x01\x3a", 2, "sp+88 r4=c-8 ra=c-4"},         /* subs r2, #1 */
    {"\x1d\xbf", 2, "sp+88 r4=c-8 ra=c-4"},         /* ittte ne */
    {"\x64\x46", 2, "sp+88 r4=c-8 ra=c-4"},         /* movne r4, ip */
    {"\x00\x19", 2, "sp+88 r4=c-8 ra=c-4"},         /* addne r0, r0, r4 */
    {"\x58\x40", 2, "sp+88 r4=c-8 ra=c-4"},         /* eorne r0, r3 */
    {"\xdd\xf8\x4c\xd0", 4, "sp+88 r4=c-8 ra=c-4"}, /* ldreq.w sp, [sp, #76] */
    {"\x1c\xbf", 2, "u"},                           /* itt ne */
    {"\x5c\x40", 2, "u"},                           /* eorne r4, r3 */
    {"\xf3\xe7", 2, "u"},                           /* bne 1b */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},          /* pop {r4, pc} */
};

TEST(prologue_conditional_instructions_leave_both_states)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, CONDITIONAL);
}

/* The slot is below SP then, where a signal handler may write. */
/* gcc -O2 for the Cortex-M55: LR counts. */
static const struct line LOW_OVERHEAD_LOOP[] = {
    {"\x69\xb1", 2, "sp+0"},                /* cbz r1, 2f */
    {"\x03\x46", 2, "sp+0"},                /* mov r3, r0 */
    {"\x00\xb5", 2, "sp+0"},                /* push {lr} */
    {"\x00\x20", 2, "sp+4 ra=c-4"},         /* movs r0, #0 */
    {"\x41\xf0\x01\xe0", 4, "sp+4 ra=c-4"}, /* dls lr, r1 */
    {"\x13\xf8\x01\x2b", 4, "sp+4 ra=c-4"}, /* 1: ldrb r2, [r3], #1 */
    {"\x50\x40", 2, "sp+4 ra=c-4"},         /* eors r0, r2 */
    {"\x4f\xea\xf0\x70", 4, "sp+4 ra=c-4"}, /* mov.w r0, r0, ror #31 */
    {"\x0f\xf0\x07\xc8", 4, "sp+4 ra=c-4"}, /* le lr, 1b */
    {"\x5d\xf8\x04\xfb", 4, "sp+4 ra=c-4"}, /* ldr pc, [sp], #4 */
    {"\x08\x46", 2, "sp+0"},                /* 2: mov r0, r1 */
    {"\x70\x47", 2, "sp+0"},                /* bx lr */
};

static const struct line POPPED_INTO_A_SCRATCH_REGISTER[] = {
    {"\x08\xb5", 2, "sp+0"},                /* push {r3, lr} */
    {"\x00\xf0\xfe\xff", 4, "sp+8 ra=c-4"}, /* bl callee */
    {"\x08\xbc", 2, "sp+8 ra=c-4"},         /* pop {r3} */
    {"\x08\xbc", 2, "sp+4 ra=c-4"},         /* pop {r3} */
    {"\x18\x47", 2, "sp+0 ra=r3"},          /* bx r3 */
};

TEST(prologue_return_address_popped_into_a_register_is_there)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, POPPED_INTO_A_SCRATCH_REGISTER);
}

TEST(prologue_counter_of_a_loop_is_no_return_address)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, LOW_OVERHEAD_LOOP);
}

TEST(prologue_code_cut_anywhere_is_survived)
{
    CHECK_PREFIXES(ARCH_ARM, CODE_T32, CASES);
}
