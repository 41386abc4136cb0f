/* SPDX-License-Identifier: MIT */
#include "insn_x86_64_fixture.h"

/* Bytes as GNU as assembles them, disassembled by objdump; at 0x1000. */
static const struct effect_case EFFECTS[] = {
    /* push rbx */
    {"\x53", 1, "rsp = rsp-8; [rsp+0] = rbx"},
    /* push r12 */
    {"\x41\x54", 2, "rsp = rsp-8; [rsp+0] = r12"},
    /* push bx */
    {"\x66\x53", 2, "rsp = rsp-2; [rsp+0] = ? (2)"},
    /* push 0x5 */
    {"\x6a\x05", 2, "rsp = rsp-8; [rsp+0] = ?"},
    /* push 0xffffffffffffffff */
    {"\x6a\xff", 2, "rsp = rsp-8; [rsp+0] = ?"},
    /* push qword [rsp+0x8] */
    {"\xff\x74\x24\x08", 4, "rsp = rsp-8; [rsp+0] = ?"},
    /* push fs */
    {"\x0f\xa0", 2, "rsp = rsp-8; [rsp+0] = ?"},
    /* push rsp */
    {"\x54", 1, "rsp = rsp-8; [rsp+0] = ?"},
    /* data16 rex.w push rax */
    {"\x66\x48\x50", 3, "rsp = rsp-8; [rsp+0] = rax"},
    /* pop rbx */
    {"\x5b", 1, "rbx = [rsp+0]; rsp = rsp+8"},
    /* pop r15 */
    {"\x41\x5f", 2, "r15 = [rsp+0]; rsp = rsp+8"},
    /* pop rsp */
    {"\x5c", 1, "rsp = [rsp+0]"},
    /* pop sp */
    {"\x66\x5c", 2, "unknown rsp; rsp = rsp+2"},
    /* pop bx */
    {"\x66\x5b", 2, "unknown rbx; rsp = rsp+2"},
    /* pop qword [rax] */
    {"\x8f\x00", 2, "rsp = rsp+8; [rax+0] = ?"},
    /* pop qword [rsp+0x8] */
    {"\x8f\x44\x24\x08", 4, "rsp = rsp+8; [rsp+8] = ?"},
    /* pop fs */
    {"\x0f\xa1", 2, "rsp = rsp+8"},
    /* pushf */
    {"\x9c", 1, "rsp = rsp-8; [rsp+0] = ?"},
    /* popf */
    {"\x9d", 1, "rsp = rsp+8"},
    /* pushfw */
    {"\x66\x9c", 2, "rsp = rsp-2; [rsp+0] = ? (2)"},
    /* popfw */
    {"\x66\x9d", 2, "rsp = rsp+2"},
    /* mov rbp,rsp */
    {"\x48\x89\xe5", 3, "rbp = rsp+0"},
    /* mov rsp,rbp */
    {"\x48\x89\xec", 3, "rsp = rbp+0"},
    /* mov ebp,esp */
    {"\x89\xe5", 2, "unknown rbp"},
    /* mov rbx,qword [rsp+0x8] */
    {"\x48\x8b\x5c\x24\x08", 5, "rbx = [rsp+8]"},
    /* mov rbx,qword [rbp-0x20] */
    {"\x48\x8b\x5d\xe0", 4, "rbx = [rbp-32]"},
    /* mov qword [rsp+0x8],rbx */
    {"\x48\x89\x5c\x24\x08", 5, "[rsp+8] = rbx"},
    /* mov dword [rsp+0x8],ebx */
    {"\x89\x5c\x24\x08", 4, "[rsp+8] = ? (4)"},
    /* mov byte [rsp],bl */
    {"\x88\x1c\x24", 3, "[rsp+0] = ? (1)"},
    /* mov qword [rsp+0x10],r14 */
    {"\x4c\x89\x74\x24\x10", 5, "[rsp+16] = r14"},
    /* mov qword [rsp],0x0 */
    {"\x48\xc7\x04\x24\x00\x00\x00\x00", 8, "[rsp+0] = ?"},
    /* mov rbx,qword [rsp+rax*8] */
    {"\x48\x8b\x1c\xc4", 4, "rbx = u64 of table rsp+0"},
    /* mov qword [rsp+rax*8],rbx */
    {"\x48\x89\x1c\xc4", 4, ""},
    /* mov qword [esp],rbx */
    {"\x67\x48\x89\x1c\x24", 5, ""},
    /* mov rbx,qword [rip+0x8] */
    {"\x48\x8b\x1d\x08\x00\x00\x00", 7, "unknown rbx"},
    /* mov qword [rip+0x8],rbx */
    {"\x48\x89\x1d\x08\x00\x00\x00", 7, ""},
    /* mov rbx,qword fs:0x28 */
    {"\x64\x48\x8b\x1c\x25\x28\x00\x00\x00", 9, "unknown rbx"},
    /* mov qword fs:[rsp+0x8],rbx */
    {"\x64\x48\x89\x5c\x24\x08", 6, ""},
    /* mov rax,cr0 */
    {"\x0f\x20\xc0", 3, "unknown rax"},
    /* movabs rax,0x7fffffffffffffff */
    {"\x48\xb8\xff\xff\xff\xff\xff\xff\xff\x7f", 10, "rax = 9223372036854775807"},
    /* mov rax,0xffffffffffffffff */
    {"\x48\xc7\xc0\xff\xff\xff\xff", 7, "rax = -1"},
    /* mov eax,0xffffffff */
    {"\xb8\xff\xff\xff\xff", 5, "rax = 4294967295"},
    /* mov ax,0x7 */
    {"\x66\xb8\x07\x00", 4, "unknown rax"},
    /* mov rax,qword [r13+0x0] */
    {"\x49\x8b\x45\x00", 4, "rax = [r13+0]"},
    /* mov r9,qword [r12+0x100] */
    {"\x4d\x8b\x8c\x24\x00\x01\x00\x00", 8, "r9 = [r12+256]"},
    /* mov rax,qword [rsp+r12*1] */
    {"\x4a\x8b\x04\x24", 4, "rax = u64 of table r12+0"},
    /* mov ebx,dword [rsp+0x8] */
    {"\x8b\x5c\x24\x08", 4, "unknown rbx"},
    /* mov ebx,dword [rip+0x8] */
    {"\x8b\x1d\x08\x00\x00\x00", 6, "unknown rbx"},
    /* mov qword [rsp-0x10],0x8 */
    {"\x48\xc7\x44\x24\xf0\x08\x00\x00\x00", 9, "[rsp-16] = ?"},
    /* mov dword [rbp-0x4],0x8 */
    {"\xc7\x45\xfc\x08\x00\x00\x00", 7, "[rbp-4] = ? (4)"},
    /* mov byte [rsp+0x100],0x8 */
    {"\xc6\x84\x24\x00\x01\x00\x00\x08", 8, "[rsp+256] = ? (1)"},
    /* mov byte [rip+0x8],0x8 */
    {"\xc6\x05\x08\x00\x00\x00\x08", 7, ""},
    /* mov byte [rsp],r14b, with REX.W */
    {"\x4c\x88\x34\x24", 4, "[rsp+0] = ? (1)"},
    /* mov rbp,rsp, with the other opcode */
    {"\x48\x8b\xec", 3, "rbp = rsp+0"},
    /* mov ebp,esp, with the other opcode */
    {"\x8b\xec", 2, "unknown rbp"},
    /* mov al,byte [rsp] */
    {"\x8a\x04\x24", 3, "unknown rax"},
    /* push 0x12345678 */
    {"\x68\x78\x56\x34\x12", 5, "rsp = rsp-8; [rsp+0] = ?"},
    /* nopw cs:[rax+rax*1+0x0] */
    {"\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 10, "padding"},
    /* nopw [rax+rax*1+0x0] */
    {"\x66\x0f\x1f\x84\x00\x00\x00\x00\x00", 9, "padding"},
    /* cmp r11,rsp, with the other opcode */
    {"\x4c\x3b\xdc", 3, "compare r11 rsp"},
    /* cmp qword [rsp+0x8],rax */
    {"\x48\x39\x44\x24\x08", 5, ""},
    /* cmp rax,qword [rip+0x8] */
    {"\x48\x3b\x05\x08\x00\x00\x00", 7, ""},
    /* cmp byte [rbp-0x4],al */
    {"\x38\x45\xfc", 3, ""},
    /* test rsp,rsp */
    {"\x48\x85\xe4", 3, ""},
    /* data16 five times, nopw cs:[rax+rax*1+0x0] */
    {"\x66\x66\x66\x66\x66\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 15, "padding"},
    /* lea r13,[r13+0x0] */
    {"\x4d\x8d\x6d\x00", 4, "padding"},
    /* lea rsp,[rsp-0x8] */
    {"\x48\x8d\x64\x24\xf8", 5, "rsp = rsp-8"},
    /* lea r10,[rsp+0x8] */
    {"\x4c\x8d\x54\x24\x08", 5, "r10 = rsp+8"},
    /* lea rsp,[rbp-0x18] */
    {"\x48\x8d\x65\xe8", 4, "rsp = rbp-24"},
    /* lea esp,[rsp-0x8] */
    {"\x8d\x64\x24\xf8", 4, "unknown rsp"},
    /* lea rbp,[rsp+rax*2] */
    {"\x48\x8d\x2c\x44", 4, "rbp = rsp + rax << 1"},
    /* lea rbp,[rip+0x8] */
    {"\x48\x8d\x2d\x08\x00\x00\x00", 7, "rbp = 4111"},
    /* add rsp,0x18 */
    {"\x48\x83\xc4\x18", 4, "rsp = rsp+24"},
    /* sub rsp,0x1000 */
    {"\x48\x81\xec\x00\x10\x00\x00", 7, "rsp = rsp-4096"},
    /* sub rsp,0xffffffffffffff80 */
    {"\x48\x83\xec\x80", 4, "rsp = rsp+128"},
    /* add esp,0x8 */
    {"\x83\xc4\x08", 3, "unknown rsp"},
    /* sub rsp,rax */
    {"\x48\x29\xc4", 3, "rsp = rsp - rax"},
    /* add rsp,rax */
    {"\x48\x01\xc4", 3, "rsp = rsp + rax"},
    /* sub rsp,qword [rbx] */
    {"\x48\x2b\x23", 3, "unknown rsp"},
    /* add qword [rsp+0x8],rbx */
    {"\x48\x01\x5c\x24\x08", 5, "[rsp+8] = ?"},
    /* inc rsp */
    {"\x48\xff\xc4", 3, "unknown rsp"},
    /* and rsp,0xffffffffffffffe0 */
    {"\x48\x83\xe4\xe0", 4, "align rsp"},
    /* and rsp,0xfffffffffffff000 */
    {"\x48\x81\xe4\x00\xf0\xff\xff", 7, "align rsp"},
    /* and rsp,0xffffffffffffffe8 */
    {"\x48\x83\xe4\xe8", 4, "unknown rsp"},
    /* and rsp,0xf */
    {"\x48\x83\xe4\x0f", 4, "unknown rsp; compare rsp 15"},
    /* and esp,0xffffffe0 */
    {"\x83\xe4\xe0", 3, "unknown rsp"},
    /* and rsp,rax */
    {"\x48\x21\xc4", 3, "unknown rsp"},
    /* xor ebp,ebp */
    {"\x31\xed", 2, "rbp = 0"},
    /* xor rbx,rbx */
    {"\x48\x31\xdb", 3, "rbx = 0"},
    /* xor bp,bp */
    {"\x66\x31\xed", 3, "unknown rbp"},
    /* xor ebx,eax */
    {"\x31\xc3", 2, "unknown rbx"},
    /* leave */
    {"\xc9", 1, "rsp = rbp+0; rbp = [rsp+0]; rsp = rsp+8"},
    /* leavew */
    {"\x66\xc9", 2, "unknown rbp rsp"},
    /* enter 0x20,0x0 */
    {"\xc8\x20\x00\x00", 4, "rsp = rsp-8; [rsp+0] = rbp; rbp = rsp+0; rsp = rsp-32"},
    /* enter 0x8000,0x0 */
    {"\xc8\x00\x80\x00", 4, "rsp = rsp-8; [rsp+0] = rbp; rbp = rsp+0; rsp = rsp-32768"},
    /* enter 0x20,0x1 */
    {"\xc8\x20\x00\x01", 4, "unknown rbp rsp"},
    /* cmp qword [rsp+0x8],rbx */
    {"\x48\x39\x5c\x24\x08", 5, ""},
    /* test rbx,rbx */
    {"\x48\x85\xdb", 3, ""},
    /* nop */
    {"\x90", 1, "padding"},
    /* nop word [rax] */
    {"\x66\x0f\x1f\x00", 4, "padding"},
    /* xchg ax,ax */
    {"\x66\x90", 2, "padding"},
    /* int3 */
    {"\xcc", 1, "stop, padding"},
    /* endbr64 */
    {"\xf3\x0f\x1e\xfa", 4, ""},
    /* pause */
    {"\xf3\x90", 2, ""},
    /* xchg rbp,rsp */
    {"\x48\x87\xe5", 3, "t = rbp+0; rbp = rsp+0; rsp = t+0"},
    /* xchg qword [rsp],rbx */
    {"\x48\x87\x1c\x24", 4, "[rsp+0] = ?; unknown rbx"},
    /* xchg rbx,rax */
    {"\x48\x93", 2, "t = rax+0; rax = rbx+0; rbx = t+0"},
    /* xadd qword [rsp],rbx */
    {"\x48\x0f\xc1\x1c\x24", 5, "[rsp+0] = ?; unknown rbx"},
    /* cmpxchg qword [rsp],rbx */
    {"\x48\x0f\xb1\x1c\x24", 5, "[rsp+0] = ?; unknown rax"},
    /* cmpxchg rbx,rcx */
    {"\x48\x0f\xb1\xcb", 4, "unknown rax rbx"},
    /* cmpxchg16b oword [rsp] */
    {"\x48\x0f\xc7\x0c\x24", 5, "[rsp+0] = ? (16); unknown rax rdx"},
    /* mul rbx */
    {"\x48\xf7\xe3", 3, "unknown rax rdx"},
    /* imul rbx,rax,0x4 */
    {"\x48\x6b\xd8\x04", 4, "unknown rbx"},
    /* div rbx */
    {"\x48\xf7\xf3", 3, "unknown rax rdx"},
    /* cqo */
    {"\x48\x99", 2, "unknown rax rdx"},
    /* cpuid */
    {"\x0f\xa2", 2, "unknown rax rdx rcx rbx"},
    /* syscall */
    {"\x0f\x05", 2, "unknown rax rcx r11"},
    /* int 0x80 */
    {"\xcd\x80", 2, "unknown rax"},
    /* rdtsc */
    {"\x0f\x31", 2, "unknown rax rdx"},
    /* bswap rbx */
    {"\x48\x0f\xcb", 3, "unknown rbx"},
    /* setne bl */
    {"\x0f\x95\xc3", 3, "unknown rbx"},
    /* cmove rbp,rax */
    {"\x48\x0f\x44\xe8", 4, "unknown rbp"},
    /* movzx ebx,al */
    {"\x0f\xb6\xd8", 3, "unknown rbx"},
    /* movsxd rbx,eax */
    {"\x48\x63\xd8", 3, "t = 0; rbx = t + rax s32"},
    /* neg rbx */
    {"\x48\xf7\xdb", 3, "unknown rbx"},
    /* not rbp */
    {"\x48\xf7\xd5", 3, "unknown rbp"},
    /* shl rbx,0x3 */
    {"\x48\xc1\xe3\x03", 4, "unknown rbx"},
    /* movups xmmword [rsp+0x10],xmm0 */
    {"\x0f\x11\x44\x24\x10", 5, "[rsp+16] = ? (16)"},
    /* movaps xmmword [rbp-0x20],xmm1 */
    {"\x0f\x29\x4d\xe0", 4, "[rbp-32] = ? (16)"},
    /* movq qword [rsp],xmm0 */
    {"\x66\x0f\xd6\x04\x24", 5, "[rsp+0] = ?"},
    /* movq rbx,xmm0 */
    {"\x66\x48\x0f\x7e\xc3", 5, "unknown rbx"},
    /* vmovdqu ymmword [rsp+0x20],ymm1 */
    {"\xc5\xfe\x7f\x4c\x24\x20", 6, "[rsp+32] = ? (32)"},
    /* vmovdqu64 zmmword [rsp],zmm0 */
    {"\x62\xf1\xfe\x48\x7f\x04\x24", 7, "[rsp+0] = ? (64)"},
    /* pextrq rbx,xmm0,0x1 */
    {"\x66\x48\x0f\x3a\x16\xc3\x01", 7, "unknown rbx"},
    /* movnti qword [rsp],rax */
    {"\x48\x0f\xc3\x04\x24", 5, "[rsp+0] = ?"},
    /* fstp qword [rsp] */
    {"\xdd\x1c\x24", 3, "[rsp+0] = ?"},
    /* fxsave [rsp] */
    {"\x0f\xae\x04\x24", 4, "[rsp+0] = ? (512)"},
    /* xsave [rsp+0x40] */
    {"\x0f\xae\x64\x24\x40", 5, "[rsp+64] = ? (16384)"},
    /* rep stos qword es:[rdi],rax */
    {"\xf3\x48\xab", 3, "[rdi+0] = ?; unknown rcx rdi"},
    /* rep movs byte es:[rdi],byte ds:[rsi] */
    {"\xf3\xa4", 2, "[rdi+0] = ? (1); unknown rcx rsi rdi"},
    /* mulx rbx,rbp,rax */
    {"\xc4\xe2\xd3\xf6\xd8", 5, "unknown rbx rbp"},
    /* pdep rbx,rax,rcx */
    {"\xc4\xe2\xfb\xf5\xd9", 5, "unknown rbx"},
    /* rdfsbase rbx */
    {"\xf3\x48\x0f\xae\xc3", 5, "unknown rbx"},
    /* rdrand rbp */
    {"\x48\x0f\xc7\xf5", 4, "unknown rbp"},
    /* rdsspd ebx */
    {"\xf3\x0f\x1e\xcb", 4, "unknown rbx"},
    /* rdsspq rbx */
    {"\xf3\x48\x0f\x1e\xcb", 5, "unknown rbx"},
    /* rdsspq r10 */
    {"\xf3\x49\x0f\x1e\xca", 5, "unknown r10"},
    /* incsspq rbx */
    {"\xf3\x48\x0f\xae\xeb", 5, ""},
    /* incsspd ebx */
    {"\xf3\x0f\xae\xeb", 4, ""},
    /* call 0x2d3 */
    {"\xe8\xfb\x00\x00\x00", 5, "call 0x1100; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* call rax */
    {"\xff\xd0", 2, "call; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* call qword [rip+0x8] */
    {"\xff\x15\x08\x00\x00\x00", 6,
     "call through 0x100e; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* jmp 0x2e0 */
    {"\xe9\xfb\x00\x00\x00", 5, "jump 0x1100"},
    /* jmp 0x205 */
    {"\xeb\x1e", 2, "jump 0x1020"},
    /* jne 0x207 */
    {"\x75\x1e", 2, "branch 0x1020 equal-if-not"},
    /* je 0x3e9 */
    {"\x0f\x84\xfa\x01\x00\x00", 6, "branch 0x1200 equal-if-taken"},
    /* jrcxz 0x1ef */
    {"\xe3\xfe", 2, "branch 0x1000"},
    /* loop 0x1f1 */
    {"\xe2\xfe", 2, "branch 0x1000; unknown rcx"},
    /* jmp rax */
    {"\xff\xe0", 2, "indirect rax"},
    /* mov qword [rsp],rax; ret */
    {"\x48\x89\x04\x24\xc3", 5, "indirect rax; rsp = rsp+8"},
    /* mov qword [rsp],r11; ret */
    {"\x4c\x89\x1c\x24\xc3", 5, "indirect r11; rsp = rsp+8"},
    /* or rsp,rcx: speculative load hardening */
    {"\x48\x09\xcc", 3, ""},
    /* or rsp,0x8 */
    {"\x48\x83\xcc\x08", 4, "unknown rsp"},
    /* or rcx,rsp */
    {"\x48\x09\xe1", 3, "unknown rcx"},
    /* notrack jmp rax */
    {"\x3e\xff\xe0", 3, "indirect rax"},
    /* jmp qword [rax*8+0x1000] */
    {"\xff\x24\xc5\x00\x10\x00\x00", 7, "indirect rip; rip = u64 of table ?+4096"},
    /* bnd ret */
    {"\xf2\xc3", 2, "return"},
    /* ret */
    {"\xc3", 1, "return"},
    /* ret 0x8 */
    {"\xc2\x08\x00", 3, "return pops 8"},
    /* retfq */
    {"\x48\xcb", 2, "return"},
    /* iretq */
    {"\x48\xcf", 2, "return"},
    /* ud2 */
    {"\x0f\x0b", 2, "stop"},
    /* hlt */
    {"\xf4", 1, "stop"},
    /* movsxd rax,dword [rdx+rax*4] */
    {"\x48\x63\x04\x82", 4, "rax = s32 of table rdx+0"},
    /* movsxd rax,dword [rdx+rax*4+0x10] */
    {"\x48\x63\x44\x82\x10", 5, "rax = s32 of table rdx+16"},
    /* movsxd rax,edx */
    {"\x48\x63\xc2", 3, "t = 0; rax = t + rdx s32"},
    /* mov eax,dword [rdx+rax*4] */
    {"\x8b\x04\x82", 3, "rax = u32 of table rdx+0"},
    /* mov rax,qword [rdx+rax*8] */
    {"\x48\x8b\x04\xc2", 4, "rax = u64 of table rdx+0"},
    /* mov rax,qword [rax*8+0x402000] */
    {"\x48\x8b\x04\xc5\x00\x20\x40\x00", 8, "rax = u64 of table ?+4202496"},
    /* mov eax,dword [rdx+rax*1] */
    {"\x8b\x04\x02", 3, "rax = u32 of table rax+0"},
    /* movzx eax,byte [rdx+rax*1] */
    {"\x0f\xb6\x04\x02", 4, "rax = u8 of table rdx+0"},
    /* movzx eax,word [rdx+rax*2] */
    {"\x0f\xb7\x04\x42", 4, "rax = u16 of table rdx+0"},
    /* movsx rax,word [rdx+rax*2] */
    {"\x48\x0f\xbf\x04\x42", 5, "rax = s16 of table rdx+0"},
    /* movsx eax,word [rdx+rax*2] */
    {"\x0f\xbf\x04\x42", 4, "unknown rax"},
    /* movzx eax,byte [rdi] */
    {"\x0f\xb6\x07", 3, "unknown rax"},
    /* mov ax,word [rdx+rax*2] */
    {"\x66\x8b\x04\x42", 4, "unknown rax"},
    /* mov eax,dword fs:[rdx+rax*4] */
    {"\x64\x8b\x04\x82", 4, "unknown rax"},
    /* mov eax,dword [edx+eax*4] */
    {"\x67\x8b\x04\x82", 4, "unknown rax"},
    /* lea rdx,[rip+0x100] */
    {"\x48\x8d\x15\x00\x01\x00\x00", 7, "rdx = 4359"},
    /* lea rax,[rdx+rax*1] */
    {"\x48\x8d\x04\x02", 4, "rax = rdx + rax"},
    /* lea rax,[rdx+rax*4+0x8] */
    {"\x48\x8d\x44\x82\x08", 5, "rax = rdx + rax << 2; rax = rax+8"},
    /* lea rax,[rax*4+0x0] */
    {"\x48\x8d\x04\x85\x00\x00\x00\x00", 8, "unknown rax"},
    /* add rax,rdx */
    {"\x48\x01\xd0", 3, "rax = rax + rdx"},
    /* add rax,qword [rdx+rax*8] */
    {"\x48\x03\x04\xc2", 4, "t = u64 of table rdx+0; rax = rax + t"},
    /* add eax,edx */
    {"\x01\xd0", 2, "unknown rax"},
    /* sub rax,rdx */
    {"\x48\x29\xd0", 3, "rax = rax - rdx"},
    /* sub edi,edi */
    {"\x29\xff", 2, "rdi = 0"},
    /* cmp edi,0x5 */
    {"\x83\xff\x05", 3, "compare rdi 5"},
    /* cmp dil,0x7f */
    {"\x40\x80\xff\x7f", 4, "compare rdi 127"},
    /* cmp al,0xff */
    {"\x3c\xff", 2, "compare rax 255"},
    /* cmp di,0x1f4 */
    {"\x66\x81\xff\xf4\x01", 5, "compare rdi 500"},
    /* cmp rdi,0xffffffffffffffff */
    {"\x48\x83\xff\xff", 4, "compare rdi -1"},
    /* cmp edi,0xffffffff */
    {"\x83\xff\xff", 3, "compare rdi 4294967295"},
    /* cmp rsp,r11 */
    {"\x4c\x39\xdc", 3, "compare rsp r11"},
    /* cmp esp,r11d */
    {"\x44\x39\xdc", 3, ""},
    /* cmp dword [rbp-0x4],0x5 */
    {"\x83\x7d\xfc\x05", 4, "compare ? 5"},
    /* and eax,0x7 */
    {"\x83\xe0\x07", 3, "unknown rax; compare rax 7"},
    /* and edi,0x10000 */
    {"\x81\xe7\x00\x00\x01\x00", 6, "unknown rdi"},
    /* and al,0x3 */
    {"\x24\x03", 2, "unknown rax; compare rax 3"},
    /* mov rdi,rdi */
    {"\x48\x89\xff", 3, "padding"},
    /* mov edi,edi */
    {"\x89\xff", 2, "unknown rdi"},
    /* lea rsi,[rsi] */
    {"\x48\x8d\x36", 3, "padding"},
    /* lea esi,[rsi] */
    {"\x8d\x36", 2, "unknown rsi"},
    /* xchg r8,rax */
    {"\x49\x90", 2, "t = rax+0; rax = r8+0; r8 = t+0"},
    /* jmp qword [rax*8+0x1000] */
    {"\xff\x24\xc5\x00\x10\x00\x00", 7, "indirect rip; rip = u64 of table ?+4096"},
    /* jmp qword [rdx+rax*8-0x10] */
    {"\xff\x64\xc2\xf0", 4, "indirect rip; rip = u64 of table rdx-16"},
    /* jmp qword [rip+0x8] */
    {"\xff\x25\x08\x00\x00\x00", 6, "indirect ? through 0x100e"},
    /* call qword [rbx+0x100] */
    {"\xff\x93\x00\x01\x00\x00", 6, "call; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* jmp qword [rax] */
    {"\xff\x20", 2, "indirect ?"},
    /* jmp qword fs:[rdx+rax*8] */
    {"\x64\xff\x24\xc2", 4, "indirect ?"},
    /* ret 0xfff0 */
    {"\xc2\xf0\xff", 3, "return pops 65520"},
    /* xabort 0x1 */
    {"\xc6\xf8\x01", 3, "unknown rax"},
    /* xlat byte ds:[rbx] */
    {"\xd7", 1, "unknown rax"},
    /* cdqe */
    {"\x48\x98", 2, "t = 0; rax = t + rax s32"},
    /* cmovne rbx,rax */
    {"\x48\x0f\x45\xd8", 4, "unknown rbx"},
    /* cs nop dword [rax+rax*1] */
    {"\x2e\x0f\x1f\x04\x00", 5, "padding"},
    /* jmp 0xd8 */
    {"\xe9\x10\x00\x00\x00", 5, "jump 0x1015 far"},
    /* jne 0x4e */
    {"\x0f\x85\x80\xff\xff\xff", 6, "branch 0xf86 equal-if-not far"},
    /* lcall [rax] */
    {"\xff\x18", 2, "call; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* push qword [r10-0x8] */
    {"\x41\xff\x72\xf8", 4, "rsp = rsp-8; [rsp+0] = ?"},
    /* data16 rex.w pushf */
    {"\x66\x48\x9c", 3, "rsp = rsp-8; [rsp+0] = ?"},
    /* wrpkru */
    {"\x0f\x01\xef", 3, ""},
    /*
     * data16 data16 rex.W call: __tls_get_addr; from here on what Capstone 4 and 5 take differently
     */
    {"\x66\x66\x48\xe8\x00\x01\x00\x00", 8,
     "call 0x1108; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* addr32 call */
    {"\x67\xe8\x00\x01\x00\x00", 6, "call 0x1106; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* ljmp [rax] */
    {"\xff\x28", 2, "indirect ?"},
    /* lcall [rip+0x100] */
    {"\xff\x1d\x00\x01\x00\x00", 6, "call; unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
    /* rex.W ret 8 */
    {"\x48\xc2\x08\x00", 4, "return pops 8"},
    /* fnstsw [rsi] */
    {"\xdd\x3e", 2, "[rsi+0] = ? (2)"},
    /* rep stosw */
    {"\x66\xf3\xab", 3, "[rdi+0] = ? (2); unknown rcx rdi"},
    /* movsxd ecx, dword [rax] */
    {"\x63\x08", 2, "unknown rcx"},
    /* fxch4 st4 */
    {"\xdd\xcc", 2, ""},
    /* nop ebp */
    {"\x0f\x1f\xf5", 3, "padding"},
    /* bndmov [rsp], bnd0 */
    {"\x66\x0f\x1b\x04\x24", 5, "padding"},
    /* prefetchw [rsp] */
    {"\x0f\x0d\x0c\x24", 4, ""},
    /* rdpid rcx */
    {"\xf3\x0f\xc7\xf9", 4, "unknown rcx"},
    /* ptwrite dword [rax] */
    {"\xf3\x0f\xae\x20", 4, ""},
    /* umwait ecx */
    {"\xf2\x0f\xae\xf1", 4, ""},
    /* wrssd [rbx-0x20], eax */
    {"\x0f\x38\xf6\x43\xe0", 5, ""},
    /* pfadd mm0, [rsi] */
    {"\x0f\x0f\x06\x9e", 4, ""},
    /* gf2p8mulb xmm0, [rsi] */
    {"\x66\x0f\x38\xcf\x06", 5, ""},
    /* vbroadcasti128 ymm3, [rcx] */
    {"\xc4\xe2\x7d\x5a\x19", 5, ""},
    /* vcvtss2si edi, [rdi] */
    {"\xc5\xfe\x2d\x3f", 4, "unknown rdi"},
    /* vpbroadcastd zmm0, [r10] */
    {"\x62\xd2\x7d\x48\x58\x02", 6, ""},
    /* vmovdqu64 [rsp+0x40], zmm0 */
    {"\x62\xf1\xfe\x48\x7f\x44\x24\x01", 8, "[rsp+64] = ? (64)"},
    /* vmovss [rbp-4], xmm0 */
    {"\x62\xf1\x7e\x08\x11\x45\xff", 7, "[rbp-4] = ? (4)"},
    /* vpmovqb [r10-0x1000], zmm1 */
    {"\x62\xd2\x7e\x48\x32\x8a\x00\xf0\xff\xff", 10, "[r10-4096] = ?"},
    /* vmovdqu64 [rsp+r12], zmm0 */
    {"\x62\xb1\xfe\x48\x7f\x04\x24", 7, ""},
    /* ds kmovd ebx, k1 */
    {"\x3e\xc5\xfb\x93\xd9", 5, "unknown rbx"},
    /* kmovd ebx, k1; from here on what Capstone 4 does not decode */
    {"\xc5\xfb\x93\xd9", 4, "unknown rbx"},
    /* kmovq r12, k2 */
    {"\xc4\x61\xfb\x93\xe2", 5, "unknown r12"},
    /* kmovd k1, ebx */
    {"\xc5\xfb\x92\xcb", 4, ""},
    /* kortestd k0, k0 */
    {"\xc4\xe1\xf9\x98\xc0", 5, ""},
    /* vpcmpeqb k0, ymm1, ymmword [rsp+0x20] */
    {"\x62\xf1\x75\x28\x74\x44\x24\x01", 8, ""},
    /* vpcmpeqb k0, ymm1, ymmword [rsp+rax*4+0x12345] */
    {"\x62\xf1\x75\x28\x74\x84\x84\x45\x23\x01\x00", 11, ""},
    /* vpcmpeqb k0, ymm1, ymmword [rip+0x12345] */
    {"\x62\xf1\x75\x28\x74\x05\x45\x23\x01\x00", 10, ""},
    /* vpcmpneqb k0, ymm1, ymmword [rsp] */
    {"\x62\xf3\x75\x28\x3f\x04\x24\x04", 8, ""},
    /* vpternlogd ymm0, ymm1, ymm2, 0xff */
    {"\x62\xf3\x75\x28\x25\xc2\xff", 7, ""},
    /* vptestnmb k0, ymm17, ymm17 */
    {"\x62\xb2\x76\x20\x26\xc1", 6, ""},
    /* rdpkru */
    {"\x0f\x01\xee", 3, "unknown rax rdx"},
    /* cmpoxadd [rdi], eax, ecx */
    {"\xc4\xe2\x71\xe0\x07", 5, "unknown rax"},
    /* cmpnlexadd [rdi], r9, rcx */
    {"\xc4\x62\xf1\xef\x0f", 5, "unknown r9"},
    /* vmcall */
    {"\x0f\x01\xc1", 3, "unknown rax rdx rcx rsi rdi r8 r9 r10 r11"},
};

static void insn_effects_are_those_of_the_manual(void **state)
{
    (void)state;
    check_effects(ARCH_X86_64, CODE_DEFAULT, EFFECTS, sizeof(EFFECTS) / sizeof(EFFECTS[0]));
}

static void insn_that_is_cut_is_not_found(void **state)
{
    (void)state;
    check_cut(set(), EFFECTS, sizeof(EFFECTS) / sizeof(EFFECTS[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insn_effects_are_those_of_the_manual),
        cmocka_unit_test(insn_that_is_cut_is_not_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
