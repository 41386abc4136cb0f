/* SPDX-License-Identifier: MIT */
/*
 * Jump tables: that analysis reads them, of every instruction set, and takes its states along to
 * the cases. The bytes are GNU as's; see prologue_fixture.h. Nothing is guessed about code that no
 * path reaches, so that a case without a path has no row.
 */
#include <stdlib.h>

#include "prologue_fixture.h"

/* gcc -fPIE: distances from the table, 4 bytes each. */
static char other_code[132]; /* that nothing leads to */

static const struct line DISTANCES_FROM_THE_TABLE[] = {
    {"\x53", 1, "rsp+8"},                          /* push rbx */
    {"\x83\xff\x03", 3, "rsp+16"},                 /* cmp edi, 3 */
    {"\x77\x22", 2, "rsp+16"},                     /* ja 9f */
    {"\x48\x8d\x15\x28\x00\x00\x00", 7, "rsp+16"}, /* lea rdx, [rip+table] */
    {"\x89\xff", 2, "rsp+16"},                     /* mov edi, edi */
    {"\x48\x63\x04\xba", 4, "rsp+16"},             /* movsxd rax, dword [rdx+rdi*4] */
    {"\x48\x01\xd0", 3, "rsp+16"},                 /* add rax, rdx */
    {"\x3e\xff\xe0", 3, "rsp+16"},                 /* notrack jmp rax */
    {"\x5b", 1, "rsp+16"},                         /* 0: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x48\x83\xec\x10", 4, "rsp+16"},             /* 1: sub rsp, 16 */
    {"\xe8\xdc\xef\x1f\x00", 5, "rsp+32"},         /* call OTHER */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},             /* add rsp, 16 */
    {"\x5b", 1, "rsp+16"},                         /* 9: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x57", 1, "rsp+16"},                         /* 2: push rdi */
    {"\x90", 1, "rsp+24"},                         /* nop */
    {"\x5f", 1, "rsp+24"},                         /* pop rdi */
    {"\x5b", 1, "rsp+16"},                         /* pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x5b", 1, "rsp+16"},                         /* 3: pop rbx */
    {"\xe9\xcb\xef\x1f\x00", 5, "rsp+8"},          /* jmp OTHER */
    {"\xe4\xff\xff\xff\xe6\xff\xff\xff", 8, NULL}, /* table: 0 - table, 1 - table */
    {"\xf5\xff\xff\xff\xfa\xff\xff\xff", 8, NULL}, /* 2 - table, 3 - table */
};

