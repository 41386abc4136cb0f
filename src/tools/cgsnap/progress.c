/* SPDX-License-Identifier: MIT */
#include "tools/cgsnap/progress.h"

#include <fcntl.h>
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

static bool is_short(const struct capture_options *options)
{
    return (options->duration_ns && options->duration_ns < SHORT_NS) ||
           (options->round_count &&
            options->round_count < SHORT_NS / 1000000000 * options->rate_mhz / 1000);
}

void telling_begin(struct capture_telling *telling, struct settings *set)
{
    *telling = (struct capture_telling){.fd = -1, .rate_mhz = set->capture.rate_mhz};
    if (set->quiet || set->capture.command || is_short(&set->capture) || !isatty(STDERR_FILENO))
        return;
    telling->fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (telling->fd < 0)
        return;
    set->capture.watch = tell;
    set->capture.watch_context = telling;
}

void telling_end(struct capture_telling *telling)
{
    if (telling->fd < 0)
        return;
    progress_line_erase(&telling->line, telling->fd);
    close(telling->fd);
    telling->fd = -1;
}
