/* SPDX-License-Identifier: MIT */
/* cgunwind's handling of traces of calls. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/plural.h"
#include "tools/cgunwind/cgunwind.h"

enum status trace_check(const struct cgunwind_options *options, const char *name,
                        const struct arch **arch, struct diag *diag)
{
    const char *refused = options_refused_by_trace(options);
    struct elf_image *image;
    enum status status;

    if (refused) {
        diag_set(diag, name, "is a trace of calls, for which there is no %s", refused);
        return STATUS_UNSUPPORTED;
    }
    if (options->snapshot_count > 1) {
        diag_set(diag, name, "is a trace of calls, which is read alone");
        return STATUS_UNSUPPORTED;
    }
    if (options->modules.elf_file_count != 1) {
        diag_set(diag, name, "is a trace of calls");
        diag_hint(diag, "name the one program that wrote it with --elf FILE");
        return STATUS_UNSUPPORTED;
    }
    status = elf_image_open(options->elf_files[0], &image, diag);
    if (status != STATUS_OK)
        return status;
    *arch = elf_image_arch(image);
    elf_image_close(image);
    return STATUS_OK;
}

enum status trace_load(const struct cgunwind_options *options, struct source_input *input,
                       struct module_set *modules, struct profile *profile, struct calltrace *trace,
                       struct diag *diag)
{
    struct calltrace_options how = {.name = input->name, .load_bias = options->load_bias};
    const char *path = options->elf_files[0];
    enum status status = module_set_get(modules, MODULE_FILE, path, NULL, 0, false, &how.module);

    if (status == STATUS_OK)
        status = module_open(modules, how.module);
    if (status == STATUS_NOT_FOUND)
        *diag = how.module->problem;
    if (status != STATUS_OK)
        return status;
    how.isa_bit = options->modules.arch->isa_bit;
    status = calltrace_read(source_read, input, &how, profile, trace, diag);
    if (status == STATUS_OK || status == STATUS_IO)
        status = source_failed(input, status, diag);
    if (status == STATUS_OK && trace->calls == 0) {
        diag_set(diag, input->name, "holds no call that can be read");
        status = STATUS_NOT_FOUND;
    }
    return status;
}

static void warn_faults(const struct cgunwind_options *options, const char *name,
                        const struct calltrace_faults *faults, const char *what)
{
    struct diag diag;

    if (faults->count == 0)
        return;
    diag_set(&diag, name, "line %" PRIu64 ": %s", faults->line, faults->text);
    if (faults->count > 1)
        diag_hint(&diag, "%" PRIu64 " %s", faults->count, what);
    warn(options, &diag);
}

void trace_warn(const struct cgunwind_options *options, const char *name,
                const struct calltrace *trace)
{
    struct diag diag;

    warn_faults(options, name, &trace->bad, "such lines were left out");
    warn_faults(options, name, &trace->unpaired, "exits do not match the entries");
    if (trace->cut_short) {
        diag_set(&diag, name, "the last line has no end and was left out: the trace is cut short");
        warn(options, &diag);
    }
    if (trace->left_open) {
        diag_set(&diag, name, "%" PRIu64 " function%s no exit at the end", trace->left_open,
                 trace->left_open == 1 ? " has" : "s have");
        diag_hint(&diag, "the trace is cut short, or the program ended in them");
        warn(options, &diag);
    }
    if (trace->left_out) {
        diag_set(&diag, name, "%" PRIu64 " call%s %s left out: too deep, or too many kinds",
                 trace->left_out, plural(trace->left_out), plural_was(trace->left_out));
        warn(options, &diag);
    }
    /* Cut paths do not matter where only caller and callee count. */
    if (trace->begun_anew && options->format->calls == CALLS_PATHS) {
        diag_set(&diag, name,
                 "%" PRIu64 " call%s at the caller: more than %d deep, or more than %u paths",
                 trace->begun_anew, trace->begun_anew == 1 ? " begins" : "s begin",
                 CALLTRACE_PATH_MAX, CALLTRACE_PATHS_MAX);
        warn(options, &diag);
    }
    if (trace->functions_outside == trace->functions) {
        diag_set(&diag, name, "none of its addresses is in the code of %.200s",
                 options->elf_files[0]);
        diag_hint(&diag, "a program that is loaded anywhere (PIE) needs --load-bias: where "
                         "/proc/PID/maps has its first mapping");
        warn(options, &diag);
    }
}

void trace_title(const struct cgunwind_options *options, const char *name,
                 const struct calltrace *trace, char *text, size_t size)
{
    char depth[48] = "";

    if (!trace->has_pairs)
        snprintf(depth, sizeof(depth), ", at most %" PRIu64 " deep", trace->max_depth);
    snprintf(text, size, "%.400s: calls in %.400s%s", options->elf_files[0], name, depth);
}

enum status trace_print(const struct calltrace *trace, FILE *out)
{
    fprintf(out, "calls: %" PRIu64 " of %" PRIu64 " function%s in %" PRIu64 " line%s\n",
            trace->calls, trace->functions, plural(trace->functions), trace->lines,
            plural(trace->lines));
    if (!trace->has_pairs)
        fprintf(out, "deepest: %" PRIu64 "\n", trace->max_depth);
    fprintf(out,
            "not read: %" PRIu64 " line%s\nexits that do not match: %" PRIu64
            "\nwithout exit at the end: %" PRIu64 "\nfunctions outside the file: %" PRIu64 "\n",
            trace->bad.count, plural(trace->bad.count), trace->unpaired.count, trace->left_open,
            trace->functions_outside);
    return text_finish(out);
}
