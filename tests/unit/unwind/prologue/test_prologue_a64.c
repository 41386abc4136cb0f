/* SPDX-License-Identifier: MIT */
/* Prologue analysis of A64 code; the bytes are GNU as's. See prologue_fixture.h. */
#include "prologue_fixture.h"

/* It was not given to the callee: for (;;) callee(); in what never returns. */
static const struct line LOOP_WITHOUT_FRAME[] = {
    {"\xf3\xfb\x07\x94", 4, "u"}, /* bl callee */
    {"\xff\xff\xff\x17", 4, "u"}, /* b -4 */
};

/* -fstack-clash-protection: the loop ends when SP has reached x9. */
static const struct line PROBE_LOOP[] = {
    {"\xe9\x43\x40\xd1", 4, "sp+0"},                /* sub x9, sp, #0x10, lsl #12 */
    {"\xff\x07\x40\xd1", 4, "x9+65536"},            /* sub sp, sp, #0x1, lsl #12 */
    {"\xff\x03\x02\xf9", 4, "x9+65536"},            /* str xzr, [sp, #1024] */
    {"\xff\x63\x29\xeb", 4, "x9+65536"},            /* cmp sp, x9 */
    {"\xa1\xff\xff\x54", 4, "x9+65536"},            /* b.ne +4 */
    {"\xfe\x0f\x1f\xf8", 4, "sp+65536"},            /* str x30, [sp, #-16]! */
    {"\xfa\xfb\x07\x94", 4, "sp+65552 ra=c-65552"}, /* bl callee */
    {"\xfe\x07\x41\xf8", 4, "sp+65552 ra=c-65552"}, /* ldr x30, [sp], #16 */
    {"\xff\x43\x40\x91", 4, "sp+65536"},            /* add sp, sp, #0x10, lsl #12 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                /* ret */
};

