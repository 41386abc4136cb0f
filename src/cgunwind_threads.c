/* The formats of cgunwind that tell of threads: from the history that they share to what is asked for. */
#include "cgunwind.h"

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

enum status threads_write(const struct threads_facts *facts, FILE *out, struct diag *diag)
{
    (void)out;
    switch (facts->options->format) {
    default:
        diag_set(diag, NULL, "this format is not there yet");
        return STATUS_UNSUPPORTED;
    }
}
