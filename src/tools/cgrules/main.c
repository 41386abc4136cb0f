/* SPDX-License-Identifier: MIT */
/*
 * cgrules: prints the unwind rows of an ELF file, its functions, how well its code is analysed.
 * Options and wiring only.
 */
#include "base/mapped.h"
#include "base/shortage.h"
#include "base/text.h"
#include "symbol/module_set.h"
#include "tools/cgrules/cgrules.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "confine/confine.h"
#include "symbol/elf/symtab.h"
#include "unwind/code/code.h"
#include "runtime/go/gopclntab.h"
#include "unwind/functions/functions.h"

static void say(const char *before, const struct diag *diag)
{
    char line[768];

    fprintf(stderr, "cgrules: %s%s\n", before, diag_format(diag, line, sizeof(line)));
}

int fail(const struct diag *diag)
{
    progress_end();
    say("", diag);
    return 1;
}

void warn(const struct diag *diag)
{
    progress_end();
    say("warning: ", diag);
}

static int fail_undecoded(void)
{
    struct diag diag;

    diag_set(&diag, NULL, "code could not be analysed: %s", insn_problem());
    diag_hint(&diag, "install Capstone");
    return fail(&diag);
}

int fail_absent(const struct job *job, const struct diag *diag)
{
    if (insn_problem())
        return fail_undecoded();
    return fail(job->module->problem.what[0] ? &job->module->problem : diag);
}

/* Prints at most TEXT_NAME_MAX bytes, without control characters; `is_word`: nor blanks. */
static void put_text(const char *raw, bool is_word)
{
    char *text = strndup(raw, TEXT_NAME_MAX);

    if (text)
        text_disarm(text);
    for (char *c = text; is_word && c && *c; c++)
        if (*c == ' ')
            *c = '?';
    fputs(text ? text : "?", stdout);
    if (raw[strnlen(raw, TEXT_NAME_MAX)])
        fputs("...", stdout);
    free(text);
}

void print_name(const char *name)
{
    put_text(name, true);
}

void print_path(const char *path)
{
    put_text(path, false);
}

bool find_name(const struct job *job, uint64_t vaddr, struct symbol *out)
{
    const struct symtab *symtab = module_symtab(job->set, job->module);
    const struct gopclntab *go = module_gopclntab(job->set, job->module);
    struct go_function function;

    if (symtab && symtab_find(symtab, vaddr, out) == STATUS_OK && out->sized)
        return true;
    if (!go || gopclntab_find(go, vaddr, &function) != STATUS_OK)
        return symtab && symtab_find(symtab, vaddr, out) == STATUS_OK;
    *out = (struct symbol){.start_vaddr = function.start_vaddr,
                           .end_vaddr = function.end_vaddr,
                           .name = function.name,
                           .sized = true};
    return true;
}

/*
 * A line for each function: ADDRESS SIZE MODE ORIGIN NAME, with one blank between. ADDRESS is
 * hexadecimal, SIZE decimal bytes up to what is known to be the next function's, MODE A32 or T32 on
 * arm and '-' elsewhere, ORIGIN function_origin_name's. NAME is '-' where no symbol begins there,
 * and always with --code-only. The stubs of PLTs are left out.
 */
static int print_functions(const struct job *job)
{
    const struct functions *functions;
    bool has_modes = insn_set_for(job->arch, CODE_T32) != NULL;
    struct diag diag;
    enum status status;

    progress_begin("cgrules", "working");
    status = module_rows_functions(job->rows, &functions);
    progress_end();
    if (status == STATUS_NO_MEMORY) {
        diag_set(&diag, job->options->elf, "out of memory");
        return fail(&diag);
    }
    if (status != STATUS_OK || functions->count == 0) {
        diag_set(&diag, job->options->elf, "no functions: there is no code that can be analysed");
        return fail_absent(job, &diag);
    }
    for (size_t i = 0; i < functions->count; i++) {
        const struct code_function *function = &functions->items[i];
        struct symbol symbol;

        if (function->origin == FUNCTION_PLT)
            continue;
        printf("%0*" PRIx64 " %" PRIu64 " %s %s ", job->arch->word_size * 2, function->start_vaddr,
               function->end_vaddr - function->start_vaddr,
               !has_modes                   ? "-"
               : function->mode == CODE_T32 ? "T32"
                                            : "A32",
               function_origin_name((enum function_origin)function->origin));
        print_name(!job->options->code_only && find_name(job, function->start_vaddr, &symbol) &&
                           symbol.start_vaddr == function->start_vaddr
                       ? symbol.name
                       : "-");
        putchar('\n');
    }
    return 0;
}

/* Says whether the file has some of the code, or declares none. */
static bool holds_code(const struct elf_image *image)
{
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);
    uint64_t avail;

    for (size_t i = 0; i < count; i++)
        if (elf_image_bytes_at(image, ranges[i].start_vaddr, &avail))
            return true;
    return count == 0;
}

