/* SPDX-License-Identifier: MIT */
/* Variables of many kinds, for what tests say of their debug information: variables_*.py. */
#include <stdio.h>
#include <stdlib.h>

enum kind { READ = 1, WRITE, NEGATIVE = -3 };

struct request {
    int length;
    unsigned first : 3, second : 7;
    struct request *next;
    enum kind kind;
    char name[16];
    int grid[2][3];
    union {
        int whole;
        float real;
    };
    int (*handle)(struct request *request, const char *format, ...);
};

static int __attribute__((noinline)) leaf(struct request *request, enum kind kind, double factor)
{
    static int calls;
    int total = 0;

    calls++;
    for (int i = 0; i < request->length; i++) {
        long square = i * (long)i;

        total += (int)((double)square * factor) + (int)kind;
    }
    if (total > 1000)
        abort();
    return total + calls;
}

static inline int middle(struct request *request, int count)
{
    int product = count * 3;

    if (product > 5) {
        int sum = product + 1;

        return leaf(request, READ, sum) + sum;
    }
    return product;
}

int main(int argc, char **argv)
{
    struct request request = {argc, 1, 2, NULL, WRITE, "hello", {{0}}, {0}, NULL};
    int result = middle(&request, argc);

    printf("%d %s\n", result, argv[0]);
    return leaf(&request, NEGATIVE, result);
}
