/* SPDX-License-Identifier: MIT */
/* Arguments whose registers have something else by the time that the function calls another. */
#include <stdlib.h>

#define APART __attribute__((noipa, noinline))

enum kind { READ, WRITE, SCAN };

struct request {
    int size;
};

struct pair {
    int first, second;
};

static volatile unsigned long sink;

APART void spin(unsigned long n)
{
    sink += n;
}

APART unsigned long handle(struct request *request, enum kind kind, short small, double real,
                           struct pair pair, char letter)
{
    unsigned long n = kind == READ ? 1 : kind == WRITE ? 2 : 3;

    n += (unsigned long)request->size + (unsigned long)small + (unsigned long)real;
    n += (unsigned long)(pair.first + pair.second) + (unsigned long)letter;
    kind = (enum kind)(n & 1);
    spin(n);
    return sink;
}

int main(int argc, char **argv)
{
    struct request request = {41 + argc};

    (void)argv;
    for (int i = 0; i < 3; i++) {
        const enum kind kind = (enum kind)i;

        request.size += (int)handle(&request, kind, (short)(-3 - i), 1.5 * i,
                                    (struct pair){i + 5, i - 9}, (char)('a' + i));
    }
    return (int)sink & 1;
}
