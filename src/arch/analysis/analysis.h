/* SPDX-License-Identifier: MIT */
/* The table of an architecture for the analysis of programs; see arch/arch.h. */
#ifndef ARCH_ANALYSIS_ANALYSIS_H
#define ARCH_ANALYSIS_ANALYSIS_H

#include "arch/analysis/board.h"
#include "arch/analysis/core.h"
#include "arch/analysis/exception.h"
#include "arch/analysis/insn.h"
#include "arch/analysis/plt.h"
#include "arch/arch.h"

/* Types of dynamic relocations (<elf.h>). */
struct reloc_types {
    uint32_t relative, irelative, absolute, glob_dat, jump_slot;
};

/* Relocation types in unwind tables: of an address, and of the distance to one. 0: none. */
struct table_relocs {
    uint32_t word, word_pc; /* of word size */
    uint32_t half, half_pc; /* of 4 bytes, where that is another size */
};

/* An instruction that makes a system call. */
struct syscall_insn {
    uint8_t size; /* 0: none */
    uint8_t bytes[4];
};

#define SYSCALL_INSNS_MAX 2

/* perf.data. */
struct perf_arch {
    /* patterns (fnmatch(3)) for the output of `uname -m`; ends with NULL */
    const char *const *machines;
    /*
     * Mask of the registers that perf records by default; 0: other architectures have the same, so
     * that it tells nothing.
     */
    uint64_t own_mask;
    uint64_t pac_mask; /* on most kernels: bits of a signed return address that are no address */
};

struct arch_analysis {
    const struct arch *arch;
    const struct insn_set *insn_sets[CODE_MODE_COUNT]; /* by enum code_mode; NULL: no such mode */
    struct syscall_insn syscall_insns[SYSCALL_INSNS_MAX]; /* the longest first */
    /*
     * Returns how many bytes at the end of `bytes` only look at the result of a system call, as in
     * glibc's clone. NULL: not known.
     */
    unsigned (*result_checks)(const uint8_t *bytes, uint64_t size);
    struct plt_shape plt;
    struct reloc_types relocs;
    struct table_relocs table_relocs;
    /* Letters of mapping symbols: code, code of the other mode, data; 0: none. */
    char map_code, map_other, map_data;
    /* The exception index: its section and its segment's type. NULL and 0: there is none. */
    const char *exidx_section;
    uint32_t exidx_segment;
    bool signs_return_address; /* DW_CFA_AARCH64_negate_ra_state is known */
    struct core_layout core;
    struct perf_arch perf;
    /* struct pthread: offset of the tid in glibc's; number of words before it in musl's. */
    uint16_t glibc_tid_off;
    uint8_t musl_words_before_tid;
    /* NULL: there are no boards without Linux. */
    const struct exception_arch *exception;
    const struct board_arch *board; /* NULL: as `exception` */
    /* C++ ABI: the second word of a pointer to a member function says whether it is virtual. */
    bool virtual_in_adjustment;
    bool x87_long_double; /* more than 8 bytes: x87's format (80 bits); else IEEE 754 (128) */
};

const struct arch_analysis *arch_analysis(const struct arch *arch);

/*
 * Return the size of the instruction that makes a system call, if one begins at `bytes` or ends at
 * bytes[size]; 0: none does.
 */
unsigned syscall_insn_at(const struct arch *arch, const uint8_t *bytes, uint64_t size);
unsigned syscall_insn_before(const struct arch *arch, const uint8_t *bytes, uint64_t size);

/* x86_64_analysis ... */
#define ARCH_ANALYSIS_DECLARE(id, name) extern const struct arch_analysis name##_analysis;
ARCH_LIST(ARCH_ANALYSIS_DECLARE)
#undef ARCH_ANALYSIS_DECLARE

#endif
