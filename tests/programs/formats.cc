// SPDX-License-Identifier: MIT
// A thread that computes, by functions of which one is inlined and one calls itself, beside a main
// thread that sleeps.
#include <cstdint>
#include <pthread.h>
#include <unistd.h>

#ifndef STRAIGHT
#define STRAIGHT 20000 // rounds that are not at the end of the recursion; another build has more
#endif

namespace work {

static volatile uint64_t sink;

__attribute__((always_inline)) inline void stir(unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        sink = sink * 6364136223846793005u + i;
}

__attribute__((noinline)) void leaf(unsigned rounds)
{
    stir(rounds);
    sink = sink + 1;
}

__attribute__((noinline)) void descend(unsigned depth)
{
    if (depth > 0)
        descend(depth - 1);
    else
        leaf(20000);
    sink = sink + depth;
}

__attribute__((noinline)) void straight(unsigned rounds)
{
    leaf(rounds);
    sink = sink + 2;
}

} // namespace work

extern "C" __attribute__((noinline)) void *spin(void *)
{
    pthread_setname_np(pthread_self(), "spin;ner 1");
    for (;;) {
        work::descend(7);
        work::straight(STRAIGHT);
    }
    return nullptr;
}

int main()
{
    pthread_t thread;

    if (pthread_create(&thread, nullptr, spin, nullptr) != 0)
        return 1;
    for (;;)
        pause();
}
