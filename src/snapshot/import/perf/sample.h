/* SPDX-License-Identifier: MIT */
/* Parses a PERF_RECORD_SAMPLE, up to the copied user stack. */
#ifndef SNAPSHOT_IMPORT_PERF_SAMPLE_H
#define SNAPSHOT_IMPORT_PERF_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "snapshot/import/perf/attr.h"

struct perf_sample {
    uint64_t ip, time_ns, period;
    uint32_t pid, tid;
    const uint8_t *chain; /* unaligned words; borrowed from the record, as the pointers below */
    uint64_t chain_count;
    uint64_t regs_abi;   /* enum perf_sample_regs_abi */
    const uint8_t *regs; /* words, for perf_regs_read with attr->regs; NULL: none */
    const uint8_t *stack;
    uint64_t stack_size;  /* bytes of `stack` that the kernel copied */
    uint64_t stack_limit; /* most bytes that were to be copied */
};

/*
 * Sets *out from `record`, a sample of event `attr`. Fields that were not recorded are zero, but
 * for the period, which is then the event's (0 if the event was sampled by frequency). BAD_DATA:
 * the record is shorter than its parts.
 */
MUST_CHECK enum status perf_sample_parse(const struct perf_attr *attr,
                                         const struct perf_record *record, struct perf_sample *out);

#endif
