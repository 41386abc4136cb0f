/* SPDX-License-Identifier: MIT */
#include "fetch/fetcher.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/helper.h"

#define SLOW_MS      1000
#define AGAIN_MS     10000 /* between progress reports at a terminal */
#define FAILURES_MAX 3     /* a network that drops questions takes 90 s for each */
/* Caps of a file: bytes (the environment may lower it), and seconds. */
#define BYTES_MAX   (UINT64_C(2) << 30)
#define SECONDS_MAX "900"

struct fetcher {
    struct helper helper;  /* of packets */
    fetcher_slow_fn *slow; /* may be NULL */
    pthread_mutex_t lock;
    char directory[PATH_MAX];
};

struct question {
    uint8_t kind, size; /* enum fetch_kind */
    uint8_t id[FETCHER_ID_MAX];
};

/*
 * libdebuginfod, loaded only where servers are asked. The declarations are those of
 * elfutils/debuginfod.h, which need not be installed.
 */
typedef struct debuginfod_client debuginfod_client;
struct library {
    debuginfod_client *(*begin)(void);
    int (*find_debuginfo)(debuginfod_client *client, const unsigned char *id, int size,
                          char **path);
    int (*find_executable)(debuginfod_client *client, const unsigned char *id, int size,
                           char **path);
    void (*set_progressfn)(debuginfod_client *client,
                           int (*progress)(debuginfod_client *client, long done, long of));
};

/* State of the helper, which has one thread, for the library's calls of progress(). */
static struct {
    pid_t parent;
    fetcher_slow_fn *slow; /* NULL: no reports */
    const struct question *question;
    int64_t tell_ms;   /* when to report next, by clock_now_ms() */
    unsigned failures; /* questions so far that no server answered with yes or no */
} fetching;

#ifdef CG_DEBUGINFOD_SONAME
static bool load(struct library *library, struct diag *why)
{
    void *handle = dlopen(CG_DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"debuginfod_begin", &library->begin},
        {"debuginfod_find_debuginfo", &library->find_debuginfo},
        {"debuginfod_find_executable", &library->find_executable},
        {"debuginfod_set_progressfn", &library->set_progressfn},
    };
    bool whole = handle != NULL;

    for (size_t i = 0; whole && i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *function = dlsym(handle, functions[i].name);

        whole = function != NULL;
        memcpy(functions[i].place, &function, sizeof(function));
    }
    if (whole)
        return true;
    diag_set(why, NULL, "debuginfod servers cannot be asked: %s", dlerror());
    diag_hint(why, "install libdebuginfod1");
    return false;
}
#else
static bool load(struct library *library, struct diag *why)
{
    (void)library;
    diag_set(why, NULL, "debuginfod servers cannot be asked: cgunwind was built without that");
    diag_hint(why, "a static program cannot; others can, with -DCG_DEBUGINFOD=ON");
    return false;
}
#endif

static void tell(fetcher_slow_fn *slow, const struct question *question, long done, long of)
{
    char id[2 * FETCHER_ID_MAX + 1] = "";

    for (unsigned i = 0; i < question->size; i++)
        snprintf(id + (size_t)2 * i, 3, "%02x", question->id[i]);
    slow(question->kind == FETCH_DEBUG ? "debug file" : "file", id, done > 0 ? (uint64_t)done : 0,
         of > 0 ? (uint64_t)of : 0);
}

/* Called now and then while bytes come. Not 0: stops, since the parent is gone. */
static int progress(debuginfod_client *client, long done, long of)
{
    (void)client;
    if (fetching.slow && clock_now_ms() >= fetching.tell_ms) {
        fetching.tell_ms = clock_now_ms() + AGAIN_MS;
        tell(fetching.slow, fetching.question, done, of);
    }
    return getppid() != fetching.parent;
}

static char *find(const struct library *library, debuginfod_client *client,
                  const struct question *question)
{
    const bool debug = question->kind == FETCH_DEBUG;
    char *path = NULL;
    int fd;

    fetching.question = question;
    fetching.tell_ms = clock_now_ms() + AGAIN_MS;
    fd = (debug ? library->find_debuginfo : library->find_executable)(client, question->id,
                                                                      question->size, &path);
    fetching.failures += fd < 0 && fd != -ENOENT;
    if (fd < 0)
        return NULL;
    close(fd);
    return path;
}

/*
 * The library refuses files that are larger by the server's word. RLIMIT_FSIZE bounds those of a
 * server that gives no size.
 */
static void bound_answers(void)
{
    const char *given = getenv("DEBUGINFOD_MAXSIZE");
    uint64_t bytes = given ? strtoull(given, NULL, 10) : 0;
    struct rlimit limit;
    char text[24];

    if (bytes == 0 || bytes > BYTES_MAX)
        bytes = BYTES_MAX;
    limit = (struct rlimit){bytes, bytes};
    (void)!setrlimit(RLIMIT_FSIZE, &limit);
    snprintf(text, sizeof(text), "%" PRIu64, bytes);
    setenv("DEBUGINFOD_MAXSIZE", text, 1);
    setenv("DEBUGINFOD_MAXTIME", SECONDS_MAX, 0);
}

