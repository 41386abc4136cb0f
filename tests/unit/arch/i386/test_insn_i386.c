/* SPDX-License-Identifier: MIT */
#include "insn_x86_fixture.h"

enum { EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, EIP };

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_I386), CODE_DEFAULT);
}

/* Bytes as GNU as assembles them, disassembled by objdump; at 0x1000. */
static const struct effect_case EFFECTS[] = {
    {"push ebx", "\x53", 1, "esp = esp-4; [esp+0] = ebx"},
    {"push 0x5", "\x6a\x05", 2, "t = 5; esp = esp-4; [esp+0] = t"},
    {"push dword [ecx-0x4]", "\xff\x71\xfc", 3, "esp = esp-4; [esp+0] = ?"},
    {"push ds", "\x1e", 1, "esp = esp-4; [esp+0] = ?"},
    {"data16 push bx", "\x66\x66\x53", 3, "esp = esp-2; [esp+0] = ? (2)"},
    {"push esp", "\x54", 1, "esp = esp-4; [esp+0] = ?"},
    {"pusha", "\x60", 1,
     "esp = esp-32; [esp+28] = eax; [esp+24] = ecx; [esp+20] = edx; [esp+16] = ebx; [esp+12] = ?; "
     "[esp+8] = ebp; [esp+4] = esi; [esp+0] = edi"},
    {"pushaw", "\x66\x60", 2,
     "esp = esp-16; [esp+14] = ? (2); [esp+12] = ? (2); [esp+10] = ? (2); [esp+8] = ? (2); [esp+6] "
     "= ? (2); [esp+4] = ? (2); [esp+2] = ? (2); [esp+0] = ? (2)"},
    {"pushf", "\x9c", 1, "esp = esp-4; [esp+0] = ?"},
    {"pushfw", "\x66\x9c", 2, "esp = esp-2; [esp+0] = ? (2)"},
    {"popf", "\x9d", 1, "esp = esp+4"},
    {"popfw", "\x66\x9d", 2, "esp = esp+2"},
    {"pop ebx", "\x5b", 1, "ebx = [esp+0]; esp = esp+4"},
    {"pop esp", "\x5c", 1, "esp = [esp+0]"},
    {"pop dword [esp+0x8]", "\x8f\x44\x24\x08", 4, "esp = esp+4; [esp+8] = ?"},
    {"pop ds", "\x1f", 1, "esp = esp+4"},
    {"data16 pop bx", "\x66\x66\x5b", 3, "unknown ebx; esp = esp+2"},
    {"popa", "\x61", 1,
     "eax = [esp+28]; ecx = [esp+24]; edx = [esp+20]; ebx = [esp+16]; ebp = [esp+8]; esi = "
     "[esp+4]; edi = [esp+0]; esp = esp+32"},
    {"popaw", "\x66\x61", 2, "unknown eax ecx edx ebx ebp esi edi; esp = esp+16"},
    {"mov ebp,esp", "\x89\xe5", 2, "ebp = esp+0"},
    {"mov ebp,esp", "\x8b\xec", 2, "ebp = esp+0"},
    {"mov esp,ebp", "\x89\xec", 2, "esp = ebp+0"},
    {"mov bp,sp", "\x66\x89\xe5", 3, "unknown ebp"},
    {"mov ebx,dword [esp+0x8]", "\x8b\x5c\x24\x08", 4, "ebx = [esp+8]"},
    {"mov ebx,dword [ebp-0x20]", "\x8b\x5d\xe0", 3, "ebx = [ebp-32]"},
    {"mov dword [esp+0x8],ebx", "\x89\x5c\x24\x08", 4, "[esp+8] = ebx"},
    {"mov word [esp+0x8],bx", "\x66\x89\x5c\x24\x08", 5, "[esp+8] = ? (2)"},
    {"mov dword [esp],0xffffffff", "\xc7\x04\x24\xff\xff\xff\xff", 7, "[esp+0] = ?"},
    {"mov dword gs:[esp],ebx", "\x65\x89\x1c\x24", 4, ""},
    {"mov dword ds:[esp],ebx", "\x3e\x89\x1c\x24", 4, "[esp+0] = ebx"},
    {"mov eax,gs:0x14", "\x65\xa1\x14\x00\x00\x00", 6, "unknown eax"},
    {"mov eax,ds:0x8049000", "\xa1\x00\x90\x04\x08", 5, "unknown eax"},
    {"mov ebx,dword [si]", "\x67\x8b\x1c", 3, "unknown ebx"},
    {"mov eax,0xffffffff", "\xb8\xff\xff\xff\xff", 5, "eax = 4294967295"},
    {"mov ax,0x7", "\x66\xb8\x07\x00", 4, "unknown eax"},
    {"mov eax,ds", "\x8c\xd8", 2, "unknown eax"},
    {"mov esi,esi", "\x89\xf6", 2, "padding"},
    {"lea esp,[ecx-0x4]", "\x8d\x61\xfc", 3, "esp = ecx-4"},
    {"lea ecx,[esp+0x4]", "\x8d\x4c\x24\x04", 4, "ecx = esp+4"},
    {"lea eax,[ebx-0x1000]", "\x8d\x83\x00\xf0\xff\xff", 6, "eax = ebx-4096"},
    {"lea eax,[ebx*1+0x10]", "\x8d\x04\x1d\x10\x00\x00\x00", 7, "eax = ebx+16"},
    {"lea eax,ds:0x8049000", "\x8d\x05\x00\x90\x04\x08", 6, "eax = 134516736"},
    {"lea eax,[ebx+eax*1]", "\x8d\x04\x03", 3, "eax = ebx + eax"},
    {"lea eax,[eax*4+0x0]", "\x8d\x04\x85\x00\x00\x00\x00", 7, "unknown eax"},
    {"lea edi,[si]", "\x67\x8d\x3c", 3, "unknown edi"},
    {"lea esi,[esi+eiz*1+0x0]", "\x8d\x74\x26\x00", 4, "padding"},
    {"lea esi,[esi+eiz*1+0x0]", "\x8d\xb4\x26\x00\x00\x00\x00", 7, "padding"},
    {"lea esi,[esi+0x0]", "\x8d\xb6\x00\x00\x00\x00", 6, "padding"},
    {"lea esi,cs:[esi+eiz*1+0x0]", "\x2e\x8d\xb4\x26\x00\x00\x00\x00", 8, "padding"},
    {"lea edi,[edi+eiz*1+0x0]", "\x8d\xbc\x27\x00\x00\x00\x00", 7, "padding"},
    {"nop", "\x90", 1, "padding"},
    {"xchg ax,ax", "\x66\x90", 2, "padding"},
    {"data16 nop word cs:[eax+eax*1+0x0]", "\x66\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 11,
     "padding"},
    {"int3", "\xcc", 1, "stop, padding"},
    {"add esp,0x10", "\x83\xc4\x10", 3, "esp = esp+16"},
    {"add esp,0xfffffff0", "\x83\xc4\xf0", 3, "esp = esp-16"},
    {"add esp,0xfffffff0", "\x81\xc4\xf0\xff\xff\xff", 6, "esp = esp-16"},
    {"sub esp,0x1000", "\x81\xec\x00\x10\x00\x00", 6, "esp = esp-4096"},
    {"sub esp,0xfffffff0", "\x81\xec\xf0\xff\xff\xff", 6, "esp = esp+16"},
    {"sub esp,0xffffff80", "\x83\xec\x80", 3, "esp = esp+128"},
    {"add eax,ebx", "\x01\xd8", 2, "eax = eax + ebx"},
    {"add eax,dword [ebx+eax*4-0x1000]", "\x03\x84\x83\x00\xf0\xff\xff", 7,
     "t = u32 of table ebx-4096; eax = eax + t"},
    {"sub eax,dword [ebx+eax*4-0x1000]", "\x2b\x84\x83\x00\xf0\xff\xff", 7, "unknown eax"},
    {"sub esp,eax", "\x29\xc4", 2, "esp = esp - eax"},
    {"add ebx,0x12345", "\x81\xc3\x45\x23\x01\x00", 6, "ebx = ebx+74565"},
    {"add eax,0x80000000", "\x05\x00\x00\x00\x80", 5, "eax = eax-2147483648"},
    {"add dword [esp+0x8],ebx", "\x01\x5c\x24\x08", 4, "[esp+8] = ?"},
    {"inc ebx", "\x43", 1, "unknown ebx"},
    {"and esp,0xfffffff0", "\x83\xe4\xf0", 3, "align esp"},
    {"and esp,0xfffff000", "\x81\xe4\x00\xf0\xff\xff", 6, "align esp"},
    {"and esp,0xfffffff8", "\x83\xe4\xf8", 3, "align esp"},
    {"and esp,0xffffffe8", "\x83\xe4\xe8", 3, "unknown esp"},
    {"and eax,0x7", "\x83\xe0\x07", 3, "unknown eax; compare eax 7"},
    {"and sp,0xfff0", "\x66\x83\xe4\xf0", 4, "unknown esp"},
    {"xor ebp,ebp", "\x31\xed", 2, "ebp = 0"},
    {"sub ebp,ebp", "\x29\xed", 2, "ebp = 0"},
    {"xor bp,bp", "\x66\x31\xed", 3, "unknown ebp"},
    {"cmp eax,0xa", "\x83\xf8\x0a", 3, "compare eax 10"},
    {"cmp al,0xc8", "\x3c\xc8", 2, "compare eax 200"},
    {"cmp esp,eax", "\x39\xc4", 2, "compare esp eax"},
    {"cmp eax,dword [ebp+0x8]", "\x3b\x45\x08", 3, ""},
    {"cmp sp,ax", "\x66\x39\xc4", 3, ""},
    {"mov eax,dword [ebx+eax*4-0x1000]", "\x8b\x84\x83\x00\xf0\xff\xff", 7,
     "eax = u32 of table ebx-4096"},
    {"mov eax,dword [eax*4+0x8049000]", "\x8b\x04\x85\x00\x90\x04\x08", 7,
     "eax = u32 of table ?+134516736"},
    {"movzx eax,word [ebx+eax*2]", "\x0f\xb7\x04\x43", 4, "eax = u16 of table ebx+0"},
    {"movsx eax,word [ebx+eax*2]", "\x0f\xbf\x04\x43", 4, "eax = s16 of table ebx+0"},
    {"movsx eax,byte [ebx+eax*1]", "\x0f\xbe\x04\x03", 4, "eax = s8 of table ebx+0"},
    {"movzx ax,byte [ebx+eax*1]", "\x66\x0f\xb6\x04\x03", 5, "unknown eax"},
    {"xchg ebx,esi", "\x87\xf3", 2, "t = ebx+0; ebx = esi+0; esi = t+0"},
    {"xchg ebx,eax", "\x93", 1, "t = eax+0; eax = ebx+0; ebx = t+0"},
    {"xchg dword [esp],ebx", "\x87\x1c\x24", 3, "[esp+0] = ?; unknown ebx"},
    {"xchg bl,al", "\x86\xc3", 2, "unknown eax ebx"},
    {"leave", "\xc9", 1, "esp = ebp+0; ebp = [esp+0]; esp = esp+4"},
    {"leavew", "\x66\xc9", 2, "unknown esp ebp"},
    {"enter 0x20,0x0", "\xc8\x20\x00\x00", 4,
     "esp = esp-4; [esp+0] = ebp; ebp = esp+0; esp = esp-32"},
    {"enter 0x20,0x1", "\xc8\x20\x00\x01", 4, "unknown esp ebp"},
    {"endbr32", "\xf3\x0f\x1e\xfb", 4, ""},
    {"endbr64", "\xf3\x0f\x1e\xfa", 4, ""},
    {"rdsspd ebx", "\xf3\x0f\x1e\xcb", 4, "unknown ebx"},
    {"incsspd ebx", "\xf3\x0f\xae\xeb", 4, ""},
    {"call 0x263", "\xe8\xfb\x00\x00\x00", 5, "call 0x1100; unknown eax ecx edx"},
    {"call eax", "\xff\xd0", 2, "call; unknown eax ecx edx"},
    {"call [0x2000]", "\xff\x15\x00\x20\x00\x00", 6, "call through 0x2000; unknown eax ecx edx"},
    {"call [ebx-0x14], with four bytes of displacement", "\xff\x93\xec\xff\xff\xff", 6,
     "call through GOT+0xffffffec; unknown eax ecx edx"},
    {"call [ebx-0x14], with one", "\xff\x53\xec", 3, "call; unknown eax ecx edx"},
    {"call [esi+0x100]", "\xff\x96\x00\x01\x00\x00", 6, "call; unknown eax ecx edx"},
    {"call dword gs:0x10", "\x65\xff\x15\x10\x00\x00\x00", 7, "call; unknown eax ecx edx"},
    {"call 0x5:0x4030201", "\x9a\x01\x02\x03\x04\x05\x00", 7, "call; unknown eax ecx edx"},
    {"jmp 0x378", "\xe9\xfb\x01\x00\x00", 5, "jump 0x1200"},
    {"jmp 0x192", "\xe9\x10\x00\x00\x00", 5, "jump 0x1015 far"},
    {"jmp 0x206", "\xe9\x7f\x00\x00\x00", 5, "jump 0x1084 far"},
    {"jmp 0x20c", "\xe9\x80\x00\x00\x00", 5, "jump 0x1085"},
    {"jmp 0x111", "\xe9\x80\xff\xff\xff", 5, "jump 0xf85 far"},
    {"jmp 0x115", "\xe9\x7f\xff\xff\xff", 5, "jump 0xf84"},
    {"jmp 0xffffe196", "\xe9\xfb\xdf\xff\xff", 5, "jump 0xfffff000"},
    {"jmp 0x19d", "\xeb\x00", 2, "jump 0x1002"},
    {"je 0x1bd", "\x74\x1e", 2, "branch 0x1020 equal-if-taken"},
    {"jne 0x1bf", "\x75\x1e", 2, "branch 0x1020 equal-if-not"},
    {"je 0x1b7", "\x0f\x84\x10\x00\x00\x00", 6, "branch 0x1016 equal-if-taken far"},
    {"ja 0x2ad", "\x0f\x87\x00\x01\x00\x00", 6, "branch 0x1106"},
    {"jecxz 0x1b1", "\xe3\x02", 2, "branch 0x1004"},
    {"loop 0x1b3", "\xe2\x02", 2, "branch 0x1004; unknown ecx"},
    {"jmp eax", "\xff\xe0", 2, "indirect eax"},
    {"notrack jmp eax", "\x3e\xff\xe0", 3, "indirect eax"},
    {"jmp dword [eax*4+0x8049000]", "\xff\x24\x85\x00\x90\x04\x08", 7,
     "indirect eip; eip = u32 of table ?+134516736"},
    {"jmp dword [ebx+eax*4-0x1000]", "\xff\xa4\x83\x00\xf0\xff\xff", 7,
     "indirect eip; eip = u32 of table ebx-4096"},
    {"jmp dword [ebx+0x10]", "\xff\x63\x10", 3, "indirect ?"},
    {"ret", "\xc3", 1, "return"},
    {"ret 0x4", "\xc2\x04\x00", 3, "return pops 4"},
    {"retf", "\xcb", 1, "return"},
    {"iret", "\xcf", 1, "return"},
    {"int 0x80", "\xcd\x80", 2, "unknown eax"},
    {"sysenter", "\x0f\x34", 2, "unknown eax ecx edx"},
    {"ud2", "\x0f\x0b", 2, "stop"},
    {"hlt", "\xf4", 1, "stop"},
    {"cmpxchg dword [esp],ebx", "\x0f\xb1\x1c\x24", 4, "[esp+0] = ?; unknown eax"},
    {"cmpxchg8b qword [esp]", "\x0f\xc7\x0c\x24", 4, "[esp+0] = ? (8); unknown eax edx"},
    {"cpuid", "\x0f\xa2", 2, "unknown eax ecx edx ebx"},
    {"mul ebx", "\xf7\xe3", 2, "unknown eax edx"},
    {"rep movs dword es:[edi],dword ds:[esi]", "\xf3\xa5", 2, "[edi+0] = ?; unknown ecx esi edi"},
    {"xlat byte ds:[ebx]", "\xd7", 1, "unknown eax"},
    {"daa", "\x27", 1, "unknown eax"},
    {"les eax,fword [ecx]", "\xc4\x01", 2, "unknown eax"},
    {"lds eax,fword [ecx]", "\xc5\x01", 2, "unknown eax"},
    {"bound eax,qword [ecx]", "\x62\x01", 2, "unknown eax"},
    {"rdtsc", "\x0f\x31", 2, "unknown eax edx"},
    {"fstp tbyte [esp]", "\xdb\x3c\x24", 3, "[esp+0] = ? (10)"},
    {"fnstenv [esp]", "\xd9\x34\x24", 3, "[esp+0] = ? (28)"},
    {"fnsave [esp]", "\xdd\x34\x24", 3, "[esp+0] = ? (108)"},
    {"movups xmmword [esp+0x10],xmm0", "\x0f\x11\x44\x24\x10", 5, "[esp+16] = ? (16)"},
    {"vmovdqu ymmword [esp+0x10],ymm0", "\xc5\xfe\x7f\x44\x24\x10", 6, "[esp+16] = ? (32)"},
    {"kmovd ebx,k1", "\xc5\xfb\x93\xd9", 4, "unknown ebx"},
    {"kortestd k0,k0", "\xc4\xe1\xf9\x98\xc0", 5, ""},
    {"vpcmpeqb k0,ymm1,ymmword [esp+0x20]", "\x62\xf1\x75\x28\x74\x44\x24\x01", 8, ""},
    {"rdpkru", "\x0f\x01\xee", 3, "unknown eax edx"},
};

