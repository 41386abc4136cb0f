/* SPDX-License-Identifier: MIT */
/* Effects of RV64's instructions, all extensions. The bytes are GNU as's, at 0x1000. */
#include "insn_fixture.h"

static const struct insn_set *set(void)
{
    return insn_set_for(arch_get(ARCH_RISCV64), CODE_DEFAULT);
}

static const struct effect_case EFFECTS[] = {
    {"addi sp, sp, -2032", "\x13\x01\x01\x81", 4, "sp = sp-2032"},
    {"c.addi sp, -32", "\x01\x11", 2, "sp = sp-32"},
    {"c.addi16sp sp, -496", "\x41\x71", 2, "sp = sp-496"},
    {"c.addi4spn s0, sp, 32", "\x00\x10", 2, "s0 = sp+32"},
    {"addi sp, s0, -64", "\x13\x01\x04\xfc", 4, "sp = s0-64"},
    {"c.mv s1, a0", "\xaa\x84", 2, "s1 = a0+0"},
    {"li a5, -3", "\xf5\x57", 2, "a5 = -3"},
    {"c.li a0, 0", "\x01\x45", 2, "a0 = 0"},
    {"lui t0, 0xfffff", "\xfd\x72", 2, "t0 = 0; t0 = t0-4096"},
    {"c.lui t1, 0x1f", "\x7d\x63", 2, "t1 = 0; t1 = t1+126976"},
    {"addiw t1, t1, 16", "\x41\x23", 2, "t = t1+16; t2 = 0; t1 = t2 + t s32"},
    {"add sp, sp, t0", "\x16\x91", 2, "sp = sp + t0"},
    {"c.add sp, t1", "\x1a\x91", 2, "sp = sp + t1"},
    {"sub sp, sp, t0", "\x33\x01\x51\x40", 4, "sp = sp - t0"},
    {"sub a0, zero, a1", "\x33\x05\xb0\x40", 4, "unknown a0"},
    {"auipc s3, 0x10", "\x97\x09\x01\x00", 4, "s3 = 0; s3 = s3+69632"},
    {"slli a5, a0, 2", "\x93\x17\x25\x00", 4, "a5 = a0 << 2"},
    {"srli a5, a5, 30", "\xf9\x83", 2, "a5 = a5 >> 30"},
    {"sh2add a5, a0, a4", "\xb3\x47\xe5\x20", 4, "t = a0 << 2; a5 = a4 + t"},
    {"andi sp, sp, -16", "\x13\x71\x01\xff", 4, "align sp"},
    {"andi a5, a0, 7", "\x93\x77\x75\x00", 4, "unknown a5; compare a5 7"},
    {"andi a5, a0, 255", "\x93\x77\xf5\x0f", 4, "unknown a5"},
    {"c.sdsp ra, 24(sp)", "\x06\xec", 2, "[sp+24] = ra"},
    {"c.sdsp s0, 16(sp)", "\x22\xe8", 2, "[sp+16] = s0"},
    {"sd s11, -104(s0)", "\x23\x3c\xb4\xf9", 4, "[s0-104] = s11"},
    {"sw a0, 12(sp)", "\x2a\xc6", 2, "[sp+12] = ? (4)"},
    {"c.swsp zero, 8(sp)", "\x02\xc4", 2, "[sp+8] = ? (4)"},
    {"sb a0, 7(sp)", "\xa3\x03\xa1\x00", 4, "[sp+7] = ? (1)"},
    {"fsd fs0, 8(sp)", "\x22\xa4", 2, "[sp+8] = ?"},
    {"c.fsdsp fs1, 0(sp)", "\x26\xa0", 2, "[sp+0] = ?"},
    {"c.ldsp ra, 24(sp)", "\xe2\x60", 2, "ra = [sp+24]"},
    {"ld s0, 16(sp)", "\x42\x64", 2, "s0 = [sp+16]"},
    {"c.ld a5, 8(a0)", "\x1c\x65", 2, "a5 = [a0+8]"},
    {"lw a5, 0(a5)", "\x9c\x43", 2, "a5 = [a5+0] s32"},
    {"lwu a5, 0(a5)", "\x83\xe7\x07\x00", 4, "a5 = [a5+0] u32"},
    {"lbu a0, 0(a1)", "\x03\xc5\x05\x00", 4, "a0 = [a1+0] u8"},
    {"c.lw a4, 4(a5)", "\xd8\x43", 2, "a4 = [a5+4] s32"},
    {"fld fs0, 8(sp)", "\x22\x24", 2, ""},
    {"ld zero, 0(a0)", "\x03\x30\x05\x00", 4, ""},
    {"amoadd.w a0, a1, (a2)", "\x2f\x25\xb6\x00", 4, "[a2+0] = ? (4); unknown a0"},
    {"lr.d a0, (a1)", "\x2f\xb5\x05\x10", 4, "unknown a0"},
    {"sc.d a0, a1, (sp)", "\x2f\x35\xb1\x18", 4, "[sp+0] = ?; unknown a0"},
    {"csrr t0, mepc", "\xf3\x22\x10\x34", 4, "t0 = mepc+0"},
    {"csrw mepc, t0", "\x73\x90\x12\x34", 4, "t = t0+0; mepc = t+0"},
    {"csrrw t0, mepc, t0", "\xf3\x92\x12\x34", 4, "t = t0+0; t0 = mepc+0; mepc = t+0"},
    {"csrr a0, mcause", "\x73\x25\x20\x34", 4, "unknown a0"},
    {"csrrw sp, mscratch, sp", "\x73\x11\x01\x34", 4, "unknown sp"},
    {"ecall", "\x73\x00\x00\x00", 4, "unknown a0"},
    {"ebreak", "\x02\x90", 2, "stop"},
    {"unimp", "\x00\x00", 2, "stop"},
    {"mret", "\x73\x00\x20\x30", 4, "return"},
    {"sret", "\x73\x00\x20\x10", 4, "return"},
    {"wfi", "\x73\x00\x50\x10", 4, ""},
    {"fence rw, rw", "\x0f\x00\x30\x03", 4, ""},
    {"c.nop", "\x01\x00", 2, "padding"},
    {"ret", "\x82\x80", 2, "return"},
    {"c.jr t0", "\x82\x82", 2, "return"},
    {"jr a5", "\x82\x87", 2, "indirect a5"},
    {"jr 8(a5)", "\x67\x80\x87\x00", 4, "indirect t; t = a5+8"},
    {"jalr a5", "\x82\x97", 2, "call; unknown ra t0 t1 t2 a0 a1 a2 a3 a4 a5 a6 a7 t3 t4 t5 t6"},
    {"jalr t1, t3", "\x67\x03\x0e\x00", 4, "indirect t; t = t3+0; unknown t1"},
    {"jal ra, .+0x100", "\xef\x00\x00\x10", 4,
     "call 0x1100; unknown ra t0 t1 t2 a0 a1 a2 a3 a4 a5 a6 a7 t3 t4 t5 t6"},
    {"jal t0, .+0x100", "\xef\x02\x00\x10", 4,
     "call 0x1100; unknown ra t0 t1 t2 a0 a1 a2 a3 a4 a5 a6 a7 t3 t4 t5 t6"},
    {"j .+0x100", "\x01\xa2", 2, "jump 0x1100"},
    {"c.j .-0x20", "\xc5\xb7", 2, "jump 0xfe0"},
    {"beq a0, a1, .+16", "\x63\x08\xb5\x00", 4, "branch 0x1010 equal-if-taken; compare a0 a1"},
    {"bne sp, t1, .-8", "\xe3\x1c\x61\xfe", 4, "branch 0xff8 equal-if-not; compare sp t1"},
    {"c.beqz a0, .+8", "\x01\xc5", 2, "branch 0x1008"},
    {"c.bnez a0, .+8", "\x01\xe5", 2, "branch 0x1008"},
    {"bltu a4, a0, .+0x40", "\x63\x60\xa7\x04", 4, "branch 0x1040; compare a0 a4; compare a4 a0-1"},
    {"bgeu a0, a4, .+0x40", "\x63\x70\xe5\x04", 4, "branch 0x1040; compare a4 a0; compare a0 a4-1"},
    {"bltu a0, zero, .+8", "\x63\x64\x05\x00", 4, "branch 0x1008"},
    {"blt a0, a1, .+8", "\x63\x44\xb5\x00", 4, "branch 0x1008"},
    {"fmv.x.d a0, fs0", "\x53\x05\x04\xe2", 4, "unknown a0"},
    {"fcvt.l.d a0, fa0, rtz", "\x53\x15\x25\xc2", 4, "unknown a0"},
    {"fadd.d fs0, fs0, fa0", "\x53\x74\xa4\x02", 4, ""},
    {"mul a0, a1, a2", "\x33\x85\xc5\x02", 4, "unknown a0"},
    {"addiw a0, a1, 0", "\x1b\x85\x05\x00", 4, "t2 = 0; a0 = t2 + a1 s32"},
    {"li a0, 0", "\x01\x45", 2, "a0 = 0"},
    {"call .+0x100", "\x97\x00\x00\x00\xe7\x80\x00\x00", 8,
     "call 0x1000; unknown ra; unknown ra t0 t1 t2 a0 a1 a2 a3 a4 a5 a6 a7 t3 t4 t5 t6"},
    {"tail .+0x200", "\x17\x03\x00\x00\x67\x00\x03\x00", 8, "jump 0x1000 far; unknown t1"},
    {"slli.uw a5, a0, 2", "\x9b\x17\x25\x08", 4, "t2 = 0; t = t2 + a0 u32; a5 = t << 2"},
    {"add.uw a0, a1, a2", "\x3b\x85\xc5\x08", 4, "t2 = 0; t = t2 + a1 u32; a0 = a2 + t"},
    {"fence.i", "\x0f\x10\x00\x00", 4, ""},
    {"lr.w a0, (a1)", "\x2f\xa5\x05\x10", 4, "unknown a0"},
    {"custom-0, which writes nothing", "\x0b\x10\x00\x00", 4, ""},
    {"vadd.vv v2,v0,v2: of vectors", "\x57\x01\x01\x02", 4, ""},
    {"vmv.x.s a0,v0", "\x57\x25\x00\x42", 4, "unknown a0"},
    {"vse8.v v2,(sp)", "\x27\x01\x01\x02", 4, "[sp+0] = ? (16)"},
    {"sh2add.uw a5, a0, a4", "\xbb\x47\xe5\x20", 4,
     "t2 = 0; t = t2 + a0 u32; t = t << 2; a5 = a4 + t"},
};

