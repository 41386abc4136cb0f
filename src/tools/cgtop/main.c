/* SPDX-License-Identifier: MIT */
/* cgtop: what a running process does, live. Wiring. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mapped.h"
#include "base/shortage.h"
#include "confine/call_filter.h"
#include "confine/confine.h"
#include "tools/cgtop/screen.h"
#include "tools/cgtop/top.h"

/* How often the pipe is read, which costs less than to wake up for each round. */
#define TAKE_NS     UINT64_C(100000000)
#define NS_PER_S    UINT64_C(1000000000)
#define FILE_NAME   "cgtop-%d-%%Y%%m%%d-%%H%%M%%S.bin"
#define DATA_EVENTS (POLLIN | POLLHUP)

static volatile sig_atomic_t ends, suspends, continues;

uint64_t cgtop_used_ns(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

static void tell(const char *kind, const struct diag *diag)
{
    char line[1024];

    diag_format(diag, line, sizeof(line));
    screen_clean(line);
    fprintf(stderr, "cgtop: %s%s\n", kind, line);
}

static int fail(const struct diag *diag)
{
    tell("", diag);
    return EXIT_FAILURE;
}

static void on_suspend(int signal)
{
    (void)signal;
    suspends = 1;
}

static void on_continue(int signal)
{
    (void)signal;
    continues = 1;
}

static void on_end(int signal)
{
    (void)signal;
    ends = 1;
    screen_hurry();
}

/* Signal masks: `usual`; while we wait for events; while we draw on the terminal. */
struct masks {
    sigset_t usual, drawing, waiting;
};

/* Catches SIGTSTP before ncurses does, which would ignore and lose one while it draws. */
static void catch_stops(struct masks *masks)
{
    const struct sigaction suspend = {.sa_handler = on_suspend};

    sigprocmask(SIG_BLOCK, NULL, &masks->drawing);
    sigaddset(&masks->drawing, SIGTSTP);
    sigprocmask(SIG_SETMASK, &masks->drawing, NULL);
    sigaction(SIGTSTP, &suspend, NULL);
}

static void catch_signals(struct masks *masks)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    const struct sigaction end = {.sa_handler = on_end}, go_on = {.sa_handler = on_continue};

    masks->usual = masks->drawing;
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
        sigaction(ending[i], &end, NULL);
        sigaddset(&masks->usual, ending[i]);
        sigdelset(&masks->drawing, ending[i]);
    }
    sigaction(SIGCONT, &go_on, NULL);
    masks->waiting = masks->drawing;
    sigdelset(&masks->waiting, SIGTSTP);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* writes beyond RLIMIT_FSIZE fail with EFBIG */
    sigprocmask(SIG_SETMASK, &masks->usual, NULL);
}

/* Opens everything that cannot be opened once the process is confined. */
static enum status open_early(struct top *top, struct diag *diag)
{
    static char name[64];
    struct diag ignored;

    snprintf(name, sizeof(name), FILE_NAME, (int)top->options.capture.pid);
    top->opener.paths[0] = name;
    top->opener.is_dated[0] = true;
    top->snapshot_fd = memfd_create("cgtop", MFD_CLOEXEC);
    if (top->snapshot_fd < 0 || opener_begin(&top->opener) != STATUS_OK) {
        diag_set(diag, NULL, "cannot keep a snapshot in memory, or write one: %s", strerror(errno));
        return STATUS_IO;
    }
    if (live_begin(&top->live) == STATUS_NO_MEMORY ||
        (!top->options.no_cache && cache_open(&top->cache, &ignored) == STATUS_NO_MEMORY))
        return STATUS_NO_MEMORY;
    top->engine.cache = top->cache;
    top->engine.modules_options =
        (struct module_options){.debug_dirs = top->options.debug_dirs,
                                .debug_dir_count = top->options.debug_dir_count,
                                .live = top->live};
    return recent_create(&(struct recent_options){.window_ns = top->options.window_ns,
                                                  .bytes_max = TOP_RECORDS_MAX},
                         &top->recent);
}

/* Confines the process, before it reads the target's files. `missing` as of confine. */
static enum status confine_top(const struct top *top, struct diag *missing)
{
    struct readable readable = {0};
    const struct confinement confinement = {.readable = &readable,
                                            .reads_all_users = true,
                                            .calls = CALLS_FILES | CALLS_SEND | CALLS_TERMINAL};
    enum status status = top->options.no_sandbox ? STATUS_OK : readable_add(&readable, "/");

    if (status == STATUS_OK && !top->options.no_sandbox)
        confine(&confinement, missing);
    readable_deinit(&readable);
    return status;
}

static enum status take_keys(struct top *top)
{
    enum status status = STATUS_OK;
    int key;

    while (status == STATUS_OK && (key = screen_key()) != SCREEN_NO_KEY)
        status = top_key(top, key);
    return status;
}

/* Waits for keys, data, a signal or the next refresh. Data are waited for from `take_ns` on. */
static int wait_for_events(const struct top *top, uint64_t take_ns, const sigset_t *waiting,
                           struct pollfd events[2])
{
    const uint64_t now_ns = clock_now_ns();
    uint64_t until_ns = now_ns + NS_PER_S;
    struct timespec timeout;