static const struct line CASES[] = {
    FUNCTION(STP_PRE_INDEXED),
    {"\xfd\x7b\xbe\xa9", 4, "sp+0"},                            /* stp x29, x30, [sp, #-32]! */
    {"\xfd\x03\x00\x91", 4, "sp+32 ra=c-24"},                   /* mov x29, sp */
    {"\xf3\x53\x01\xa9", 4, "sp+32 x29=c-32 ra=c-24"},          /* stp x19, x20, [sp, #16] */
    {"\xf3\x03\x00\xaa", 4, "sp+32 x29=c-32 ra=c-24"},          /* mov x19, x0 */
    {"\xfc\xfb\x07\x94", 4, "sp+32 x19=c-16 x29=c-32 ra=c-24"}, /* bl callee */
    {"\xf3\x53\x41\xa9", 4, "sp+32 x19=c-16 x29=c-32 ra=c-24"}, /* ldp x19, x20, [sp, #16] */
    {"\xfd\x7b\xc2\xa8", 4, "sp+32 x29=c-32 ra=c-24"},          /* ldp x29, x30, [sp], #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                            /* ret */
    FUNCTION(SUB_THEN_STP),
    {"\xff\xc3\x00\xd1", 4, "sp+0"},                           /* sub sp, sp, #48 */
    {"\xfd\x7b\x02\xa9", 4, "sp+48"},                          /* stp x29, x30, [sp, #32] */
    {"\xfd\x83\x00\x91", 4, "sp+48 ra=c-8"},                   /* add x29, sp, #32 */
    {"\xf3\x0f\x00\xf9", 4, "sp+48 x29=c-16 ra=c-8"},          /* str x19, [sp, #24] */
    {"\xf3\x03\x00\xaa", 4, "sp+48 x29=c-16 ra=c-8"},          /* mov x19, x0 */
    {"\xfb\xfb\x07\x94", 4, "sp+48 x19=c-24 x29=c-16 ra=c-8"}, /* bl callee */
    {"\xf3\x0f\x40\xf9", 4, "sp+48 x19=c-24 x29=c-16 ra=c-8"}, /* ldr x19, [sp, #24] */
    {"\xfd\x7b\x42\xa9", 4, "sp+48 x29=c-16 ra=c-8"},          /* ldp x29, x30, [sp, #32] */
    {"\xff\xc3\x00\x91", 4, "sp+48 ra=c-8"},                   /* add sp, sp, #48 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                           /* ret */
    /* Go: the stack is too small, and the function is begun anew on a larger one. */
    FUNCTION(BEGUN_ANEW),
    {"\x90\x0b\x40\xf9", 4, "sp+0"},                /* ldr x16, [x28, #16] */
    {"\xff\x63\x30\xeb", 4, "sp+0"},                /* cmp sp, x16 */
    {"\x09\x01\x00\x54", 4, "sp+0"},                /* b.ls +32 */
    {"\xfe\x0f\x1e\xf8", 4, "sp+0"},                /* str x30, [sp, #-32]! */
    {"\xfd\x83\x1f\xf8", 4, "sp+32 ra=c-32"},       /* stur x29, [sp, #-8] */
    {"\xfd\x23\x00\xd1", 4, "sp+32 ra=c-32"},       /* sub x29, sp, #8 */
    {"\xf8\xfb\x07\x94", 4, "sp+32 x29=u ra=c-32"}, /* bl callee */
    {"\xfd\xfb\x7f\xa9", 4, "sp+32 x29=u ra=c-32"}, /* ldp x29, x30, [sp, #-8] */
    {"\xff\x83\x00\x91", 4, "sp+32 x29=u ra=c-32"}, /* add sp, sp, #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0 x29=u"},          /* ret */
    {"\xe0\x07\x00\xf9", 4, "sp+0"},                /* str x0, [sp, #8] */
    {"\xe3\x03\x1e\xaa", 4, "sp+0"},                /* mov x3, x30 */
    {"\xf3\xfb\x07\x94", 4, "sp+0"},                /* bl callee */
    {"\xe0\x07\x40\xf9", 4, "sp+0"},                /* ldr x0, [sp, #8] */
    {"\xf2\xff\xff\x17", 4, "sp+0"},                /* b -56 */
    /* Where a call that returns is made without a frame, the return address is lost. */
    FUNCTION(CALL_WITHOUT_FRAME),
    {"\xe3\x03\x1e\xaa", 4, "sp+0"}, /* mov x3, x30 */
    {"\xf3\xfb\x07\x94", 4, "sp+0"}, /* bl callee */
    {"\xe0\x07\x40\xf9", 4, "u"},    /* ldr x0, [sp, #8] */
    {"\xff\xff\xff\x17", 4, "u"},    /* b -4 */
    FUNCTION(LARGE_FRAME),
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},                     /* stp x29, x30, [sp, #-16]! */
    {"\xfd\x03\x00\x91", 4, "sp+16 ra=c-8"},             /* mov x29, sp */
    {"\x10\x68\x84\xd2", 4, "sp+16 x29=c-16 ra=c-8"},    /* mov x16, #0x2340 */
    {"\x30\x00\xa0\xf2", 4, "sp+16 x29=c-16 ra=c-8"},    /* movk x16, #0x1, lsl #16 */
    {"\xff\x63\x30\xcb", 4, "sp+16 x29=c-16 ra=c-8"},    /* sub sp, sp, x16 */
    {"\xe0\x03\x00\x91", 4, "sp+74576 x29=c-16 ra=c-8"}, /* mov x0, sp */
    {"\xfa\xfb\x07\x94", 4, "sp+74576 x29=c-16 ra=c-8"}, /* bl callee */
    {"\xff\x63\x30\x8b", 4, "sp+74576 x29=c-16 ra=c-8"}, /* add sp, sp, x16 */
    {"\xbf\x03\x00\x91", 4, "x29+16 x29=c-16 ra=c-8"},   /* mov sp, x29 */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 x29=c-16 ra=c-8"},    /* ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                     /* ret */
    FUNCTION(FRAME_OF_PAGES),
    {"\xfe\x0f\x1f\xf8", 4, "sp+0"},             /* str x30, [sp, #-16]! */
    {"\xff\x43\x40\xd1", 4, "sp+16 ra=c-16"},    /* sub sp, sp, #0x10, lsl #12 */
    {"\xff\x83\x00\xd1", 4, "sp+65552 ra=c-16"}, /* sub sp, sp, #0x20 */
    {"\xfd\xfb\x07\x94", 4, "sp+65584 ra=c-16"}, /* bl callee */
    {"\xff\x83\x00\x91", 4, "sp+65584 ra=c-16"}, /* add sp, sp, #0x20 */
    {"\xff\x43\x40\x91", 4, "sp+65552 ra=c-16"}, /* add sp, sp, #0x10, lsl #12 */
    {"\xfe\x07\x41\xf8", 4, "sp+16 ra=c-16"},    /* ldr x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},             /* ret */
    FUNCTION(LEAF),
    {"\x00\x00\x01\x0b", 4, "sp+0"}, /* add w0, w0, w1 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"}, /* ret */
    FUNCTION(LEAF_WITH_LOCALS),
    {"\xff\x83\x00\xd1", 4, "sp+0"},  /* sub sp, sp, #32 */
    {"\xe0\x0f\x00\xb9", 4, "sp+32"}, /* str w0, [sp, #12] */
    {"\xe0\x0f\x40\xb9", 4, "sp+32"}, /* ldr w0, [sp, #12] */
    {"\xff\x83\x00\x91", 4, "sp+32"}, /* add sp, sp, #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},  /* ret */
    /* Shrink-wrapped; what follows a ret has the state of the branch, not of the line above. */
    FUNCTION(EPILOGUE_IN_THE_MIDDLE),
    {"\x40\x01\x00\xb4", 4, "sp+0"},                  /* cbz x0, +40 */
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},                  /* stp x29, x30, [sp, #-16]! */
    {"\xfd\x03\x00\x91", 4, "sp+16 ra=c-8"},          /* mov x29, sp */
    {"\x81\x00\x00\xb4", 4, "sp+16 x29=c-16 ra=c-8"}, /* cbz x1, +28 */
    {"\xfc\xfb\x07\x94", 4, "sp+16 x29=c-16 ra=c-8"}, /* bl callee */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 x29=c-16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                  /* ret */
    {"\xf9\xfb\x07\x94", 4, "sp+16 x29=c-16 ra=c-8"}, /* bl callee */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 x29=c-16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                  /* ret */
    {"\xe0\x03\x1f\x2a", 4, "sp+0"},                  /* mov w0, wzr */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                  /* ret */
    /* The size is unknown; x19 keeps SP. */
    FUNCTION(ALLOCA),
    {"\xfd\x7b\xbe\xa9", 4, "sp+0"},                             /* stp x29, x30, [sp, #-32]! */
    {"\xfd\x03\x00\x91", 4, "sp+32 ra=c-24"},                    /* mov x29, sp */
    {"\xf3\x0b\x00\xf9", 4, "sp+32 x29=c-32 ra=c-24"},           /* str x19, [sp, #16] */
    {"\xf3\x03\x00\x91", 4, "sp+32 x29=c-32 ra=c-24"},           /* mov x19, sp */
    {"\xff\x63\x20\xcb", 4, "sp+32 x19=c-16 x29=c-32 ra=c-24"},  /* sub sp, sp, x0 */
    {"\xe0\x03\x00\x91", 4, "x29+32 x19=c-16 x29=c-32 ra=c-24"}, /* mov x0, sp */
    {"\xfa\xfb\x07\x94", 4, "x29+32 x19=c-16 x29=c-32 ra=c-24"}, /* bl callee */
    {"\x7f\x02\x00\x91", 4, "x29+32 x19=c-16 x29=c-32 ra=c-24"}, /* mov sp, x19 */
    {"\xf3\x0b\x40\xf9", 4, "sp+32 x19=c-16 x29=c-32 ra=c-24"},  /* ldr x19, [sp, #16] */
    {"\xfd\x7b\xc2\xa8", 4, "sp+32 x29=c-32 ra=c-24"},           /* ldp x29, x30, [sp], #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                             /* ret */
    FUNCTION(ALLOCA_UNDONE_FROM_X29),
    {"\xfd\x7b\xbe\xa9", 4, "sp+0"},                    /* stp x29, x30, [sp, #-32]! */
    {"\xf3\x53\x01\xa9", 4, "sp+32 ra=c-24"},           /* stp x19, x20, [sp, #16] */
    {"\xfd\x03\x00\x91", 4, "sp+32 ra=c-24"},           /* mov x29, sp */
    {"\xff\x63\x20\xcb", 4, "sp+32 x29=c-32 ra=c-24"},  /* sub sp, sp, x0 */
    {"\xfc\xfb\x07\x94", 4, "x29+32 x29=c-32 ra=c-24"}, /* bl callee */
    {"\xbf\x03\x00\xd1", 4, "x29+32 x29=c-32 ra=c-24"}, /* sub sp, x29, #0 */
    {"\xf3\x53\x41\xa9", 4, "sp+32 x29=c-32 ra=c-24"},  /* ldp x19, x20, [sp, #16] */
    {"\xfd\x7b\xc2\xa8", 4, "sp+32 x29=c-32 ra=c-24"},  /* ldp x29, x30, [sp], #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                    /* ret */
    FUNCTION(REALIGNED),
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},                   /* stp x29, x30, [sp, #-16]! */
    {"\xfd\x03\x00\x91", 4, "sp+16 ra=c-8"},           /* mov x29, sp */
    {"\xe9\xc3\x00\xd1", 4, "sp+16 x29=c-16 ra=c-8"},  /* sub x9, sp, #48 */
    {"\x3f\xe5\x7a\x92", 4, "sp+16 x29=c-16 ra=c-8"},  /* and sp, x9, #-64 */
    {"\xfc\xfb\x07\x94", 4, "x29+16 x29=c-16 ra=c-8"}, /* bl callee */
    {"\xbf\x03\x00\x91", 4, "x29+16 x29=c-16 ra=c-8"}, /* mov sp, x29 */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 x29=c-16 ra=c-8"},  /* ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                   /* ret */
    FUNCTION(PAC_AND_BTI),
    {"\x3f\x23\x03\xd5", 4, "sp+0"},                  /* paciasp */
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},                  /* stp x29, x30, [sp, #-16]! */
    {"\xfd\x03\x00\x91", 4, "sp+16 ra=c-8"},          /* mov x29, sp */
    {"\x9f\x24\x03\xd5", 4, "sp+16 x29=c-16 ra=c-8"}, /* bti j */
    {"\xfc\xfb\x07\x94", 4, "sp+16 x29=c-16 ra=c-8"}, /* bl callee */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 x29=c-16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xbf\x23\x03\xd5", 4, "sp+0"},                  /* autiasp */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                  /* ret */
    FUNCTION(BTI_FIRST),
    {"\x5f\x24\x03\xd5", 4, "sp+0"},          /* bti c */
    {"\xfe\x03\xc1\xda", 4, "sp+0"},          /* pacia x30, sp */
    {"\xfe\x0f\x1f\xf8", 4, "sp+0"},          /* str x30, [sp, #-16]! */
    {"\xfd\xfb\x07\x94", 4, "sp+16 ra=c-16"}, /* bl callee */
    {"\xfe\x07\x41\xf8", 4, "sp+16 ra=c-16"}, /* ldr x30, [sp], #16 */
    {"\xfe\x13\xc1\xda", 4, "sp+0"},          /* autia x30, sp */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},          /* ret */
    FUNCTION(RETAA_RETURNS),
    {"\x3f\x23\x03\xd5", 4, "sp+0"},         /* paciasp */
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},         /* stp x29, x30, [sp, #-16]! */
    {"\x60\x00\x00\xb4", 4, "sp+16 ra=c-8"}, /* cbz x0, +20 */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xff\x0b\x5f\xd6", 4, "sp+0"},         /* retaa */
    {"\xfb\xfb\x07\x94", 4, "sp+16 ra=c-8"}, /* bl callee */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xff\x0b\x5f\xd6", 4, "sp+0"},         /* retaa */
    /* Two paths jump to one epilogue. */
    FUNCTION(SHARED_TAIL),
    {"\xfd\x7b\xbe\xa9", 4, "sp+0"},                   /* stp x29, x30, [sp, #-32]! */
    {"\xf3\x0b\x00\xf9", 4, "sp+32 ra=c-24"},          /* str x19, [sp, #16] */
    {"\xf3\x03\x00\xaa", 4, "sp+32 ra=c-24"},          /* mov x19, x0 */
    {"\x60\x00\x00\xb4", 4, "sp+32 x19=c-16 ra=c-24"}, /* cbz x0, +24 */
    {"\xfc\xfb\x07\x94", 4, "sp+32 x19=c-16 ra=c-24"}, /* bl callee */
    {"\x02\x00\x00\x14", 4, "sp+32 x19=c-16 ra=c-24"}, /* b +28 */
    {"\xfa\xfb\x07\x94", 4, "sp+32 x19=c-16 ra=c-24"}, /* bl callee */
    {"\xf3\x0b\x40\xf9", 4, "sp+32 x19=c-16 ra=c-24"}, /* ldr x19, [sp, #16] */
    {"\xfd\x7b\xc2\xa8", 4, "sp+32 ra=c-24"},          /* ldp x29, x30, [sp], #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                   /* ret */
    FUNCTION(TAIL_CALL),
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},                  /* stp x29, x30, [sp, #-16]! */
    {"\xfd\x03\x00\x91", 4, "sp+16 ra=c-8"},          /* mov x29, sp */
    {"\xfe\xfb\x07\x94", 4, "sp+16 x29=c-16 ra=c-8"}, /* bl callee */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 x29=c-16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xfc\xfb\x07\x14", 4, "sp+0"},                  /* b callee */
    FUNCTION(INDIRECT_TAIL_CALL),
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},         /* stp x29, x30, [sp, #-16]! */
    {"\xff\xfb\x07\x94", 4, "sp+16 ra=c-8"}, /* bl callee */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\x00\x02\x1f\xd6", 4, "sp+0"},         /* br x16 */
    /* X29 is the caller's again while the frame is still there: the row must not use it. */
    FUNCTION(X29_RESTORED_EARLY),
    {"\xff\x03\x01\xd1", 4, "sp+0"},                    /* sub sp, sp, #64 */
    {"\xfd\x7b\x01\xa9", 4, "sp+64"},                   /* stp x29, x30, [sp, #16] */
    {"\xfd\x43\x00\x91", 4, "sp+64 ra=c-40"},           /* add x29, sp, #16 */
    {"\xff\x63\x20\xcb", 4, "sp+64 x29=c-48 ra=c-40"},  /* sub sp, sp, x0 */
    {"\xfc\xfb\x07\x94", 4, "x29+48 x29=c-48 ra=c-40"}, /* bl callee */
    {"\xbf\x43\x00\xd1", 4, "x29+48 x29=c-48 ra=c-40"}, /* sub sp, x29, #16 */
    {"\xfd\x7b\x41\xa9", 4, "sp+64 x29=c-48 ra=c-40"},  /* ldp x29, x30, [sp, #16] */
    {"\xff\x03\x01\x91", 4, "sp+64 ra=c-40"},           /* add sp, sp, #64 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                    /* ret */
    /* Arguments are saved, which are nobody's saved registers; q0 to q3 are 16 bytes each. */
    FUNCTION(VARIADIC),
    {"\xff\x43\x04\xd1", 4, "sp+0"},                      /* sub sp, sp, #272 */
    {"\xfd\x7b\x02\xa9", 4, "sp+272"},                    /* stp x29, x30, [sp, #32] */
    {"\xfd\x83\x00\x91", 4, "sp+272 ra=c-232"},           /* add x29, sp, #32 */
    {"\xe1\x6f\x00\xf9", 4, "sp+272 x29=c-240 ra=c-232"}, /* str x1, [sp, #216] */
    {"\xe2\x0f\x0e\xa9", 4, "sp+272 x29=c-240 ra=c-232"}, /* stp x2, x3, [sp, #224] */
    {"\xe4\x17\x0f\xa9", 4, "sp+272 x29=c-240 ra=c-232"}, /* stp x4, x5, [sp, #240] */
    {"\xe0\x87\x02\xad", 4, "sp+272 x29=c-240 ra=c-232"}, /* stp q0, q1, [sp, #80] */
    {"\xe2\x8f\x03\xad", 4, "sp+272 x29=c-240 ra=c-232"}, /* stp q2, q3, [sp, #112] */
    {"\xf8\xfb\x07\x94", 4, "sp+272 x29=c-240 ra=c-232"}, /* bl callee */
    {"\xfd\x7b\x42\xa9", 4, "sp+272 x29=c-240 ra=c-232"}, /* ldp x29, x30, [sp, #32] */
    {"\xff\x43\x04\x91", 4, "sp+272 ra=c-232"},           /* add sp, sp, #272 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                      /* ret */
    FUNCTION(D_REGISTERS),
    {"\xe9\x23\xbd\x6d", 4, "sp+0"},          /* stp d9, d8, [sp, #-48]! */
    {"\xfd\x7b\x01\xa9", 4, "sp+48"},         /* stp x29, x30, [sp, #16] */
    {"\xea\x13\x00\xfd", 4, "sp+48 ra=c-24"}, /* str d10, [sp, #32] */
    {"\xfd\xfb\x07\x94", 4, "sp+48 ra=c-24"}, /* bl callee */
    {"\xea\x13\x40\xfd", 4, "sp+48 ra=c-24"}, /* ldr d10, [sp, #32] */
    {"\xfd\x7b\x41\xa9", 4, "sp+48 ra=c-24"}, /* ldp x29, x30, [sp, #16] */
    {"\xe9\x23\xc3\x6c", 4, "sp+48 ra=c-24"}, /* ldp d9, d8, [sp], #48 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},          /* ret */
    FUNCTION(VECTOR_STORE_OVER_A_SLOT),
    {"\xff\x83\x00\xd1", 4, "sp+0"},           /* sub sp, sp, #32 */
    {"\xf3\x07\x00\xf9", 4, "sp+32"},          /* str x19, [sp, #8] */
    {"\xf3\x03\x00\xaa", 4, "sp+32"},          /* mov x19, x0 */
    {"\xe0\x03\x80\x3d", 4, "sp+32 x19=c-24"}, /* str q0, [sp] */
    {"\xf3\x07\x40\xf9", 4, "sp+32 x19=u"},    /* ldr x19, [sp, #8] */
    {"\xff\x83\x00\x91", 4, "sp+32 x19=u"},    /* add sp, sp, #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0 x19=u"},     /* ret */
    /* st2 stores 32 bytes, to c-112. */
    FUNCTION(VECTORS_BELOW_A_SLOT),
    {"\xfd\x7b\xb6\xa9", 4, "sp+0"},                               /* stp x29, x30, [sp, #-160]! */
    {"\xfd\x03\x00\x91", 4, "sp+160 ra=c-152"},                    /* mov x29, sp */
    {"\xf3\x53\x04\xa9", 4, "sp+160 x29=c-160 ra=c-152"},          /* stp x19, x20, [sp, #64] */
    {"\xf3\x03\x00\xaa", 4, "sp+160 x29=c-160 ra=c-152"},          /* mov x19, x0 */
    {"\xe3\x43\x00\x91", 4, "sp+160 x19=c-96 x29=c-160 ra=c-152"}, /* add x3, sp, #16 */
    {"\x60\x80\x00\x4c", 4, "sp+160 x19=c-96 x29=c-160 ra=c-152"}, /* st2 {v0.16b, v1.16b}, [x3] */
    {"\x00\xfc\x07\x94", 4, "sp+160 x19=c-96 x29=c-160 ra=c-152"}, /* bl callee */
    {"\xf3\x53\x44\xa9", 4, "sp+160 x19=c-96 x29=c-160 ra=c-152"}, /* ldp x19, x20, [sp, #64] */
    {"\xfd\x7b\xca\xa8", 4, "sp+160 x29=c-160 ra=c-152"},          /* ldp x29, x30, [sp], #160 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                               /* ret */
    /* The vector length is not known at analysis. */
    FUNCTION(SVE_FRAME),
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},         /* stp x29, x30, [sp, #-16]! */
    {"\xff\x57\x3f\x04", 4, "sp+16 ra=c-8"}, /* addvl sp, sp, #-1 */
    {"\xe8\x43\x80\xe5", 4, "u"},            /* str z8, [sp] */
    {"\xfd\xfb\x07\x94", 4, "u"},            /* bl callee */
    {"\xe8\x43\x80\x85", 4, "u"},            /* ldr z8, [sp] */
    {"\x3f\x50\x3f\x04", 4, "u"},            /* addvl sp, sp, #1 */
    {"\xfd\x7b\xc1\xa8", 4, "u"},            /* ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "u"},            /* ret */
    FUNCTION(SVE_FRAME_WITH_X29),
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},                   /* stp x29, x30, [sp, #-16]! */
    {"\xfd\x03\x00\x91", 4, "sp+16 ra=c-8"},           /* mov x29, sp */
    {"\xdf\x57\x3f\x04", 4, "sp+16 x29=c-16 ra=c-8"},  /* addvl sp, sp, #-2 */
    {"\xfd\xfb\x07\x94", 4, "x29+16 x29=c-16 ra=c-8"}, /* bl callee */
    {"\x5f\x50\x3f\x04", 4, "x29+16 x29=c-16 ra=c-8"}, /* addvl sp, sp, #2 */
    {"\xfd\x7b\xc1\xa8", 4, "x29+16 x29=c-16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "u"},                      /* ret */
    FUNCTION(PROBED_PAGES),
    {"\xff\x07\x40\xd1", 4, "sp+0"},              /* sub sp, sp, #0x1, lsl #12 */
    {"\xff\x03\x02\xf9", 4, "sp+4096"},           /* str xzr, [sp, #1024] */
    {"\xff\x07\x40\xd1", 4, "sp+4096"},           /* sub sp, sp, #0x1, lsl #12 */
    {"\xff\x03\x02\xf9", 4, "sp+8192"},           /* str xzr, [sp, #1024] */
    {"\xfd\x7b\xbf\xa9", 4, "sp+8192"},           /* stp x29, x30, [sp, #-16]! */
    {"\xfb\xfb\x07\x94", 4, "sp+8208 ra=c-8200"}, /* bl callee */
    {"\xfd\x7b\xc1\xa8", 4, "sp+8208 ra=c-8200"}, /* ldp x29, x30, [sp], #16 */
    {"\xff\x0b\x40\x91", 4, "sp+8192"},           /* add sp, sp, #0x2, lsl #12 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},              /* ret */
    FUNCTION(X30_LOST),
    {"\xfe\x03\x00\xaa", 4, "sp+0"}, /* mov x30, x0 */
    {"\xc0\x03\x5f\xd6", 4, "u"},    /* ret */
    FUNCTION(RETURN_THROUGH_ANOTHER_REGISTER),
    {"\xe9\x03\x1e\xaa", 4, "sp+0"},       /* mov x9, x30 */
    {"\xfe\x03\x00\xaa", 4, "sp+0"},       /* mov x30, x0 */
    {"\x00\x04\x00\x91", 4, "sp+0 ra=x9"}, /* add x0, x0, #1 */
    {"\x20\x01\x5f\xd6", 4, "sp+0 ra=x9"}, /* ret x9 */
    /* As gcc emits them: bytes, relative to a label, counted in instructions. */
    FUNCTION(JUMP_TABLE),
    {"\xfd\x7b\xbe\xa9", 4, "sp+0"},                   /* stp x29, x30, [sp, #-32]! */
    {"\xfd\x03\x00\x91", 4, "sp+32 ra=c-24"},          /* mov x29, sp */
    {"\x1f\x08\x00\x71", 4, "sp+32 x29=c-32 ra=c-24"}, /* cmp w0, #2 */
    {"\xc8\x01\x00\x54", 4, "sp+32 x29=c-32 ra=c-24"}, /* b.hi +68 */
    {"\x01\x00\x00\xb0", 4, "sp+32 x29=c-32 ra=c-24"}, /* adrp x1, table */
    {"\x21\x40\x00\x91", 4, "sp+32 x29=c-32 ra=c-24"}, /* add x1, x1, #:lo12:table */
    {"\x20\x48\x60\x38", 4, "sp+32 x29=c-32 ra=c-24"}, /* ldrb w0, [x1, w0, uxtw] */
    {"\x61\x00\x00\x10", 4, "sp+32 x29=c-32 ra=c-24"}, /* adr x1, +40 */
    {"\x20\x88\x20\x8b", 4, "sp+32 x29=c-32 ra=c-24"}, /* add x0, x1, w0, sxtb #2 */
    {"\x00\x00\x1f\xd6", 4, "sp+32 x29=c-32 ra=c-24"}, /* br x0 */
    {"\xf6\xfb\x07\x94", 4, "sp+32 x29=c-32 ra=c-24"}, /* bl callee */
    {"\x06\x00\x00\x14", 4, "sp+32 x29=c-32 ra=c-24"}, /* b +68 */
    {"\xf4\xfb\x07\x94", 4, "sp+32 x29=c-32 ra=c-24"}, /* bl callee */
    {"\x04\x00\x00\x14", 4, "sp+32 x29=c-32 ra=c-24"}, /* b +68 */
    {"\xf2\xfb\x07\x94", 4, "sp+32 x29=c-32 ra=c-24"}, /* bl callee */
    {"\x02\x00\x00\x14", 4, "sp+32 x29=c-32 ra=c-24"}, /* b +68 */
    {"\x20\x00\x80\x52", 4, "sp+32 x29=c-32 ra=c-24"}, /* mov w0, #1 */
    {"\xfd\x7b\xc2\xa8", 4, "sp+32 x29=c-32 ra=c-24"}, /* ldp x29, x30, [sp], #32 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                   /* ret */
    FUNCTION(KEPT_IN_A_SAVED_REGISTER),
    {"\xf3\x0f\x1f\xf8", 4, "sp+0"},                  /* str x19, [sp, #-16]! */
    {"\xf3\x03\x1e\xaa", 4, "sp+16"},                 /* mov x19, x30 */
    {"\xfe\xfb\x07\x94", 4, "sp+16 x19=c-16 ra=x19"}, /* bl callee */
    {"\xfe\x03\x13\xaa", 4, "sp+16 x19=c-16 ra=x19"}, /* mov x30, x19 */
    {"\xf3\x07\x41\xf8", 4, "sp+16 x19=c-16 ra=x19"}, /* ldr x19, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},                  /* ret */
    /* A part of the function that is called: it is entered like a function. */
    FUNCTION(OUTLINED),
    {"\xfe\x0f\x1f\xf8", 4, "sp+0"},          /* str x30, [sp, #-16]! */
    {"\x03\x00\x00\x94", 4, "sp+16 ra=c-16"}, /* bl +16 */
    {"\xfe\x07\x41\xf8", 4, "sp+16 ra=c-16"}, /* ldr x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},          /* ret */
    {"\x00\x04\x00\x11", 4, "sp+0"},          /* add w0, w0, #1 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},          /* ret */
    /*
     * What follows a call that does not return is entered by no path, yet in a frame like that of
     * the call.
     */
    FUNCTION(TRAP_AT_THE_END),
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},         /* stp x29, x30, [sp, #-16]! */
    {"\xff\xfb\x03\x94", 4, "sp+16 ra=c-8"}, /* bl noreturn */
    {"\x00\x7d\x20\xd4", 4, "sp+16 ra=c-8"}, /* brk #0x3e8 */
    FUNCTION(STACK_SWITCH),
    {"\xe9\x03\x00\x91", 4, "sp+0"}, /* mov x9, sp */
    {"\x09\x00\x00\xf9", 4, "sp+0"}, /* str x9, [x0] */
    {"\x29\x00\x40\xf9", 4, "sp+0"}, /* ldr x9, [x1] */
    {"\x3f\x01\x00\x91", 4, "sp+0"}, /* mov sp, x9 */
    {"\xfe\x07\x41\xf8", 4, "u"},    /* ldr x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "u"},    /* ret */
    FUNCTION(UNDECODABLE),
    {"\xfe\x0f\x1f\xf8", 4, "sp+0"}, /* str x30, [sp, #-16]! */
    {"\x78\x56\x34\x02", 4, "u"},    /* .inst 0x02345678 */
    {"\xfe\x07\x41\xf8", 4, "u"},    /* ldr x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "u"},    /* ret */
};