TEST(insn_effects_are_those_of_the_manual)
{
    check_effects(ARCH_RISCV64, CODE_DEFAULT, EFFECTS, COUNT(EFFECTS));
}

/* Of what is not known the length is, and the register that most instructions write. */
TEST(insn_of_unknown_extensions_have_their_length)
{
    static const struct effect_case cases[] = {
        {"custom-0", "\x0b\x85\x00\x00", 4, "unknown a0"},
        {"OP-VE", "\x77\x01\x00\x00", 4, "unknown sp"},
        {"48 bits", "\x1f\x05\x00\x00\x00\x00", 6, "unknown a0"},
        {"64 bits", "\x3f\x05\x00\x00\x00\x00\x00\x00", 8, "unknown a0"},
    };

    check_effects(ARCH_RISCV64, CODE_DEFAULT, cases, COUNT(cases));
}

/* Between two instructions that do nothing ebreak is a call of the debugger's. */
TEST(insn_semihosting_goes_on)
{
    static const uint8_t code[] = "\x73\x00\x10\x00\x13\x50\x70\x40"; /* ebreak; srai x0, x0, 7 */
    struct decoder *d = decoder();
    struct insn insn;

    assert_int_equal(decoder_decode(d, code, 8, VADDR, 0, &insn), STATUS_OK);
    assert_int_equal(insn.flow, FLOW_NEXT);
    assert_int_equal(insn.size, 4);
    assert_int_equal(insn.op_count, 1);
    assert_int_equal(insn.ops[0].mask, 1u << 10);
    assert_int_equal(decoder_decode(d, code, 4, VADDR, 0, &insn), STATUS_OK);
    assert_int_equal(insn.flow, FLOW_STOP);
    decoder_destroy(d);
}

