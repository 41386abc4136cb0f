/* SPDX-License-Identifier: MIT */
/* Prologue analysis of RISC-V code, of 64 and 32 bits; see prologue_fixture.h. */
#include "prologue_fixture.h"

enum { T0 = 5 };

/* What OUTLINED_PROLOGUE calls and jumps to, as functions of their own. */
static const struct line SAVE_2[] = {
    {"\x01\x11", 2, "sp+0 ra=t0"},  /* addi sp, sp, -32 */
    {"\x26\xe4", 2, "sp+32 ra=t0"}, /* sd s1, 8(sp) */
    {"\x22\xe8", 2, "sp+32 ra=t0"}, /* sd s0, 16(sp) */
    {"\x06\xec", 2, "sp+32 ra=t0"}, /* sd ra, 24(sp) */
    {"\x82\x82", 2, "sp+32 ra=t0"}, /* jr t0 */
};

static const struct line RESTORE_2[] = {
    {"\xa2\x64", 2, "sp+32 s0=c-16 s1=c-24 ra=c-8"}, /* ld s1, 8(sp) */
    {"\x42\x64", 2, "sp+32 s0=c-16 ra=c-8"},         /* ld s0, 16(sp) */
    {"\xe2\x60", 2, "sp+32 ra=c-8"},                 /* ld ra, 24(sp) */
    {"\x05\x61", 2, "sp+32 ra=c-8"},                 /* addi sp, sp, 32 */
    {"\x82\x80", 2, "sp+0"},                         /* ret */
};

static const struct line TRAP_HANDLER[] = {
    {"\x01\x11", 2, "sp+0 ra=mepc exception"},                  /* addi sp, sp, -32 */
    {"\x06\xe0", 2, "sp+32 ra=mepc exception"},                 /* sd ra, 0(sp) */
    {"\x16\xe4", 2, "sp+32 ra=mepc exception"},                 /* sd t0, 8(sp) */
    {"\xf3\x22\x10\x34", 4, "sp+32 t0=c-24 ra=mepc exception"}, /* csrr t0, mepc */
    {"\x91\x02", 2, "sp+32 t0=c-24 ra=mepc exception"},         /* addi t0, t0, 4 */
    {"\x16\xe8", 2, "sp+32 t0=c-24 ra=mepc exception"},         /* sd t0, 16(sp) */
    {"\x85\x42", 2, "sp+32 t0=c-24 ra=c-16 exception"},         /* li t0, 1 */
    {"\xc2\x62", 2, "sp+32 t0=c-24 ra=c-16 exception"},         /* ld t0, 16(sp) */
    {"\x73\x90\x12\x34", 4, "sp+32 t0=c-24 ra=c-16 exception"}, /* csrw mepc, t0 */
    {"\xa2\x62", 2, "sp+32 t0=c-24 ra=c-16 exception"},         /* ld t0, 8(sp) */
    {"\x82\x60", 2, "sp+32 t0=c-24 ra=c-16 exception"},         /* ld ra, 0(sp) */
    {"\x05\x61", 2, "sp+32 t0=c-24 ra=c-16 exception"},         /* addi sp, sp, 32 */
    {"\x73\x00\x20\x30", 4, "sp+0 ra=mepc exception"},          /* mret */
};