/* The library takes an identifier without a size for text, and makes a path of it. */
static bool is_question(const struct question *question)
{
    return (question->kind == FETCH_DEBUG || question->kind == FETCH_EXECUTABLE) &&
           question->size > 0 && question->size <= FETCHER_ID_MAX;
}

/* The helper: runs until the program that it serves ends. */
static void serve(void *context, int socket)
{
    const struct library *library = context;
    debuginfod_client *client;
    struct question question;

    bound_answers();
    client = library->begin();
    if (client)
        library->set_progressfn(client, progress);
    while (recv(socket, &question, sizeof(question), 0) == sizeof(question) &&
           is_question(&question)) {
        char *path =
            client && fetching.failures < FAILURES_MAX ? find(library, client, &question) : NULL;

        (void)!send(socket, path ? path : "", path ? strlen(path) : 1, MSG_NOSIGNAL);
        free(path);
    }
}

/* Finds the directory that libdebuginfod uses (debuginfod_find_debuginfo(3)). */
static void find_directory(char directory[PATH_MAX])
{
    const char *given = getenv("DEBUGINFOD_CACHE_PATH"), *home = getenv("HOME");
    const char *base = getenv("XDG_CACHE_HOME");
    struct stat st;

    if (given && given[0]) {
        snprintf(directory, PATH_MAX, "%s", given);
        return;
    }
    snprintf(directory, PATH_MAX, "%s/.debuginfod_client_cache", home ? home : "");
    if (stat(directory, &st) == 0 && S_ISDIR(st.st_mode))
        return;
    if (base)
        snprintf(directory, PATH_MAX, "%s/debuginfod_client", base);
    else
        snprintf(directory, PATH_MAX, "%s/.cache/debuginfod_client", home ? home : "");
}

static enum status begin(struct fetcher *fetcher, struct library *library, struct diag *why)
{
    static const int keep[] = {STDERR_FILENO};
    const struct helper_tie tie = {.keep = keep, .keep_count = 1};
    enum status status;

    fetching.parent = getpid();
    status = helper_start(&fetcher->helper, SOCK_SEQPACKET, &tie, serve, library);
    if (status != STATUS_OK)
        diag_set(why, NULL, "debuginfod servers cannot be asked: %s", strerror(errno));
    return status;
}

enum status fetcher_begin(const char *urls, fetcher_slow_fn *slow, struct fetcher **out,
                          struct diag *why)
{
    const char *servers = urls ? urls : getenv("DEBUGINFOD_URLS");
    struct library library;
    struct fetcher *fetcher;
    enum status status;

    if (!servers || !servers[strspn(servers, " ")])
        return STATUS_NOT_FOUND;
    if (urls && setenv("DEBUGINFOD_URLS", urls, 1) != 0)
        return STATUS_NO_MEMORY;
    if (!load(&library, why))
        return STATUS_UNSUPPORTED;
    fetcher = calloc(1, sizeof(*fetcher));
    if (!fetcher)
        return STATUS_NO_MEMORY;
    fetching.slow = isatty(STDERR_FILENO) ? slow : NULL;
    fetcher->slow = slow;
    find_directory(fetcher->directory);
    status = begin(fetcher, &library, why);
    if (status != STATUS_OK) {
        free(fetcher);
        return status;
    }
    pthread_mutex_init(&fetcher->lock, NULL);
    *out = fetcher;
    return STATUS_OK;
}

/* The helper ends by itself, even in the midst of a fetch. */
void fetcher_end(struct fetcher *fetcher)
{
    if (!fetcher)
        return;
    close(fetcher->helper.fd);
    pthread_mutex_destroy(&fetcher->lock);
    free(fetcher);
}

const char *fetcher_directory(const struct fetcher *fetcher)
{
    return fetcher->directory;
}

/*
 * Sends a question and reads the answer; returns its bytes, negative: the helper is gone. Reports a
 * slow answer here, since not all versions of the library call progress() while nothing comes.
 */
static ssize_t ask(const struct fetcher *fetcher, const struct question *question, char *answer,
                   size_t size)
{
    struct pollfd poller = {.fd = fetcher->helper.fd, .events = POLLIN};
    ssize_t n;

    do
        n = send(fetcher->helper.fd, question, sizeof(*question), MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)sizeof(*question))
        return -1;
    if (fetcher->slow && poll(&poller, 1, SLOW_MS) == 0)
        tell(fetcher->slow, question, 0, 0);
    do
        n = read(fetcher->helper.fd, answer, size);
    while (n < 0 && errno == EINTR);
    return n;
}

char *fetcher_find(struct fetcher *fetcher, enum fetch_kind kind, const uint8_t *build_id,
                   size_t size)
{
    struct question question = {.kind = (uint8_t)kind, .size = (uint8_t)size};
    char path[PATH_MAX];
    ssize_t n;

    if (size == 0 || size > FETCHER_ID_MAX)
        return NULL;
    memcpy(question.id, build_id, size);
    pthread_mutex_lock(&fetcher->lock);
    n = ask(fetcher, &question, path, sizeof(path) - 1);
    pthread_mutex_unlock(&fetcher->lock);
    if (n <= 1)
        return NULL;
    path[n] = '\0';
    return strdup(path);
}