TEST(insn_that_is_reserved_or_cut_is_not_found)
{
    static const struct bytes_case cases[] = {
        {"\x04\x00", 2},         /* c.addi4spn s1, sp, 0 */
        {"\x01\x20", 2},         /* c.addiw zero, 0 */
        {"\x02\x40", 2},         /* c.lwsp zero, 0(sp) */
        {"\x02\x80", 2},         /* c.jr zero */
        {"\x00\x9c", 2},         /* quadrant 0, funct3 4 */
        {"\xff\xff\xff\xff", 4}, /* longer than 64 bits */
        {"\x13\x05\x00\x00", 3}, /* li a0, 0, cut */
        {"\x01", 1},
    };

    check_undecodable(cases, COUNT(cases));
}

/* c.fsdsp has the encoding of cm.push: the file's flags tell which. */
TEST(insn_of_zcmp_are_those_of_files_without_doubles)
{
    struct decoder *d = decoder();

    for (uint32_t flags = 0; flags < 8; flags++) {
        const bool is_push = flags && !(flags & 4); /* EF_RISCV_FLOAT_ABI_DOUBLE */

        d->elf_flags = flags;
        assert_int_equal(decode_one(d, "\x62\xb8", 2, VADDR, 0).op_count, is_push ? 4 : 1);
    }
    decoder_destroy(d);
}

