/* SPDX-License-Identifier: MIT */
#include "boards/gdb/transport.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/target/backend.h"
#include "snapshot/tcp.h"

#define SECOND_NS  UINT64_C(1000000000)
#define CONNECT_NS (10 * SECOND_NS) /* to all of a host's addresses together */
#define WRITE_NS   (5 * SECOND_NS)
#define CLOSE_NS   SECOND_NS
/* Least time to close what was left open when the time was over. */
#define CLOSE_LEAST_NS (SECOND_NS / 10)
/* Pause between looks, if no event tells. */
#define PAUSE_NS (SECOND_NS / 200)

static enum status refuse(struct diag *diag, const char *name, const char *what)
{
    diag_set(diag, name, "%s: %s", what, strerror(errno));
    return STATUS_IO;
}

/* Connects; retries a local socket whose queue is full (EAGAIN). False: errno. */
static bool connect_to(int fd, const struct sockaddr *address, socklen_t size,
                       struct gdb_bound *bound)
{
    while (connect(fd, address, size) != 0 && errno != EISCONN) {
        const bool is_full = errno == EAGAIN;

        if (!is_full && errno != EINPROGRESS && errno != EALREADY)
            return false;
        if (gdb_bound_is_ending(bound) ||
            !gdb_bound_wait(bound, is_full ? -1 : fd, POLLOUT,
                            is_full ? clock_now_ns() + PAUSE_NS : GDB_BOUND_NEVER)) {
            errno = gdb_bound_is_ending(bound) ? ECANCELED : ETIMEDOUT;
            return false;
        }
    }
    return true;
}

/* connect_to within `ns`, with a new socket instead of the last. */
static bool open_connected(struct gdb_transport *out, const void *address, socklen_t size,
                           struct gdb_bound *bound, uint64_t ns)
{
    const uint64_t outer_ns = gdb_bound_begin(bound, ns);
    const struct sockaddr *to = address;
    bool is_connected;

    if (out->fd >= 0)
        close(out->fd);
    out->fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    is_connected = out->fd >= 0 && connect_to(out->fd, to, size, bound);
    gdb_bound_end(bound, outer_ns);
    return is_connected;
}

static enum status open_tcp(struct gdb_transport *out, const char *name, struct gdb_bound *bound,
                            struct diag *diag)
{
    struct tcp_addresses addresses;
    char text[300];
    const int one = 1;
    enum status status;

    snprintf(text, sizeof(text), "%s%s", name[0] == ':' ? "localhost" : "", name);
    status = tcp_parse(text, false, &addresses, diag);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; !out->is_tcp && i < addresses.len; i++)
        out->is_tcp = open_connected(out, &addresses.items[i].storage, addresses.items[i].size,
                                     bound, CONNECT_NS / addresses.len);
    if (!out->is_tcp) {
        status = refuse(diag, name, "cannot connect");
        diag_hint(diag, "is the stub running, and nobody else connected to it?");
        return status;
    }
    setsockopt(out->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    return STATUS_OK;
}

static enum status open_socket(struct gdb_transport *out, const char *name, struct gdb_bound *bound,
                               struct diag *diag)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(name) >= sizeof(address.sun_path)) {
        errno = ENAMETOOLONG;
        return refuse(diag, name, "cannot connect");
    }
    strcpy(address.sun_path, name);
    out->is_local_socket = open_connected(out, &address, sizeof(address), bound, CONNECT_NS);
    return out->is_local_socket ? STATUS_OK : refuse(diag, name, "cannot connect");
}

static enum status open_device(struct gdb_transport *out, const char *name, struct diag *diag)
{
    struct termios settings;

    out->fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (out->fd < 0)
        return refuse(diag, name, "cannot open");
    if (tcgetattr(out->fd, &settings) != 0) {
        diag_set(diag, name, "is no serial device");
        diag_hint(diag, "--gdb takes HOST:PORT, a device, or '| COMMAND'");
        return STATUS_UNSUPPORTED;
    }
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    (void)ioctl(out->fd, TIOCEXCL);
    if (tcsetattr(out->fd, TCSANOW, &settings) != 0)
        return refuse(diag, name, "cannot set up");
    tcflush(out->fd, TCIOFLUSH);
    out->is_device = true;
    return STATUS_OK;
}

