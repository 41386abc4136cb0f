/* SPDX-License-Identifier: MIT */
/*
 * What somebody would try who has taken a process over. confined.py loads it by LD_PRELOAD. It acts
 * in a function of a library that is called while hostile bytes are looked at: elf_memory, for
 * MISBEHAVE_IN=parser; agfstnode in the process that draws, for MISBEHAVE_IN=drawing; write in the
 * process that reads debug information, for MISBEHAVE_IN=reader. To the file MISBEHAVE_REPORT,
 * which it maps at the start, it writes a line for each thing that it tries:
 *
 *     WHAT done|ERRNO
 *
 * MISBEHAVE_DIRECTORY has what it tries it on, MISBEHAVE_PORT is of a listening socket and
 * MISBEHAVE_PID of a process.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define REPORT_SIZE 65536

static char *report; /* the end of what is written */

__attribute__((constructor)) static void begin(void)
{
    int fd = open(getenv("MISBEHAVE_REPORT"), O_RDWR);

    report = mmap(NULL, REPORT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || report == MAP_FAILED)
        _exit(99);
    close(fd);
}

static void say(const char *what, long result)
{
    report += sprintf(report, "%s %s\n", what, result >= 0 ? "done" : strerrorname_np(errno));
}

static const char *in(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof(path), "%s/%s", getenv("MISBEHAVE_DIRECTORY"), name);
    return path;
}

static void close_if_open(long fd)
{
    if (fd >= 0)
        close((int)fd);
}

static void try_open(const char *what, const char *name, int flags)
{
    long fd = open(in(name), flags, 0644);

    say(what, fd);
    close_if_open(fd);
}

/* Of a pipe that can be read: writing into it, and signals when there is something to read. */
static void try_pipe(const void *how, size_t size)
{
    char path[32];
    int fds[2];
    long fd;

    if (pipe(fds) != 0)
        return;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
    fd = syscall(SYS_openat2, AT_FDCWD, path, how, size);
    say("openat2-pipe", fd);
    close_if_open(fd);
    fd = open(path, O_WRONLY);
    say("write-pipe", fd);
    close_if_open(fd);
    say("async", fcntl(fds[0], F_SETFL, O_ASYNC));
    close(fds[0]);
    close(fds[1]);
}

static void try_files(void)
{
    struct {
        uint64_t flags, mode, resolve;
    } how = {.flags = O_WRONLY};
    char from[4096];
    long fd;

    try_open("write", "victim", O_WRONLY);
    try_open("write-truncating", "victim", O_WRONLY | O_TRUNC);
    try_open("read-truncating", "victim", O_RDONLY | O_TRUNC);
    try_open("append", "victim", O_WRONLY | O_APPEND);
    try_open("read-write", "victim", O_RDWR);
    try_open("create", "created", O_WRONLY | O_CREAT);
    try_open("create-empty", "created-empty", O_RDONLY | O_CREAT);
    try_open("unnamed", "", O_TMPFILE | O_RDWR);
    fd = syscall(SYS_openat2, AT_FDCWD, in("victim"), &how, sizeof(how));
    say("openat2", fd);
    close_if_open(fd);
    try_pipe(&how, sizeof(how));
    say("truncate", truncate(in("victim"), 1));
    say("chmod", chmod(in("victim"), 0600));
    say("chown", chown(in("victim"), 12345, (gid_t)-1));
    say("mkdir", mkdir(in("made"), 0755));
    say("symlink", symlink("victim", in("linked")));
    say("unlink", unlink(in("goner")));
    strcpy(from, in("moved"));
    say("link", link(from, in("hard")));
    say("rename", rename(from, in("moved-away")));
    say("memory-file", syscall(SYS_memfd_create, "x", 0));
}