TEST(insn_effects_are_those_of_the_manual)
{
    check_effects(ARCH_I386, CODE_DEFAULT, EFFECTS, COUNT(EFFECTS));
}

TEST(insn_that_is_cut_is_not_found)
{
    check_cut(EFFECTS, COUNT(EFFECTS));
}

TEST(insn_no_instruction_is_not_found)
{
    static const struct bytes_case codes[] = {{"\xff\xff\xff\xff", 4},
                                              {"\x0f\x04\x00\x00", 4},
                                              {"\xc5\xff\x00\xff", 2}};

    check_undecodable(codes, COUNT(codes));
}

/* lds, les and bound are decoded as such whatever follows, never as vector instructions. */
TEST(insn_prefix_of_vectors_with_a_memory_operand_is_another_instruction)
{
    static const uint8_t opcodes[] = {0xc4, 0xc5, 0x62};
    struct decoder *d = decoder();

    for (unsigned i = 0; i < sizeof(opcodes); i++) {
        uint8_t bytes[16] = {opcodes[i], 0x41, 0x7f, 0x48, 0x7f, 0x04, 0x24};
        struct insn insn;

        assert_int_equal(decoder_decode(d, bytes, sizeof(bytes), VADDR, 0, &insn), STATUS_OK);
        assert_int_equal(insn.size, 3);
    }
    decoder_destroy(d);
}