static void run(const char *command, int fd)
{
    sigset_t none;

    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int signal_number = 1; signal_number < 32; signal_number++)
        (void)signal(signal_number, SIG_DFL);
    if (dup2(fd, STDIN_FILENO) >= 0 && dup2(fd, STDOUT_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static enum status open_command(struct gdb_transport *out, const char *name, struct diag *diag)
{
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
        return refuse(diag, name, "cannot make a pipe");
    out->fd = fds[0];
    out->pid = fork();
    if (out->pid == 0)
        run(name, fds[1]);
    close(fds[1]);
    if (out->pid < 0) {
        out->pid = 0;
        return refuse(diag, name, "cannot start a process");
    }
    setpgid(out->pid, out->pid);
    return STATUS_OK;
}

static enum status open_named(struct gdb_transport *out, const char *name, struct gdb_bound *bound,
                              struct diag *diag)
{
    struct stat about;

    if (name[0] == '|')
        return open_command(out, name + 1 + strspn(name + 1, " "), diag);
    if (strchr(name, '/') && stat(name, &about) == 0 && S_ISSOCK(about.st_mode))
        return open_socket(out, name, bound, diag);
    return strchr(name, '/') ? open_device(out, name, diag) : open_tcp(out, name, bound, diag);
}

enum status gdb_transport_open(struct gdb_transport *out, const char *name, struct gdb_bound *bound,
                               struct diag *diag)
{
    enum status status;

    *out = (struct gdb_transport){.fd = -1};
    status = open_named(out, name, bound, diag);
    if (status == STATUS_OK && fcntl(out->fd, F_SETFL, O_NONBLOCK) != 0)
        status = refuse(diag, name, "cannot set up");
    if (status != STATUS_OK)
        gdb_transport_close(out, bound);
    return status;
}

/* Waits for half of the time that is left. True: the process has ended. */
static bool has_ended(pid_t pid, struct gdb_bound *bound)
{
    const uint64_t until_ns = clock_now_ns() + gdb_bound_left(bound) / 2;
    pid_t got;

    while ((got = waitpid(pid, NULL, WNOHANG)) == 0 && clock_now_ns() < until_ns)
        (void)gdb_bound_wait(bound, -1, 0, clock_now_ns() + PAUSE_NS);
    return got != 0;
}

/* Waits for the command's end, then sends SIGTERM, then SIGKILL. */
static void end_command(pid_t pid, struct gdb_bound *bound)
{
    if (has_ended(pid, bound))
        return;
    kill(-pid, SIGTERM);
    if (has_ended(pid, bound))
        return;
    kill(-pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}

static bool has_unsent(int fd)
{
    int unsent = 0;

    return ioctl(fd, TIOCOUTQ, &unsent) == 0 && unsent > 0;
}

/* Waits for what a device has not sent, as closing would; drops what is held up. */
static void flush_device(int fd, struct gdb_bound *bound)
{
    while (has_unsent(fd) && gdb_bound_wait(bound, -1, 0, clock_now_ns() + PAUSE_NS)) {
    }
    if (has_unsent(fd)) /* else a pty would lose what was not read yet */
        tcflush(fd, TCOFLUSH);
}

void gdb_transport_close(struct gdb_transport *transport, struct gdb_bound *bound)
{
    const uint64_t outer_ns = gdb_bound_begin(bound, CLOSE_NS);

    gdb_bound_leave(bound, CLOSE_LEAST_NS);
    if (transport->is_device)
        flush_device(transport->fd, bound);
    if (transport->fd >= 0)
        close(transport->fd);
    if (transport->pid)
        end_command(transport->pid, bound);
    gdb_bound_end(bound, outer_ns);
    *transport = (struct gdb_transport){.fd = -1};
}

ssize_t gdb_transport_read(struct gdb_transport *transport, void *bytes, size_t size)
{
    const ssize_t n = read(transport->fd, bytes, size);

    if (n > 0)
        return n;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n == 0)
        errno = 0;
    return -1;
}

bool gdb_transport_write(struct gdb_transport *transport, const void *bytes, size_t size,
                         struct gdb_bound *bound)
{
    const uint64_t outer_ns = gdb_bound_begin(bound, WRITE_NS);
    const uint8_t *at = bytes;
    ssize_t n = 0;

    while (size && ((n = write(transport->fd, at, size)) > 0 ||
                    ((errno == EAGAIN || errno == EINTR) &&
                     gdb_bound_wait(bound, transport->fd, POLLOUT, GDB_BOUND_NEVER)))) {
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    gdb_bound_end(bound, outer_ns);
    if (size && errno == EAGAIN)
        errno = ETIMEDOUT;
    return size == 0;
}

#define PROC_ADDRESS_MAX 48
#define V4_IN_V6         "0000000000000000FFFF0000" /* ::ffff:0:0/96 in /proc/net/tcp6 */

/*
 * Writes address and port as /proc/net/tcp (`in_v4`) and tcp6 do, words of the address as numbers:
 *
 *     0100007F:1F90    0000000000000000FFFF00000100007F:1F90
 *
 * Empty: the address is not of that kind.
 */
static void print_as_proc(const struct sockaddr_storage *address, bool in_v4,
                          char out[PROC_ADDRESS_MAX])
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    const bool is_v6 = address->ss_family == AF_INET6;
    uint32_t words[4] = {0};

    out[0] = '\0';
    if (is_v6)
        memcpy(words, &v6->sin6_addr, sizeof(words));
    else if (address->ss_family == AF_INET)
        words[3] = v4->sin_addr.s_addr;
    if (!is_v6 || IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr))
        snprintf(out, PROC_ADDRESS_MAX, "%s%08" PRIX32 ":%04X", in_v4 ? "" : V4_IN_V6, words[3],
                 (unsigned)ntohs(is_v6 ? v6->sin6_port : v4->sin_port));
    else if (!in_v4)
        snprintf(out, PROC_ADDRESS_MAX, "%08" PRIX32 "%08" PRIX32 "%08" PRIX32 "%08" PRIX32 ":%04X",
                 words[0], words[1], words[2], words[3], (unsigned)ntohs(v6->sin6_port));
}

/* Returns the inode of our peer's socket, by /proc/net/tcp or tcp6; 0: not there. */
static unsigned long peer_inode(const struct sockaddr_storage *local,
                                const struct sockaddr_storage *peer, bool in_v4)
{
    char ours[PROC_ADDRESS_MAX], theirs[PROC_ADDRESS_MAX];
    char from[PROC_ADDRESS_MAX], to[PROC_ADDRESS_MAX], line[512];
    FILE *file = fopen(in_v4 ? "/proc/net/tcp" : "/proc/net/tcp6", "re");
    unsigned long inode = 0;

    print_as_proc(local, in_v4, ours);
    print_as_proc(peer, in_v4, theirs);
    while (file && !inode && fgets(line, sizeof(line), file))
        if (sscanf(line, " %*u: %47s %47s %*x %*x:%*x %*x:%*x %*x %*u %*u %lu", from, to, &inode) !=
                3 ||
            strcmp(from, theirs) != 0 || strcmp(to, ours) != 0)
            inode = 0;
    if (file)
        fclose(file);
    return inode;
}

static bool has_socket(const char *pid, const char *wanted)
{
    char path[64], link[64];
    struct dirent *entry;
    bool found = false;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
    dir = opendir(path);
    while (dir && !found && (entry = readdir(dir))) {
        const ssize_t n = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);

        link[n > 0 ? n : 0] = '\0';
        found = strcmp(link, wanted) == 0;
    }
    if (dir)
        closedir(dir);
    return found;
}