static void try_network(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    int tcp = socket(AF_INET, SOCK_STREAM, 0), unix_fd;

    address.sin_port = htons((uint16_t)atoi(getenv("MISBEHAVE_PORT")));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    say("socket", tcp);
    say("connect", connect(tcp, (struct sockaddr *)&address, sizeof(address)));
    unix_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    strcpy(local.sun_path, in("socket"));
    say("connect-unix", connect(unix_fd, (struct sockaddr *)&local, sizeof(local)));
    close_if_open(tcp);
    close_if_open(unix_fd);
}

static long wait_for(pid_t pid)
{
    int status = -1;

    if (pid < 0)
        return -1;
    waitpid(pid, &status, 0);
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
    return errno == 0 ? 0 : -1;
}

static void try_processes(void)
{
    char *const arguments[] = {(char *)"/bin/true", NULL}, *const none[] = {NULL};
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    say("fork", wait_for(pid));
    pid = vfork();
    if (pid == 0) {
        execve(arguments[0], arguments, none);
        _exit(errno);
    }
    say("execute-in-child", wait_for(pid));
    say("kill", kill((pid_t)atoi(getenv("MISBEHAVE_PID")), SIGCONT));
    say("attach", syscall(SYS_ptrace, PTRACE_SEIZE, atoi(getenv("MISBEHAVE_PID")), 0, 0));
    say("io_uring", syscall(SYS_io_uring_setup, 1, in("")));
}

/* What the kernel itself has looked at, whatever it found, nobody has forbidden. */
static void say_reached(const char *what, long result)
{
    if (result < 0 && errno != EPERM && errno != EACCES && errno != ENOSYS)
        result = 0;
    say(what, result);
}

static void try_other_process(void)
{
    const pid_t pid = (pid_t)atoi(getenv("MISBEHAVE_PID"));
    char byte = 0;
    struct iovec own = {&byte, 1}, other = {(void *)(uintptr_t)4096, 1};
    struct rlimit core = {0}, files = {0};

    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_NOFILE, &files);
    say_reached("read-memory", process_vm_readv(pid, &own, 1, &other, 1, 0));
    say_reached("write-memory", process_vm_writev(pid, &own, 1, &other, 1, 0));
    say_reached("signal-thread", syscall(SYS_tgkill, pid, pid, 0));
    say_reached("queue-signal", syscall(SYS_rt_sigqueueinfo, pid, 0, NULL));
    say_reached("pidfd", syscall(SYS_pidfd_open, pid, 0));
    say_reached("set-limit", prlimit(pid, RLIMIT_CORE, NULL, &(struct rlimit){0}));
    say_reached("set-own-limit", prlimit(0, RLIMIT_NOFILE, &files, NULL));
    errno = EPERM;
    say("core-file", core.rlim_max > 0 ? 0 : -1);
    say_reached("set-owner", fcntl(STDERR_FILENO, F_SETOWN, pid));
    say_reached("type", ioctl(STDERR_FILENO, TIOCSTI, "x"));
}

static void try_kernel(void)
{
    say_reached("bpf", syscall(SYS_bpf, 0, NULL, 0));
    say_reached("perf", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    say_reached("user-faults", syscall(SYS_userfaultfd, 1 << 30));
    say_reached("keys", syscall(SYS_keyctl, 0, -3, 0));
    say_reached("namespace", unshare(0));
    say_reached("other-namespace", setns(-1, 0));
    say_reached("clone3", syscall(SYS_clone3, NULL, 0));
    say_reached("mount", syscall(SYS_mount, NULL, NULL, NULL, 0, NULL));
    say_reached("attribute", setxattr(in("victim"), "user.x", "x", 1, 0));
    say_reached("node", mknod(in("node"), S_IFIFO | 0600, 0));
}

#ifdef __x86_64__
static sigjmp_buf no_table;

static long by_old_table(long number)
{
    long result;

    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number) : "memory", "r8", "r9", "r10", "r11");
    return result;
}

static void on_fault(int sig)
{
    siglongjmp(no_table, sig);
}

