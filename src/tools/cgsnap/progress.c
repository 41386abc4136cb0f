/* SPDX-License-Identifier: MIT */
#include "tools/cgsnap/progress.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#define SHORT_NS UINT64_C(2000000000)

static void put_head(struct progress_line *line, const struct capture_progress *progress,
                     uint32_t rate_mhz)
{
    progress_line_text(line, "cgsnap: sampling ");
    progress_line_number(line, progress->threads);
    progress_line_text(line, progress->threads == 1 ? " thread at " : " threads at ");
    progress_line_number(line, rate_mhz / 1000);
    if (rate_mhz % 1000) {
        static const char digits[] = "0123456789";
        const uint32_t rest = rate_mhz % 1000;
        const char text[] = {'.', digits[rest / 100], digits[rest / 10 % 10], digits[rest % 10],
                             '\0'};

        progress_line_text(line, text);
    }
    progress_line_text(line, " Hz, Ctrl-C ends\n");
}

static void put_state(struct progress_line *line, const struct capture_progress *progress)
{
    progress_line_text(line, "cgsnap: ");
    progress_line_number(line, progress->elapsed_ns / 1000000000);
    progress_line_text(line, " s, ");
    progress_line_number(line, progress->samples + progress->repeats);
    progress_line_text(line, " samples, ");
    progress_line_number(line, progress->lost);
    progress_line_text(line, " lost, ");
    progress_line_number(line, progress->bytes);
    progress_line_text(line, " bytes");
}

static void tell(void *context, const struct capture_progress *progress)
{
    struct capture_telling *telling = context;
    struct progress_line *line = &telling->line;

    if (progress->elapsed_ns)
        put_state(line, progress);
    else
        put_head(line, progress, telling->rate_mhz);
    progress_line_show(line, telling->fd);
}

/* Formats thousandths as a decimal number, without zeroes at the end. */
static const char *decimal(uint64_t thousandths, char text[32])
{
    int length =
        snprintf(text, 32, "%" PRIu64 ".%03u", thousandths / 1000, (unsigned)(thousandths % 1000));

    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
    return text;
}

/* Rounds to whole Hz; below 10 Hz to tenths. */
static uint64_t rounded(uint64_t rate_mhz)
{
    const uint64_t unit = rate_mhz < 10000 ? 100 : 1000;

    return (rate_mhz + unit / 2) / unit * unit;
}

/* Prints a line if that is possible without waiting. */
static void put_line(struct capture_telling *telling, const char *text, size_t size)
{
    struct pollfd to = {.fd = STDERR_FILENO, .events = POLLOUT};

    if (telling->fd >= 0) {
        progress_line_erase(&telling->line, telling->fd);
        (void)!write(telling->fd, text, size);
    } else if (poll(&to, 1, 0) == 1 && to.revents & POLLOUT) {
        (void)!write(STDERR_FILENO, text, size);
    }
}

/* Says whether one is larger than the other by more than a fifth. */
static bool differs(uint64_t one_ns, uint64_t other_ns)
{
    return one_ns / 5 * 6 < other_ns || other_ns / 5 * 6 < one_ns;
}

static void tell_rate(void *context, const struct capture_progress *progress)
{
    struct capture_telling *telling = context;
    const uint64_t kept_mhz = rounded(UINT64_C(1000000000000) / progress->period_ns);
    const bool is_lower = kept_mhz < telling->rate_mhz;
    char asked[32], kept[32], overhead[32], text[256];
    int size;

    decimal(telling->rate_mhz, asked);
    decimal(is_lower ? kept_mhz : telling->rate_mhz, kept);
    if (telling->told_ns ? !differs(telling->told_ns, progress->period_ns) : !is_lower)
        return;
    if (telling->told_ns)
        size = snprintf(text, sizeof(text), "cgsnap: %s of %s Hz kept from now on\n", kept, asked);
    else
        size = snprintf(text, sizeof(text),
                        "cgsnap: %s Hz asked, %s kept for --overhead %s; "
                        "--overhead 100 keeps %s\n",
                        asked, kept, decimal(telling->overhead, overhead), asked);
    telling->told_ns = progress->period_ns;
    put_line(telling, text, (size_t)size);
}

static bool is_short(const struct capture_options *options)
{
    return (options->duration_ns && options->duration_ns < SHORT_NS) ||
           (options->round_count &&
            options->round_count < SHORT_NS / 1000000000 * options->rate_mhz / 1000);
}

void telling_begin(struct capture_telling *telling, struct settings *set)
{
    *telling = (struct capture_telling){.fd = -1,
                                        .rate_mhz = set->capture.rate_mhz,
                                        .overhead = set->capture.overhead};
    if (set->quiet)
        return;
    set->capture.watch_rate = tell_rate;
    set->capture.watch_context = telling;
    if (!isatty(STDERR_FILENO))
        return;
    telling->fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (telling->fd >= 0 && !set->capture.command && !is_short(&set->capture))
        set->capture.watch = tell;
}

void telling_end(struct capture_telling *telling)
{
    if (telling->fd < 0)
        return;
    progress_line_erase(&telling->line, telling->fd);
    close(telling->fd);
    telling->fd = -1;
}
