/* SPDX-License-Identifier: MIT */
/*
 * Waits, and becomes another program.
 *
 * usage: exec MICROSECONDS PROGRAM
 */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    usleep((unsigned)atoi(argv[1]));
    return execl(argv[2], argv[2], "1", (char *)0);
}