/* gcc -fno-pie: addresses. */
static const struct line ADDRESSES[] = {
    {"\x53", 1, "rsp+8"},                          /* push rbx */
    {"\x83\xff\x02", 3, "rsp+16"},                 /* cmp edi, 2 */
    {"\x77\x0f", 2, "rsp+16"},                     /* ja 2f */
    {"\x89\xff", 2, "rsp+16"},                     /* mov edi, edi */
    {"\xff\x24\xfd\x17\x10\x40\x00", 7, "rsp+16"}, /* jmp [table+rdi*8] */
    {"\x5b", 1, "rsp+16"},                         /* 0: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x57", 1, "rsp+16"},                         /* 1: push rdi */
    {"\x5f", 1, "rsp+24"},                         /* pop rdi */
    {"\x5b", 1, "rsp+16"},                         /* pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x5b", 1, "rsp+16"},                         /* 2: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x0f\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* table: 0 */
    {"\x11\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* 1 */
    {"\x15\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* 2 */
};

/*
 * A case goes on where code runs that was analysed before its table was found; at the same depth.
 */
static const struct line CASE_JOINS_EARLIER_CODE[] = {
    {"\x53", 1, "rsp+8"},                          /* push rbx */
    {"\x85\xff", 2, "rsp+16"},                     /* test edi, edi */
    {"\x74\x02", 2, "rsp+16"},                     /* je 1f */
    {"\x5b", 1, "rsp+16"},                         /* 3: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x83\xfe\x01", 3, "rsp+16"},                 /* 1: cmp esi, 1 */
    {"\x77\x08", 2, "rsp+16"},                     /* ja 2f */
    {"\x56", 1, "rsp+16"},                         /* push rsi */
    {"\xff\x24\xf5\x1c\x10\x40\x00", 7, "rsp+24"}, /* jmp [table+rsi*8] */
    {"\x5b", 1, "rsp+16"},                         /* 2: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x5e", 1, "rsp+24"},                         /* 0: pop rsi */
    {"\xeb\xec", 2, "rsp+16"},                     /* jmp 3b */
    {"\x5e", 1, "rsp+24"},                         /* 1: pop rsi */
    {"\x5b", 1, "rsp+16"},                         /* pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x16\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* table: 0 */
    {"\x19\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* 1 */
};

/* The same, but a case is that earlier code itself, which is reached at two depths then. */
static const struct line CASE_DISAGREES_WITH_EARLIER_CODE[] = {
    {"\x53", 1, "rsp+8"},                          /* push rbx */
    {"\x85\xff", 2, "rsp+16"},                     /* test edi, edi */
    {"\x74\x02", 2, "rsp+16"},                     /* je 1f */
    {"\x5b", 1, "u"},                              /* 3: pop rbx */
    {"\xc3", 1, "u"},                              /* ret */
    {"\x83\xfe\x01", 3, "rsp+16"},                 /* 1: cmp esi, 1 */
    {"\x77\x08", 2, "rsp+16"},                     /* ja 2f */
    {"\x56", 1, "rsp+16"},                         /* push rsi */
    {"\xff\x24\xf5\x19\x10\x40\x00", 7, "rsp+24"}, /* jmp [table+rsi*8] */
    {"\x5b", 1, "rsp+16"},                         /* 2: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x5e", 1, "rsp+24"},                         /* 0: pop rsi */
    {"\xeb\xec", 2, "rsp+16"},                     /* jmp 3b */
    {"\x16\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* table: 0 */
    {"\x05\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* 3 */
};

static const struct line TABLE_IN_A_CASE_OF_A_TABLE[] = {
    {"\x53", 1, "rsp+8"},                          /* push rbx */
    {"\x83\xff\x01", 3, "rsp+16"},                 /* cmp edi, 1 */
    {"\x77\x1e", 2, "rsp+16"},                     /* ja 9f */
    {"\xff\x24\xfd\x26\x10\x40\x00", 7, "rsp+16"}, /* jmp [first+rdi*8] */
    {"\x48\x83\xec\x10", 4, "rsp+16"},             /* 0: sub rsp, 16 */
    {"\x83\xfe\x01", 3, "rsp+32"},                 /* cmp esi, 1 */
    {"\x77\x0a", 2, "rsp+32"},                     /* ja 8f */
    {"\xff\x24\xf5\x36\x10\x40\x00", 7, "rsp+32"}, /* jmp [second+rsi*8] */
    {"\x51", 1, "rsp+32"},                         /* 2: push rcx */
    {"\x59", 1, "rsp+40"},                         /* pop rcx */
    {"\x90", 1, "rsp+32"},                         /* 3: nop */
    {"\x48\x83\xc4\x10", 4, "rsp+32"},             /* 8: add rsp, 16 */
    {"\x5b", 1, "rsp+16"},                         /* 9: pop rbx */
    {"\xc3", 1, "rsp+8"},                          /* ret */
    {"\x0d\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* first: 0 */
    {"\x24\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* 9 */
    {"\x1d\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* second: 2 */
    {"\x1f\x10\x40\x00\x00\x00\x00\x00", 8, NULL}, /* 3 */
};

/*
 * gcc -m32 -fPIC: distances from the GOT, whose address is made from the PC. THUNK gives it to ebx.
 */
static const struct line DISTANCES_FROM_THE_GOT[] = {
    {"\x53", 1, "esp+4"},                                 /* push ebx */
    {"\xe8\xfa\xef\x1f\x00", 5, "esp+8"},                 /* call OTHER */
    {"\x81\xc3\x00\x30\x00\x00", 6, "esp+8 ebx=c-8"},     /* add ebx, 0x3000 */
    {"\x8b\x44\x24\x08", 4, "esp+8 ebx=c-8"},             /* mov eax, [esp+8] */
    {"\x83\xf8\x02", 3, "esp+8 ebx=c-8"},                 /* cmp eax, 2 */
    {"\x77\x14", 2, "esp+8 ebx=c-8"},                     /* ja 9f */
    {"\x8b\x84\x83\x29\xd0\xff\xff", 7, "esp+8 ebx=c-8"}, /* mov eax, [ebx+eax*4+table@GOTOFF] */
    {"\x01\xd8", 2, "esp+8 ebx=c-8"},                     /* add eax, ebx */
    {"\x3e\xff\xe0", 3, "esp+8 ebx=c-8"},                 /* notrack jmp eax */
    {"\x5b", 1, "esp+8 ebx=c-8"},                         /* 0: pop ebx */
    {"\xc3", 1, "esp+4"},                                 /* ret */
    {"\x83\xec\x08", 3, "esp+8 ebx=c-8"},                 /* 1: sub esp, 8 */
    {"\x83\xc4\x08", 3, "esp+16 ebx=c-8"},                /* add esp, 8 */
    {"\x5b", 1, "esp+8 ebx=c-8"},                         /* 9: pop ebx */
    {"\xc3", 1, "esp+4"},                                 /* ret */
    {"\x56", 1, "esp+8 ebx=c-8"},                         /* 2: push esi */
    {"\x5e", 1, "esp+12 ebx=c-8"},                        /* pop esi */
    {"\x5b", 1, "esp+8 ebx=c-8"},                         /* pop ebx */
    {"\xc3", 1, "esp+4"},                                 /* ret */
    {"\x1b\xd0\xff\xff\x1d\xd0\xff\xff\x25\xd0\xff\xff", 12, NULL}, /* table */
};

static const struct line TBB[] = {
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x03\x28", 2, "sp+8 ra=c-4"},         /* cmp r0, #3 */
    {"\x06\xd8", 2, "sp+8 ra=c-4"},         /* bhi 9f */
    {"\xdf\xe8\x00\xf0", 4, "sp+8 ra=c-4"}, /* tbb [pc, r0] */
    {"\x02\x03\x06\x09", 4, NULL},          /* table */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 0: pop {r4, pc} */
    {"\x82\xb0", 2, "sp+8 ra=c-4"},         /* 1: sub sp, #8 */
    {"\x02\xb0", 2, "sp+16 ra=c-4"},        /* add sp, #8 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 9: pop {r4, pc} */
    {"\x60\xb4", 2, "sp+8 ra=c-4"},         /* 2: push {r5, r6} */
    {"\x60\xbc", 2, "sp+16 ra=c-4"},        /* pop {r5, r6} */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* pop {r4, pc} */
    {"\xbd\xe8\x10\x40", 4, "sp+8 ra=c-4"}, /* 3: pop.w {r4, lr} */
    {"\x70\x47", 2, "sp+0"},                /* bx lr */
};

static const struct line TBH[] = {
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x02\x28", 2, "sp+8 ra=c-4"},         /* cmp r0, #2 */
    {"\x07\xd8", 2, "sp+8 ra=c-4"},         /* bhi 9f */
    {"\xdf\xe8\x10\xf0", 4, "sp+8 ra=c-4"}, /* tbh [pc, r0, lsl #1] */
    {"\x03\x00\x04\x00\x07\x00", 6, NULL},  /* table */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 0: pop {r4, pc} */
    {"\x82\xb0", 2, "sp+8 ra=c-4"},         /* 1: sub sp, #8 */
    {"\x02\xb0", 2, "sp+16 ra=c-4"},        /* add sp, #8 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 9: pop {r4, pc} */
    {"\x60\xb4", 2, "sp+8 ra=c-4"},         /* 2: push {r5, r6} */
    {"\x60\xbc", 2, "sp+16 ra=c-4"},        /* pop {r5, r6} */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* pop {r4, pc} */
};

static const struct line TABLES_OF_CALLS[] = {
    /* gcc -Os for ARMv6-M, with libgcc's __gnu_thumb1_case_uqi behind it. */
    FUNCTION(CASES_BY_A_CALL),
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x03\x28", 2, "sp+8 ra=c-4"},         /* cmp r0, #3 */
    {"\x06\xd8", 2, "sp+8 ra=c-4"},         /* bhi 9f */
    {"\x00\xf0\x09\xf8", 4, "sp+8 ra=c-4"}, /* bl __gnu_thumb1_case_uqi */
    {"\x02\x03\x05\x06", 4, NULL},          /* table */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 0: pop {r4, pc} */
    {"\x82\xb0", 2, "sp+8 ra=c-4"},         /* 1: sub sp, #8 */
    {"\x02\xb0", 2, "sp+16 ra=c-4"},        /* add sp, #8 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 9: pop {r4, pc} */
    {"\x60\xb4", 2, "sp+8 ra=c-4"},         /* 3: push {r5, r6} */
    {"\x60\xbc", 2, "sp+16 ra=c-4"},        /* pop {r5, r6} */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* pop {r4, pc} */
    {"\x02\xb4\x71\x46\x49\x08\x49\x00\x09\x5c\x49\x00\x8e\x44", 14,
     NULL},                        /* push {r1} … add lr, r1 */
    {"\x02\xbc\x70\x47", 4, NULL}, /* pop {r1}; bx lr */
    /* __gnu_thumb1_case_shi: a case before the table. */
    FUNCTION(CASES_BY_A_CALL_OF_HALFWORDS),
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x02\x28", 2, "sp+8 ra=c-4"},         /* cmp r0, #2 */
    {"\x08\xd8", 2, "sp+8 ra=c-4"},         /* bhi 9f */
    {"\x00\xe0", 2, "sp+8 ra=c-4"},         /* b 5f */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 0: pop {r4, pc} */
    {"\x00\xf0\x06\xf8", 4, "sp+8 ra=c-4"}, /* 5: bl __gnu_thumb1_case_shi */
    {"\xfd\xff\x03\x00\x05\x00", 6, NULL},  /* table */
    {"\x82\xb0", 2, "sp+8 ra=c-4"},         /* 1: sub sp, #8 */
    {"\x02\xb0", 2, "sp+16 ra=c-4"},        /* add sp, #8 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 9: pop {r4, pc} */
    {"\x03\xb4\x71\x46\x49\x08\x40\x00\x49\x00\x09\x5e\x49\x00\x8e\x44", 16,
     NULL},                        /* push {r0, r1} … add lr, r1 */
    {"\x03\xbc\x70\x47", 4, NULL}, /* pop {r0, r1}; bx lr */
    /* __gnu_thumb1_case_si: the table begins at a multiple of 4. */
    FUNCTION(CASES_BY_A_CALL_OF_WORDS),
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x01\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #1 */
    {"\x08\xd8", 2, "sp+8 ra=c-4"},                /* bhi 9f */
    {"\x00\xf0\x08\xf8", 4, "sp+8 ra=c-4"},        /* bl __gnu_thumb1_case_si */
    {"\xc0\x46", 2, NULL},                         /* padding */
    {"\x08\x00\x00\x00\x0c\x00\x00\x00", 8, NULL}, /* table */
    {"\x82\xb0", 2, "sp+8 ra=c-4"},                /* 0: sub sp, #8 */
    {"\x02\xb0", 2, "sp+16 ra=c-4"},               /* add sp, #8 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* 9: pop {r4, pc} */
    {"\x03\xb4\x71\x46\x02\x31\x89\x08\x80\x00\x89\x00\x08\x58\x40\x18", 16,
     NULL},                                /* push {r0, r1} … adds r0, r1 */
    {"\x86\x46\x03\xbc\xf7\x46", 6, NULL}, /* mov lr, r0; pop {r0, r1}; mov pc, lr */
};

/* The first two elements are no instruction; a case begins right behind the last. */
static const struct line TBB_OF_NO_INSTRUCTIONS[] = {
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x03\x28", 2, "sp+8 ra=c-4"},         /* cmp r0, #3 */
    {"\x05\xd8", 2, "sp+8 ra=c-4"},         /* bhi 9f */
    {"\xdf\xe8\x00\xf0", 4, "sp+8 ra=c-4"}, /* tbb [pc, r0] */
    {"\x6a\x47\x02\x02", 4, NULL},          /* table */
    {"\x82\xb0", 2, "sp+8 ra=c-4"},         /* 2: sub sp, #8 */
    {"\x02\xb0", 2, "sp+16 ra=c-4"},        /* add sp, #8 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* 9: pop {r4, pc} */
    {other_code, 132, NULL},
    {"\x10\xbd", 2, "sp+8 ra=c-4"}, /* 1: pop {r4, pc} */
    {other_code, 68, NULL},
    {"\x10\xbd", 2, "sp+8 ra=c-4"}, /* 0: pop {r4, pc} */
};

/* gcc's, of a function that has saved LR. */
static const struct line DISTANCES_THROUGH_LR[] = {
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x04\x46", 2, "sp+8 ra=c-4"},                /* mov r4, r0 */
    {"\x01\x28", 2, "sp+8 r4=c-8 ra=c-4"},         /* cmp r0, #1 */
    {"\x0d\xd8", 2, "sp+8 r4=c-8 ra=c-4"},         /* bhi 9f */
    {"\x0f\xf2\x0c\x0e", 4, "sp+8 r4=c-8 ra=c-4"}, /* addw lr, pc, #12 */
    {"\x5e\xf8\x20\x30", 4, "sp+8 r4=c-8 ra=c-4"}, /* ldr.w r3, [lr, r0, lsl #2] */
    {"\x9e\x44", 2, "sp+8 r4=c-8 ra=c-4"},         /* add lr, r3 */
    {"\x70\x47", 2, "sp+8 r4=c-8 ra=c-4"},         /* bx lr */
    {"\x00\xbf\x00\xbf", 4, NULL},                 /* padding */
    {"\x09\x00\x00\x00\x0d\x00\x00\x00", 8, NULL}, /* table */
    {"\x00\xf0\xfe\xff", 4, "sp+8 r4=c-8 ra=c-4"}, /* 0: bl callee */
    {"\x10\xbd", 2, "sp+8 r4=c-8 ra=c-4"},         /* 1, 9: pop {r4, pc} */
};

/* Of T32 code, so that the low bit of each is set. */
static const struct line POINTERS_TO_T32[] = {
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x01\x28", 2, "sp+8 ra=c-4"},                /* cmp r0, #1 */
    {"\x02\xd8", 2, "sp+8 ra=c-4"},                /* bhi 9f */
    {"\x03\xa3", 2, "sp+8 ra=c-4"},                /* adr r3, table */
    {"\x53\xf8\x20\xf0", 4, "sp+8 ra=c-4"},        /* ldr.w pc, [r3, r0, lsl #2] */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* 9: pop {r4, pc} */
    {"\x20\xb4", 2, "sp+8 ra=c-4"},                /* 1: push {r5} */
    {"\x20\xbc", 2, "sp+12 ra=c-4"},               /* pop {r5} */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    {"\x0d\x10\x40\x00\x0f\x10\x40\x00", 8, NULL}, /* table: 9b + 1, 1b + 1 */
};

/* Of labels, as computed gotos have it: the code itself sets the low bit. */
static const struct line LABELS_OF_T32[] = {
    {"\x10\xb5", 2, "sp+0"},                       /* push {r4, lr} */
    {"\x06\xa3", 2, "sp+8 ra=c-4"},                /* adr r3, table */
    {"\x03\xeb\x80\x03", 4, "sp+8 ra=c-4"},        /* add.w r3, r3, r0, lsl #2 */
    {"\x5b\x68", 2, "sp+8 ra=c-4"},                /* ldr r3, [r3, #4] */
    {"\x43\xf0\x01\x03", 4, "sp+8 ra=c-4"},        /* orr r3, r3, #1 */
    {"\x18\x47", 2, "sp+8 ra=c-4"},                /* bx r3 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* 0: pop {r4, pc} */
    {"\x20\xb4", 2, "sp+8 ra=c-4"},                /* 1: push {r5} */
    {"\x20\xbc", 2, "sp+12 ra=c-4"},               /* pop {r5} */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},                /* pop {r4, pc} */
    {"\xc0\x46\xc0\x46", 4, NULL},                 /* nop, nop */
    {"\x78\x56\x34\x12", 4, NULL},                 /* table - 4 */
    {"\x10\x10\x40\x00\x12\x10\x40\x00", 8, NULL}, /* table: 0b, 1b */
};

static const struct line TABLE_OF_BRANCHES[] = {
    {"\x10\x40\x2d\xe9", 4, "sp+0"},         /* push {r4, lr} */
    {"\x02\x00\x50\xe3", 4, "sp+8 ra=c-4"},  /* cmp r0, #2 */
    {"\x00\xf1\x8f\x90", 4, "sp+8 ra=c-4"},  /* addls pc, pc, r0, lsl #2 */
    {"\x05\x00\x00\xea", 4, "sp+8 ra=c-4"},  /* b 9f */
    {"\x01\x00\x00\xea", 4, "sp+8 ra=c-4"},  /* b 0f */
    {"\x01\x00\x00\xea", 4, "sp+8 ra=c-4"},  /* b 1f */
    {"\x03\x00\x00\xea", 4, "sp+8 ra=c-4"},  /* b 2f */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},  /* 0: pop {r4, pc} */
    {"\x08\xd0\x4d\xe2", 4, "sp+8 ra=c-4"},  /* 1: sub sp, sp, #8 */
    {"\x08\xd0\x8d\xe2", 4, "sp+16 ra=c-4"}, /* add sp, sp, #8 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},  /* 9: pop {r4, pc} */
    {"\x60\x00\x2d\xe9", 4, "sp+8 ra=c-4"},  /* 2: push {r5, r6} */
    {"\x60\x00\xbd\xe8", 4, "sp+16 ra=c-4"}, /* pop {r5, r6} */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},  /* pop {r4, pc} */
};

static const struct line ADDRESSES_AMONG_THE_CODE[] = {
    {"\x10\x40\x2d\xe9", 4, "sp+0"},               /* push {r4, lr} */
    {"\x02\x00\x50\xe3", 4, "sp+8 ra=c-4"},        /* cmp r0, #2 */
    {"\x00\xf1\x9f\x97", 4, "sp+8 ra=c-4"},        /* ldrls pc, [pc, r0, lsl #2] */
    {"\x05\x00\x00\xea", 4, "sp+8 ra=c-4"},        /* b 9f */
    {"\x1c\x10\x40\x00\x20\x10\x40\x00", 8, NULL}, /* 0, 1 */
    {"\x2c\x10\x40\x00", 4, NULL},                 /* 2 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* 0: pop {r4, pc} */
    {"\x08\xd0\x4d\xe2", 4, "sp+8 ra=c-4"},        /* 1: sub sp, sp, #8 */
    {"\x08\xd0\x8d\xe2", 4, "sp+16 ra=c-4"},       /* add sp, sp, #8 */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* 9: pop {r4, pc} */
    {"\x60\x00\x2d\xe9", 4, "sp+8 ra=c-4"},        /* 2: push {r5, r6} */
    {"\x60\x00\xbd\xe8", 4, "sp+16 ra=c-4"},       /* pop {r5, r6} */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* pop {r4, pc} */
};

static const struct line TABLE_AT_A_LITERAL[] = {
    {"\x10\x40\x2d\xe9", 4, "sp+0"},               /* push {r4, lr} */
    {"\x01\x00\x50\xe3", 4, "sp+8 ra=c-4"},        /* cmp r0, #1 */
    {"\x05\x00\x00\x8a", 4, "sp+8 ra=c-4"},        /* bhi 9f */
    {"\x00\x30\x9f\xe5", 4, "sp+8 ra=c-4"},        /* ldr r3, 8f */
    {"\x00\xf1\x93\xe7", 4, "sp+8 ra=c-4"},        /* ldr pc, [r3, r0, lsl #2] */
    {"\x28\x10\x40\x00", 4, NULL},                 /* 8: table */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* 0: pop {r4, pc} */
    {"\x04\x50\x2d\xe5", 4, "sp+8 ra=c-4"},        /* 1: push {r5} */
    {"\x04\x50\x9d\xe4", 4, "sp+12 ra=c-4"},       /* pop {r5} */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"},        /* 9: pop {r4, pc} */
    {"\x18\x10\x40\x00\x1c\x10\x40\x00", 8, NULL}, /* table */
};

/* A quarter of the distance from the first case, in a byte. */
static const struct line SCALED_BYTES[] = {
    {"\xfd\x7b\xbf\xa9", 4, "sp+0"},         /* stp x29, x30, [sp, #-16]! */
    {"\x1f\x08\x00\x71", 4, "sp+16 ra=c-8"}, /* cmp w0, #2 */
    {"\x68\x01\x00\x54", 4, "sp+16 ra=c-8"}, /* b.hi 9f */
    {"\x01\x00\x00\x90", 4, "sp+16 ra=c-8"}, /* adrp x1, table */
    {"\x21\x30\x01\x91", 4, "sp+16 ra=c-8"}, /* add x1, x1, :lo12:table */
    {"\x21\x48\x60\x38", 4, "sp+16 ra=c-8"}, /* ldrb w1, [x1, w0, uxtw] */
    {"\x62\x00\x00\x10", 4, "sp+16 ra=c-8"}, /* adr x2, 0f */
    {"\x41\x88\x21\x8b", 4, "sp+16 ra=c-8"}, /* add x1, x2, w1, sxtb #2 */
    {"\x20\x00\x1f\xd6", 4, "sp+16 ra=c-8"}, /* br x1 */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 ra=c-8"}, /* 0: ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},         /* ret */
    {"\xff\x43\x00\xd1", 4, "sp+16 ra=c-8"}, /* 1: sub sp, sp, #16 */
    {"\xff\x43\x00\x91", 4, "sp+32 ra=c-8"}, /* add sp, sp, #16 */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 ra=c-8"}, /* 9: ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},         /* ret */
    {"\xf3\x53\xbf\xa9", 4, "sp+16 ra=c-8"}, /* 2: stp x19, x20, [sp, #-16]! */
    {"\xf3\x53\xc1\xa8", 4, "sp+32 ra=c-8"}, /* ldp x19, x20, [sp], #16 */
    {"\xfd\x7b\xc1\xa8", 4, "sp+16 ra=c-8"}, /* ldp x29, x30, [sp], #16 */
    {"\xc0\x03\x5f\xd6", 4, "sp+0"},         /* ret */
    {"\x00\x02\x06", 3, NULL},               /* table */
};

/* As many branches as there are cases: without a comparison nobody knows but of the first. */
static const struct line BRANCHES_WITHOUT_BOUND[] = {
    {"\x10\x40\x2d\xe9", 4, "sp+0"},        /* push {r4, lr} */
    {"\x00\xf1\x8f\xe0", 4, "sp+8 ra=c-4"}, /* add pc, pc, r0, lsl #2 */
    {"\x00\xf0\x20\xe3", 4, "sp+8 ra=c-4"}, /* nop: padding of what follows */
    {"\x01\x00\x00\xea", 4, "sp+8 ra=c-4"}, /* b 0f */
    {"\x00\x00\x00\xea", 4, "u"},           /* b 0f */
    {"\x10\x80\xbd\xe8", 4, "u"},           /* pop {r4, pc} */
    {"\x10\x80\xbd\xe8", 4, "sp+8 ra=c-4"}, /* 0: pop {r4, pc} */
};

/* gcc's main in a PIE, where the thunk leaves ECX alone, which holds the CFA. */
static const struct line THUNK_IN_A_REALIGNED_FRAME[] = {
    {"\x8d\x4c\x24\x04", 4, "esp+4"},                     /* lea ecx, [esp+4] */
    {"\x83\xe4\xf0", 3, "esp+4"},                         /* and esp, -16 */
    {"\xff\x71\xfc", 3, "ecx+0"},                         /* push [ecx-4] */
    {"\x55", 1, "ecx+0"},                                 /* push ebp */
    {"\x89\xe5", 2, "ecx+0"},                             /* mov ebp, esp */
    {"\x53", 1, "ecx+0 ebp=[ebp+0]"},                     /* push ebx */
    {"\xe8\xed\xef\x1f\x00", 5, "ecx+0 ebp=[ebp+0]"},     /* call OTHER */
    {"\x51", 1, "ecx+0 ebx=[ebp-4] ebp=[ebp+0]"},         /* push ecx */
    {"\xeb\xfe", 2, "[ebp-8]+0 ebx=[ebp-4] ebp=[ebp+0]"}, /* jmp . */
};

static void other_is_a_thunk(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    callee(context, vaddr, mode, out);
    if (vaddr == OTHER)
        out->pc_reg = 3; /* ebx */
}

static void check_i386(const char *name, const struct line *lines, size_t count)
{
    struct function f;

    function_init(&f, ARCH_I386, CODE_DEFAULT);
    f.input.reached_only = true;
    f.input.callee = other_is_a_thunk;
    expect_lines(&f, name, lines, count);
}

static const struct line POOLS[] = {
    /*
     * Behind a jump that leads nobody knows where comes code, and what it loads: words that would
     * be pushes, and more code.
     */
    FUNCTION(POOL_OF_A_GAP),
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x04\x4a", 2, "sp+8 ra=c-4"},         /* ldr r2, [pc, #16] */
    {"\x00\xf0\xfe\xff", 4, "sp+8 ra=c-4"}, /* bl callee */
    {"\x87\x46", 2, "sp+8 ra=c-4"},         /* mov pc, r0 */
    {"\x01\x49", 2, "sp+8 ra=c-4"},         /* ldr r1, [pc, #4] */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* pop {r4, pc} */
    {"\x00\xbf", 2, NULL},                  /* padding */
    {"\xf0\xb5\xf0\xb5", 4, NULL},
    {"\xf0\xb5\xf0\xb5", 4, NULL},
    {"\x00\x20", 2, "sp+8 ra=c-4"}, /* movs r0, #0 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    /* How gcc 12 loads a constant of 64 bits. */
    FUNCTION(DOUBLE_WORD_OF_A_GAP),
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x00\xf0\xfe\xff", 4, "sp+8 ra=c-4"}, /* bl callee */
    {"\x87\x46", 2, "sp+8 ra=c-4"},         /* mov pc, r0 */
    {"\x01\xa3", 2, "sp+8 ra=c-4"},         /* adr r3, 401010 */
    {"\xd3\xe9\x00\x23", 4, "sp+8 ra=c-4"}, /* ldrd r2, r3, [r3] */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},         /* pop {r4, pc} */
    {"\xf0\xb5\xf0\xb5\xf0\xb5\xf0\xb5", 8, NULL},
    {"\x00\x20", 2, "sp+8 ra=c-4"}, /* movs r0, #0 */
    {"\x10\xbd", 2, "sp+8 ra=c-4"}, /* pop {r4, pc} */
    /* What only code elsewhere loads does not go on to what is known to be data. */
    FUNCTION(POOL_BEFORE_A_POOL),
    {"\x10\xb5", 2, "sp+0"},                /* push {r4, lr} */
    {"\x03\x49", 2, "sp+8 ra=c-4"},         /* ldr r1, [pc, #12] */
    {"\x00\xf0\xfe\xff", 4, "sp+8 ra=c-4"}, /* bl callee */
    {"\x87\x46", 2, "sp+8 ra=c-4"},         /* mov pc, r0 */
    {"\x00\xbf", 2, "sp+8 ra=c-4"},         /* padding */
    {"\x00\x20\x00\x20", 4, "sp+8 ra=c-4"},
    {"\x02\xd0\x02\xd0", 4, NULL},   /* would be branches to what follows */
    {"\x30\xb4", 2, "sp+8 ra=c-4"},  /* push {r4, r5} */
    {"\x00\x20", 2, "sp+16 ra=c-4"}, /* movs r0, #0 */
    {"\x30\xbc", 2, "sp+16 ra=c-4"}, /* pop {r4, r5} */
    {"\x10\xbd", 2, "sp+8 ra=c-4"},  /* pop {r4, pc} */
};

static void check_guesses(enum arch_id id, enum code_mode mode, const char *name,
                          const struct line *lines, size_t count)
{
    struct function f;

    function_init(&f, id, mode);
    expect_lines(&f, name, lines, count);
}

TEST(tables_pools_of_code_that_no_path_reaches_are_data)
{
    for_each_function(check_guesses, ARCH_ARM, CODE_T32, LINES(POOLS));
}

TEST(tables_may_hold_what_is_no_instruction)
{
    memset(other_code, 0x20, sizeof(other_code));
    CHECK_PATHS(ARCH_ARM, CODE_T32, TBB_OF_NO_INSTRUCTIONS);
}

TEST(tables_may_be_jumped_through_by_lr)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, DISTANCES_THROUGH_LR);
}

TEST(tables_x86_64_distances_are_followed)
{
    CHECK_PATHS(ARCH_X86_64, CODE_DEFAULT, DISTANCES_FROM_THE_TABLE);
}

TEST(tables_x86_64_addresses_are_followed)
{
    CHECK_PATHS(ARCH_X86_64, CODE_DEFAULT, ADDRESSES);
}

TEST(tables_i386_distances_from_the_got_are_followed)
{
    check_i386(LINES(DISTANCES_FROM_THE_GOT));
}

TEST(tables_i386_thunk_changes_nothing_else)
{
    check_i386(LINES(THUNK_IN_A_REALIGNED_FRAME));
}

TEST(tables_t32_bytes_are_followed)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, TBB);
}

