/* SPDX-License-Identifier: MIT */
#include "output/threads/output_report.h"

enum status output_report_init(struct report *report, const struct output *o)
{
    *report = (struct report){.history = o->history,
                              .profile = o->profile,
                              .title = o->title,
                              .caveats = o->caveats,
                              .is_core = o->kind == SOURCE_CORE,
                              .verbose = o->verbose,
                              .columns = o->columns};
    return report_prepare(report, o->filter);
}

enum status output_report_write(const struct output *o,
                                enum status (*write)(const struct report *, FILE *))
{
    struct report report;
    enum status status = output_report_init(&report, o);

    if (status == STATUS_OK)
        status = write(&report, o->file);
    report_deinit(&report);
    return status;
}
