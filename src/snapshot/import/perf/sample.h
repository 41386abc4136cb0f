/* SPDX-License-Identifier: MIT */
/* One PERF_RECORD_SAMPLE taken apart, as far as its stack. */
#ifndef SNAPSHOT_IMPORT_PERF_SAMPLE_H
#define SNAPSHOT_IMPORT_PERF_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "snapshot/import/perf/attr.h"

struct perf_sample {
    uint64_t ip, time_ns, period;
    uint32_t pid, tid;
    const uint8_t *chain; /* words, of any alignment; the record's, as what follows */
    uint64_t chain_count;
    uint64_t regs_abi;   /* enum perf_sample_regs_abi */
    const uint8_t *regs; /* as the attr's layout says; NULL: none */
    const uint8_t *stack;
    uint64_t stack_size;  /* bytes that were copied */
    uint64_t stack_limit; /* that were to be copied */
};

/*
 * BAD_DATA: the record is shorter than its parts. What is not recorded is zero, but the period,
 * which is that of the attr then.
 */
MUST_CHECK enum status perf_sample_parse(const struct perf_attr *attr,
                                         const struct perf_record *record, struct perf_sample *out);

#endif
