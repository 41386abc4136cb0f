/*
 * cgsnap: captures a running process into a snapshot. Options and wiring; the work is done in
 * capture/.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "capture/capture.h"
#include "capture/ptrace/backend.h"
#include "snapshot/tcp.h"

#ifndef CG_VERSION
#define CG_VERSION "0.1.0"
#endif

#define EXIT_USAGE       2
#define TIDS_MAX         1024u
#define RATE_MAX_HZ      20000
#define DEFAULT_OUTPUT   "snap.bin"
#define DEFAULT_RATE_MHZ 99000u
#define DEFAULT_STACK    (UINT32_C(8) << 20)

struct settings {
    struct capture_options capture;
    pid_t tids[TIDS_MAX];
    const char *output;
    bool quiet, verbose;
};

enum { OPT_TOGETHER = 256, OPT_ON_CPU, OPT_FOLLOW_FORKS, OPT_WITH_CODE };

static const struct option long_options[] = {
    {"pid", required_argument, NULL, 'p'},
    {"freq", required_argument, NULL, 'F'},
    {"rate", required_argument, NULL, 'r'},
    {"duration", required_argument, NULL, 'd'},
    {"count", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'},
    {"stack-size", required_argument, NULL, 's'},
    {"tid", required_argument, NULL, 't'},
    {"together", no_argument, NULL, OPT_TOGETHER},
    {"on-cpu", no_argument, NULL, OPT_ON_CPU},
    {"follow-forks", no_argument, NULL, OPT_FOLLOW_FORKS},
    {"with-code", no_argument, NULL, OPT_WITH_CODE},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: cgsnap -p PID [options]            capture a running process\n"
    "       cgsnap [options] -- COMMAND [ARG…] start one and capture it from its first "
    "instruction\n"
    "\n"
    "  -p, --pid PID       the process to capture\n"
    "  -F, --freq HZ       samples per second and thread (default 99); also -r, --rate\n"
    "  -d, --duration S    stop after S seconds\n"
    "  -n, --count N       stop after N rounds (1: where is it now?)\n"
    "  -o, --output FILE   default snap.bin; '-' is standard output; tcp:HOST:PORT connects\n"
    "  -s, --stack-size N  copy at most N bytes of a stack (default 8M, at most 16M; k, M)\n"
    "  -t, --tid TID       only this thread; may be repeated\n"
    "      --together      stop all threads, then copy: one consistent picture\n"
    "                      (default: one thread at a time, shortest pauses)\n"
    "      --on-cpu        leave out threads that did not run since the last round\n"
    "      --follow-forks  capture the children of fork and vfork, too\n"
    "      --with-code     write the code that stacks refer to, too: for hosts without the files\n"
    "  -q, --quiet         no line at the end\n"
    "  -v, --verbose       another line: how long single pauses were\n"
    "  -h, --help    -V, --version\n"
    "\n"
    "Look at the result:   cgunwind snap.bin\n"
    "Stream it elsewhere:  cgsnap -p PID -o - | ssh HOST cgunwind -\n"
    "Ends at Ctrl-C, a limit, or the process's end; the process goes on unharmed.\n";

static int usage_error(const char *format, ...) PRINTF_LIKE(1, 2);

static int usage_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("cgsnap: ", stderr);
    vfprintf(stderr, format, args);
    fputs("; see cgsnap --help\n", stderr);
    va_end(args);
    return EXIT_USAGE;
}

static bool parse_whole(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || !value || value > max)
        return false;
    *out = value;
    return true;
}

/* A positive decimal number, as thousandths. */
static bool parse_thousandths(const char *text, double max, uint64_t *out)
{
    char *end;
    double value;

    errno = 0;
    value = strtod(text, &end);
    if ((text[0] != '.' && (text[0] < '0' || text[0] > '9')) || *end || errno || value > max ||
        value < 0.001)
        return false;
    *out = (uint64_t)(value * 1000 + 0.5);
    return true;
}

