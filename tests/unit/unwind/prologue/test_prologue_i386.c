/* SPDX-License-Identifier: MIT */
/* Prologue analysis of i386 code; the bytes are GNU as's. See prologue_fixture.h. */
#include "prologue_fixture.h"

static const struct line CASES[] = {
    FUNCTION(EBP_FRAME),
    {"\x55", 1, "esp+4"},                         /* push ebp */
    {"\x89\xe5", 2, "esp+8"},                     /* mov ebp, esp */
    {"\x57", 1, "ebp+8 ebp=c-8"},                 /* push edi */
    {"\x53", 1, "ebp+8 ebp=c-8"},                 /* push ebx */
    {"\x83\xec\x1c", 3, "ebp+8 ebp=c-8"},         /* sub esp, 0x1c */
    {"\xe8\xf3\x0f\x00\x00", 5, "ebp+8 ebp=c-8"}, /* call callee */
    {"\x8d\x65\xf8", 3, "ebp+8 ebp=c-8"},         /* lea esp, [ebp-0x8] */
    {"\x5b", 1, "ebp+8 ebp=c-8"},                 /* pop ebx */
    {"\x5f", 1, "ebp+8 ebp=c-8"},                 /* pop edi */
    {"\x5d", 1, "ebp+8 ebp=c-8"},                 /* pop ebp */
    {"\xc3", 1, "esp+4"},                         /* ret */
    FUNCTION(PUSHED_ARGUMENTS),
    {"\x53", 1, "esp+4"},                  /* push ebx */
    {"\x83\xec\x08", 3, "esp+8"},          /* sub esp, 0x8 */
    {"\xe8\xf7\x0f\x00\x00", 5, "esp+16"}, /* call callee */
    {"\x83\xec\x0c", 3, "esp+16"},         /* sub esp, 0xc */
    {"\x50", 1, "esp+28"},                 /* push eax */
    {"\x6a\x05", 2, "esp+32"},             /* push 0x5 */
    {"\xff\x74\x24\x24", 4, "esp+36"},     /* push dword [esp+0x24] */
    {"\xe8\xe8\x0f\x00\x00", 5, "esp+40"}, /* call callee */
    {"\x83\xc4\x18", 3, "esp+40"},         /* add esp, 0x18 */
    {"\x83\xc4\x08", 3, "esp+16"},         /* add esp, 0x8 */
    {"\x5b", 1, "esp+8"},                  /* pop ebx */
    {"\xc3", 1, "esp+4"},                  /* ret */
    /* Shorter than add esp, 8. */
    FUNCTION(ARGUMENTS_TAKEN_OFF_BY_POPS),
    {"\x83\xec\x0c", 3, "esp+4"},          /* sub esp, 0xc */
    {"\x50", 1, "esp+16"},                 /* push eax */
    {"\x52", 1, "esp+20"},                 /* push edx */
    {"\xe8\xf6\x0f\x00\x00", 5, "esp+24"}, /* call callee */
    {"\x59", 1, "esp+24"},                 /* pop ecx */
    {"\x58", 1, "esp+20"},                 /* pop eax */
    {"\x83\xc4\x0c", 3, "esp+16"},         /* add esp, 0xc */
    {"\xc3", 1, "esp+4"},                  /* ret */
    FUNCTION(FRAME_WITHOUT_A_POINTER),
    {"\x55", 1, "esp+4"},                                /* push ebp */
    {"\x57", 1, "esp+8"},                                /* push edi */
    {"\x56", 1, "esp+12"},                               /* push esi */
    {"\x53", 1, "esp+16"},                               /* push ebx */
    {"\x83\xec\x1c", 3, "esp+20"},                       /* sub esp, 0x1c */
    {"\x8b\x5c\x24\x30", 4, "esp+48"},                   /* mov ebx, dword [esp+0x30] */
    {"\x31\xed", 2, "esp+48 ebx=c-20"},                  /* xor ebp, ebp */
    {"\x31\xf6", 2, "esp+48 ebx=c-20 ebp=c-8"},          /* xor esi, esi */
    {"\x31\xff", 2, "esp+48 ebx=c-20 ebp=c-8 esi=c-16"}, /* xor edi, edi */
    {"\xe8\xea\x0f\x00\x00", 5, "esp+48 ebx=c-20 ebp=c-8 esi=c-16 edi=c-12"}, /* call callee */
    {"\x83\xc4\x1c", 3, "esp+48 ebx=c-20 ebp=c-8 esi=c-16 edi=c-12"},         /* add esp, 0x1c */
    {"\x5b", 1, "esp+20 ebx=c-20 ebp=c-8 esi=c-16 edi=c-12"},                 /* pop ebx */
    {"\x5e", 1, "esp+16 ebp=c-8 esi=c-16 edi=c-12"},                          /* pop esi */
    {"\x5f", 1, "esp+12 ebp=c-8 edi=c-12"},                                   /* pop edi */
    {"\x5d", 1, "esp+8 ebp=c-8"},                                             /* pop ebp */
    {"\xc3", 1, "esp+4"},                                                     /* ret */
    /*
     * gcc's main: the CFA is in ecx, then in the frame. The copy of the return address is not the
     * return address.
     */
    FUNCTION(REALIGNED_THROUGH_ECX),
    {"\x8d\x4c\x24\x04", 4, "esp+4"},                                 /* lea ecx, [esp+0x4] */
    {"\x83\xe4\xf0", 3, "esp+4"},                                     /* and esp, 0xfffffff0 */
    {"\xff\x71\xfc", 3, "ecx+0"},                                     /* push dword [ecx-0x4] */
    {"\x55", 1, "ecx+0"},                                             /* push ebp */
    {"\x89\xe5", 2, "ecx+0"},                                         /* mov ebp, esp */
    {"\x53", 1, "ecx+0 ebp=[ebp+0]"},                                 /* push ebx */
    {"\x51", 1, "ecx+0 ebp=[ebp+0]"},                                 /* push ecx */
    {"\x83\xec\x20", 3, "[ebp-8]+0 ebp=[ebp+0]"},                     /* sub esp, 0x20 */
    {"\x31\xdb", 2, "[ebp-8]+0 ebp=[ebp+0]"},                         /* xor ebx, ebx */
    {"\xe8\xe7\x0f\x00\x00", 5, "[ebp-8]+0 ebx=[ebp-4] ebp=[ebp+0]"}, /* call callee */
    {"\x8d\x65\xf8", 3, "[ebp-8]+0 ebx=[ebp-4] ebp=[ebp+0]"},         /* lea esp, [ebp-0x8] */
    {"\x59", 1, "[ebp-8]+0 ebx=[ebp-4] ebp=[ebp+0]"},                 /* pop ecx */
    {"\x5b", 1, "ecx+0 ebx=[ebp-4] ebp=[ebp+0]"},                     /* pop ebx */
    {"\x5d", 1, "ecx+0 ebp=[ebp+0]"},                                 /* pop ebp */
    {"\x8d\x61\xfc", 3, "ecx+0"},                                     /* lea esp, [ecx-0x4] */
    {"\xc3", 1, "esp+4"},                                             /* ret */
    FUNCTION(REALIGNED_AND_LEFT_BY_LEAVE),
    {"\x8d\x4c\x24\x04", 4, "esp+4"},                     /* lea ecx, [esp+0x4] */
    {"\x83\xe4\xf0", 3, "esp+4"},                         /* and esp, 0xfffffff0 */
    {"\xff\x71\xfc", 3, "ecx+0"},                         /* push dword [ecx-0x4] */
    {"\x55", 1, "ecx+0"},                                 /* push ebp */
    {"\x89\xe5", 2, "ecx+0"},                             /* mov ebp, esp */
    {"\x51", 1, "ecx+0 ebp=[ebp+0]"},                     /* push ecx */
    {"\x83\xec\x14", 3, "[ebp-4]+0 ebp=[ebp+0]"},         /* sub esp, 0x14 */
    {"\xe8\xea\x0f\x00\x00", 5, "[ebp-4]+0 ebp=[ebp+0]"}, /* call callee */
    {"\x8b\x4d\xfc", 3, "[ebp-4]+0 ebp=[ebp+0]"},         /* mov ecx, dword [ebp-0x4] */
    {"\xc9", 1, "[ebp-4]+0 ebp=[ebp+0]"},                 /* leave */
    {"\x8d\x61\xfc", 3, "ecx+0"},                         /* lea esp, [ecx-0x4] */
    {"\xc3", 1, "esp+4"},                                 /* ret */
    FUNCTION(ALIGNED_LOCALS),
    {"\x55", 1, "esp+4"},                         /* push ebp */
    {"\x89\xe5", 2, "esp+8"},                     /* mov ebp, esp */
    {"\x83\xe4\xc0", 3, "ebp+8 ebp=c-8"},         /* and esp, 0xffffffc0 */
    {"\x83\xec\x40", 3, "ebp+8 ebp=c-8"},         /* sub esp, 0x40 */
    {"\xe8\xf2\x0f\x00\x00", 5, "ebp+8 ebp=c-8"}, /* call callee */
    {"\xc9", 1, "ebp+8 ebp=c-8"},                 /* leave */
    {"\xc3", 1, "esp+4"},                         /* ret */
    FUNCTION(ALLOCA),
    {"\x55", 1, "esp+4"},                                  /* push ebp */
    {"\x89\xe5", 2, "esp+8"},                              /* mov ebp, esp */
    {"\x53", 1, "ebp+8 ebp=c-8"},                          /* push ebx */
    {"\x83\xec\x04", 3, "ebp+8 ebp=c-8"},                  /* sub esp, 0x4 */
    {"\x29\xc4", 2, "ebp+8 ebp=c-8"},                      /* sub esp, eax */
    {"\x89\xe3", 2, "ebp+8 ebp=c-8"},                      /* mov ebx, esp */
    {"\x53", 1, "ebp+8 ebx=c-12 ebp=c-8"},                 /* push ebx */
    {"\xe8\xef\x0f\x00\x00", 5, "ebp+8 ebx=c-12 ebp=c-8"}, /* call callee */
    {"\x83\xc4\x10", 3, "ebp+8 ebx=c-12 ebp=c-8"},         /* add esp, 0x10 */
    {"\x8b\x5d\xfc", 3, "ebp+8 ebx=c-12 ebp=c-8"},         /* mov ebx, dword [ebp-0x4] */
    {"\xc9", 1, "ebp+8 ebp=c-8"},                          /* leave */
    {"\xc3", 1, "esp+4"},                                  /* ret */
    /* __x86.get_pc_thunk.bx, outside the function. */
    FUNCTION(PC_THUNK),
    {"\x53", 1, "esp+4"},                          /* push ebx */
    {"\xe8\xfa\x1f\x00\x00", 5, "esp+8"},          /* call thunk */
    {"\x81\xc3\x00\x20\x00\x00", 6, "esp+8"},      /* add ebx, 0x2000 */
    {"\x83\xec\x08", 3, "esp+8 ebx=c-8"},          /* sub esp, 0x8 */
    {"\xe8\xec\x0f\x00\x00", 5, "esp+16 ebx=c-8"}, /* call callee */
    {"\x83\xc4\x08", 3, "esp+16 ebx=c-8"},         /* add esp, 0x8 */
    {"\x5b", 1, "esp+8 ebx=c-8"},                  /* pop ebx */
    {"\xc3", 1, "esp+4"},                          /* ret */
    /* Nothing returns to the call: its return address is popped. */
    FUNCTION(CALL_THAT_READS_THE_PC),
    {"\x53", 1, "esp+4"},                             /* push ebx */
    {"\xe8\x00\x00\x00\x00", 5, "esp+8"},             /* call +6 */
    {"\x5b", 1, "esp+12"},                            /* pop ebx */
    {"\x81\xc3\x00\x20\x00\x00", 6, "esp+8 ebx=c-8"}, /* add ebx, 0x2000 */
    {"\x5b", 1, "esp+8 ebx=c-8"},                     /* pop ebx */
    {"\xc3", 1, "esp+4"},                             /* ret */
    FUNCTION(ENTER_AND_LEAVE),
    {"\xc8\x20\x00\x00", 4, "esp+4"},             /* enter 0x20, 0x0 */
    {"\xe8\xf7\x0f\x00\x00", 5, "ebp+8 ebp=c-8"}, /* call callee */
    {"\xc9", 1, "ebp+8 ebp=c-8"},                 /* leave */
    {"\xc3", 1, "esp+4"},                         /* ret */
    FUNCTION(TAKES_ITS_ARGUMENT_OFF),
    {"\x53", 1, "esp+4"},             /* push ebx */
    {"\x8b\x44\x24\x08", 4, "esp+8"}, /* mov eax, dword [esp+0x8] */
    {"\x5b", 1, "esp+8"},             /* pop ebx */
    {"\xc2\x04\x00", 3, "esp+4"},     /* ret 0x4 */
    /* What follows the first ret has the state of the branch, not of the line above. */
    FUNCTION(EPILOGUE_IN_THE_MIDDLE),
    {"\x56", 1, "esp+4"},                           /* push esi */
    {"\x53", 1, "esp+8"},                           /* push ebx */
    {"\x31\xdb", 2, "esp+12"},                      /* xor ebx, ebx */
    {"\x85\xc0", 2, "esp+12 ebx=c-12"},             /* test eax, eax */
    {"\x74\x03", 2, "esp+12 ebx=c-12"},             /* je +11 */
    {"\x5b", 1, "esp+12 ebx=c-12"},                 /* pop ebx */
    {"\x5e", 1, "esp+8"},                           /* pop esi */
    {"\xc3", 1, "esp+4"},                           /* ret */
    {"\xe8\xf0\x0f\x00\x00", 5, "esp+12 ebx=c-12"}, /* call callee */
    {"\x5b", 1, "esp+12 ebx=c-12"},                 /* pop ebx */
    {"\x5e", 1, "esp+8"},                           /* pop esi */
    {"\xc3", 1, "esp+4"},                           /* ret */
    FUNCTION(SHRINK_WRAPPED),
    {"\x85\xc0", 2, "esp+4"},                      /* test eax, eax */
    {"\x75\x01", 2, "esp+4"},                      /* jne +5 */
    {"\xc3", 1, "esp+4"},                          /* ret */
    {"\x55", 1, "esp+4"},                          /* push ebp */
    {"\x89\xd5", 2, "esp+8"},                      /* mov ebp, edx */
    {"\x83\xec\x08", 3, "esp+8 ebp=c-8"},          /* sub esp, 0x8 */
    {"\xe8\xf0\x0f\x00\x00", 5, "esp+16 ebp=c-8"}, /* call callee */
    {"\x83\xc4\x08", 3, "esp+16 ebp=c-8"},         /* add esp, 0x8 */
    {"\x5d", 1, "esp+8 ebp=c-8"},                  /* pop ebp */
    {"\xc3", 1, "esp+4"},                          /* ret */
    FUNCTION(TAIL_CALL),
    {"\x53", 1, "esp+4"},                         /* push ebx */
    {"\x89\xc3", 2, "esp+8"},                     /* mov ebx, eax */
    {"\xe8\xf8\x0f\x00\x00", 5, "esp+8 ebx=c-8"}, /* call callee */
    {"\x5b", 1, "esp+8 ebx=c-8"},                 /* pop ebx */
    {"\xe9\xf2\xef\x1f\x00", 5, "esp+4"},         /* jmp other */
    FUNCTION(KNOWN_NORETURN_CALL),
    {"\x83\xec\x0c", 3, "esp+4"},          /* sub esp, 0xc */
    {"\x85\xc0", 2, "esp+16"},             /* test eax, eax */
    {"\x74\x04", 2, "esp+16"},             /* je +11 */
    {"\x83\xc4\x0c", 3, "esp+16"},         /* add esp, 0xc */
    {"\xc3", 1, "esp+4"},                  /* ret */
    {"\x83\xec\x0c", 3, "esp+16"},         /* sub esp, 0xc */
    {"\x6a\x03", 2, "esp+28"},             /* push 0x3 */
    {"\xe8\xeb\xef\x0f\x00", 5, "esp+32"}, /* call noreturn */
    FUNCTION(LARGE_PROBED_FRAME),
    {"\x55", 1, "esp+4"},                             /* push ebp */
    {"\x89\xe5", 2, "esp+8"},                         /* mov ebp, esp */
    {"\x81\xec\x00\x10\x00\x00", 6, "ebp+8 ebp=c-8"}, /* sub esp, 0x1000 */
    {"\x83\x0c\x24\x00", 4, "ebp+8 ebp=c-8"},         /* or dword [esp], 0x0 */
    {"\x81\xec\x00\x10\x00\x00", 6, "ebp+8 ebp=c-8"}, /* sub esp, 0x1000 */
    {"\x83\x0c\x24\x00", 4, "ebp+8 ebp=c-8"},         /* or dword [esp], 0x0 */
    {"\x83\xec\x20", 3, "ebp+8 ebp=c-8"},             /* sub esp, 0x20 */
    {"\xe8\xe1\x0f\x00\x00", 5, "ebp+8 ebp=c-8"},     /* call callee */
    {"\xc9", 1, "ebp+8 ebp=c-8"},                     /* leave */
    {"\xc3", 1, "esp+4"},                             /* ret */
    /* eax tells the CFA where the loop has made the depth unknown. */
    FUNCTION(PROBED_IN_A_LOOP),
    {"\x8d\x84\x24\x00\x80\xff\xff", 7, "esp+4"}, /* lea eax, [esp-0x8000] */
    {"\x81\xec\x00\x10\x00\x00", 6, "eax+32772"}, /* sub esp, 0x1000 */
    {"\x83\x0c\x24\x00", 4, "eax+32772"},         /* or dword [esp], 0x0 */
    {"\x39\xc4", 2, "eax+32772"},                 /* cmp esp, eax */
    {"\x75\xf2", 2, "eax+32772"},                 /* jne +7 */
    {"\x81\xc4\x00\x80\x00\x00", 6, "esp+32772"}, /* add esp, 0x8000 */
    {"\xc3", 1, "esp+4"},                         /* ret */
    FUNCTION(SAVED_BY_MOVES),
    {"\x83\xec\x0c", 3, "esp+4"},                           /* sub esp, 0xc */
    {"\x89\x5c\x24\x04", 4, "esp+16"},                      /* mov dword [esp+0x4], ebx */
    {"\x89\x74\x24\x08", 4, "esp+16"},                      /* mov dword [esp+0x8], esi */
    {"\x31\xdb", 2, "esp+16"},                              /* xor ebx, ebx */
    {"\x31\xf6", 2, "esp+16 ebx=c-12"},                     /* xor esi, esi */
    {"\xe8\xec\x0f\x00\x00", 5, "esp+16 ebx=c-12 esi=c-8"}, /* call callee */
    {"\x8b\x5c\x24\x04", 4, "esp+16 ebx=c-12 esi=c-8"},     /* mov ebx, dword [esp+0x4] */
    {"\x8b\x74\x24\x08", 4, "esp+16 esi=c-8"},              /* mov esi, dword [esp+0x8] */
    {"\x83\xc4\x0c", 3, "esp+16"},                          /* add esp, 0xc */
    {"\xc3", 1, "esp+4"},                                   /* ret */
    FUNCTION(ALL_REGISTERS),
    {"\x60", 1, "esp+4"},                                    /* pusha */
    {"\x31\xdb", 2, "esp+36"},                               /* xor ebx, ebx */
    {"\x31\xed", 2, "esp+36 ebx=c-20"},                      /* xor ebp, ebp */
    {"\xe8\xf6\x0f\x00\x00", 5, "esp+36 ebx=c-20 ebp=c-28"}, /* call callee */
    {"\x61", 1, "esp+36 ebx=c-20 ebp=c-28"},                 /* popa */
    {"\xc3", 1, "esp+4"},                                    /* ret */
    FUNCTION(SYSTEM_CALL_THROUGH_THE_VDSO),
    {"\x53", 1, "esp+4"},                                 /* push ebx */
    {"\x8b\x5c\x24\x08", 4, "esp+8"},                     /* mov ebx, dword [esp+0x8] */
    {"\xb8\x06\x00\x00\x00", 5, "esp+8 ebx=c-8"},         /* mov eax, 0x6 */
    {"\x65\xff\x15\x10\x00\x00\x00", 7, "esp+8 ebx=c-8"}, /* call dword gs:0x10 */
    {"\x5b", 1, "esp+8 ebx=c-8"},                         /* pop ebx */
    {"\xc3", 1, "esp+4"},                                 /* ret */
    /* cpuid in position-independent code. */
    FUNCTION(EBX_KEPT_ASIDE),
    {"\x89\xf6", 2, "esp+4"},                       /* mov esi, esi */
    {"\x87\xfb", 2, "esp+4"},                       /* xchg ebx, edi */
    {"\x0f\xa2", 2, "esp+4 ebx=edi edi=ebx"},       /* cpuid */
    {"\x8d\x74\x26\x00", 4, "esp+4 ebx=edi edi=u"}, /* lea esi, [esi+eiz*1+0x0] */
    {"\x87\xfb", 2, "esp+4 ebx=edi edi=u"},         /* xchg ebx, edi */
    {"\xc3", 1, "esp+4 edi=u"},                     /* ret */
    FUNCTION(HALF_A_REGISTER_PUSHED),
    {"\x66\x53", 2, "esp+4"},             /* push bx */
    {"\x66\x51", 2, "esp+6"},             /* push cx */
    {"\xe8\xf7\x0f\x00\x00", 5, "esp+8"}, /* call callee */
    {"\x66\x59", 2, "esp+8"},             /* pop cx */
    {"\x66\x5b", 2, "esp+6"},             /* pop bx */
    {"\xc3", 1, "esp+4 ebx=u"},           /* ret */
    /* The psABI marks the outermost frame by a zero ebp. */
    FUNCTION(PROCESS_START),
    {"\x31\xed", 2, "esp+4"},                  /* xor ebp, ebp */
    {"\x5e", 1, "esp+4 ra=u"},                 /* pop esi */
    {"\x89\xe1", 2, "esp+0 ra=u"},             /* mov ecx, esp */
    {"\x83\xe4\xf0", 3, "esp+0 ra=u"},         /* and esp, 0xfffffff0 */
    {"\x50", 1, "ecx+0 ra=u"},                 /* push eax */
    {"\x54", 1, "ecx+0 ra=u"},                 /* push esp */
    {"\x52", 1, "ecx+0 ra=u"},                 /* push edx */
    {"\xe8\xf0\x0f\x00\x00", 5, "ecx+0 ra=u"}, /* call callee */
    {"\xf4", 1, "u ra=u"},                     /* hlt */
};

TEST(prologue_every_instruction_has_its_row)
{
    CHECK_FUNCTIONS(ARCH_I386, CODE_DEFAULT, CASES);
}

TEST(prologue_code_cut_anywhere_is_survived)
{
    CHECK_PREFIXES(ARCH_I386, CODE_DEFAULT, CASES);
}
