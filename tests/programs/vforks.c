/* SPDX-License-Identifier: MIT */
/* Waits for its child of vfork, in a state in which it cannot be stopped. */
#include <unistd.h>

int main(void)
{
    if (vfork() == 0) {
        sleep(30);
        _exit(0);
    }
    return 0;
}
