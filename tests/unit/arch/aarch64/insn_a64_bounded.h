/* SPDX-License-Identifier: MIT */
/*
 * Effects of A64 instructions that are known by their place in the encoding, not by name: those
 * that Capstone 4.0.2 does not know or tells too little of.
 */
#ifndef TEST_INSN_A64_BOUNDED_H
#define TEST_INSN_A64_BOUNDED_H

#include "insn_fixture.h"

static const struct effect_case BOUNDED[] = {
    /* ldraa x0, [x1] */
    {"\x20\x04\x20\xf8", 4, "unknown x0"},
    /* ldrab x0, [x1, #8]! */
    {"\x20\x1c\xa0\xf8", 4, "unknown x0 x1"},
    /* stxr w0, x1, [x2] */
    {"\x41\x7c\x00\xc8", 4, "[x2+0] = ?; unknown x0"},
    /* stlxp w0, x1, x3, [x2] */
    {"\x41\x8c\x20\xc8", 4, "[x2+0] = ? (16); unknown x0"},
    /* ldxr x0, [x1] */
    {"\x20\x7c\x5f\xc8", 4, "unknown x0"},
    /* ldaxp x0, x1, [x2] */
    {"\x40\x84\x7f\xc8", 4, "unknown x0 x1"},
    /* ldar x0, [sp] */
    {"\xe0\xff\xdf\xc8", 4, "unknown x0"},
    /* stlr x0, [sp] */
    {"\xe0\xff\x9f\xc8", 4, "[sp+0] = ?"},
    /* ldapr x0, [x1] */
    {"\x20\xc0\xbf\xf8", 4, "unknown x0"},
    /* ldapur x0, [x1, #8] */
    {"\x20\x80\x40\xd9", 4, "unknown x0"},
    /* stlur x0, [sp, #8] */
    {"\xe0\x83\x00\xd9", 4, "[sp+8] = ?"},
    /* ldlar x0, [x1] */
    {"\x20\x7c\xdf\xc8", 4, "unknown x0"},
    /* cas x0, x1, [x2] */
    {"\x41\x7c\xa0\xc8", 4, "[x2+0] = ?; unknown x0"},
    /* casal w0, w1, [x2] */
    {"\x41\xfc\xe0\x88", 4, "[x2+0] = ? (4); unknown x0"},
    /* casp x0, x1, x2, x3, [x4] */
    {"\x82\x7c\x20\x48", 4, "[x4+0] = ? (16); unknown x0 x1"},
    /* ldadd x0, x1, [x2] */
    {"\x41\x00\x20\xf8", 4, "[x2+0] = ?; unknown x1"},
    /* stadd x0, [x2] */
    {"\x5f\x00\x20\xf8", 4, "[x2+0] = ?"},
    /* swpal x0, x1, [sp] */
    {"\xe1\x83\xe0\xf8", 4, "[sp+0] = ?; unknown x1"},
    /* ld64b x8, [x1] */
    {"\x28\xd0\x3f\xf8", 4, "unknown x8 x9 x10 x11 x12 x13 x14 x15"},
    /* st64b x0, [x1] */
    {"\x20\x90\x3f\xf8", 4, "[x1+0] = ? (64)"},
    /* st64bv x9, x0, [x1] */
    {"\x20\xb0\x29\xf8", 4, "[x1+0] = ? (64); unknown x9"},
    /* cpyfp [x0]!, [x1]!, x2! */
    {"\x40\x04\x01\x19", 4, "unknown x0 x1 x2"},
    /* cpym [x0]!, [x1]!, x2! */
    {"\x40\x04\x41\x1d", 4, "unknown x0 x1 x2"},
    /* setp [x0]!, x1!, x2 */
    {"\x20\x04\xc2\x19", 4, "unknown x0 x1"},
    /* ld1 {v0.16b}, [x0], #16 */
    {"\x00\x70\xdf\x4c", 4, "x0 = x0+16"},
    /* ld1 {v0.16b}, [x0], x1 */
    {"\x00\x70\xc1\x4c", 4, "unknown x0"},
    /* ld1 {v0.16b, v1.16b}, [sp] */
    {"\xe0\xa3\x40\x4c", 4, ""},
    /* st1 {v0.16b, v1.16b}, [sp], #32 */
    {"\xe0\xa3\x9f\x4c", 4, "[sp+0] = ? (32); sp = sp+32"},
    /* st1 {v0.8b-v2.8b}, [x0], #24 */
    {"\x00\x60\x9f\x0c", 4, "[x0+0] = ? (24); x0 = x0+24"},
    /* ld4 {v0.16b-v3.16b}, [x0], #64 */
    {"\x00\x00\xdf\x4c", 4, "x0 = x0+64"},
    /* st4 {v19.s-v22.s}[0], [x0], #16 */
    {"\x13\xa0\xbf\x0d", 4, "[x0+0] = ? (16); x0 = x0+16"},
    /* st1 {v10.h}[3], [x3], #2 */
    {"\x6a\x58\x9f\x0d", 4, "[x3+0] = ? (2); x3 = x3+2"},
    /* ld1r {v31.2d}, [x9], #8 */
    {"\x3f\xcd\xdf\x4d", 4, "x9 = x9+8"},
    /* str z20, [x28, #-7, mul vl]: for Capstone 5 it is str */
    {"\x94\x47\xbf\xe5", 4, ""},
    /* tcancel #0xa84d */
    {"\xa0\x09\x75\xd4", 4, ""},
    /* st4 {v0.b-v3.b}[1], [sp] */
    {"\xe0\x27\x20\x0d", 4, "[sp+0] = ? (4)"},
    /* st1 {v0.8b}, [x1] */
    {"\x20\x70\x00\x0c", 4, "[x1+0] = ?"},
    /* st1 {v0.16b}, [x1] */
    {"\x20\x70\x00\x4c", 4, "[x1+0] = ? (16)"},
    /* st1 {v0.8b, v1.8b}, [x1] */
    {"\x20\xa0\x00\x0c", 4, "[x1+0] = ? (16)"},
    /* st1 {v0.16b-v2.16b}, [x1] */
    {"\x20\x60\x00\x4c", 4, "[x1+0] = ? (48)"},
    /* st1 {v0.16b-v3.16b}, [x1] */
    {"\x20\x20\x00\x4c", 4, "[x1+0] = ? (64)"},
    /* st2 {v0.8b, v1.8b}, [x1] */
    {"\x20\x80\x00\x0c", 4, "[x1+0] = ? (16)"},
    /* st2 {v0.16b, v1.16b}, [x1] */
    {"\x20\x80\x00\x4c", 4, "[x1+0] = ? (32)"},
    /* st3 {v0.8b-v2.8b}, [x1] */
    {"\x20\x40\x00\x0c", 4, "[x1+0] = ? (24)"},
    /* st3 {v0.16b-v2.16b}, [x1] */
    {"\x20\x40\x00\x4c", 4, "[x1+0] = ? (48)"},
    /* st4 {v0.8b-v3.8b}, [x1] */
    {"\x20\x00\x00\x0c", 4, "[x1+0] = ? (32)"},
    /* st4 {v0.16b-v3.16b}, [x1] */
    {"\x20\x00\x00\x4c", 4, "[x1+0] = ? (64)"},
    /* st1 {v0.b}[15], [x1] */
    {"\x20\x1c\x00\x4d", 4, "[x1+0] = ? (1)"},
    /* st1 {v0.h}[7], [x1] */
    {"\x20\x58\x00\x4d", 4, "[x1+0] = ? (2)"},
    /* st1 {v0.s}[3], [x1] */
    {"\x20\x90\x00\x4d", 4, "[x1+0] = ? (4)"},
    /* st1 {v0.d}[1], [x1] */
    {"\x20\x84\x00\x4d", 4, "[x1+0] = ?"},
    /* st2 {v0.b, v1.b}[3], [x1] */
    {"\x20\x0c\x20\x0d", 4, "[x1+0] = ? (2)"},
    /* st2 {v0.d, v1.d}[1], [x1] */
    {"\x20\x84\x20\x4d", 4, "[x1+0] = ? (16)"},
    /* st3 {v0.h-v2.h}[1], [x1] */
    {"\x20\x68\x00\x0d", 4, "[x1+0] = ? (6)"},
    /* st3 {v0.s-v2.s}[1], [x1] */
    {"\x20\xb0\x00\x0d", 4, "[x1+0] = ? (12)"},
    /* st4 {v0.d-v3.d}[1], [x1] */
    {"\x20\xa4\x20\x4d", 4, "[x1+0] = ? (32)"},
    /* irg sp, x0 */
    {"\x1f\x10\xdf\x9a", 4, "unknown sp"},
    /* irg x0, sp */
    {"\xe0\x13\xdf\x9a", 4, "unknown x0"},
    /* addg x0, x1, #0x10, #0x1 */
    {"\x20\x04\x81\x91", 4, "unknown x0"},
    /* addg sp, sp, #0x10, #0x1 */
    {"\xff\x07\x81\x91", 4, "unknown sp"},
    /* subg x0, x1, #0x10, #0x1 */
    {"\x20\x04\x81\xd1", 4, "unknown x0"},
    /* gmi x0, x1, x2 */
    {"\x20\x14\xc2\x9a", 4, "unknown x0"},
    /* subp x0, x1, x2 */
    {"\x20\x00\xc2\x9a", 4, "unknown x0"},
    /* subps x0, x1, x2 */
    {"\x20\x00\xc2\xba", 4, "unknown x0"},
    /* stg x0, [sp, #16] */
    {"\xe0\x1b\x20\xd9", 4, ""},
    /* stg x0, [x1], #16 */
    {"\x20\x14\x20\xd9", 4, "unknown x1"},
    /* stg x0, [x1, #16]! */
    {"\x20\x1c\x20\xd9", 4, "unknown x1"},
    /* stzg x0, [sp, #16] */
    {"\xe0\x1b\x60\xd9", 4, "[sp+16] = ? (32)"},
    /* st2g sp, [sp] */
    {"\xff\x0b\xa0\xd9", 4, ""},
    /* stz2g x0, [x1], #32 */
    {"\x20\x24\xe0\xd9", 4, "[x1+0] = ? (32); unknown x1"},
    /* stgp x0, x1, [sp, #16] */
    {"\xe0\x87\x00\x69", 4, "[sp+16] = ? (16)"},
    /* stgp x0, x1, [x2], #32 */
    {"\x40\x04\x81\x68", 4, "[x2+0] = ? (16); unknown x2"},
    /* ldg x0, [x1] */
    {"\x20\x00\x60\xd9", 4, "unknown x0"},
    /* ldgm x0, [x1] */
    {"\x20\x00\xe0\xd9", 4, "unknown x0"},
    /* stgm x0, [x1] */
    {"\x20\x00\xa0\xd9", 4, ""},
    /* addvl sp, sp, #-1 */
    {"\xff\x57\x3f\x04", 4, "unknown sp"},
    /* addpl x0, x1, #1 */
    {"\x20\x50\x61\x04", 4, "unknown x0"},
    /* addvl x0, sp, #2 */
    {"\x40\x50\x3f\x04", 4, "unknown x0"},
    /* rdvl x0, #1 */
    {"\x20\x50\xbf\x04", 4, "unknown x0"},
    /* cntb x0 */
    {"\xe0\xe3\x20\x04", 4, "unknown x0"},
    /* cntd x0, all, mul #2 */
    {"\xe0\xe3\xe1\x04", 4, "unknown x0"},
    /* incb x0 */
    {"\xe0\xe3\x30\x04", 4, "unknown x0"},
    /* decw x0 */
    {"\xe0\xe7\xb0\x04", 4, "unknown x0"},
    /* sqincb x0, w0 */
    {"\xe0\xf3\x20\x04", 4, "unknown x0"},
    /* incw z0.s */
    {"\xe0\xc3\xb0\x04", 4, ""},
    /* cntp x0, p0, p1.b */
    {"\x20\x80\x20\x25", 4, "unknown x0"},
    /* incp x0, p0.b */
    {"\x00\x88\x2c\x25", 4, "unknown x0"},
    /* lasta x0, p0, z0.d */
    {"\x00\xa0\xe0\x05", 4, "unknown x0"},
    /* clastb w0, p0, w0, z0.s */
    {"\x00\xa0\xb1\x05", 4, "unknown x0"},
    /* ptest p0, p1.b */
    {"\x20\xc0\x50\x25", 4, ""},
    /* whilelo p0.b, x0, x1 */
    {"\x00\x1c\x21\x25", 4, ""},
    /* ctermeq x0, x1 */
    {"\x00\x20\xe1\x25", 4, ""},
    /* str z8, [sp] */
    {"\xe8\x43\x80\xe5", 4, ""},
    /* ld1b {z0.b}, p0/z, [x0, x1] */
    {"\x00\x40\x01\xa4", 4, ""},
    /* rdffr p0.b */
    {"\x00\xf0\x19\x25", 4, ""},
    /* fmopa za0.s, p0/m, p1/m, z0.s, z1.s */
    {"\x00\x20\x81\x80", 4, ""},
    /* smstart */
    {"\x7f\x47\x03\xd5", 4, ""},
    /* rdsvl x0, #1 */
    {"\x20\x58\xbf\x04", 4, "unknown x0"},
    /* addsvl sp, sp, #1 */
    {"\x3f\x58\x3f\x04", 4, "unknown sp"},
    /* umov w0, v0.b[1] */
    {"\x00\x3c\x03\x0e", 4, "unknown x0"},
    /* smov x0, v0.h[1] */
    {"\x00\x2c\x06\x4e", 4, "unknown x0"},
    /* mov v0.d[0], x1 */
    {"\x20\x1c\x08\x4e", 4, ""},
    /* fmov x0, d0 */
    {"\x00\x00\x66\x9e", 4, "unknown x0"},
    /* fmov d0, x0 */
    {"\x00\x00\x67\x9e", 4, ""},
    /* fmov x0, v1.d[1] */
    {"\x20\x00\xae\x9e", 4, "unknown x0"},
    /* fcvtzs x0, d0 */
    {"\x00\x00\x78\x9e", 4, "unknown x0"},
    /* fcvtzu w0, s0, #3 */
    {"\x00\xf4\x19\x1e", 4, "unknown x0"},
    /* scvtf d0, x0 */
    {"\x00\x00\x62\x9e", 4, ""},
    /* fjcvtzs w0, d0 */
    {"\x00\x00\x7e\x1e", 4, "unknown x0"},
    /* frint32z d0, d1 */
    {"\x20\x40\x68\x1e", 4, ""},
    /* fmov h0, #1.000000000000000000e+00 */
    {"\x00\x10\xee\x1e", 4, ""},
    /* fcvtas x0, h0 */
    {"\x00\x00\xe4\x9e", 4, "unknown x0"},
    /* bfdot v0.4s, v1.8h, v2.8h */
    {"\x20\xfc\x42\x6e", 4, ""},
    /* smmla v0.4s, v1.16b, v2.16b */
    {"\x20\xa4\x82\x4e", 4, ""},
    /* sdot v0.4s, v1.16b, v2.16b */
    {"\x20\x94\x82\x4e", 4, ""},
    /* eor3 v0.16b, v1.16b, v2.16b, v3.16b */
    {"\x20\x0c\x02\xce", 4, ""},
    /* csel x0, x1, x2, eq */
    {"\x20\x00\x82\x9a", 4, "unknown x0"},
    /* cset x0, eq */
    {"\xe0\x17\x9f\x9a", 4, "unknown x0"},
    /* madd x0, x1, x2, x3 */
    {"\x20\x0c\x02\x9b", 4, "unknown x0"},
    /* umaddl x0, w1, w2, x3 */
    {"\x20\x0c\xa2\x9b", 4, "unknown x0"},
    /* bfi x0, x1, #3, #4 */
    {"\x20\x0c\x7d\xb3", 4, "unknown x0"},
    /* lsl x0, x1, #3 */
    {"\x20\xf0\x7d\xd3", 4, "unknown x0"},
    /* crc32b w0, w1, w2 */
    {"\x20\x40\xc2\x1a", 4, "unknown x0"},
    /* prfm pldl1keep, [x0] */
    {"\x00\x00\x80\xf9", 4, ""},
    /* prfm pldl1keep, [x0, x1] */
    {"\x00\x68\xa1\xf8", 4, ""},
    /* abs w0, w1 */
    {"\x20\x20\xc0\x5a", 4, "unknown x0"},
    /* smax w0, w1, #1 */
    {"\x20\x04\xc0\x11", 4, "unknown x0"},
    /* movt x0, zt0[0] */
    {"\xe0\x03\x4c\xc0", 4, "unknown x0"},
    /* retaasppcr x3 */
    {"\xe3\x0b\x5f\xd6", 4, "return"},
    /* retaasppc 0x1000 */
    {"\x1f\x00\x00\x55", 4, "return"},
    /* autiasppc 0x1000 */
    {"\x1f\x00\x80\xf3", 4, ""},
};

#endif
