/* The formats of cgunwind that tell of threads: from the history that they share to what is asked for. */
#include "cgunwind.h"
#include "threads/report.h"
#include "threads/threads_text.h"

static enum status on_process(void *context, const struct snap_process *process)
{
    return history_process(context, process);
}

static enum status on_thread(void *context, const struct snap_thread *thread)
{
    return history_thread(context, thread);
}

static enum status on_thread_end(void *context, const struct snap_thread *thread)
{
    return history_thread_end(context, thread);
}

static enum status on_sample(void *context, const struct ingest_sample *sample)
{
    return history_sample(context, sample);
}

static enum status on_creation(void *context, const struct ingest_creation *creation)
{
    return history_creation(context, creation);
}

struct ingest_sink threads_sink(struct history *history)
{
    return (struct ingest_sink){.process = on_process,
                                .thread = on_thread,
                                .thread_end = on_thread_end,
                                .sample = on_sample,
                                .creation = on_creation,
                                .context = history};
}

typedef enum status report_writer(const struct report *report, FILE *out);

/* The formats that tell who the threads are. */
static enum status write_report(const struct threads_facts *facts, report_writer *write, FILE *out)
{
    struct report report = {
        .history = facts->history,
        .profile = facts->profile,
        .title = facts->title,
        .is_core = facts->is_core,
        .verbose = facts->options->verbose,
    };
    enum status status = report_prepare(&report, &facts->options->filter);

    if (status == STATUS_OK)
        status = write(&report, out);
    report_deinit(&report);
    return status;
}

enum status threads_write(const struct threads_facts *facts, FILE *out, struct diag *diag)
{
    switch (facts->options->format) {
    case THREADS:
        return write_report(facts, threads_text_write, out);
    default:
        diag_set(diag, NULL, "this format is not there yet");
        return STATUS_UNSUPPORTED;
    }
}
