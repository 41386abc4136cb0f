/* SPDX-License-Identifier: MIT */
#include "symbol/elf/symtab.h"
#include "tools/cgrules/cgrules.h"

#include <inttypes.h>
#include <stdio.h>

#include "unwind/audit/audit.h"
#include "unwind/audit/rowless.h"
#include "unwind/row/row_print.h"

static void print_frame(const char *title, const struct row *row, const struct arch *arch)
{
    char cfa[64], ra[64];

    if (!row) {
        printf(" %s=-", title);
        return;
    }
    row_format_cfa(row, arch, cfa, sizeof(cfa));
    rule_format(&row->ra, arch, ra, sizeof(ra));
    printf(" %s=%s,%s", title, cfa, ra[0] ? ra : "s");
}

/* ADDRESS NAME+OFFSET KIND VERDICT cfi=CFA,RA analysed=CFA,RA */
static void print_place(void *context, const struct audit_place *place)
{
    const struct job *job = context;
    struct symbol symbol;

    if (job->options->verbose < (place->verdict == AUDIT_WRONG ? 1 : 2))
        return;
    printf("%0*" PRIx64 " ", job->arch->word_size * 2, place->vaddr);
    if (find_name(job, place->vaddr, &symbol)) {
        print_name(symbol.name);
        printf("+0x%" PRIx64, place->vaddr - symbol.start_vaddr);
    } else {
        putchar('-');
    }
    printf(" %s %s", audit_kind_name(place->kind), audit_verdict_name(place->verdict));
    print_frame("cfi", place->cfi, job->arch);
    print_frame("analysed", place->analysed, job->arch);
    putchar('\n');
}

/* A share in per cent, rounded down, so that 100.00 means all. */
static double per_cent(uint64_t part, uint64_t whole)
{
    if (part > UINT64_MAX / 10000) { /* possible in a hostile file */
        part >>= 16;
        whole >>= 16;
    }
    return whole ? (double)(part * 10000 / whole) / 100 : 0;
}

static void print_counts(const char *name, const uint64_t counts[AUDIT_VERDICT_COUNT])
{
    uint64_t eligible = 0;

    for (unsigned i = 0; i < AUDIT_VERDICT_COUNT; i++)
        eligible += counts[i];
    printf("%-16s %10" PRIu64 " ", name, eligible);
    if (eligible > 0)
        printf("%8.2f", per_cent(counts[AUDIT_AGREE], eligible));
    else
        printf("%8s", "-");
    printf(" %10" PRIu64 " %10" PRIu64 " %13" PRIu64 "\n", counts[AUDIT_WRONG],
           counts[AUDIT_UNKNOWN], counts[AUDIT_INCOMPARABLE]);
}

static void print_table(const char *title, uint64_t counts[][AUDIT_VERDICT_COUNT])
{
    static const enum audit_kind order[AUDIT_KIND_COUNT] = {AUDIT_PROLOGUE, AUDIT_BODY,
                                                            AUDIT_EPILOGUE, AUDIT_AFTER_EPILOGUE,
                                                            AUDIT_ALLOCA,   AUDIT_REALIGNED,
                                                            AUDIT_FRAGMENT};
    uint64_t total[AUDIT_VERDICT_COUNT] = {0};

    printf("\n%-16s %10s %8s %10s %10s %13s\n", title, "eligible", "agree%", "wrong", "unknown",
           "incomparable");
    for (unsigned i = 0; i < AUDIT_KIND_COUNT; i++) {
        print_counts(audit_kind_name(order[i]), counts[order[i]]);
        for (unsigned k = 0; k < AUDIT_VERDICT_COUNT; k++)
            total[k] += counts[order[i]][k];
    }
    print_counts("total", total);
}

static void print_excluded(const struct audit *audit)
{
    const char *separator = "\nnot counted: ";

    for (unsigned i = 0; i < AUDIT_EXCLUSION_COUNT; i++) {
        if (audit->excluded[i] == 0)
            continue;
        printf("%s%" PRIu64 " %s", separator, audit->excluded[i],
               audit_exclusion_name((enum audit_exclusion)i));
        separator = ", ";
    }
    if (separator[0] == ',')
        putchar('\n');
}

/* Returns the path of the file that has the CFI. */
static const char *truth_path(const struct job *job, enum trust truth)
{
    struct elf_section section;
    const struct elf_image *debug;

    if (truth == TRUST_EH_FRAME ||
        elf_image_section(job->module->image, ".debug_frame", &section) == STATUS_OK)
        return job->options->elf;
    debug = module_debug_image(job->set, job->module);
    return debug ? elf_image_path(debug) : job->options->elf;
}

static void progress(void *context, size_t done, size_t all)
{
    (void)context;
    progress_set(done, all);
}