static const struct line RV64[] = {
    FUNCTION(FRAME_WITH_RECORD),
    {"\x01\x11", 2, "sp+0"},                                /* addi sp, sp, -32 */
    {"\x06\xec", 2, "sp+32"},                               /* sd ra, 24(sp) */
    {"\x22\xe8", 2, "sp+32 ra=c-8"},                        /* sd s0, 16(sp) */
    {"\x26\xe4", 2, "sp+32 ra=c-8"},                        /* sd s1, 8(sp) */
    {"\x00\x10", 2, "sp+32 ra=c-8"},                        /* addi s0, sp, 32 */
    {"\xaa\x84", 2, "s0+0 s0=c-16 ra=c-8"},                 /* mv s1, a0 */
    {"\xef\xf0\x57\x7f", 4, "s0+0 s0=c-16 s1=c-24 ra=c-8"}, /* jal ra, callee */
    {"\xe2\x60", 2, "s0+0 s0=c-16 s1=c-24 ra=c-8"},         /* ld ra, 24(sp) */
    {"\x42\x64", 2, "s0+0 s0=c-16 s1=c-24 ra=c-8"},         /* ld s0, 16(sp) */
    {"\xa2\x64", 2, "sp+32 s1=c-24 ra=c-8"},                /* ld s1, 8(sp) */
    {"\x05\x61", 2, "sp+32 ra=c-8"},                        /* addi sp, sp, 32 */
    {"\x82\x80", 2, "sp+0"},                                /* ret */
    FUNCTION(LEAF),
    {"\x2d\x9d", 2, "sp+0"}, /* addw a0, a0, a1 */
    {"\x82\x80", 2, "sp+0"}, /* ret */
    FUNCTION(LARGE_FRAME),
    {"\x13\x01\x01\x81", 4, "sp+0"},           /* addi sp, sp, -2032 */
    {"\x23\x34\x11\x7e", 4, "sp+2032"},        /* sd ra, 2024(sp) */
    {"\x23\x30\x81\x7e", 4, "sp+2032 ra=c-8"}, /* sd s0, 2016(sp) */
    {"\xfd\x72", 2, "sp+2032 ra=c-8"},         /* li t0, -4096 */
    {"\x93\x82\x02\x7d", 4, "sp+2032 ra=c-8"}, /* addi t0, t0, 2000 */
    {"\x16\x91", 2, "sp+2032 ra=c-8"},         /* add sp, sp, t0 */
    {"\xef\xf0\xd7\x7e", 4, "sp+4128 ra=c-8"}, /* jal ra, callee */
    {"\x85\x62", 2, "sp+4128 ra=c-8"},         /* li t0, 4096 */
    {"\x93\x82\x02\x83", 4, "sp+4128 ra=c-8"}, /* addi t0, t0, -2000 */
    {"\x16\x91", 2, "sp+4128 ra=c-8"},         /* add sp, sp, t0 */
    {"\x83\x30\x81\x7e", 4, "sp+2032 ra=c-8"}, /* ld ra, 2024(sp) */
    {"\x03\x34\x01\x7e", 4, "sp+2032 ra=c-8"}, /* ld s0, 2016(sp) */
    {"\x13\x01\x01\x7f", 4, "sp+2032 ra=c-8"}, /* addi sp, sp, 2032 */
    {"\x82\x80", 2, "sp+0"},                   /* ret */
    /* What follows a ret has the state of the branch, not of the line above. */
    FUNCTION(SHRINK_WRAPPED),
    {"\x01\xc9", 2, "sp+0"},                 /* beqz a0, 1f */
    {"\x41\x11", 2, "sp+0"},                 /* addi sp, sp, -16 */
    {"\x06\xe4", 2, "sp+16"},                /* sd ra, 8(sp) */
    {"\xef\xf0\xb7\x7f", 4, "sp+16 ra=c-8"}, /* jal ra, callee */
    {"\xa2\x60", 2, "sp+16 ra=c-8"},         /* ld ra, 8(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-8"},         /* addi sp, sp, 16 */
    {"\x82\x80", 2, "sp+0"},                 /* ret */
    {"\x05\x45", 2, "sp+0"},                 /* li a0, 1 */
    {"\x82\x80", 2, "sp+0"},                 /* ret */
    FUNCTION(TAIL_CALL),
    {"\x41\x11", 2, "sp+0"},                         /* addi sp, sp, -16 */
    {"\x06\xe4", 2, "sp+16"},                        /* sd ra, 8(sp) */
    {"\x22\xe0", 2, "sp+16 ra=c-8"},                 /* sd s0, 0(sp) */
    {"\x2a\x84", 2, "sp+16 ra=c-8"},                 /* mv s0, a0 */
    {"\xef\xf0\x97\x7f", 4, "sp+16 s0=c-16 ra=c-8"}, /* jal ra, callee */
    {"\x22\x85", 2, "sp+16 s0=c-16 ra=c-8"},         /* mv a0, s0 */
    {"\xa2\x60", 2, "sp+16 s0=c-16 ra=c-8"},         /* ld ra, 8(sp) */
    {"\x02\x64", 2, "sp+16 s0=c-16 ra=c-8"},         /* ld s0, 0(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-8"},                 /* addi sp, sp, 16 */
    {"\x17\x03\x08\x00\x67\x00\xc3\xfe", 8, "sp+0"}, /* tail callee */
    /* auipc and jalr, as far as the linker has not made one of them */
    FUNCTION(CALL_OF_TWO_INSTRUCTIONS),
    {"\x41\x11", 2, "sp+0"},                                 /* addi sp, sp, -16 */
    {"\x06\xe4", 2, "sp+16"},                                /* sd ra, 8(sp) */
    {"\x97\x00\x08\x00\xe7\x80\xc0\xff", 8, "sp+16 ra=c-8"}, /* call callee */
    {"\xa2\x60", 2, "sp+16 ra=c-8"},                         /* ld ra, 8(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-8"},                         /* addi sp, sp, 16 */
    {"\x82\x80", 2, "sp+0"},                                 /* ret */
    FUNCTION(ALLOCA),
    {"\x41\x11", 2, "sp+0"},                        /* addi sp, sp, -16 */
    {"\x22\xe0", 2, "sp+16"},                       /* sd s0, 0(sp) */
    {"\x06\xe4", 2, "sp+16"},                       /* sd ra, 8(sp) */
    {"\x00\x08", 2, "sp+16 ra=c-8"},                /* addi s0, sp, 16 */
    {"\x3d\x05", 2, "s0+0 s0=c-16 ra=c-8"},         /* addi a0, a0, 15 */
    {"\x41\x99", 2, "s0+0 s0=c-16 ra=c-8"},         /* andi a0, a0, -16 */
    {"\x33\x01\xa1\x40", 4, "s0+0 s0=c-16 ra=c-8"}, /* sub sp, sp, a0 */
    {"\x0a\x85", 2, "s0+0 s0=c-16 ra=c-8"},         /* mv a0, sp */
    {"\xef\xf0\xf7\x7e", 4, "s0+0 s0=c-16 ra=c-8"}, /* jal ra, callee */
    {"\x13\x01\x04\xff", 4, "s0+0 s0=c-16 ra=c-8"}, /* addi sp, s0, -16 */
    {"\xa2\x60", 2, "s0+0 s0=c-16 ra=c-8"},         /* ld ra, 8(sp) */
    {"\x02\x64", 2, "s0+0 s0=c-16 ra=c-8"},         /* ld s0, 0(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-8"},                /* addi sp, sp, 16 */
    {"\x82\x80", 2, "sp+0"},                        /* ret */
    FUNCTION(REALIGNED),
    {"\x39\x71", 2, "sp+0"},                        /* addi sp, sp, -64 */
    {"\x22\xf8", 2, "sp+64"},                       /* sd s0, 48(sp) */
    {"\x06\xfc", 2, "sp+64"},                       /* sd ra, 56(sp) */
    {"\x80\x00", 2, "sp+64 ra=c-8"},                /* addi s0, sp, 64 */
    {"\x13\x71\x01\xfc", 4, "s0+0 s0=c-16 ra=c-8"}, /* andi sp, sp, -64 */
    {"\xef\xf0\x57\x7f", 4, "s0+0 s0=c-16 ra=c-8"}, /* jal ra, callee */
    {"\x13\x01\x04\xfc", 4, "s0+0 s0=c-16 ra=c-8"}, /* addi sp, s0, -64 */
    {"\xe2\x70", 2, "s0+0 s0=c-16 ra=c-8"},         /* ld ra, 56(sp) */
    {"\x42\x74", 2, "s0+0 s0=c-16 ra=c-8"},         /* ld s0, 48(sp) */
    {"\x21\x61", 2, "sp+64 ra=c-8"},                /* addi sp, sp, 64 */
    {"\x82\x80", 2, "sp+0"},                        /* ret */
    /* -msave-restore: __riscv_save_2 and __riscv_restore_2 are behind it, and seen as its own. */
    FUNCTION(OUTLINED_PROLOGUE),
    {"\xef\x02\xc0\x00", 4, "sp+0"},                 /* jal t0, 1f */
    {"\x2a\x84", 2, "sp+32 ra=c-8"},                 /* mv s0, a0 */
    {"\xef\xf0\xb7\x7f", 4, "sp+32 s0=c-16 ra=c-8"}, /* jal ra, callee */
    {"\x09\xa8", 2, "sp+32 s0=c-16 ra=c-8"},         /* j 2f */
    {"\x01\x11", 2, "sp+0 ra=t0"},                   /* addi sp, sp, -32 */
    {"\x01\x43", 2, "sp+32 ra=t0"},                  /* li t1, 0 */
    {"\x26\xe4", 2, "sp+32 ra=t0"},                  /* sd s1, 8(sp) */
    {"\x22\xe8", 2, "sp+32 ra=t0"},                  /* sd s0, 16(sp) */
    {"\x06\xec", 2, "sp+32 ra=t0"},                  /* sd ra, 24(sp) */
    {"\x33\x01\x61\x40", 4, "sp+32 ra=t0"},          /* sub sp, sp, t1 */
    {"\x82\x82", 2, "sp+32 ra=t0"},                  /* jr t0 */
    {"\xa2\x64", 2, "sp+32 s0=c-16 ra=c-8"},         /* ld s1, 8(sp) */
    {"\x42\x64", 2, "sp+32 s0=c-16 ra=c-8"},         /* ld s0, 16(sp) */
    {"\xe2\x60", 2, "sp+32 ra=c-8"},                 /* ld ra, 24(sp) */
    {"\x05\x61", 2, "sp+32 ra=c-8"},                 /* addi sp, sp, 32 */
    {"\x82\x80", 2, "sp+0"},                         /* ret */
    /* Where a call that returns is made without a frame, the return address is lost. */
    FUNCTION(RETURN_ADDRESS_LOST),
    {"\x86\x86", 2, "sp+0"},         /* mv a3, ra */
    {"\xef\xf0\xf7\x7f", 4, "sp+0"}, /* jal ra, callee */
    {"\x2e\x85", 2, "u"},            /* mv a0, a1 */
    {"\x01\xa0", 2, "u"},            /* j 1b */
    /*
     * __builtin_eh_return: where it returns to is written over the return address that was saved.
     */
    FUNCTION(RETURN_ADDRESS_REPLACED),
    {"\x01\x11", 2, "sp+0"},                 /* addi sp, sp, -32 */
    {"\x06\xec", 2, "sp+32"},                /* sd ra, 24(sp) */
    {"\xef\xf0\xf7\x7f", 4, "sp+32 ra=c-8"}, /* jal ra, callee */
    {"\xaa\x87", 2, "sp+32 ra=c-8"},         /* mv a5, a0 */
    {"\x3e\xec", 2, "sp+32 ra=c-8"},         /* sd a5, 24(sp) */
    {"\xe2\x60", 2, "sp+32 ra=c-8"},         /* ld ra, 24(sp) */
    {"\x05\x61", 2, "sp+32 ra=c-8"},         /* addi sp, sp, 32 */
    {"\x82\x80", 2, "sp+0"},                 /* ret */
    /* While ra has it, what is written over the word is no other return address. */
    FUNCTION(SAVED_RETURN_ADDRESS_OVERWRITTEN),
    {"\x01\x11", 2, "sp+0"},         /* addi sp, sp, -32 */
    {"\x06\xec", 2, "sp+32"},        /* sd ra, 24(sp) */
    {"\x3e\xec", 2, "sp+32 ra=c-8"}, /* sd a5, 24(sp) */
    {"\xe2\x67", 2, "sp+32"},        /* ld a5, 24(sp) */
    {"\x05\x61", 2, "sp+32"},        /* addi sp, sp, 32 */
    {"\x82\x80", 2, "sp+0"},         /* ret */
    /* Half a word is none, either. */
    FUNCTION(SAVED_RETURN_ADDRESS_SPOILT),
    {"\x01\x11", 2, "sp+0"},                 /* addi sp, sp, -32 */
    {"\x06\xec", 2, "sp+32"},                /* sd ra, 24(sp) */
    {"\xef\xf0\xf7\x7f", 4, "sp+32 ra=c-8"}, /* jal ra, callee */
    {"\x3e\xcc", 2, "sp+32 ra=c-8"},         /* sw a5, 24(sp) */
    {"\xe2\x60", 2, "u"},                    /* ld ra, 24(sp) */
    {"\x01\xa0", 2, "u"},                    /* j . */
    /*
     * Behind a call that does not return lies another function, which jumps to this one: it has no
     * frame of this one's, which is entered as ever.
     */
    FUNCTION(JUMP_TO_THE_START),
    {"\x41\x11", 2, "sp+0"},                 /* addi sp, sp, -16 */
    {"\x06\xe4", 2, "sp+16"},                /* sd ra, 8(sp) */
    {"\xef\xf0\xf7\x7f", 4, "sp+16 ra=c-8"}, /* jal ra, callee */
    {"\x81\x45", 2, "sp+16 ra=c-8"},         /* li a1, 0 */
    {"\xdd\xbf", 2, "sp+16 ra=c-8"},         /* j the start */
    /* The table lies behind the code: distances from it. */
    FUNCTION(JUMP_TABLE),
    {"\x41\x11", 2, "sp+0"},                                 /* addi sp, sp, -16 */
    {"\x06\xe4", 2, "sp+16"},                                /* sd ra, 8(sp) */
    {"\x85\x47", 2, "sp+16 ra=c-8"},                         /* li a5, 1 */
    {"\x63\xef\xa7\x00", 4, "sp+16 ra=c-8"},                 /* bltu a5, a0, 2f */
    {"\x17\x07\x00\x00\x13\x07\xe7\x02", 8, "sp+16 ra=c-8"}, /* la a4, 3f */
    {"\x93\x17\x05\x02", 4, "sp+16 ra=c-8"},                 /* slli a5, a0, 32 */
    {"\xf9\x83", 2, "sp+16 ra=c-8"},                         /* srli a5, a5, 30 */
    {"\xba\x97", 2, "sp+16 ra=c-8"},                         /* add a5, a5, a4 */
    {"\x9c\x43", 2, "sp+16 ra=c-8"},                         /* lw a5, 0(a5) */
    {"\xba\x97", 2, "sp+16 ra=c-8"},                         /* add a5, a5, a4 */
    {"\x82\x87", 2, "sp+16 ra=c-8"},                         /* jr a5 */
    {"\xef\xf0\x17\x7e", 4, "sp+16 ra=c-8"},                 /* jal ra, callee */
    {"\xa2\x60", 2, "sp+16 ra=c-8"},                         /* ld ra, 8(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-8"},                         /* addi sp, sp, 16 */
    {"\x82\x80", 2, "sp+0"},                                 /* ret */
    {"\xa2\x60", 2, "sp+16 ra=c-8"},                         /* ld ra, 8(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-8"},                         /* addi sp, sp, 16 */
    {"\x17\x03\x08\x00\x67\x00\x23\xfd", 8, "sp+0"},         /* tail callee */
    {"\x01\x00", 2, NULL},                                   /* .balign 4 */
    {"\xe8\xff\xff\xff", 4, NULL},                           /* .word 1b-3b */
    {"\xf2\xff\xff\xff", 4, NULL},                           /* .word 4b-3b */
    /*
     * A mask of another register than the index is no bound of the table. The other jump leaves
     * another frame: the second case can only be known from the table.
     */
    FUNCTION(JUMP_TABLE_BEHIND_A_MASK),
    {"\x41\x11", 2, "sp+0"},                          /* add sp,sp,-16 */
    {"\x11\xc2", 2, "sp+16"},                         /* beqz a2,400006 */
    {"\x02\x88", 2, "sp+16"},                         /* jr a6 */
    {"\x41\x11", 2, "sp+16"},                         /* add sp,sp,-16 */
    {"\x85\x47", 2, "sp+32"},                         /* li a5,1 */
    {"\x63\xee\xa7\x00", 4, "sp+32"},                 /* bltu a5,a0,400026 */
    {"\x17\x07\x00\x00\x13\x07\x27\x02", 8, "sp+32"}, /* la a4, 3f */
    {"\x0a\x05", 2, "sp+32"},                         /* sll a0,a0,0x2 */
    {"\x93\xf6\x05\x00", 4, "sp+32"},                 /* and a3,a1,0 */
    {"\x3a\x95", 2, "sp+32"},                         /* add a0,a0,a4 */
    {"\x08\x41", 2, "sp+32"},                         /* lw a0,0(a0) */
    {"\xb3\x07\xe5\x00", 4, "sp+32"},                 /* add a5,a0,a4 */
    {"\x82\x87", 2, "sp+32"},                         /* jr a5 */
    {"\x05\x61", 2, "sp+32"},                         /* add sp,sp,32 */
    {"\x82\x80", 2, "sp+0"},                          /* ret */
    {"\x05\x61", 2, "sp+32"},                         /* add sp,sp,32 */
    {"\x82\x80", 2, "sp+0"},                          /* ret */
    {"\x01\x00", 2, NULL},                            /* nop */
    {"\xf6\xff\xff\xff", 4, NULL},                    /* .word 0xfffffff6 */
    {"\xfa\xff\xff\xff", 4, NULL},                    /* .word 0xfffffffa */
    /*
     * gcc -O0 extends the table's element once more. As above the second case can only be known
     * from the table.
     */
    FUNCTION(JUMP_TABLE_EXTENDED_TWICE),
    {"\x41\x11", 2, "sp+0"},                          /* add sp,sp,-16 */
    {"\x11\xc2", 2, "sp+16"},                         /* beqz a2,400006 */
    {"\x02\x88", 2, "sp+16"},                         /* jr a6 */
    {"\x41\x11", 2, "sp+16"},                         /* add sp,sp,-16 */
    {"\x85\x47", 2, "sp+32"},                         /* li a5,1 */
    {"\x63\xed\xa7\x00", 4, "sp+32"},                 /* bltu a5,a0,400024 */
    {"\x17\x07\x00\x00\x13\x07\xe7\x01", 8, "sp+32"}, /* la a4, 3f */
    {"\x0a\x05", 2, "sp+32"},                         /* sll a0,a0,0x2 */
    {"\x3a\x95", 2, "sp+32"},                         /* add a0,a0,a4 */
    {"\x08\x41", 2, "sp+32"},                         /* lw a0,0(a0) */
    {"\x9b\x07\x05\x00", 4, "sp+32"},                 /* sext.w a5,a0 */
    {"\xba\x97", 2, "sp+32"},                         /* add a5,a5,a4 */
    {"\x82\x87", 2, "sp+32"},                         /* jr a5 */
    {"\x05\x61", 2, "sp+32"},                         /* add sp,sp,32 */
    {"\x82\x80", 2, "sp+0"},                          /* ret */
    {"\x05\x61", 2, "sp+32"},                         /* add sp,sp,32 */
    {"\x82\x80", 2, "sp+0"},                          /* ret */
    {"\xf8\xff\xff\xff", 4, NULL},                    /* .word 0xfffffff8 */
    {"\xfc\xff\xff\xff", 4, NULL},                    /* .word 0xfffffffc */
};

