/* SPDX-License-Identifier: MIT */
/*
 * Something for lines.py to look at: functions inlined into functions in loops, a cold part, a
 * callback.
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    int key;
};

static inline int compare(int a, int b)
{
    return a < b ? -1 : a > b;
}

static inline struct node *make(int key)
{
    struct node *node = calloc(1, sizeof(*node));

    if (!node)
        abort();
    node->key = key;
    return node;
}

static inline void insert(struct node **place, int key)
{
    while (*place) {
        int order = compare(key, (*place)->key);

        if (order == 0)
            return;
        place = order < 0 ? &(*place)->left : &(*place)->right;
    }
    *place = make(key);
}

static int sum(const struct node *node)
{
    return node ? sum(node->left) + node->key + sum(node->right) : 0;
}

__attribute__((noinline)) static void fill(struct node **root, int count)
{
    for (int i = 0; i < count; i++) {
        if (__builtin_expect(i == 77777, 0)) {
            fprintf(stderr, "odd: %d\n", i);
            abort();
        }
        insert(root, rand() % 1000);
    }
}

static int compare_elements(const void *a, const void *b)
{
    return compare(*(const int *)a, *(const int *)b);
}

int main(int argc, char **argv)
{
    struct node *root = NULL;
    int numbers[50];

    fill(&root, argc * 100);
    for (int i = 0; i < 50; i++)
        numbers[i] = rand();
    qsort(numbers, 50, sizeof(*numbers), compare_elements);
    printf("%s %d %d\n", argv[0], sum(root), numbers[0]);
    return 0;
}
