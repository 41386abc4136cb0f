/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/attach.h"
#include "capture/ptrace/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/ptrace/refusal.h"
#include "capture/ptrace/seize.h"

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

static void explain_error(const char *name, int error, struct diag *diag)
{
    diag_set(diag, NULL, "cannot run %s: %s", name, strerror(error));
    if (error == ENOENT && !name[strspn(name, "0123456789")])
        diag_hint(diag, "a running process is captured with -p %s", name);
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

/* Waits for the exec; passes on signals, honours group stops. False: the child has ended. */
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

static enum status run_to_exec(struct ptrace_state *st, const struct pipes *pipes,
                               struct diag *diag)
{
    const char *name = st->options->command[0];
    int error = 0;

    if (ptrace(PTRACE_SEIZE, st->command, NULL, seize_options(st->options)) != 0)
        return refusal_failed("the command", errno, diag);
    if (write(pipes->go[1], "g", 1) == 1 && wait_for_exec(st->command))
        return STATUS_OK;
    st->command = 0;
    if (fcntl(pipes->failed[0], F_SETFL, O_NONBLOCK) == 0 &&
        read(pipes->failed[0], &error, sizeof(error)) == sizeof(error))
        explain_error(name, error, diag);
    else
        diag_set(diag, NULL, "%s ended before it began", name);
    return STATUS_IO;
}

enum status attach_command(struct ptrace_state *st, struct target_machine *machine,
                           struct diag *diag)
{
    const struct backend_host *host = st->host;
    struct target_process *process;
    struct pipes pipes;
    enum status status;

    if (!open_pipes(&pipes) || (st->command = fork()) < 0) {
        diag_set(diag, NULL, "cannot start a process: %s", strerror(errno));
        st->command = 0;
        return STATUS_IO;
    }
    if (st->command == 0)
        child(&pipes, st->options->command);
    close(pipes.go[0]);
    close(pipes.failed[1]);
    status = run_to_exec(st, &pipes, diag);
    close(pipes.go[1]);
    close(pipes.failed[0]);
    if (status == STATUS_OK)
        status = program_choose(st, st->command, machine, diag);
    if (status == STATUS_OK)
        status = program_verify(st, st->command, diag);
    if (status != STATUS_OK)
        return status;
    process = host->add_process(host->context, st->command, st->command);
    return process && host->add_thread(host->context, process, st->command, false)
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}