static int run(struct job *job)
{
    switch (job->options->task) {
    case TASK_ROWS:
        return print_rows(job);
    case TASK_PCS:
        return answer_pcs(job);
    case TASK_FUNCTIONS:
        return print_functions(job);
    case TASK_AUDIT:
        return print_audit(job);
    case TASK_EXPLAIN:
        return print_explanation(job);
    }
    return EXIT_USAGE;
}

/* Runs the task. A damaged file is used as long as it has some code. */
static int run_on_image(struct job *job)
{
    bool damaged = job->module->problem.what[0];
    int result;

    job->arch = elf_image_arch(job->module->image);
    if (job->options->code_only)
        module_rows_set_code_only(job->rows);
    if (damaged && !holds_code(job->module->image))
        return fail(&job->module->problem);
    result = run(job);
    if (job->module->problem.what[0] && result == 0)
        warn(&job->module->problem);
    return result;
}

static void fail_relocatable(const struct cgrules_options *options)
{
    struct diag diag;

    diag_set(
        &diag, options->elf,
        "a relocatable file, whose code and tables have no addresses yet; try the file that it "
        "is linked into, or readelf -wF");
    fail(&diag);
}

/* Opens the file and runs the task; returns the exit status. */
static int work(const struct cgrules_options *options, const char *path)
{
    struct module_options module_options = {.debug_dirs = options->debug_dirs,
                                            .debug_dir_count = options->debug_dir_count};
    struct job job = {.options = options};
    struct diag diag;
    int result = 1;

    diag_set(&diag, options->elf, "out of memory");
    if (module_set_create(&module_options, &job.set) != STATUS_OK ||
        module_set_get(job.set, MODULE_FILE, path, NULL, 0, false, &job.module) != STATUS_OK ||
        module_rows_create(job.set, job.module, &job.rows) != STATUS_OK)
        fail(&diag);
    else if (module_open(job.set, job.module) != STATUS_OK)
        fail(&job.module->problem);
    else if (elf_image_type(job.module->image) == ET_REL)
        fail_relocatable(options);
    else
        result = run_on_image(&job);
    module_rows_destroy(job.rows);
    module_set_destroy(job.set);
    return result;
}

/* Confines the process to reading, anywhere: the ELF file names the files that belong to it. */
static enum status confine_cgrules(const struct cgrules_options *options)
{
    struct readable readable = {0};
    const struct confinement confinement = {.readable = &readable, .reads_all_users = true};
    struct diag missing;
    enum status status = readable_add(&readable, "/");

    if (status == STATUS_OK)
        status = readable_add_with_directory(&readable, options->elf);
    for (size_t i = 0; status == STATUS_OK && i < options->debug_dir_count; i++)
        status = readable_add(&readable, options->debug_dirs[i]);
    if (status == STATUS_OK && options->pcs)
        status = readable_add(&readable, options->pcs);
    if (status == STATUS_OK)
        confine(&confinement, &missing);
    if (status == STATUS_OK && options->verbose && missing.what[0])
        warn(&missing);
    readable_deinit(&readable);
    return status;
}

/* Limits memory and confines the process. Returns 0, or the exit status, after a message. */
static int enter_sandbox(const struct cgrules_options *options)
{
    struct diag diag;

    diag_set(&diag, options->elf, "out of memory");
    if (options->sandbox.memory && !confine_memory(options->sandbox.memory)) {
        diag_set(&diag, NULL, "--memory: %s", strerror(errno));
        return fail(&diag);
    }
    if (!options->sandbox.off && confine_cgrules(options) != STATUS_OK)
        return fail(&diag);
    return 0;
}

int main(int argc, char **argv)
{
    struct cgrules_options options = {0};
    static char buffer[1 << 16];
    struct diag diag;
    char *path;
    int result;

    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    result = options_parse(&options, argc, argv);
    if (result >= 0)
        return result;
    path = realpath(options.elf, NULL);
    if (!path) {
        diag_set(&diag, options.elf, "%s", strerror(errno));
        return fail(&diag);
    }
    mapped_guard();
    signal(SIGXFSZ, SIG_IGN); /* writes beyond RLIMIT_FSIZE fail with EFBIG */
    result = enter_sandbox(&options);
    if (result == 0)
        result = work(&options, path);
    free(path);
    if (insn_problem() && result == 0)
        result = fail_undecoded();
    if (mapped_cut() && result == 0) {
        diag_set(&diag, mapped_cut(), "became shorter while it was read");
        result = fail(&diag);
    }
    if (result == 0 && shortage_told(&diag))
        result = fail(&diag);
    if (fflush(stdout) != 0 && result == 0) {
        diag_set(&diag, "standard output", "%s", strerror(errno));
        result = fail(&diag);
    }
    return result;
}