TEST(insn_reads_are_what_it_uses)
{
    static const struct reads_case cases[] = {
        {"\x53", 1, ""},                         /* push ebx */
        {"\xff\x71\xfc", 3, "ecx "},             /* push [ecx-4] */
        {"\x60", 1, ""},                         /* pusha */
        {"\x89\x5c\x24\x08", 4, ""},             /* mov [esp+8], ebx */
        {"\x89\x5d\xf8", 3, "ebp "},             /* mov [ebp-8], ebx */
        {"\x89\x18", 2, "eax ebx "},             /* mov [eax], ebx */
        {"\x8b\x44\x24\x04", 4, ""},             /* mov eax, [esp+4] */
        {"\x8d\x4c\x24\x04", 4, ""},             /* lea ecx, [esp+4] */
        {"\x31\xc0", 2, ""},                     /* xor eax, eax */
        {"\x85\xc0", 2, "eax "},                 /* test eax, eax */
        {"\x81\xc3\x00\x10\x00\x00", 6, "ebx "}, /* add ebx, 0x1000 */
        {"\xff\xd0", 2, "eax "},                 /* call eax */
        {"\x65\xff\x15\x10\x00\x00\x00", 7, ""}, /* call gs:0x10 */
        {"\xcd\x80", 2, "eax "},                 /* int 0x80 */
        {"\x89\xf6", 2, ""},                     /* mov esi, esi */
        {"\x8d\x74\x26\x00", 4, ""},             /* lea esi, [esi+eiz*1+0] */
        {"\x8d\x76\x01", 3, "esi "},             /* lea esi, [esi+1] */
        {"\xd7", 1, "eax ebx "},                 /* xlatb */
    };

    check_reads(cases, COUNT(cases));
}

