/* SPDX-License-Identifier: MIT */
#include "boards/gdb/bound.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/target/backend.h"

#define SECOND_NS UINT64_C(1000000000)
/* After the capture's end. The rest of the second is for closing connection and snapshot. */
#define ASK_NS  (SECOND_NS / 2)
#define OVER_NS (SECOND_NS * 85 / 100)

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define END_SIGNALS (sizeof(end_signals) / sizeof(end_signals[0]))

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

enum status gdb_bound_init(struct gdb_bound *bound, struct diag *diag)
{
    sigset_t signals;

    sigemptyset(&signals);
    for (size_t i = 0; i < END_SIGNALS; i++)
        sigaddset(&signals, end_signals[i]);
    *bound = (struct gdb_bound){.signal_fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC),
                                .until_ns = GDB_BOUND_NEVER,
                                .end_ns = GDB_BOUND_NEVER};
    if (bound->signal_fd >= 0)
        return STATUS_OK;
    diag_set(diag, NULL, "cannot look at signals: %s", strerror(errno));
    return STATUS_IO;
}

void gdb_bound_deinit(struct gdb_bound *bound)
{
    if (bound->signal_fd >= 0)
        close(bound->signal_fd);
    bound->signal_fd = -1;
}

uint64_t gdb_bound_begin(struct gdb_bound *bound, uint64_t ns)
{
    const uint64_t outer_ns = bound->until_ns;

    bound->until_ns = least(outer_ns, clock_now_ns() + ns);
    return outer_ns;
}

void gdb_bound_end(struct gdb_bound *bound, uint64_t outer_ns)
{
    bound->until_ns = outer_ns;
}

void gdb_bound_limit(struct gdb_bound *bound, uint64_t end_ns)
{
    bound->end_ns = least(bound->end_ns, end_ns);
}

void gdb_bound_took(struct gdb_bound *bound, int signal_number)
{
    for (size_t i = 0; i < END_SIGNALS; i++)
        if (signal_number == end_signals[i])
            gdb_bound_limit(bound, clock_now_ns());
}

static bool is_signalled(void)
{
    sigset_t pending;

    if (sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < END_SIGNALS; i++)
        if (sigismember(&pending, end_signals[i]))
            return true;
    return false;
}

/* Returns the time now; a pending signal that ends the capture sets end_ns to it. */
static uint64_t look(struct gdb_bound *bound)
{
    const uint64_t now = clock_now_ns();

    if (now < bound->end_ns && is_signalled())
        bound->end_ns = now;
    return now;
}

void gdb_bound_leave(struct gdb_bound *bound, uint64_t ns)
{
    const uint64_t now = look(bound);

    bound->is_leaving = true;
    if (now >= bound->end_ns && now + ns > bound->end_ns + OVER_NS)
        bound->end_ns = now + ns - OVER_NS;
}

bool gdb_bound_is_ending(struct gdb_bound *bound)
{
    return look(bound) >= bound->end_ns;
}

uint64_t gdb_bound_asks_until(struct gdb_bound *bound)
{
    (void)look(bound);
    return bound->end_ns + (bound->is_leaving ? OVER_NS : ASK_NS);
}

bool gdb_bound_may_ask(struct gdb_bound *bound)
{
    return gdb_bound_asks_until(bound) > clock_now_ns();
}

bool gdb_bound_is_cut(struct gdb_bound *bound)
{
    return look(bound) >= bound->end_ns + OVER_NS;
}

uint64_t gdb_bound_left(struct gdb_bound *bound)
{
    const uint64_t now = look(bound), until_ns = least(bound->until_ns, bound->end_ns + OVER_NS);

    return until_ns > now ? until_ns - now : 0;
}

bool gdb_bound_is_over(struct gdb_bound *bound)
{
    return gdb_bound_left(bound) == 0;
}

bool gdb_bound_wait(struct gdb_bound *bound, int fd, short events, uint64_t until_ns)
{
    const uint64_t left = gdb_bound_left(bound), now = clock_now_ns();
    const uint64_t ns = until_ns > now ? least(until_ns - now, left) : 0;
    const struct timespec timeout = {.tv_sec = (time_t)(ns / SECOND_NS),
                                     .tv_nsec = (long)(ns % SECOND_NS)};
    struct pollfd pollers[2] = {{.fd = fd, .events = events},
                                {.fd = bound->signal_fd, .events = POLLIN}};

    if (now >= bound->end_ns) /* a signal that was seen stays pending until the core takes it */
        pollers[1].fd = -1;
    if (ns)
        (void)!ppoll(pollers, 2, &timeout, NULL);
    return ns > 0;
}