TEST(prologue_every_instruction_has_its_row)
{
    CHECK_FUNCTIONS(ARCH_AARCH64, CODE_DEFAULT, CASES);
}

TEST(prologue_loop_over_the_entry_has_no_return_address)
{
    CHECK_FUNCTIONS(ARCH_AARCH64, CODE_DEFAULT, LOOP_WITHOUT_FRAME);
}

TEST(prologue_probe_loop_ends_where_the_comparison_says)
{
    CHECK_FUNCTIONS(ARCH_AARCH64, CODE_DEFAULT, PROBE_LOOP);
}

TEST(prologue_code_cut_anywhere_is_survived)
{
    CHECK_PREFIXES(ARCH_AARCH64, CODE_DEFAULT, CASES);
}

/* The largest distances: nothing wraps, and what does not fit a rule gives no row. */
TEST_OF(prologue_extreme_constants_give_no_row, function, f, ARCH_AARCH64, CODE_DEFAULT)
{
    add(f, "\x10\x00\xf0\xd2", 4); /* mov x16, #0x8000000000000000 */
    add(f, "\xff\x63\x30\xcb", 4); /* sub sp, sp, x16 */
    add(f, "\xff\x63\x30\xcb", 4); /* sub sp, sp, x16 */
    add(f, "\xff\x43\x00\xd1", 4); /* sub sp, sp, #16 */
    add(f, "\xc0\x03\x5f\xd6", 4); /* ret */
    EXPECT_ROWS(f, {START + 8, "u"}, {START + 16, "sp+16"});
}
