/* SPDX-License-Identifier: MIT */
/*
 * vforks [MS]: waits so long (30,000 ms) for its child of vfork, in a state in which it cannot be
 * stopped.
 */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const unsigned ms = argc > 1 ? (unsigned)atoi(argv[1]) : 30000;

    if (vfork() == 0) {
        usleep(ms * 1000);
        _exit(0);
    }
    return 0;
}
