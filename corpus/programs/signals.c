/*
 * Signal handlers: of a signal that a function raises, of one that comes at any moment, on a stack of its own after a
 * fault.
 *
 * chain: in_handler < on_raised < .. < raises < main < ..
 * chain: in_handler < on_timer < .. < busy < main < ..
 * chain: repaired < on_fault < .. < faults < main < ..
 * chain: .. < on_fault < .. < faults < main < ..
 * chain: .. < main < ..
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "common.h"

#define STACK_SIZE 65536
#define PAGE       65536 /* a multiple of any page size here */

static volatile unsigned *page;

KEEP static unsigned in_handler(unsigned value)
{
    return spin(20) + value;
}

KEEP static void on_raised(int signal)
{
    sink = in_handler((unsigned)signal);
    sink = spin(2);
}

KEEP static void on_timer(int signal, siginfo_t *info, void *context)
{
    sink = in_handler((unsigned)signal);
    sink = info && context ? spin(2) : 0;
}

KEEP static unsigned repaired(unsigned value)
{
    return spin(15) + value;
}

KEEP static void on_fault(int signal, siginfo_t *info, void *context)
{
    sink = repaired((unsigned)signal);
    if (mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE) || !info || !context)
        abort();
    sink = spin(2);
}

KEEP static void raises(void)
{
    raise(SIGUSR1);
    sink = spin(2);
}

KEEP static void busy(const sigset_t *timer)
{
    sigprocmask(SIG_UNBLOCK, timer, NULL);
    sink = spin(500);
    if (sigprocmask(SIG_BLOCK, timer, NULL)) /* no jump: the signal may come before it is blocked */
        abort();
}

/* The page is closed to make the store fault: with optimization it is the first instruction. */
KEEP static void faults(void)
{
    *page = 1;
    sink = spin(2);
}

static void install(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_flags = flags};

    if (flags & SA_SIGINFO)
        action.sa_sigaction = (void (*)(int, siginfo_t *, void *))(void (*)(void))handler;
    else
        action.sa_handler = handler;
    if (sigaction(signal, &action, NULL))
        abort();
}

int main(void)
{
    struct itimerval period = {{0, 3000}, {0, 3000}};
    stack_t stack = {.ss_size = STACK_SIZE, .ss_sp = malloc(STACK_SIZE)};
    sigset_t timer;

    sigemptyset(&timer);
    sigaddset(&timer, SIGALRM);
    sigprocmask(SIG_BLOCK, &timer, NULL);
    page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || sigaltstack(&stack, NULL))
        abort();
    install(SIGUSR1, on_raised, 0);
    install(SIGALRM, (void (*)(int))(void (*)(void))on_timer, SA_SIGINFO);
    install(SIGSEGV, (void (*)(int))(void (*)(void))on_fault, SA_SIGINFO | SA_ONSTACK);
    setitimer(ITIMER_REAL, &period, NULL);
    ready();
    while (running) {
        raises();
        busy(&timer);
        if (mprotect((void *)page, PAGE, PROT_NONE))
            abort();
        faults();
    }
}