/* What the file says of its instruction set is worth more than its flags. */
TEST(insn_of_zcmp_are_those_of_files_that_say_so)
{
    static const struct {
        const char *text;
        bool is_push;
    } cases[] = {
        {"rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0", false},
        {"rv64imac_zca_zcmp", true},
        {"rv64i2p1_zca1p0_zcmp1p0_zcmt1p0", true},
        {"rv64i2p1_zcmt1p0_zvl128b1p0", true},
        {"rv64imac_zce", true},
        {"rv64imac_xzcmp_zcmpx", false}, /* others' names */
    };
    const struct isa_attribute *attribute = set()->isa_attribute;
    struct decoder *d = decoder();

    assert_int_equal(attribute->read(""), 0);
    for (size_t i = 0; i < COUNT(cases); i++)
        for (uint32_t flags = 0; flags < 8; flags++) {
            d->elf_flags = flags;
            d->isa = attribute->read(cases[i].text);
            assert_int_equal(decode_one(d, "\x62\xb8", 2, VADDR, 0).op_count,
                             cases[i].is_push ? 4 : 1);
        }
    decoder_destroy(d);
}

/* The last register is uppermost, whatever else fills the frame up to a multiple of 16 bytes. */
TEST(insn_zcmp_moves_whole_frames)
{
    static const struct {
        const char *bytes;
        unsigned count; /* of operations, that on SP the last; below: the last one before it */
        struct op op;
        int64_t sp;
    } cases[] = {
        /* cm.push {ra},-16 */
        {"\x42\xb8", 2, {.kind = OP_STORE, .dst = 2, .src = 1, .imm = -8}, -16},
        /* cm.push {ra,s0-s1},-48 */
        {"\x66\xb8", 4, {.kind = OP_STORE, .dst = 2, .src = 1, .imm = -24}, -48},
        /* cm.push {ra,s0-s11},-112 */
        {"\xf2\xb8", 14, {.kind = OP_STORE, .dst = 2, .src = 1, .imm = -104}, -112},
        /* cm.pop {ra,s0-s2},48 */
        {"\x76\xba", 5, {.kind = OP_LOAD, .dst = 1, .src = 2, .imm = 16}, 48},
        /* cm.popret {ra,s0},16 */
        {"\x52\xbe", 3, {.kind = OP_LOAD, .dst = 1, .src = 2, .imm = 0}, 16},
    };
    struct decoder *d = decoder();

    d->isa = set()->isa_attribute->read("rv64i_zcmp");
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct insn insn = decode_one(d, cases[i].bytes, 2, VADDR, 0);
        const struct op *op = &insn.ops[cases[i].count - 2];

        assert_int_equal(insn.op_count, cases[i].count);
        assert_int_equal(op->kind, cases[i].op.kind);
        assert_int_equal(op->dst, cases[i].op.dst);
        assert_int_equal(op->src, cases[i].op.src);
        assert_int_equal(op->imm, cases[i].op.imm);
        assert_int_equal(op[1].kind, OP_ADD);
        assert_int_equal(op[1].imm, cases[i].sp);
    }
    decoder_destroy(d);
}