/* Bytes with an optional k or M. */
static bool parse_size(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    unsigned long long value;
    unsigned shift = 0;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (*end == 'k' || *end == 'K')
        shift = 10;
    else if (*end == 'm' || *end == 'M')
        shift = 20;
    if (shift)
        end++;
    if (text[0] < '0' || text[0] > '9' || *end || errno || !value || value > max >> shift)
        return false;
    *out = value << shift;
    return true;
}

static bool add_tid(struct settings *set, const char *text)
{
    uint64_t value;

    if (set->capture.tid_count == TIDS_MAX || !parse_whole(text, INT32_MAX, &value))
        return false;
    set->tids[set->capture.tid_count++] = (pid_t)value;
    return true;
}

/* One option with its value; false when the value is no good. */
static bool set_option(struct settings *set, int option, const char *text)
{
    uint64_t value = 0;
    bool ok = true;

    switch (option) {
    case 'p':
        ok = parse_whole(text, INT32_MAX, &value);
        set->capture.pid = (pid_t)value;
        break;
    case 'F':
    case 'r':
        ok = parse_thousandths(text, RATE_MAX_HZ, &value);
        set->capture.rate_mhz = (uint32_t)value;
        break;
    case 'd':
        ok = parse_thousandths(text, 1e9, &value);
        set->capture.duration_ns = value * 1000000;
        break;
    case 'n':
        ok = parse_whole(text, UINT64_MAX, &set->capture.round_count);
        break;
    case 'o':
        ok = text[0] != '\0';
        set->output = text;
        break;
    case 's':
        ok = parse_size(text, SNAP_STACK_MAX, &value);
        set->capture.stack_size = (uint32_t)value;
        break;
    case 't':
        ok = add_tid(set, text);
        break;
    case OPT_TOGETHER:
        set->capture.together = true;
        break;
    case OPT_ON_CPU:
        set->capture.on_cpu = true;
        break;
    case OPT_FOLLOW_FORKS:
        set->capture.follow_forks = true;
        break;
    case OPT_WITH_CODE:
        set->capture.with_code = true;
        break;
    case 'q':
        set->quiet = true;
        break;
    case 'v':
        set->verbose = true;
        break;
    }
    return ok;
}

/* -1: go on; otherwise the exit status. */
static int parse_options(int argc, char **argv, struct settings *set)
{
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:p:F:r:d:n:o:s:t:qvhV", long_options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_SUCCESS;
        }
        if (option == 'V') {
            puts("cgsnap " CG_VERSION);
            return EXIT_SUCCESS;
        }
        if (option == ':')
            return usage_error("option %s needs a value", argv[optind - 1]);
        if (option == '?')
            return usage_error("unknown option %s", argv[optind - 1]);
        if (!set_option(set, option, optarg))
            return usage_error("bad value '%s' for option %s", optarg, argv[optind - 2]);
    }
    if (optind < argc)
        set->capture.command = argv + optind;
    if (!set->capture.pid == !set->capture.command)
        return usage_error(set->capture.pid ? "give either -p PID or a command, not both"
                                            : "which process? give -p PID or -- COMMAND");
    if (set->capture.command && set->capture.tid_count)
        return usage_error("-t goes with -p");
    if (set->capture.command && strcmp(set->output, "-") == 0)
        return usage_error("-o - goes with -p: the command's output would mix with the snapshot");
    if (strncmp(set->output, TCP_LISTEN_PREFIX, strlen(TCP_LISTEN_PREFIX)) == 0)
        return usage_error("cgsnap connects, with -o tcp:HOST:PORT; cgunwind listens, at %s",
                           set->output);
    return -1;
}

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
    fprintf(stderr, "%" PRIu64 " bytes, %" PRIu64 " samples lost: %s\n", result->bytes,
            result->lost, output_name(set));
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
    struct settings set = {.output = DEFAULT_OUTPUT};
    int status;

    set.capture.backend = &ptrace_backend;
    set.capture.rate_mhz = DEFAULT_RATE_MHZ;
    set.capture.stack_size = DEFAULT_STACK;
    set.capture.tids = set.tids;
    status = parse_options(argc, argv, &set);
    return status >= 0 ? status : capture(&set);
}
