/* SPDX-License-Identifier: MIT */
#include "base/shortage.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct diag first; /* the note that is kept; what[0] is 0: none */

/* Calls nothing that allocates: an allocation may be what has failed. */
void shortage_note(const char *file, int error)
{
    const int saved_errno = errno;

    pthread_mutex_lock(&lock);
    if (!first.what[0] || (file && !first.file[0]))
        diag_set(&first, file, "%s",
                 error == ENOMEM ? "out of memory" : strerror(error ? error : EIO));
    pthread_mutex_unlock(&lock);
    errno = saved_errno;
}

void shortage_note_open(const char *file, int error)
{
    /* Another process's file. */
    if (error == EACCES && strncmp(file, "/proc/", strlen("/proc/")) == 0)
        return;
    if (error != ENOENT && error != ENOTDIR && error != ELOOP && error != ENAMETOOLONG &&
        error != ENXIO && error != ENODEV)
        shortage_note(file, error);
}

bool shortage_told(struct diag *diag)
{
    bool told;

    pthread_mutex_lock(&lock);
    told = first.what[0];
    if (told) {
        *diag = first;
        diag_hint(diag, "the output may be incomplete");
    }
    pthread_mutex_unlock(&lock);
    return told;
}
