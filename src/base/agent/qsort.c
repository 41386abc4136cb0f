/* SPDX-License-Identifier: MIT */
/*
 * qsort for agents, in place of the C library's, which is a kilobyte larger. Of what is in an agent
 * only the C library's resolver sorts: the addresses of a host, of which there are a few.
 */
#include <stdlib.h>

static void swap(char *a, char *b, size_t size)
{
    while (size--) {
        char byte = a[size];

        a[size] = b[size];
        b[size] = byte;
    }
}

void qsort(void *items, size_t count, size_t size, int compare(const void *, const void *))
{
    char *first = items;

    for (size_t i = 1; i < count; i++)
        for (char *at = first + i * size; at > first && compare(at - size, at) > 0; at -= size)
            swap(at - size, at, size);
}
