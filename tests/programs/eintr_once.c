/* SPDX-License-Identifier: MIT */
/*
 * Threads that live for one system call and one signal. For most a tracer's stop and the signal
 * fall together: the signals come from another process, which is not traced, at random times, and
 * with --together a thread in vfork makes the tracer hold the others for long.
 *
 *   eintr_once COUNT     COUNT threads of each kind, then "once KIND COUNT WRONG" for each
 *
 *   handled, stopping    wait in epoll_pwait, which alone lets the signal in: it must end with
 *                        EINTR. SIGUSR1, and SIGTSTP, which stops the process unless it is caught.
 *   continued            comes to read(2) by the same instruction as to an epoll_pwait before it;
 *                        SA_RESTART: it must not end with EINTR
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define LATE_MS 2000

enum kind { HANDLED, STOPPING, CONTINUED, KINDS };
static const char *const names[KINDS] = {"handled", "stopping", "continued"};

/* Shared with the process that sends the signals. */
static struct mail {
    volatile pid_t tid; /* not 0: to be sent `signal` after `delay_us` */
    volatile int signal, delay_us;
} * mail;

static volatile int ended, done;
static volatile sig_atomic_t waiting, restarted;
static int wake[2];
static long wrong[KINDS];

/* What the interrupted call has returned, as the handler's frame has it. */
static int result_of(const ucontext_t *context)
{
#if defined(__aarch64__)
    return (int)context->uc_mcontext.regs[0];
#elif defined(__arm__)
    return (int)context->uc_mcontext.arm_r0;
#elif defined(__x86_64__)
    return (int)context->uc_mcontext.gregs[REG_RAX];
#elif defined(__riscv)
    return (int)context->uc_mcontext.__gregs[REG_A0];
#else
    return (int)context->uc_mcontext.gregs[REG_EAX];
#endif
}

/*
 * A call that is to begin again behind the handler would be ended by the tracer's next stop, with
 * the EINTR that it owes to this one: so it is looked at here.
 */
static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    if (waiting && result_of(context) != -EINTR)
        restarted = 1;
}

static _Noreturn void send_signals(pid_t pid)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        if (mail->tid) {
            usleep((useconds_t)mail->delay_us);
            syscall(SYS_tgkill, pid, mail->tid, mail->signal);
            mail->tid = 0;
        }
        usleep(200);
    }
}

static void order(int signal, int delay_us)
{
    mail->signal = signal;
    mail->delay_us = delay_us;
    mail->tid = (pid_t)syscall(SYS_gettid);
}

/* The calls that are compared make use of one instruction. */
static long call(long nr, long a, void *b, long c, long d, void *e)
{
    return syscall(nr, a, b, c, d, e, sizeof(long long));
}

static void wait_for_signal(enum kind kind)
{
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    unsigned long long none = 0;

    epoll_ctl(epoll, EPOLL_CTL_ADD, wake[0], &event);
    order(kind == HANDLED ? SIGUSR1 : SIGTSTP, rand() % 40000);
    restarted = 0;
    waiting = 1;
    if (call(SYS_epoll_pwait, epoll, &event, 1, -1, &none) >= 0 || errno != EINTR || restarted)
        wrong[kind]++;
    waiting = 0;
    close(epoll);
}

static void wait_and_read(void)
{
    int epoll = epoll_create1(0);
    struct epoll_event event;
    sigset_t set;
    char byte;

    call(SYS_epoll_pwait, epoll, &event, 1, 60, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    order(SIGUSR1, 20000);
    if (call(SYS_read, wake[0], &byte, 1, 0, NULL) < 0)
        wrong[CONTINUED]++;
    close(epoll);
}

static void *live(void *arg)
{
    enum kind kind = (enum kind)(long)arg;

    if (kind == CONTINUED)
        wait_and_read();
    else
        wait_for_signal(kind);
    ended = 1;
    return NULL;
}

static void *hold(void *arg)
{
    while (!done) {
        if (vfork() == 0) {
            usleep(30000);
            _exit(0);
        }
        usleep(5000);
    }
    return arg;
}

/* What waits for longer is woken: its signal has not ended the call. */
static void run(enum kind kind)
{
    const int late_ms = kind == CONTINUED ? 150 : LATE_MS;
    pthread_t thread;
    char byte;

    ended = 0;
    pthread_create(&thread, NULL, live, (void *)(long)kind);
    for (int ms = 0; !ended && ms < late_ms; ms++)
        usleep(1000);
    if (!ended) {
        (void)!write(wake[1], "w", 1);
        pthread_join(thread, NULL);
        if (kind != CONTINUED)
            (void)!read(wake[0], &byte, 1);
    } else {
        pthread_join(thread, NULL);
    }
    while (mail->tid)
        usleep(200);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 20;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
    pid_t pid = getpid(), sender;
    pthread_t holder;
    sigset_t set;

    mail = mmap(NULL, sizeof(*mail), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mail == MAP_FAILED || pipe(wake) != 0)
        return 3;
    signal(SIGCHLD, SIG_IGN);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTSTP, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sender = fork();
    if (!sender)
        send_signals(pid);
    pthread_create(&holder, NULL, hold, NULL);
    usleep(300000);
    for (int i = 0; i < count; i++)
        for (enum kind kind = HANDLED; kind < KINDS; kind++)
            run(kind);
    done = 1;
    pthread_join(holder, NULL);
    kill(sender, SIGKILL);
    for (enum kind kind = HANDLED; kind < KINDS; kind++)
        printf("once %s %d %ld\n", names[kind], count, wrong[kind]);
    return 0;
}