TEST(tables_t32_halfwords_are_followed)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, TBH);
}

TEST(tables_t32_of_calls_are_followed)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, TABLES_OF_CALLS);
}

TEST(tables_t32_pointers_have_their_low_bit_set)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, POINTERS_TO_T32);
}

TEST(tables_t32_labels_become_code_by_an_or)
{
    CHECK_PATHS(ARCH_ARM, CODE_T32, LABELS_OF_T32);
}

TEST(tables_a32_branches_are_followed)
{
    CHECK_PATHS(ARCH_ARM, CODE_DEFAULT, TABLE_OF_BRANCHES);
}

TEST(tables_a32_addresses_among_the_code_are_followed)
{
    CHECK_PATHS(ARCH_ARM, CODE_DEFAULT, ADDRESSES_AMONG_THE_CODE);
}

TEST(tables_a32_literal_tells_where_the_table_is)
{
    CHECK_PATHS(ARCH_ARM, CODE_DEFAULT, TABLE_AT_A_LITERAL);
}

TEST(tables_a32_branches_without_bound_are_followed_to_the_first)
{
    CHECK_PATHS(ARCH_ARM, CODE_DEFAULT, BRANCHES_WITHOUT_BOUND);
}

TEST(tables_a64_scaled_bytes_are_followed)
{
    CHECK_PATHS(ARCH_AARCH64, CODE_DEFAULT, SCALED_BYTES);
}

