/* SPDX-License-Identifier: MIT */
/* cgunwind's warnings on standard error, besides its results. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "base/plural.h"
#include "graph/amount.h"
#include "tools/cgunwind/cgunwind.h"
#include "tools/progress.h"

void warn(const struct cgunwind_options *options, const struct diag *diag)
{
    char line[1024];

    if (options->quiet)
        return;
    progress_pause();
    fprintf(stderr, "cgunwind: warning: %s\n", diag_format(diag, line, sizeof(line)));
}

static void warn_cut_short(const struct cgunwind_options *options, const struct module *module)
{
    const char *path = module_lines_cut_short(module);
    struct diag diag;

    if (!path)
        return;
    diag_set(&diag, path,
             "has more debug information than is read of one file: lines and inlined "
             "functions are missing");
    diag_hint(&diag, "names of functions are not affected");
    warn(options, &diag);
}

/* Warns of split files that were not found, unless warn_variables has said just that. */
static void warn_no_split(const struct cgunwind_options *options, const struct module *module,
                          const struct variables *variables)
{
    struct diag diag, told;

    if (!module_lines_problem(module, &diag))
        return;
    for (size_t i = 0; variables && variables_problem(variables, i, &told); i++)
        if (strcmp(told.file, diag.file) == 0 && strcmp(told.what, diag.what) == 0)
            return;
    warn(options, &diag);
}

static void warn_undecoded(const struct cgunwind_options *options)
{
    struct diag diag;

    if (!insn_problem())
        return;
    diag_set(&diag, NULL, "code could not be analysed: %s", insn_problem());
    diag_hint(&diag, "install Capstone; chains end or are less sure where there are no tables");
    warn(options, &diag);
}

void warn_modules(const struct cgunwind_options *options, const struct module_set *modules,
                  const struct variables *variables)
{
    const char *unused;
    struct diag diag;
    size_t missing = 0;

    warn_undecoded(options);
    for (size_t i = 0; i < module_set_count(modules); i++) {
        const struct module *module = module_set_at(modules, i);

        warn_cut_short(options, module);
        warn_no_split(options, module, variables);
        if (!module->problem.what[0] || module->stand_in ||
            (module->kind != MODULE_FILE && module->kind != MODULE_KERNEL))
            continue;
        if (module->kind == MODULE_KERNEL && options->modules.kallsyms)
            continue; /* an error, for refuse_kallsyms */
        if (module->state != MODULE_MISSING || options->verbose || missing++ == 0)
            warn(options, &module->problem);
    }
    if (missing > 1) {
        diag_set(&diag, NULL, "%zu more module%s %s not found", missing - 1, plural(missing - 1),
                 plural_was(missing - 1));
        diag_hint(&diag, "--verbose and --stats name them");
        warn(options, &diag);
    }
    for (size_t i = 0; (unused = module_set_unused_elf(modules, i, &diag)); i++) {
        if (!diag.what[0])
            diag_set(&diag, unused, "given by --elf, matches no module of the snapshot");
        warn(options, &diag);
    }
}

void warn_empty(const struct cgunwind_options *options, bool shown)
{
    static const struct {
        enum filter_kind kind;
        const char *option;
    } filters[] = {{FILTER_THREAD, "--thread"},
                   {FILTER_FOCUS, "--focus"},
                   {FILTER_IGNORE, "--ignore"},
                   {FILTER_HIDE, "--hide"},
                   {FILTER_MODULE, "--module"}};
    const struct graph_filter *filter = &options->filter;
    struct diag diag;
    char given[80] = "";

    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
        if (filter->set[filters[i].kind] || (filters[i].kind == FILTER_THREAD && filter->has_tid))
            strcat(strcat(given, given[0] ? ", " : ""), filters[i].option);
    if (filter->has_states)
        strcat(strcat(given, given[0] ? ", " : ""), "--state");
    if (filter->splits && splits_all(filter->splits))
        strcat(strcat(given, given[0] ? ", " : ""), "--where");
    if (shown || !given[0])
        return;
    diag_set(&diag, NULL, "no sample passes %s", given);
    warn(options, &diag);
}

