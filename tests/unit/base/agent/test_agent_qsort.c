/* SPDX-License-Identifier: MIT */
/* What agents sort is sorted as the C library does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void agent_qsort(void *items, size_t count, size_t size, int compare(const void *, const void *));
#define qsort agent_qsort
#include "base/agent/qsort.c"
#undef qsort

#define COUNT_MAX 40u

struct item {
    uint16_t key;
    char rest[5];
};

static int compare(const void *a, const void *b)
{
    const struct item *left = a, *right = b;

    return (left->key > right->key) - (left->key < right->key);
}

static void any_number_of_items_is_sorted(void **state)
{
    struct item ours[COUNT_MAX + 1], theirs[COUNT_MAX + 1];

    (void)state;
    for (unsigned count = 0; count <= COUNT_MAX; count++) {
        for (unsigned i = 0; i <= COUNT_MAX; i++) {
            memset(&ours[i], 0, sizeof(ours[i]));
            ours[i].key = (uint16_t)(i * 7919 % 31 * 257); /* some are equal */
            memset(ours[i].rest, (int)ours[i].key, sizeof(ours[i].rest));
        }
        memcpy(theirs, ours, sizeof(ours));
        agent_qsort(ours, count, sizeof(*ours), compare);
        qsort(theirs, count, sizeof(*theirs), compare);
        assert_memory_equal(ours, theirs, sizeof(ours));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_items_is_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