TEST(tables_case_that_joins_earlier_code_leaves_its_rows)
{
    CHECK_PATHS(ARCH_X86_64, CODE_DEFAULT, CASE_JOINS_EARLIER_CODE);
}

TEST(tables_case_at_another_depth_makes_earlier_code_unknown)
{
    CHECK_PATHS(ARCH_X86_64, CODE_DEFAULT, CASE_DISAGREES_WITH_EARLIER_CODE);
}

TEST(tables_case_may_lead_to_another_table)
{
    CHECK_PATHS(ARCH_X86_64, CODE_DEFAULT, TABLE_IN_A_CASE_OF_A_TABLE);
}

TEST(tables_are_not_taken_for_gaps)
{
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, TBB);
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, TBH);
    CHECK_FUNCTIONS(ARCH_ARM, CODE_T32, POINTERS_TO_T32);
}

/* A table in read-only data, of which the file has so many bytes. */
struct apart {
    struct function f;
    const uint8_t *table;
    uint64_t table_size;
};

#define TABLE UINT64_C(0x402000)

static const uint8_t *table_bytes(const void *context, uint64_t vaddr, uint64_t *avail)
{
    const struct apart *a = context;

    if (vaddr < TABLE || vaddr - TABLE >= a->table_size)
        return NULL;
    *avail = a->table_size - (vaddr - TABLE);
    return a->table + (vaddr - TABLE);
}

