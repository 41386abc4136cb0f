/* SPDX-License-Identifier: MIT */
#include "output/threads/output_report.h"

enum status output_report_init(struct report *report, const struct output *o)
{
    *report = (struct report){.history = o->history,
                              .profile = o->profile,
                              .title = o->title,
                              .is_core = o->kind == SOURCE_CORE,
                              .verbose = o->verbose};
    return report_prepare(report, o->filter);
}