static pid_t holder_of(unsigned long inode)
{
    char wanted[64];
    struct dirent *entry;
    pid_t pid = 0;
    DIR *dir = opendir("/proc");

    snprintf(wanted, sizeof(wanted), "socket:[%lu]", inode);
    while (dir && !pid && (entry = readdir(dir)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && has_socket(entry->d_name, wanted))
            pid = (pid_t)strtol(entry->d_name, NULL, 10);
    if (dir)
        closedir(dir);
    return pid;
}

pid_t gdb_transport_peer(const struct gdb_transport *transport)
{
    struct sockaddr_storage local = {0}, peer = {0};
    socklen_t local_size = sizeof(local), peer_size = sizeof(peer);
    struct ucred credentials;
    socklen_t size = sizeof(credentials);
    unsigned long inode;

    if (transport->is_local_socket)
        return getsockopt(transport->fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0
                   ? credentials.pid
                   : 0;
    if (!transport->is_tcp ||
        getsockname(transport->fd, (struct sockaddr *)&local, &local_size) != 0 ||
        getpeername(transport->fd, (struct sockaddr *)&peer, &peer_size) != 0)
        return 0;
    inode = peer_inode(&local, &peer, true);
    if (!inode)
        inode = peer_inode(&local, &peer, false);
    return inode ? holder_of(inode) : 0;
}