enum bound { UNBOUNDED, BOUNDED, BOUNDED_AWAY };

/*
 * push rbx; [cmp edi, 3; ja 9f;] jmp [TABLE+rdi*8]; three times pop rbx, ret; 9: pop rbx; ret.
 * BOUNDED_AWAY: the comparison is followed by jbe 1f; pop rbx; ret; 1:. Tells which of the four
 * have a row, as bits.
 */
static unsigned cases_with_rows(enum bound bound, const uint64_t *table, size_t table_size)
{
    uint8_t *exact = malloc(table_size); /* what is read beyond it is seen by the sanitizer */
    struct apart a;
    struct row_table rows;
    uint64_t first;
    unsigned found = 0;

    assert_non_null(exact);
    memcpy(exact, table, table_size);
    a.table = exact;
    a.table_size = table_size;
    function_init(&a.f, ARCH_X86_64, CODE_DEFAULT);
    code_destroy(a.f.input.code);
    assert_int_equal(code_create(arch_get(ARCH_X86_64), function_bytes, table_bytes, &a,
                                 &a.f.input.code),
                     STATUS_OK);
    a.f.input.reached_only = true;
    add(&a.f, "\x53", 1);
    if (bound == BOUNDED_AWAY)
        add(&a.f, "\x83\xff\x03\x76\x02\x5b\xc3", 7);
    else
        add(&a.f, bound == BOUNDED ? "\x83\xff\x03\x77\x0d" : "\x0f\x1f\x44\x00\x00", 5);
    add(&a.f, "\xff\x24\xfd\x00\x20\x40\x00", 7);
    first = a.f.input.end_vaddr;
    add(&a.f, "\x5b\xc3\x5b\xc3\x5b\xc3\x5b\xc3", 8);
    assert_int_equal(analyse_rows(&a.f.input, &rows), STATUS_OK);
    for (unsigned i = 0; i < 4; i++)
        if (row_table_find(&rows, first + 2 * i, &(struct row){0}))
            found |= 1u << i;
    row_table_deinit(&rows);
    function_deinit(&a.f);
    free(exact);
    return found;
}

