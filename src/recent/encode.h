/* SPDX-License-Identifier: MIT */
/*
 * Records from what the reader has made of them. Private to recent/.
 */
#ifndef RECENT_ENCODE_H
#define RECENT_ENCODE_H

#include "arch/arch.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "snapshot/pointee_list.h"
#include "snapshot/writer.h"

/*
 * A SAMPLE that can be read without the thread's sample before: all bytes of its regions are in it.
 * UNSUPPORTED: it is larger than a record may be.
 */
MUST_CHECK enum status encode_sample(struct snap_writer *writer, const struct arch *arch,
                                     const struct snap_sample *sample);

MUST_CHECK enum status encode_wait(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                   const struct snap_wait *wait);

/* One that can be read without the thread's POINTEES before. */
MUST_CHECK enum status encode_pointees(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                                       uint64_t time_ns, const struct pointee_list *pointees);

MUST_CHECK enum status encode_usage(struct snap_writer *writer, const struct snap_usage *usage);

MUST_CHECK enum status encode_summary(struct snap_writer *writer,
                                      const struct snap_summary *summary);

#endif
