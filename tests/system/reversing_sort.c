/* SPDX-License-Identifier: MIT */
/*
 * To be preloaded: a qsort(3) that leaves what compares as equal in the reverse of its order, where
 * glibc's mostly keeps the order, and musl's neither. Nothing that is written may depend on that.
 *
 *     gcc -D_GNU_SOURCE -shared -fPIC -o reversing_sort.so tests/system/reversing_sort.c -ldl
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

typedef int compare_fn(const void *a, const void *b, void *context);
typedef void sort_fn(void *items, size_t count, size_t size, compare_fn *compare, void *context);

static void reverse(char *items, size_t count, size_t size)
{
    for (size_t low = 0, high = count; low + 1 < high; low++) {
        high--;
        for (size_t i = 0; i < size; i++) {
            char byte = items[low * size + i];

            items[low * size + i] = items[high * size + i];
            items[high * size + i] = byte;
        }
    }
}

void qsort_r(void *items, size_t count, size_t size, compare_fn *compare, void *context)
{
    sort_fn *sort = (sort_fn *)dlsym(RTLD_NEXT, "qsort_r");

    reverse(items, count, size);
    sort(items, count, size, compare, context);
}

static int compare_two(const void *a, const void *b, void *context)
{
    int (**compare)(const void *, const void *) = context;

    return (*compare)(a, b);
}

void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    qsort_r(items, count, size, compare_two, &compare);
}