#define DEFAULT    8 /* where the comparison leads to: the fourth */
#define CASE_AT(n) (START + 13 + 2 * (n))

TEST(tables_end_with_the_files_data)
{
    const uint64_t table[] = {CASE_AT(0), CASE_AT(1), CASE_AT(2)};

    assert_int_equal(cases_with_rows(UNBOUNDED, table, sizeof(table)), 7);
    assert_int_equal(cases_with_rows(UNBOUNDED, table, sizeof(table) - 1), 3);
    assert_int_equal(cases_with_rows(BOUNDED, table, sizeof(table) - 1), 3 | DEFAULT);
    assert_int_equal(cases_with_rows(BOUNDED, table, 7), DEFAULT);
}

TEST(tables_without_bound_end_where_they_lead_out_of_the_function)
{
    const uint64_t table[] = {CASE_AT(0), CASE_AT(1), OTHER, CASE_AT(2)};

    assert_int_equal(cases_with_rows(UNBOUNDED, table, sizeof(table)), 3);
}

TEST(tables_with_bound_may_lead_out_of_the_function)
{
    const uint64_t table[] = {CASE_AT(0), OTHER, CASE_AT(1), CASE_AT(2)};

    assert_int_equal(cases_with_rows(BOUNDED, table, sizeof(table)), 7 | DEFAULT);
}

TEST(tables_end_behind_the_bound)
{
    const uint64_t table[] = {CASE_AT(0), CASE_AT(0), CASE_AT(1), CASE_AT(0), CASE_AT(2)};

    assert_int_equal(cases_with_rows(BOUNDED, table, sizeof(table)), 3 | DEFAULT);
}

/* The comparison jumps to where the table is used, with something else between. */
TEST(tables_end_behind_the_bound_of_the_only_way_to_them)
{
    const uint64_t table[] = {CASE_AT(1), CASE_AT(1), CASE_AT(2), CASE_AT(1), CASE_AT(3)};

    assert_int_equal(cases_with_rows(BOUNDED_AWAY, table, sizeof(table)), 3);
}