TEST(insn_starts_of_functions_are_recognized)
{
    static const struct bytes_case starts[] = {
        {"\xf3\x0f\x1e\xfb\x55\x89\xe5\x53\x83\xec\x08\x90\x90\x90\x90\x90", 4}, /* endbr32 */
        {"\x55\x89\xe5\x53\x83\xec\x08\x90\x90\x90\x90\x90\x90\x90\x90\x90",
         3}, /* push ebp; mov ebp, esp */
        {"\x55\x8b\xec\x53\x83\xec\x08\x90\x90\x90\x90\x90\x90\x90\x90\x90", 3},
        {"\x55\x57\x56\x53\x83\xec\x0c\x90\x90\x90\x90\x90\x90\x90\x90\x90",
         4}, /* push ebp; push edi; push esi; push ebx */
        {"\x8d\x4c\x24\x04\x83\xe4\xf0\xff\x71\xfc\x90\x90\x90\x90\x90\x90",
         6}, /* lea ecx, [esp+4]; and esp */
    };
    static const struct bytes_case others[] = {
        {"", 0},
        {"\x83\xec\x0c", 3},                     /* sub esp, 12 */
        {"\x57\x56\x53", 3},                     /* push edi; push esi; push ebx */
        {"\x55\x57\xe8\x00\x00\x00\x00", 7},     /* push ebp; push edi; call: two arguments */
        {"\xe8\x10\x00\x00\x00\x05\x00\x10", 8}, /* call; add eax: g() + 1000 */
        {"\x89\xe5", 2},                         /* mov ebp, esp */
        {"\xf3\x0f\x1e\xfa", 4},                 /* endbr64 */
        {"\xe8\x10\x00\x00\x00\x81\xc3\x00", 8}, /* call; add ebx */
    };

    check_starts(starts, COUNT(starts));
    check_all_told(set()->strong_start, others, COUNT(others), false);
}

