#include "threads/wait.h"

#include <stdlib.h>

const char *wait_kind_name(enum wait_kind kind)
{
    (void)kind;
    return "";
}

enum status waits_create(const struct arch *arch, struct module_set *modules, struct names *names,
                         struct waits **out)
{
    (void)arch;
    (void)modules;
    (void)names;
    *out = calloc(1, sizeof(**out));
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

void waits_destroy(struct waits *waits)
{
    free(waits);
}

enum status waits_thread(struct waits *waits, const struct snap_thread *thread)
{
    (void)waits;
    (void)thread;
    return STATUS_OK;
}

void waits_thread_ended(struct waits *waits, uint32_t pid, uint32_t tid)
{
    (void)waits;
    (void)pid;
    (void)tid;
}

enum status waits_find(struct waits *waits, const struct ingest_sample *sample, uint32_t *wait)
{
    (void)waits;
    (void)sample;
    *wait = WAIT_NONE;
    return STATUS_OK;
}