static const struct line RV32[] = {
    FUNCTION(RV32_FRAME),
    {"\x41\x11", 2, "sp+0"},                       /* addi sp, sp, -16 */
    {"\x06\xc6", 2, "sp+16"},                      /* sw ra, 12(sp) */
    {"\x22\xc4", 2, "sp+16 ra=c-4"},               /* sw s0, 8(sp) */
    {"\x00\x08", 2, "sp+16 ra=c-4"},               /* addi s0, sp, 16 */
    {"\xef\xf0\x97\x7f", 4, "s0+0 s0=c-8 ra=c-4"}, /* jal ra, callee */
    {"\xb2\x40", 2, "s0+0 s0=c-8 ra=c-4"},         /* lw ra, 12(sp) */
    {"\x22\x44", 2, "s0+0 s0=c-8 ra=c-4"},         /* lw s0, 8(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-4"},               /* addi sp, sp, 16 */
    {"\x82\x80", 2, "sp+0"},                       /* ret */
    /* Zcmp; GNU as of Debian 12 does not know it. */
    FUNCTION(RV32_PUSH_AND_POPRET),
    {"\x72\xb8", 2, "sp+0"},                         /* cm.push {ra,s0-s2},-16 */
    {"\x2a\x89", 2, "sp+16 ra=c-16"},                /* mv s2, a0 */
    {"\xef\xf0\xd7\x7f", 4, "sp+16 s2=c-4 ra=c-16"}, /* jal ra, callee */
    {"\x72\xbe", 2, "sp+16 s2=c-4 ra=c-16"},         /* cm.popret {ra,s0-s2},16 */
    FUNCTION(RV32_PUSH_AND_TAIL_CALL),
    {"\x56\xb8", 2, "sp+0"},                         /* cm.push {ra,s0},-32 */
    {"\xef\xf0\xf7\x7f", 4, "sp+32 ra=c-8"},         /* jal ra, callee */
    {"\x56\xba", 2, "sp+32 ra=c-8"},                 /* cm.pop {ra,s0},32 */
    {"\x17\x03\x08\x00\x67\x00\x83\xff", 8, "sp+0"}, /* tail callee */
    FUNCTION(RV32_TRAP_HANDLER),
    {"\x41\x11", 2, "sp+0 ra=mepc exception"},         /* addi sp, sp, -16 */
    {"\x3e\xc6", 2, "sp+16 ra=mepc exception"},        /* sw a5, 12(sp) */
    {"\x85\x47", 2, "sp+16 a5=c-4 ra=mepc exception"}, /* li a5, 1 */
    {"\xb2\x47", 2, "sp+16 a5=c-4 ra=mepc exception"}, /* lw a5, 12(sp) */
    {"\x41\x01", 2, "sp+16 a5=c-4 ra=mepc exception"}, /* addi sp, sp, 16 */
    {"\x73\x00\x20\x30", 4, "sp+0 ra=mepc exception"}, /* mret */
    FUNCTION(RV32_TABLE_OF_ADDRESSES),
    {"\x41\x11", 2, "sp+0"},                         /* addi sp, sp, -16 */
    {"\x06\xc6", 2, "sp+16"},                        /* sw ra, 12(sp) */
    {"\x85\x47", 2, "sp+16 ra=c-4"},                 /* li a5, 1 */
    {"\x63\xec\xa7\x00", 4, "sp+16 ra=c-4"},         /* bltu a5, a0, 2f */
    {"\x0a\x05", 2, "sp+16 ra=c-4"},                 /* slli a0, a0, 2 */
    {"\xb7\x17\x40\x00", 4, "sp+16 ra=c-4"},         /* lui a5, %hi(3f) */
    {"\x93\x87\x07\x03", 4, "sp+16 ra=c-4"},         /* addi a5, a5, %lo(3f) */
    {"\x3e\x95", 2, "sp+16 ra=c-4"},                 /* add a0, a0, a5 */
    {"\x08\x41", 2, "sp+16 ra=c-4"},                 /* lw a0, 0(a0) */
    {"\x02\x85", 2, "sp+16 ra=c-4"},                 /* jr a0 */
    {"\xef\xf0\x77\x7e", 4, "sp+16 ra=c-4"},         /* jal ra, callee */
    {"\xb2\x40", 2, "sp+16 ra=c-4"},                 /* lw ra, 12(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-4"},                 /* addi sp, sp, 16 */
    {"\x82\x80", 2, "sp+0"},                         /* ret */
    {"\xb2\x40", 2, "sp+16 ra=c-4"},                 /* lw ra, 12(sp) */
    {"\x41\x01", 2, "sp+16 ra=c-4"},                 /* addi sp, sp, 16 */
    {"\x17\x03\x08\x00\x67\x00\x83\xfd", 8, "sp+0"}, /* tail callee */
    {"\x1a\x10\x40\x00", 4, NULL},                   /* .word 1b */
    {"\x24\x10\x40\x00", 4, NULL},                   /* .word 4b */
};

