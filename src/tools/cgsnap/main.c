/* SPDX-License-Identifier: MIT */
/*
 * cgsnap: captures a running process into a snapshot. Wiring; the work is done in capture/.
 */
#include "tools/cgsnap/cgsnap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "snapshot/tcp.h"

/* From which share on contention is told. */
#define CONTENDED 0.05

/*
 * The output, not yet emptied: an old snapshot survives when the capture cannot even begin.
 * *created says that there was none.
 */
static int open_output(const char *name, bool *created, struct diag *diag)
{
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
    int fd;

    *created = false;
    if (strncmp(name, TCP_PREFIX, strlen(TCP_PREFIX)) == 0)
        return tcp_connect(name, &fd, diag) == STATUS_OK ? fd : -1;
    if (strcmp(name, "-") == 0) {
        fd = STDOUT_FILENO;
    } else {
        fd = open(name, flags | O_CREAT | O_EXCL, 0666);
        *created = fd >= 0;
        if (fd < 0 && errno == EEXIST)
            fd = open(name, flags);
    }
    if (fd < 0) {
        diag_set(diag, name, "cannot write: %s", strerror(errno));
        diag_hint(diag, "choose another file with -o");
    } else if (isatty(fd)) {
        diag_set(diag, NULL, "a snapshot is binary, and the output is a terminal");
        diag_hint(diag, "use -o FILE, or pipe it: cgsnap -o - … | cgunwind -");
        fd = -1;
    }
    return fd;
}

static const char *output_name(const struct settings *set)
{
    return strcmp(set->output, "-") == 0 ? "standard output" : set->output;
}

static void print_duration(const char *what, uint64_t ns)
{
    if (ns < 1000000)
        fprintf(stderr, "%.1f µs%s", (double)ns / 1e3, what);
    else if (ns < 1000000000)
        fprintf(stderr, "%.1f ms%s", (double)ns / 1e6, what);
    else
        fprintf(stderr, "%.2f s%s", (double)ns / 1e9, what);
}

static double pause_quantile(const struct capture_result *result, double quantile)
{
    uint64_t total = 0, below = 0;

    for (unsigned i = 0; i < CAPTURE_PAUSE_SLOTS; i++)
        total += result->pauses[i];
    for (unsigned i = 0; i < CAPTURE_PAUSE_SLOTS; i++) {
        below += result->pauses[i];
        if (total && (double)below >= quantile * (double)total)
            return capture_pause_us(i + 1 < CAPTURE_PAUSE_SLOTS ? i + 1 : i);
    }
    return 0;
}

/* Of the time in which threads could have run they had to wait for a CPU; little is not told. */
static void print_contention(const struct capture_result *result)
{
    uint64_t wanted_ns = result->used_ns + result->waited_ns;
    double share = wanted_ns ? (double)result->waited_ns / (double)wanted_ns : 0;

    if (share >= CONTENDED)
        fprintf(stderr, "ready without a CPU for %.0f %% of the time, ", share * 100);
}

static void print_result(const struct settings *set, const struct capture_result *result)
{
    double rate = result->elapsed_ns && result->rounds > 1
                      ? (double)(result->rounds - 1) * 1e9 / (double)result->elapsed_ns
                      : 0;

    fprintf(stderr, "cgsnap: %" PRIu64 " samples and %" PRIu64 " repeats of %" PRIu64 " thread%s, ",
            result->samples, result->repeats, result->threads, result->threads == 1 ? "" : "s");
    if (rate > 0)
        fprintf(stderr, "%.1f Hz, ", rate);
    fputs("stopped ", stderr);
    print_duration(" in all, ", result->stopped_ns);
    print_duration(" at worst, ", result->stopped_max_ns);
    print_contention(result);
    fprintf(stderr, "%" PRIu64 " bytes, %" PRIu64 " samples lost: %s\n", result->bytes,
            result->lost, output_name(set));
    if (result->blind)
        fputs("cgsnap: this kernel does not tell who has a CPU (it lacks CONFIG_SCHED_INFO): where "
              "CPUs are contended, CPU time is credited to where threads wait for one\n",
              stderr);
    if (set->verbose)
        fprintf(stderr,
                "cgsnap: pauses below %.0f µs (median), %.0f µs (90 %%), %.0f µs (99 %%), from "
                "seeing a stop to its end\n",
                pause_quantile(result, 0.5), pause_quantile(result, 0.9),
                pause_quantile(result, 0.99));
}

static void print_diag(const struct diag *diag)
{
    char line[sizeof(struct diag) + 64];

    fprintf(stderr, "cgsnap: %s\n", diag_format(diag, line, sizeof(line)));
}

static int capture(const struct settings *set)
{
    struct capture_result result = {.end = SNAP_END_EXIT};
    struct capture *cap = NULL;
    struct diag diag = {0};
    enum status status;
    bool created;
    int fd;

    if (capture_check(&set->capture, &diag) != STATUS_OK ||
        (fd = open_output(set->output, &created, &diag)) < 0) {
        print_diag(&diag);
        return EXIT_FAILURE;
    }
    status = capture_start(&set->capture, &cap, &diag);
    if (status != STATUS_OK) {
        if (created)
            unlink(set->output);
        print_diag(&diag);
        return EXIT_FAILURE;
    }
    /* Fails on pipes and devices, which need no emptying. */
    if (fd != STDOUT_FILENO)
        (void)!ftruncate(fd, 0);
    status = capture_run(cap, fd, output_name(set), &result, &diag);
    if (status != STATUS_OK)
        print_diag(&diag);
    if (!set->quiet)
        print_result(set, &result);
    capture_destroy(cap);
    if (status == STATUS_OK && result.samples == 0 && result.lost > 0 && !result.command_ended) {
        diag_set(&diag, output_name(set), "no thread could be stopped, so there is no sample");
        diag_hint(&diag, "threads in uninterruptible sleep (state D) stop when it ends; try -d");
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

int main(int argc, char **argv)
{
    struct settings set;
    int status = options_parse(&set, argc, argv);

    return status >= 0 ? status : capture(&set);
}
