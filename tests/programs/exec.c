/* SPDX-License-Identifier: MIT */
/*
 * Waits until it is traced, and then for a while, and becomes another program.
 *
 * usage: exec MICROSECONDS PROGRAM
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int is_traced(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    int tracer = 0;

    while (status && fgets(line, sizeof(line), status))
        if (sscanf(line, "TracerPid: %d", &tracer) == 1)
            break;
    if (status)
        fclose(status);
    return tracer != 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    while (!is_traced())
        usleep(10000);
    usleep((unsigned)atoi(argv[1]));
    return execl(argv[2], argv[2], "1", (char *)0);
}