/* mov reg, [esp]; ret, for each of the registers. */
TEST(insn_pc_thunk_tells_its_register)
{
    static const uint8_t modrm[] = {0x04, 0x0c, 0x14, 0x1c, 0x24, 0x2c, 0x34, 0x3c};

    for (uint8_t reg = 0; reg < sizeof(modrm); reg++) {
        const uint8_t bytes[] = {0x8b, modrm[reg], 0x24, 0xc3};

        assert_int_equal(set()->pc_thunk(bytes, sizeof(bytes)), reg);
        for (uint64_t size = 0; size < sizeof(bytes); size++)
            assert_int_equal(set()->pc_thunk(bytes, size), REG_NONE);
    }
}

TEST(insn_others_are_no_pc_thunk)
{
    static const struct bytes_case others[] = {
        {"\x8b\x1c\x24\xc2", 4}, /* mov ebx, [esp]; ret n */
        {"\x8b\x5c\x24\xc3", 4}, /* mov ebx, [esp-0x3d] */
        {"\x8b\x1c\x64\xc3", 4}, /* mov ebx, [esp+eiz*2]: nobody writes it so */
        {"\x89\x1c\x24\xc3", 4}, /* mov [esp], ebx */
        {"\x90\x8b\x1c\x24", 4},
    };

    for (size_t i = 0; i < COUNT(others); i++)
        assert_int_equal(set()->pc_thunk((const uint8_t *)others[i].bytes, others[i].size),
                         REG_NONE);
}