/* By the tables of calls that a 64-bit program does not use; 20 is getpid, and 39. */
static void try_tables(void)
{
    volatile long result = -1;

    errno = ENOSYS;
    say("x32", syscall(0x40000000 + 39));
    signal(SIGSEGV, on_fault);
    if (sigsetjmp(no_table, 1) == 0)
        result = by_old_table(20);
    signal(SIGSEGV, SIG_DFL);
    errno = EPERM;
    say("int80", result);
}
#else
static void try_tables(void)
{
}
#endif

/* Is a connection accepted there, or waited for? */
static int listens(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    int is_listening, accepted;

    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    accepted = accept4(fd, NULL, NULL, 0);
    is_listening = accepted >= 0 || errno == EAGAIN;
    fcntl(fd, F_SETFL, flags);
    close_if_open(accepted);
    return is_listening;
}

/* A socket that listens is one that can connect, once it is shut down. */
static void try_sockets(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET}, none = {.sin_family = AF_UNSPEC};
    long connected = -1, changed = -1, accepted = -1;
    struct stat st;

    address.sin_port = htons((uint16_t)atoi(getenv("MISBEHAVE_PORT")));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    errno = EPERM;
    for (int fd = 0; fd < 4096; fd++) {
        int on = 1;

        if (fstat(fd, &st) != 0 || !S_ISSOCK(st.st_mode))
            continue;
        if (listens(fd))
            accepted = 0;
        if (setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &on, sizeof(on)) == 0)
            changed = 0;
        if (connect(fd, (struct sockaddr *)&none, sizeof(none)) == 0)
            changed = 0;
        shutdown(fd, SHUT_RD);
        if (sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (struct sockaddr *)&address,
                   sizeof(address)) > 0)
            connected = 0;
    }
    errno = EPERM;
    say("fast-open", connected);
    say("change-socket", changed);
    say("accept", accepted);
}

/* The process goes on as another program where that is permitted: the last thing to try. */
static void try_exec(void)
{
    char *const arguments[] = {(char *)"/bin/true", NULL}, *const none[] = {NULL};
    char *before = report;

    say("execute", 0);
    execve(arguments[0], arguments, none);
    report = before;
    say("execute", -1);
}

/* What was opened for others: an input, an output, a socket to who opens outputs. */
static void try_descriptors(void)
{
    struct stat st;
    long found = -1;

    for (int fd = 0; fd < 4096; fd++)
        if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode)))
            found = fd;
    errno = EBADF;
    say("descriptor", found);
}

/* Any device but those that programs need. */
static void try_device(void)
{
    long fd = open("/dev/full", O_RDONLY);

    say("device", fd);
    close_if_open(fd);
}

static void misbehave(void)
{
    static int begun;

    if (begun++)
        return;
    try_descriptors();
    try_open("read", "victim", O_RDONLY);
    try_device();
    try_files();
    try_network();
    try_processes();
    try_other_process();
    try_kernel();
    try_tables();
    try_sockets();
    try_exec();
}

__attribute__((visibility("default"))) void *elf_memory(char *image, size_t size)
{
    void *(*next)(char *, size_t);

    *(void **)&next = dlsym(RTLD_NEXT, "elf_memory");
    if (strcmp(getenv("MISBEHAVE_IN"), "parser") == 0)
        misbehave();
    return next(image, size);
}

/* The reader does not even learn its PID. */
__attribute__((visibility("default"))) ssize_t write(int fd, const void *bytes, size_t size)
{
    if (strcmp(getenv("MISBEHAVE_IN"), "reader") == 0 && syscall(SYS_getpid) < 0)
        misbehave();
    return syscall(SYS_write, fd, bytes, size);
}

/* What draws is loaded where RTLD_NEXT does not look. */
__attribute__((visibility("default"))) void *agfstnode(void *graph)
{
    void *library = dlopen(CG_CGRAPH_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    void *(*next)(void *);

    *(void **)&next = dlsym(library, "agfstnode");
    if (strcmp(getenv("MISBEHAVE_IN"), "drawing") == 0)
        misbehave();
    return next(graph);
}
