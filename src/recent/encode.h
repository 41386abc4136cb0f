/* SPDX-License-Identifier: MIT */
/*
 * Builds records in the format's current version from the structs that the snapshot's reader made
 * of them. All functions fail with UNSUPPORTED if the record would be larger than one may be; the
 * caller takes a record from `writer` (snap_writer_take). Private to recent/.
 */
#ifndef RECENT_ENCODE_H
#define RECENT_ENCODE_H

#include "arch/arch.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "snapshot/pointee_list.h"
#include "snapshot/writer.h"

/* Builds a SAMPLE with all bytes of its regions, which does not refer to an earlier SAMPLE. */
MUST_CHECK enum status encode_sample(struct snap_writer *writer, const struct arch *arch,
                                     const struct snap_sample *sample);

MUST_CHECK enum status encode_wait(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                   const struct snap_wait *wait);

/* Builds a POINTEES record that has all bytes of its pieces, and refers to no earlier one. */
MUST_CHECK enum status encode_pointees(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                       uint64_t time_ns, const struct pointee_list *pointees);

MUST_CHECK enum status encode_usage(struct snap_writer *writer, const struct snap_usage *usage);

MUST_CHECK enum status encode_summary(struct snap_writer *writer,
                                      const struct snap_summary *summary);

#endif
