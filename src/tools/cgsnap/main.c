/* SPDX-License-Identifier: MIT */
/*
 * cgsnap: captures a running process into a snapshot. Wiring; the work is done in capture/.
 */
#include "tools/cgsnap/cgsnap.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/plural.h"
#include "boards/rtos/debug/layout.h"
#include "snapshot/loss.h"
#include "tools/cgsnap/output.h"
#include "tools/cgsnap/progress.h"

/* Contention is reported from this share on. */
#define CONTENDED_PERCENT 5u
/* ns; time without a CPU in the longest pause is reported from here on. */
#define WAIT_TOLD_NS 100000u

/* Prints a number with `digits` decimal places, without zeroes at the end. */
static void print_decimal(uint64_t number, unsigned digits)
{
    uint64_t unit = 1;

    for (; digits && number % 10 == 0; digits--)
        number /= 10;
    for (unsigned i = 0; i < digits; i++)
        unit *= 10;
    fprintf(stderr, "%" PRIu64, number / unit);
    if (digits)
        fprintf(stderr, ".%0*u", (int)digits, (unsigned)(number % unit));
}

/* Prints number / unit with all its decimal places, and `after`. */
static void print_parts(uint64_t number, uint64_t unit, const char *after)
{
    fprintf(stderr, "%" PRIu64 ".%0*u %s", number / unit, unit == 10 ? 1 : 2,
            (unsigned)(number % unit), after);
}

static void print_duration(const char *what, uint64_t ns)
{
    if (ns < 1000000)
        print_parts((ns + 50) / 100, 10, "µs");
    else if (ns < 1000000000)
        print_parts((ns + 50000) / 100000, 10, "ms");
    else
        print_parts((ns + 5000000) / 10000000, 100, "s");
    fputs(what, stderr);
}

static uint64_t pause_quantile(const struct capture_result *result, unsigned percent)
{
    uint64_t total = 0, below = 0;

    for (unsigned i = 0; i < CAPTURE_PAUSE_SLOTS; i++)
        total += result->pauses[i];
    for (unsigned i = 0; i < CAPTURE_PAUSE_SLOTS; i++) {
        below += result->pauses[i];
        if (total && below * 100 >= percent * total)
            return capture_pause_us(i + 1 < CAPTURE_PAUSE_SLOTS ? i + 1 : i);
    }
    return 0;
}

/*
 * Reports the share of time for which threads that wanted to run had no CPU: waited / (used +
 * waited). A small one is left out, also if threads mostly sleep: a CPU for a short moment takes
 * long to get.
 */
static void print_contention(const struct capture_result *result)
{
    uint64_t wanted_us = (result->used_ns + result->waited_ns) / 1000;
    uint64_t percent = wanted_us ? (result->waited_ns / 10 + wanted_us / 2) / wanted_us : 0;

    if (percent >= CONTENDED_PERCENT &&
        result->waited_ns / CONTENDED_PERCENT >= result->elapsed_ns / 100)
        fprintf(stderr, "ready without a CPU for %" PRIu64 " %% of the time, ", percent);
}

static void print_rate(const struct settings *set, const struct capture_result *result)
{
    uint64_t elapsed_us = result->elapsed_ns / 1000;

    if (elapsed_us && result->rounds > 1)
        print_parts(((result->rounds - 1) * 10000000 + elapsed_us / 2) / elapsed_us, 10, "Hz, ");
    if (!result->slowed)
        return;
    fputs("less than ", stderr);
    print_decimal(set->capture.rate_mhz, 3);
#if CAPTURE_BOARDS
    if (has_stub(set)) {
        fputs(" for --halt-budget ", stderr);
        print_decimal(set->capture.halt_budget, 3);
        fputs(", ", stderr);
        return;
    }
#endif
    fputs(" for --overhead ", stderr);
    print_decimal(set->capture.overhead, 3);
    fputs(", ", stderr);
}

#if CAPTURE_BOARDS
static void print_cut_halts(const struct capture_result *result)
{
    if (!result->cut_halts)
        return;
    fprintf(stderr, "cgsnap: at %" PRIu64 " of %" PRIu64 " halts not all tasks were reached",
            result->cut_halts, result->halts);
    if (result->unreached)
        fprintf(stderr, ", %" PRIu64 " at most were not", result->unreached);
    fprintf(stderr, ": %s\n", result->cut_problem);
}
#endif

#if CAPTURE_BOARDS
static void print_without_psp(const struct capture_result *result)
{
    if (result->without_psp)
        fprintf(stderr,
                "cgsnap: %" PRIu64
                " sample%s end%s at a handler (stop: truncated): the debug server "
                "does not tell PSP, the stack of what it interrupted\n",
                result->without_psp, plural(result->without_psp),
                result->without_psp == 1 ? "s" : "");
}
#endif