    if (!top->is_frozen && !top->has_ended && top->refresh_ns < until_ns)
        until_ns = top->refresh_ns;
    if (!top->has_ended && now_ns < take_ns && take_ns < until_ns)
        until_ns = take_ns;
    until_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    timeout = (struct timespec){.tv_sec = (time_t)(until_ns / NS_PER_S),
                                .tv_nsec = (long)(until_ns % NS_PER_S)};
    events[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    events[1] = (struct pollfd){.fd = top->has_ended || now_ns < take_ns ? -1 : top->feed.data_fd,
                                .events = POLLIN};
    return ppoll(events, 2, &timeout, waiting);
}

/* Lets pending signals in: ppoll does not, when there is something to read at once. */
static void let_signals_in(const struct masks *masks)
{
    sigprocmask(SIG_SETMASK, &masks->waiting, NULL);
    sigprocmask(SIG_SETMASK, &masks->usual, NULL);
}

static void draw(const struct top *top, const struct masks *masks)
{
    sigprocmask(SIG_SETMASK, &masks->drawing, NULL);
    top_draw(top);
    sigprocmask(SIG_SETMASK, &masks->usual, NULL);
}

/* Takes the terminal over again after a stop: another process may have changed it. */
static void take_terminal(const struct masks *masks)
{
    continues = 0;
    sigprocmask(SIG_SETMASK, &masks->drawing, NULL);
    screen_resume();
    sigprocmask(SIG_SETMASK, &masks->usual, NULL);
}

static void stop_and_go_on(const struct masks *masks)
{
    if (suspends) {
        suspends = 0;
        screen_suspend(&masks->waiting);
        continues = 1;
    }
    if (continues && !ends)
        take_terminal(masks);
}

static enum status follow(struct top *top, const struct masks *masks, struct diag *diag)
{
    enum status status = STATUS_OK;
    uint64_t take_ns = 0;

    while (status == STATUS_OK && !top->quits && !ends) {
        struct pollfd events[2];
        const int n = wait_for_events(top, take_ns, &masks->waiting, events);

        let_signals_in(masks);
        stop_and_go_on(masks);
        if (n > 0 && (events[1].revents & DATA_EVENTS)) {
            status = top_take(top, diag);
            take_ns = clock_now_ns() + TAKE_NS;
            if (top->has_ended) /* the last moment is shown from now on */
                top->refresh_ns = 0;
        }
        if (n > 0 && (events[0].revents & (POLLHUP | POLLERR)))
            break;
        if (status == STATUS_OK)
            status = take_keys(top);
        if (status == STATUS_OK && !top->is_frozen && clock_now_ns() >= top->refresh_ns)
            status = top_refresh(top, diag);
        if (status == STATUS_OK && !ends)
            draw(top, masks);
    }
    sigprocmask(SIG_SETMASK, &masks->drawing, NULL); /* for screen_close */
    return status;
}

static int show(struct top *top)
{
    struct diag diag = {.has_off = false}, missing = {.has_off = false};
    struct masks masks;
    enum status status = open_early(top, &diag);

    catch_stops(&masks);
    if (status == STATUS_OK)
        status = screen_open(&diag);
    if (status == STATUS_OK) {
        catch_signals(&masks);
        status = confine_top(top, &missing);
    }
    if (status == STATUS_OK)
        status = follow(top, &masks, &diag);
    screen_close();
    if (top->options.verbose && missing.what[0])
        tell("warning: ", &missing);
    if (status == STATUS_OK)
        return EXIT_SUCCESS;
    if (!diag.what[0])
        diag_set(&diag, NULL, "%s", status_name(status));
    return fail(&diag);
}

static void end(struct top *top)
{
    opener_end(&top->opener);
    feed_stop(&top->feed);
    rows_deinit(&top->rows);
    aspect_deinit(&top->aspect);
    if (top->moment)
        moment_deinit(top->moment);
    free(top->moment);
    engine_close(&top->engine);
    recent_destroy(top->recent);
    graph_filter_deinit(&top->filter);
    map_deinit(&top->folded);
    cache_close(top->cache);
    live_end(top->live);
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

int main(int argc, char **argv)
{
    static struct top top = {.snapshot_fd = -1,
                             .places = {[TOP_FUNCTIONS] = {.order = ORDER_SELF},
                                        [TOP_TREE] = {.order = ORDER_TOTAL},
                                        [TOP_THREADS] = {.order = ORDER_CPU}}};
    struct diag diag = {.has_off = false};
    int result;

    fill_standard_files();
    result = options_parse(&top.options, argc, argv);
    if (result >= 0)
        return result;
    if (capture_check(&top.options.capture, &diag) != STATUS_OK ||
        feed_start(&top.options.capture, &top.feed, &diag) != STATUS_OK)
        return fail(&diag);
    top.weight = top.options.weight;
    top.weight_given = top.options.weight_given;
    mapped_guard();
    result = show(&top);
    end(&top);
    if (result == EXIT_SUCCESS && shortage_told(&diag))
        result = fail(&diag);
    return result;
}