static void print_rowless_range(const struct job *job, const struct rowless_range *range)
{
    struct symbol symbol;

    printf("  %0*" PRIx64 " %8" PRIu64 " of %8" PRIu64 " bytes ", job->arch->word_size * 2,
           range->start_vaddr, range->bytes, range->end_vaddr - range->start_vaddr);
    if (!range->is_function)
        printf("in no function");
    else if (!job->options->code_only && find_name(job, range->start_vaddr, &symbol) &&
             symbol.start_vaddr == range->start_vaddr)
        print_name(symbol.name);
    else
        putchar('-');
    putchar('\n');
}

static void print_rowless(const struct job *job, const struct rowless *rowless)
{
    printf("code without a row: %.2f%%, %" PRIu64 " of %" PRIu64 " bytes, %" PRIu64
           " of them in no function\n",
           rowless->code_bytes
               ? 100 - per_cent(rowless->code_bytes - rowless->bytes, rowless->code_bytes)
               : 0,
           rowless->bytes, rowless->code_bytes, rowless->outside_bytes);
    for (size_t i = 0; i < rowless->largest_count; i++)
        print_rowless_range(job, &rowless->largest[i]);
}

/* Counts code without rows, with new module_rows, as the analysis for one has a limit. */
static enum status count_rowless(const struct job *job, struct rowless *out)
{
    struct module_rows *rows;
    enum status status = module_rows_create(job->set, job->module, &rows);

    if (status != STATUS_OK)
        return status;
    if (job->options->code_only)
        module_rows_set_code_only(rows);
    status = rowless_count(rows, job->set, job->module, ROWLESS_ANALYSIS, out);
    module_rows_destroy(rows);
    return status;
}

static enum status make_audit(struct job *job, struct audit *audit, struct audit_starts *starts,
                              struct rowless *rowless)
{
    const struct audit_watch watch = {.report = print_place, .progress = progress, .context = job};
    enum status status;

    progress_begin("cgrules", "working");
    if (job->options->verbose)
        progress_end_for_output();
    status = audit_module(job->rows, job->set, job->module, &watch, audit);
    if (status == STATUS_OK && job->options->code_only)
        status = audit_starts(job->rows, job->set, job->module, starts);
    if (status == STATUS_OK)
        status = count_rowless(job, rowless);
    progress_end();
    return status;
}

/* Prints what can be said without CFI. */
static void print_rowless_alone(const struct job *job)
{
    struct rowless rowless;

    if (count_rowless(job, &rowless) != STATUS_OK)
        return;
    print_path(job->options->elf);
    puts(": no CFI to compare with");
    print_rowless(job, &rowless);
    fflush(stdout);
}

static int fail_to_audit(const struct job *job, enum status status)
{
    const char *elf = job->options->elf;
    struct diag diag;

    switch (status) {
    case STATUS_NO_MEMORY:
        diag_set(&diag, elf, "out of memory");
        return fail(&diag);
    case STATUS_NOT_FOUND:
        if (tell_damaged_fdes(job, TRUST_DEBUG_FRAME, &diag) ||
            tell_damaged_fdes(job, TRUST_EH_FRAME, &diag))
            return fail_absent(job, &diag);
        print_rowless_alone(job);
        diag_set(&diag, elf, "has no CFI to compare with");
        diag_hint(&diag, "try --debug-dir, or compile with -fasynchronous-unwind-tables");
        return fail_absent(job, &diag);
    case STATUS_OK:
    case STATUS_END:
    case STATUS_FAULT:
    case STATUS_UNSUPPORTED:
    case STATUS_BAD_DATA:
    case STATUS_BUSY:
    case STATUS_IO:
        break;
    }
    diag_set(&diag, elf, "cannot be audited: there is no code that can be analysed");
    return fail_absent(job, &diag);
}

int print_audit(struct job *job)
{
    struct audit audit;
    struct audit_starts starts = {0};
    struct rowless rowless;
    enum status status = make_audit(job, &audit, &starts, &rowless);
    struct diag diag;
    const char *path;

    if (status != STATUS_OK)
        return fail_to_audit(job, status);
    path = truth_path(job, audit.truth);
    print_path(job->options->elf);
    printf(": %zu FDEs of .%s", audit.fde_count, trust_name(audit.truth));
    if (path != job->options->elf) {
        printf(" of ");
        print_path(path);
    }
    printf("%s\n", job->options->code_only ? ", functions from the code only" : "");
    printf("code under them: %.2f%%, %" PRIu64 " of %" PRIu64 " bytes\n",
           per_cent(audit.covered_bytes, audit.code_bytes), audit.covered_bytes, audit.code_bytes);
    print_rowless(job, &rowless);
    print_table("any instruction", audit.places);
    print_table("at calls", audit.calls);
    print_excluded(&audit);
    if (job->options->code_only)
        printf("\nstarts of functions: %" PRIu64 " found, %" PRIu64
               " right (precision %.2f%%), %" PRIu64 " expected (recall %.2f%%)\n",
               starts.found, starts.right, per_cent(starts.right, starts.found), starts.expected,
               per_cent(starts.right, starts.expected));
    if (tell_damaged_fdes(job, audit.truth, &diag))
        warn(&diag);
    return 0;
}