static void print_left_out(const struct capture_result *result)
{
    char line[sizeof(struct diag) + 64];

    if (result->refused)
        fprintf(stderr, "cgsnap: %zu process%s could not be attached to, or not wholly: %s\n",
                result->refused, result->refused == 1 ? "" : "es",
                diag_format(&result->refusal, line, sizeof(line)));
    if (result->asleep.what[0] && result->samples)
        fprintf(stderr, "cgsnap: %s\n", diag_format(&result->asleep, line, sizeof(line)));
    if (result->left_out)
        fprintf(stderr, "cgsnap: %zu process%s let go: of another word size or architecture\n",
                result->left_out, result->left_out == 1 ? " was" : "es were");
}

static void print_bundle(const struct capture_result *result)
{
    static const char *const ends[] = {[CAPTURE_BUNDLE_WHOLE] = "",
                                       [CAPTURE_BUNDLE_SIGNAL] = ": interrupted",
                                       [CAPTURE_BUNDLE_STUCK] = ": a file system does not answer",
                                       [CAPTURE_BUNDLE_FAILED] = ": their reader has ended"};
    const bool is_whole = result->bundle_end == CAPTURE_BUNDLE_WHOLE;

    fprintf(stderr, "cgsnap: %" PRIu32 " file%s of %" PRIu64 " bytes in the snapshot",
            result->bundled, result->bundled == 1 ? "" : "s", result->bundled_bytes);
    if (result->unbundled)
        fprintf(stderr, ", %" PRIu32 " could not be read", result->unbundled);
    fprintf(stderr, "%s%s\n", is_whole ? "" : "; the last may not be whole, others are missing",
            ends[result->bundle_end]);
}

static void print_result(const struct settings *set, const char *title,
                         const struct capture_result *result)
{
    fprintf(stderr,
            "cgsnap: %" PRIu64 " sample%s and %" PRIu64 " repeat%s of %" PRIu64 " thread%s, ",
            result->samples, plural(result->samples), result->repeats, plural(result->repeats),
            result->threads, plural(result->threads));
    if (result->has_clock)
        fprintf(stderr, "%" PRIu64 " tick%s of CPUs, ", result->ticks, plural(result->ticks));
    print_rate(set, result);
    fputs("stopped ", stderr);
    print_duration(" in all, ", result->stopped_ns);
    print_duration(" at most", result->stopped_max_ns);
    if (result->stopped_max_wait_ns >= WAIT_TOLD_NS) {
        fputs(" (", stderr);
        print_duration(" of it without a CPU for cgsnap)", result->stopped_max_wait_ns);
    }
    fputs(", ", stderr);
    print_contention(result);
    fprintf(stderr, "%" PRIu64 " bytes, ", result->bytes);
    snap_loss_print(result->lost, stderr);
    if (result->lost[SNAP_LOSS_TICK])
        fprintf(stderr, ", %" PRIu64 " tick%s of all programs lost", result->lost[SNAP_LOSS_TICK],
                plural(result->lost[SNAP_LOSS_TICK]));
    fprintf(stderr, ": %s\n", title);
    if (result->unanswered)
        fprintf(stderr,
                "cgsnap: the files of %" PRIu64
                " mapping%s were not looked at in time: build-ids may be missing\n",
                result->unanswered, plural(result->unanswered));
    if (CAPTURE_BUNDLES && set->capture.bundle && result->end != SNAP_END_WRITE)
        print_bundle(result);
#if CAPTURE_BOARDS
    print_cut_halts(result);
    print_without_psp(result);
#endif
    if (result->no_pointees)
        fputs("cgsnap: /proc/PID/pagemap does not tell what is in memory: samples lack what they "
              "point to\n",
              stderr);
    print_left_out(result);
    if (result->leaving)
        fputs("cgsnap: the program's own signals were many: who made new threads is not known\n",
              stderr);
    if (result->blind)
        fputs("cgsnap: this kernel does not tell who has a CPU (no CONFIG_SCHED_INFO): where "
              "CPUs are contended, CPU time goes to where threads wait\n",
              stderr);
    if (set->verbose && !has_stub(set) && !result->has_clock && result->no_clock.what[0])
        fprintf(stderr, "cgsnap: who had a CPU is told by ptrace: %s\n", result->no_clock.what);
    if (set->verbose)
        fprintf(stderr,
                "cgsnap: pauses below %" PRIu64 " µs (median), %" PRIu64 " µs (90 %%), %" PRIu64
                " µs (99 %%), from a stop to its end\n",
                pause_quantile(result, 50), pause_quantile(result, 90), pause_quantile(result, 99));
}

