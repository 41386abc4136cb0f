/* SPDX-License-Identifier: MIT */
/*
 * The table of an architecture for the programs that unwind (struct arch_analysis); arch/arch.h
 * says which tables there are.
 */
#ifndef ARCH_ANALYSIS_ANALYSIS_H
#define ARCH_ANALYSIS_ANALYSIS_H

#include "arch/analysis/board.h"
#include "arch/analysis/core.h"
#include "arch/analysis/exception.h"
#include "arch/analysis/insn.h"
#include "arch/analysis/plt.h"
#include "arch/arch.h"

/* The architecture's numbers of dynamic relocation types (R_..._RELATIVE ... in <elf.h>). */
struct reloc_types {
    uint32_t relative, irelative, absolute, glob_dat, jump_slot;
};

/* Relocation types in unwind tables; each 0: there is none. */
struct table_relocs {
    uint32_t word, word_pc; /* an address; the distance to one: both of word size */
    uint32_t half, half_pc; /* an address; the distance to one: of 4 bytes, if words have others */
};

/* An instruction that makes a system call. */
struct syscall_insn {
    uint8_t size; /* bytes; 0: this element of the array is unused */
    uint8_t bytes[4];
};

#define SYSCALL_INSNS_MAX 2

/* Recognises the architecture of a perf.data file. */
struct perf_arch {
    /* patterns (fnmatch(3)) for the output of `uname -m`; ends with NULL */
    const char *const *machines;
    /*
     * Mask of the registers that perf records by default, by which the architecture is recognised;
     * 0: another architecture has the same mask.
     */
    uint64_t own_mask;
};

struct arch_analysis {
    const struct arch *arch;
    const struct insn_set *insn_sets[CODE_MODE_COUNT]; /* by enum code_mode; NULL: no such mode */
    struct syscall_insn syscall_insns[SYSCALL_INSNS_MAX]; /* the longest first */
    /*
     * Returns how many bytes of code at the end of `bytes` only test the result of a system call,
     * as in glibc's clone; 0: none. NULL: no such code is known.
     */
    unsigned (*result_checks)(const uint8_t *bytes, uint64_t size);
    struct plt_shape plt;
    struct reloc_types relocs;
    struct table_relocs table_relocs;
    /* Letters behind the $ of mapping symbols: code, code of CODE_T32, data; 0: there is none. */
    char map_code, map_other, map_data;
    /* The section and the segment type of the exception index (.ARM.exidx). NULL, 0: none. */
    const char *exidx_section;
    uint32_t exidx_segment;
    bool signs_return_address; /* return addresses may be signed: CFI's number 0x2d says so */
    struct core_layout core;
    struct perf_arch perf;
    /* Place of the tid in struct pthread: byte offset in glibc's; words before it in musl's. */
    uint16_t glibc_tid_off;
    uint8_t musl_words_before_tid;
    const struct exception_arch *exception; /* NULL: no boards without Linux are known */
    const struct board_arch *board;         /* NULL: no boards without Linux are known */
    /* C++ ABI: bit 0 of a member function pointer's second word, not the first, says "virtual". */
    bool virtual_in_adjustment;
    bool x87_long_double; /* a long double over 8 bytes is x87's (80 bits); else IEEE 754's (128) */
};

const struct arch_analysis *arch_analysis(const struct arch *arch);

/*
 * Return the size of the instruction that makes a system call, if one begins at `bytes` or ends at
 * bytes[size]; 0: none does.
 */
unsigned syscall_insn_at(const struct arch *arch, const uint8_t *bytes, uint64_t size);
unsigned syscall_insn_before(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* Declares the table of each architecture: x86_64_analysis ... */
#define ARCH_ANALYSIS_DECLARE(id, name) extern const struct arch_analysis name##_analysis;
ARCH_LIST(ARCH_ANALYSIS_DECLARE)
#undef ARCH_ANALYSIS_DECLARE

#endif
