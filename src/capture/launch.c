#include "capture/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/mappings.h"
#include "capture/stops.h"

/*
 *     we                                   the child
 *     fork                                 waits for a byte on `go`
 *     PTRACE_SEIZE, write the byte   --->  exec
 *     wait for the exec event        <---  or writes errno to `failed`
 *
 * If we are killed before, the child reads end-of-file and goes away.
 */
struct pipes {
    int go[2], failed[2];
};

static _Noreturn void child(const struct pipes *pipes, char *const *command)
{
    char byte;
    int error;

    close(pipes->go[1]);
    if (read(pipes->go[0], &byte, 1) != 1)
        _exit(127);
    execvp(command[0], command);
    error = errno;
    (void)!write(pipes->failed[1], &error, sizeof(error));
    _exit(127);
}

static bool open_pipes(struct pipes *pipes)
{
    if (pipe2(pipes->go, O_CLOEXEC) != 0)
        return false;
    if (pipe2(pipes->failed, O_CLOEXEC) == 0)
        return true;
    close(pipes->go[0]);
    close(pipes->go[1]);
    return false;
}

/*
 * Until the exec: signals are passed on, group stops honoured. False when the child ended instead.
 */
static bool wait_for_exec(pid_t pid)
{
    int status;

    for (;;) {
        if (waitpid(pid, &status, __WALL) != pid) {
            if (errno == EINTR)
                continue;
            return false;
        }
        if (!WIFSTOPPED(status))
            return false;
        if (status >> 16 == PTRACE_EVENT_EXEC)
            return true;
        if (status >> 16 == PTRACE_EVENT_STOP && WSTOPSIG(status) != SIGTRAP)
            ptrace(PTRACE_LISTEN, pid, NULL, NULL);
        else
            ptrace(PTRACE_CONT, pid, NULL, (long)(status >> 16 ? 0 : WSTOPSIG(status)));
    }
}

static enum status run_to_exec(struct capture *cap, const struct pipes *pipes)
{
    const char *name = cap->options.command[0];
    int error = 0;

    if (ptrace(PTRACE_SEIZE, cap->command, NULL, stops_options(cap)) != 0) {
        session_fail(cap, STATUS_IO, "cannot trace the command: %s", strerror(errno));
        diag_hint(&cap->diag,
                  "a container or a security module forbids ptrace: start the container "
                  "with --cap-add=SYS_PTRACE");
        return cap->status;
    }
    if (write(pipes->go[1], "g", 1) == 1 && wait_for_exec(cap->command))
        return STATUS_OK;
    cap->command = 0;
    if (fcntl(pipes->failed[0], F_SETFL, O_NONBLOCK) == 0 &&
        read(pipes->failed[0], &error, sizeof(error)) == sizeof(error))
        session_fail(cap, STATUS_IO, "cannot run %s: %s", name, strerror(error));
    else
        session_fail(cap, STATUS_IO, "%s ended before it began", name);
    return cap->status;
}

enum status attach_command(struct capture *cap)
{
    struct process *process;
    struct thread *thread;
    struct pipes pipes;
    enum status status;

    if (!open_pipes(&pipes) || (cap->command = fork()) < 0) {
        session_fail(cap, STATUS_IO, "cannot start a process: %s", strerror(errno));
        return cap->status;
    }
    if (cap->command == 0)
        child(&pipes, cap->options.command);
    close(pipes.go[0]);
    close(pipes.failed[1]);
    status = run_to_exec(cap, &pipes);
    close(pipes.go[1]);
    close(pipes.failed[0]);
    if (status == STATUS_OK)
        status = attach_backend(cap, cap->command);
    if (status == STATUS_OK)
        status = attach_verify(cap, cap->command);
    if (status != STATUS_OK)
        return status;
    process = process_add(cap, cap->command);
    thread = process ? thread_add(cap, process, cap->command) : NULL;
    if (!thread)
        return cap->status;
    mappings_read(process, thread->tid);
    /* Its first sample is taken in this stop, by stops_release. */
    thread->before.state = 'R';
    thread->asked = true;
    thread->asked_ns = session_now();
    thread->held = true;
    thread->held_ns = thread->asked_ns;
    cap->asked++;
    return STATUS_OK;
}