TEST(insn_every_call_ends_with_a_call)
{
    struct decoder *d = decoder();

    for (size_t i = 0; i < COUNT(EFFECTS); i++) {
        const uint8_t *bytes = (const uint8_t *)EFFECTS[i].bytes;
        const struct insn insn = decode_one(d, EFFECTS[i].bytes, EFFECTS[i].size, VADDR, 0);

        if (insn.flow == FLOW_CALL)
            assert_true(set()->ends_with_call(bytes, insn.size));
        if (insn.flow == FLOW_CALL && insn.has_target)
            assert_int_equal(set()->call_target(bytes, insn.size, VADDR), insn.target_vaddr);
        if (insn.flow == FLOW_JUMP)
            assert_int_equal(set()->jump_target(bytes, insn.size, VADDR), insn.target_vaddr);
    }
    assert_false(set()->ends_with_call((const uint8_t *)"\x82\x80", 2)); /* ret */
    assert_int_equal(jump_target("\x82\x80", 2), 0);
    decoder_destroy(d);
}

TEST(insn_function_begins_with_a_frame)
{
    /* li a5, 1; addi sp, sp, -32; mv s2, a0; sd s1, 8(sp) */
    static const uint8_t frame[] = "\x85\x47\x01\x11\x2a\x89\x26\xe4";
    static const uint8_t outlined[] = "\xef\x02\x00\x10"; /* jal t0, .+256 */

    assert_true(set()->strong_start(frame, 8));
    assert_true(set()->strong_start(frame + 2, 6));
    assert_false(set()->strong_start(frame + 4, 4)); /* SP is not moved */
    assert_false(set()->strong_start(frame, 6));     /* nothing is saved */
    assert_true(set()->strong_start(outlined, 4));
}

/* By t0, in both lengths; not by ra, and not where an offset is added. */
TEST(insn_return_of_an_outlined_prologue_is_by_its_register)
{
    assert_true(set()->is_outline_return((const uint8_t *)"\x82\x82", 2));
    assert_true(set()->is_outline_return((const uint8_t *)"\x67\x80\x02\x00", 4));
    assert_false(set()->is_outline_return((const uint8_t *)"\x67\x80\x02\x00", 3));
    assert_false(set()->is_outline_return((const uint8_t *)"\x67\x80\x42\x00", 4));
    assert_false(set()->is_outline_return((const uint8_t *)"\x82\x80", 2));
}

TEST(insn_end_of_a_thread_is_behind_the_call_that_makes_one)
{
    /* li a7, 220; ecall; c.jalr a5; li a7, 93; ecall */
    static const uint8_t code[] = "\x93\x08\xc0\x0d\x73\x00\x00\x00\x82\x97"
                                  "\x93\x08\xd0\x05\x73\x00\x00\x00";

    assert_true(insn_ends_thread(arch_get(ARCH_RISCV64), code, 10, 18));
    assert_false(insn_ends_thread(arch_get(ARCH_RISCV64), code, 10, 17));
    assert_false(insn_ends_thread(arch_get(ARCH_RISCV64), code + 4, 6, 14));
    assert_true(insn_makes_thread(arch_get(ARCH_RISCV64), code, 8));
}

/* Of whole libraries riscv_objdump.py compares it. */
TEST(insn_text_is_that_of_objdump)
{
    static const struct {
        const char *bytes;
        uint8_t size;
        const char *text;
    } cases[] = {
        {"\x13\x01\x01\x81", 4, "addi sp,sp,-2032"},
        {"\x06\xec", 2, "c.sdsp ra,24(sp)"},
        {"\x2f\x25\xb6\x04", 4, "amoadd.w.aq a0,a1,(a2)"},
        {"\xf3\x22\x10\x34", 4, "csrrs t0,mepc,zero"},
        {"\x0f\x00\x30\x03", 4, "fence rw,rw"},
        {"\x53\x15\x25\xc2", 4, "fcvt.l.d a0,fa0,rtz"},
        {"\x97\x00\x00\x00\xe7\x80\x40\x00", 8, "auipc ra,0x0; jalr ra,4(ra)"},
        {"\x0b\x85\x00\x00", 4, ""},
    };
    struct decoder *d = decoder();
    struct insn_text text;

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(decoder_text(d, (const uint8_t *)cases[i].bytes, cases[i].size, VADDR, 0,
                                      &text),
                         STATUS_OK);
        assert_string_equal(text.text, cases[i].text);
    }
    decoder_destroy(d);
}