/* Every form of call r/m32 and lcall [mem]; the decoder tells its length. */
TEST(insn_every_call_is_recognized_from_behind)
{
    struct decoder *d = decoder();
    unsigned calls = 0;

    for (unsigned modrm = 0; modrm < 256; modrm++)
        for (unsigned sib = 0; sib < 256; sib++) {
            uint8_t bytes[32] = {0}; /* 16 bytes of something else before it */
            struct insn insn;

            bytes[16] = 0xff;
            bytes[17] = (uint8_t)modrm;
            bytes[18] = (uint8_t)sib;
            memset(bytes + 19, 0x11, 4);
            if (decoder_decode(d, bytes + 16, 16, VADDR, 0, &insn) != STATUS_OK ||
                insn.flow != FLOW_CALL)
                continue;
            calls++;
            assert_true(set()->ends_with_call(bytes + insn.size, 16));
            assert_true(set()->ends_with_call(bytes + 16, insn.size));
        }
    assert_int_equal(calls, (3 * 8 * 2 + 8) * 256);
    assert_true(set()->ends_with_call((const uint8_t *)"\xe8\x01\x02\x03\x04", 5));
    assert_true(set()->ends_with_call((const uint8_t *)"\x65\xff\x15\x10\x00\x00\x00", 7));
    assert_false(set()->ends_with_call((const uint8_t *)"\xe9\x01\x02\x03\x04", 5));
    decoder_destroy(d);
}