static void print_diag(const struct diag *diag)
{
    char line[sizeof(struct diag) + 64];

    fprintf(stderr, "cgsnap: %s\n", diag_format(diag, line, sizeof(line)));
}

#if CAPTURE_BOARDS
static void print_warning(const struct diag *diag)
{
    char line[sizeof(struct diag) + 64];

    fprintf(stderr, "cgsnap: warning: %s\n", diag_format(diag, line, sizeof(line)));
}
#endif

static enum status fail(const struct diag *diag, enum status status)
{
    print_diag(diag);
    return status;
}

/* Opens /dev/null for closed standard files, so that no other file gets their descriptors. */
static void fill_standard_files(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* Opens the output and starts the capture; after a failure both are as before. */
static enum status begin(const struct settings *set, struct snap_output *output,
                         struct capture **cap)
{
    struct diag diag = {0};
    enum status status = capture_check(&set->capture, &diag);

    if (status == STATUS_OK)
        status = output_open(output, set->output, set->force, &diag);
    if (status != STATUS_OK)
        return fail(&diag, status);
    status = capture_start(&set->capture, cap, &diag);
    if (status != STATUS_OK) {
        output_abandon(output);
        return fail(&diag, status);
    }
#if CAPTURE_BOARDS
    if (has_stub(set) && diag.what[0] && !set->quiet)
        print_warning(&diag);
#endif
    return STATUS_OK;
}

/* Says whether samples are missing. With --on-cpu there are some only if threads run. */
static bool is_empty(const struct settings *set, const struct capture_result *result)
{
    return !result->samples && !result->command_ended &&
           (snap_loss_sum(result->lost) || (result->end == SNAP_END_LIMIT && !set->capture.on_cpu));
}

#if CAPTURE_BOARDS
/*
 * Returns the layout of the first firmware's RTOS that can be used; NULL: none, and only the
 * running contexts are captured. Reports one that cannot be used.
 */
static struct rtos_layout *find_rtos(const struct settings *set)
{
    struct rtos_layout *layout = NULL;

    for (size_t i = 0; i < set->capture.firmware_count && !layout; i++) {
        const struct capture_firmware *firmware = &set->capture.firmware[i];
        struct diag diag = {0};
        const enum status status =
            rtos_layout_load_apart(firmware->path, firmware->bias, &layout, &diag);

        if (status == STATUS_UNSUPPORTED && diag.hint[0] && !set->quiet)
            print_diag(&diag);
    }
    return layout;
}
#endif

static int capture_all(struct settings *set)
{
    struct capture_result result = {.end = SNAP_END_EXIT};
    struct capture_telling telling;
    struct snap_output output;
    struct capture *cap = NULL;
    struct diag diag = {0};
    enum status status;

    telling_begin(&telling, set);
    if (begin(set, &output, &cap) != STATUS_OK)
        return EXIT_FAILURE;
    status = capture_run(cap, output.pump, output_title(&output), &result, &diag);
    output_close(&output);
    telling_end(&telling);
    if (status != STATUS_OK)
        print_diag(&diag);
    if (!set->quiet)
        print_result(set, output_title(&output), &result);
    capture_destroy(cap);
    if (status == STATUS_OK && is_empty(set, &result)) {
        diag_set(&diag, output_title(&output),
                 "no thread could be stopped, so there is no sample%s%s",
                 result.asleep.what[0] ? ": " : "", result.asleep.what);
        diag_hint(&diag, "%s",
                  has_stub(set) ? "one that may be halted little needs time: try -d, or a larger "
                                  "--halt-budget"
                                : result.asleep.hint);
        print_diag(&diag);
        status = STATUS_NOT_FOUND;
    }
    if (status != STATUS_OK)
        return EXIT_FAILURE;
    if (!result.command_ended)
        return EXIT_SUCCESS;
    return WIFSIGNALED(result.command_status) ? 128 + WTERMSIG(result.command_status)
                                              : WEXITSTATUS(result.command_status);
}

static int capture(struct settings *set)
{
#if CAPTURE_BOARDS
    struct rtos_layout *layout = find_rtos(set);
    int status;

    set->capture.rtos = layout;
    status = capture_all(set);
    rtos_layout_destroy(layout);
    return status;
#else
    return capture_all(set);
#endif
}

int main(int argc, char **argv)
{
    struct settings set;
    int status;

    fill_standard_files();
    status = options_parse(&set, argc, argv);

    return status >= 0 ? status : capture(&set);
}
