/* SPDX-License-Identifier: MIT */
/*
 * A program whose stacks are known, for truth.py. A thread fills part of its stack with
 * pseudo-random bytes, changes some, and stops the process (SIGSTOP) in between; a handler runs on
 * an alternate stack for the second thread.
 *
 *   truth      prints the pid; each SIGCONT lets it change its stacks and stop again
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 50000

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static __attribute__((noinline)) void deep(unsigned left, volatile uint8_t *data)
{
    volatile uint8_t more[300];

    for (unsigned i = 0; i < sizeof(more); i++)
        more[i] = (uint8_t)next();
    if (left) {
        deep(left - 1, data);
    } else {
        for (unsigned i = 0; i < 20; i++)
            data[next() % SIZE] = (uint8_t)next();
        raise(SIGSTOP);
    }
    data[more[0]] = more[1];
}

static void on_signal(int sig)
{
    volatile uint8_t local[700];

    (void)sig;
    for (unsigned i = 0; i < sizeof(local); i++)
        local[i] = (uint8_t)i;
    for (;;)
        pause();
}

static void *on_alternate_stack(void *arg)
{
    volatile uint8_t data[3000];
    stack_t stack = {.ss_sp = arg, .ss_size = 32768};

    for (unsigned i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 7);
    sigaltstack(&stack, NULL);
    raise(SIGUSR1);
    return NULL;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    volatile uint8_t data[SIZE];
    void *memory = argc > 1 && !strcmp(argv[1], "heap") ? malloc(32768)
                                                        : mmap(NULL, 32768, PROT_READ | PROT_WRITE,
                                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t thread;

    for (unsigned i = 0; i < SIZE; i++)
        data[i] = (uint8_t)next();
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, on_alternate_stack, memory);
    usleep(100000);
    printf("%d\n", (int)getpid());
    fflush(stdout);
    for (;;)
        deep((unsigned)(next() % 60), data);
}