/* Addresses are 32 bits wide and wrap. */
TEST(insn_far_jumps_tell_their_target)
{
    assert_int_equal(jump_target("\xe9\xfb\x00\x00\x00", 5), 0x1100);
    assert_int_equal(jump_target("\xe9\xfb\xdf\xff\xff", 5), 0xfffff000);
    assert_int_equal(jump_target("\x0f\x84\xfa\xff\xff\xff", 6), 0x1000);
    assert_int_equal(jump_target("\xeb\x10\x00\x00\x00", 5), 0);
}

/* From edi, the fifth word of struct sigcontext_32, on (asm/sigcontext.h). */
static const uint8_t SIGCONTEXT[] = {EDI, ESI, EBP,      ESP,      EBX, EDX,
                                     ECX, EAX, REG_NONE, REG_NONE, EIP};

/* pop eax; mov eax, 119; int 0x80: the signal's number lies below the sigcontext. */
TEST(insn_sigreturn_restores_every_register)
{
    static const uint8_t code[] = {0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80};

    check_sigreturn(code, sizeof(code), 1, 1 + 4, SIGCONTEXT, sizeof(SIGCONTEXT));
}

/*
 * mov eax, 173; int 0x80: three words, siginfo and five words of ucontext lie below the sigcontext.
 */
TEST(insn_rt_sigreturn_restores_every_register)
{
    static const uint8_t code[] = {0xb8, 0xad, 0, 0, 0, 0xcd, 0x80};

    check_sigreturn(code, sizeof(code), sizeof(code), 3 + 32 + 5 + 4, SIGCONTEXT,
                    sizeof(SIGCONTEXT));
}

TEST(insn_sigreturn_is_what_the_code_does)
{
    static const struct {
        const char *bytes;
        uint8_t size, still;
    } codes[] = {
        {"\xf3\x0f\x1e\xfb\x58\xb8\x77\0\0\0\xcd\x80", 12, 5}, /* endbr32; pop; mov; int $0x80 */
        {"\x90\x58\x6a\x77\x58\xcd\x80", 7, 2},                /* nop; pop; push $119; pop; int */
        {"\x90\xb8\xad\0\0\0\x0f\x34", 8, 8},                  /* nop; mov $173, %eax; sysenter */
        {"\x31\xc0\xb0\xad\xcd\x80", 6, 6},
    };
    static const struct bytes_case others[] = {
        {"\xb8\x77\0\0\0\xcd\x80", 7},     /* the signal's number is not popped */
        {"\x58\xb8\xad\0\0\0\xcd\x80", 8}, /* it is */
        {"\xb8\xad\0\0\0\x0f\x05", 7},     /* syscall: x86-64's */
        {"\x90\x90", 2},
        {"\x58", 1},
    };
    struct row row;

    for (size_t i = 0; i < COUNT(codes); i++) {
        assert_int_equal(set()->sigreturn_row((const uint8_t *)codes[i].bytes, codes[i].size, VADDR,
                                              &row),
                         STATUS_OK);
        assert_int_equal(row.end_vaddr, VADDR + codes[i].still);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        assert_int_equal(set()->sigreturn_row((const uint8_t *)others[i].bytes, others[i].size,
                                              VADDR, &row),
                         STATUS_NOT_FOUND);
}