TEST(prologue_every_instruction_has_its_row)
{
    CHECK_FUNCTIONS(ARCH_RISCV64, CODE_DEFAULT, RV64);
    /* What these are their ends tell. */
    CHECK_FUNCTIONS(ARCH_RISCV64, CODE_DEFAULT, SAVE_2);
    CHECK_FUNCTIONS(ARCH_RISCV64, CODE_DEFAULT, RESTORE_2);
    CHECK_FUNCTIONS(ARCH_RISCV64, CODE_DEFAULT, TRAP_HANDLER);
    CHECK_FUNCTIONS(ARCH_RISCV32, CODE_DEFAULT, RV32);
}

/* A part of a prologue leaves the ABI's return address alone until it has saved it. */
TEST_OF(prologue_outlined_part_keeps_the_return_address_of_its_function, function, f, ARCH_RISCV64,
        CODE_DEFAULT)
{
    const struct arch *arch = arch_get(ARCH_RISCV64);
    struct row_table table;
    const struct row *row;
    struct row scratch;

    add_lines(f, SAVE_2, sizeof(SAVE_2) / sizeof(SAVE_2[0]));
    assert_int_equal(analyse_rows(&f->input, &table), STATUS_OK);
    row = row_table_find(&table, START, &scratch);
    assert_non_null(row);
    assert_int_equal(row->regs[arch->lr].kind, RULE_SAME);
    row = row_table_find(&table, f->input.end_vaddr - 2, &scratch); /* jr t0 */
    assert_non_null(row);
    assert_int_equal(row->regs[arch->lr].kind, RULE_AT_CFA);
    assert_int_equal(row->regs[arch->lr].off, -8);
    assert_int_equal(row->ra.kind, RULE_IN_REG);
    assert_int_equal(row->ra.reg, arch->outline_link);
    row_table_deinit(&table);
}

/* What was interrupted gets back all registers: those that the handler has not touched, too. */
TEST_OF(prologue_of_a_trap_handler_tells_of_all_registers, function, f, ARCH_RISCV64, CODE_DEFAULT)
{
    const struct arch *arch = arch_get(ARCH_RISCV64);
    struct row_table table;
    const struct row *row;
    struct row scratch;

    add_lines(f, TRAP_HANDLER, sizeof(TRAP_HANDLER) / sizeof(TRAP_HANDLER[0]));
    assert_int_equal(analyse_rows(&f->input, &table), STATUS_OK);
    row = row_table_find(&table, START + 14, &scratch); /* behind sd t0, 16(sp) */
    assert_non_null(row);
    assert_int_equal(row->source, TRUST_EXCEPTION);
    for (unsigned reg = 1; reg < arch->pc; reg++)
        if (reg != arch->sp)
            assert_int_equal(row->regs[reg].kind,
                             reg == arch->lr || reg == T0 ? RULE_AT_CFA : RULE_SAME);
    row_table_deinit(&table);
}

TEST(prologue_code_cut_anywhere_is_survived)
{
    CHECK_PREFIXES(ARCH_RISCV64, CODE_DEFAULT, RV64);
}