/* Warned of from 1/UNKNOWN_PART of the frames on. */
#define UNKNOWN_PART 100

/* Warns that a value is not known in many frames: --where leaves these out. */
static void warn_unknown(const struct cgunwind_options *options, const struct split_count *count)
{
    const uint64_t unknown = count->frames - count->known;
    struct diag diag;

    if (unknown < count->frames / UNKNOWN_PART + 1)
        return;
    diag_set(&diag, NULL,
             "'%s': %s is not known in %" PRIu64 " of %" PRIu64 " frames of %s, in %" PRIu64
             " as its memory was not captured",
             count->text, count->path, unknown, count->frames, count->function,
             count->not_captured);
    if (count->not_captured > unknown / 2)
        diag_hint(&diag, "cgsnap --pointees captures more, and a core has all");
    warn(options, &diag);
}

void warn_splits(const struct cgunwind_options *options)
{
    struct split_count count;
    struct diag diag;

    for (size_t i = 0; options->splits && splits_count(options->splits, i, &count); i++) {
        char why[KNOWN_TEXT_MAX];

        if (count.known > 0) {
            warn_unknown(options, &count);
            continue;
        }
        if (count.frames == 0) {
            diag_set(&diag, NULL, "'%s': there is no frame of %s", count.text, count.function);
            diag_hint(&diag, "functions are named as --format top shows them");
        } else {
            diag_set(&diag, NULL, "'%s': %s is %s in all %" PRIu64 " frame%s of %s", count.text,
                     count.path, known_text(count.last_unknown, why), count.frames,
                     plural(count.frames), count.function);
        }
        warn(options, &diag);
    }
}

void warn_variables(const struct cgunwind_options *options, const struct variables *variables)
{
    const struct module *module;
    struct diag diag;
    size_t without;

    if (!variables)
        return;
    for (size_t i = 0; variables_problem(variables, i, &diag); i++)
        warn(options, &diag);
    /* For --split and --where, warn_splits does this. */
    without = options->variables ? variables_without(variables, &module) : 0;
    if (!without)
        return;
    if (without == 1)
        diag_set(&diag, module->file.path,
                 "has no debug information: variables of its frames are not told");
    else
        diag_set(&diag, module->file.path,
                 "has no debug information, nor %s %zu more module%s: variables of their frames "
                 "are not told",
                 without == 2 ? "has" : "have", without - 1, plural(without - 1));
    diag_hint(&diag, "packages NAME-dbgsym have it, or a server: --debuginfod");
    warn(options, &diag);
}

void warn_waits(const struct cgunwind_options *options, const struct waits *waits)
{
    struct diag diag;

    if (waits && waits_strange_library(waits, &diag))
        warn(options, &diag);
}

void warn_no_lines(const struct cgunwind_options *options, const struct view *view)
{
    struct diag diag;

    if (options->view.by != GRAPH_BY_LINE || view->shown == 0)
        return;
    for (size_t i = 0; i < view->step_count; i++)
        if (view->steps[i].file && view->steps[i].line)
            return;
    diag_set(&diag, NULL,
             "--by line: no source line is known, the modules have no debug information");
    diag_hint(&diag,
              "give files that have it with --elf or --debug-dir (Debian: packages -dbgsym)");
    warn(options, &diag);
}

enum status refuse_kallsyms(const struct cgunwind_options *options,
                            const struct module_set *modules, struct diag *diag)
{
    for (size_t i = 0; options->modules.kallsyms && i < module_set_count(modules); i++) {
        const struct module *module = module_set_at(modules, i);

        if (module->kind != MODULE_KERNEL || !module->problem.what[0])
            continue;
        *diag = module->problem;
        return STATUS_NOT_FOUND;
    }
    return STATUS_OK;
}
