/* SPDX-License-Identifier: MIT */
/* Functions with control flow of many kinds; see frames.h. */
#include "frames.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* switches */

KEEP long switch_dense(long a, long b)
{
    switch (a) {
    case 0:
        return get(b);
    case 1:
        return get(b + 1) * 3;
    case 2:
        use(&table[3]);
        return b;
    case 3:
        return b - 7;
    case 4:
        return get(b) + get(a);
    case 5:
        use(NULL);
        break;
    case 6:
        return get(b * 5) - b;
    case 7:
        sink = 5;
        break;
    case 8:
        return get(get(b));
    case 9:
        abort();
    case 10:
        return frame_small() + b;
    }
    return get(b ^ a) + b;
}

KEEP long switch_frame(long a)
{
    char memory[80];
    long sum = 0;
    use(memory);
    for (long i = 0; i < a; i++) {
        switch (memory[i]) {
        case 'a':
            sum += get(i);
            break;
        case 'b':
            sum -= get(sum);
            break;
        case 'c':
            use(memory + 1);
            break;
        case 'd':
            return sum;
        case 'e':
            sum *= 3;
            continue;
        case 'f':
            use(memory + i);
            break;
        case 'g':
            sum ^= get(3);
            break;
        case 'h':
            sum += leaf(i, sum);
            break;
        default:
            sum++;
        }
    }
    return sum;
}

KEEP long switch_vla(long a, long n)
{
    char memory[n];
    use(memory);
    switch (a) {
    case 1:
        return get(1);
    case 2:
        use(memory + 1);
        break;
    case 3:
        return get(memory[2]);
    case 4:
        use(memory + 3);
        break;
    case 5:
        return get(memory[3]) + memory[4];
    case 6:
        sink = 4;
        break;
    case 7:
        return memory[5];
    }
    return memory[0];
}

KEEP long switch_sparse(long a, long b)
{
    switch (a) {
    case 1:
        return get(b);
    case 100:
        return get(b + 3) + b;
    case 5000:
        use(&b);
        break;
    case -70000:
        return b;
    case 123456:
        return one_save(b);
    }
    return get(a) - b;
}

KEEP long switch_nested(long a, long b)
{
    long result = get(a);
    switch (a & 15) {
    case 0:
    case 1:
    case 2:
        switch (b) {
        case 10:
            return get(1) + result;
        case 11:
            result += get(2);
            break;
        case 12:
            result -= get(3);
            break;
        case 13:
            return leaf(result, b);
        case 14:
            result ^= get(4);
            break;
        case 15:
            abort();
        }
        break;
    case 3:
        result += get(b);
        break;
    case 4:
        result *= get(b + 1);
        break;
    case 5:
        use(&result);
        break;
    case 6:
        return result - get(result);
    case 7:
        result >>= 1;
        break;
    }
    return result + get(result);
}

KEEP long computed_goto(const unsigned char *code, long a)
{
    static const void *const labels[] = {&&stop, &&add, &&twice, &&call, &&back};
    char memory[24];
    use(memory);
next:
    goto *labels[*code++];
add:
    a += *code++;
    goto next;
twice:
    a *= 2;
    goto next;
call:
    a = get(a) + memory[2];
    goto next;
back:
    code -= a;
    goto next;
stop:
    return a + get(a);
}

/* early returns: shrink-wrapping */

KEEP long early_null(const long *p)
{
    if (p == NULL) {
        return -1;
    }
    long first = get(p[0]);
    use(NULL);
    return first + get(p[1]) + p[2];
}

KEEP long early_many(long a, long b)
{
    if (a == 0) {
        return b;
    }
    if (b == 0) {
        return a + leaf(a, b);
    }
    long first = get(a);
    if (first == 7) {
        return b;
    }
    long second = get(b + first);
    if (second == 8) {
        use(&second);
        return first;
    }
    for (long i = 0; i < second; i++) {
        if (get(i) == a) {
            return i;
        }
    }
    return get(first) + second + b;
}

KEEP long early_loop(const long *p, long n)
{
    for (long i = 0; i < n; i++) {
        if (p[i] == 5) {
            long value = get(i);
            use((void *)(intptr_t)value);
            return value + p[get(i) & 1];
        }
    }
    return 0;
}

KEEP long cold_path(long a)
{
    if (__builtin_expect(a == 12345, 0)) {
        char memory[200];
        use(memory);
        printf("%s %ld\n", memory, a);
        return get(a) + memory[7];
    }
    return a * 2;
}

__attribute__((cold)) KEEP long cold(long a)
{
    long first = get(a);
    return first + get(first + a);
}

KEEP long calls_cold(long a, long b)
{
    long first = get(b);
    if (a < 0) {
        use(&first);
        cold(first);
        return cold(a) + cold(b) + first;
    }
    return first + get(a) + b;
}

/* tail calls */

KEEP long tail(long a)
{
    return get(a + 1);
}

KEEP long tail_late(long a, long b)
{
    long first = get(a);
    use(NULL);
    return get(first + b);
}

KEEP long tail_pointer(long a, long b)
{
    long first = get(a);
    return hooks[b & 3](first + a);
}

KEEP long tail_either(long a, long b, long c)
{
    if (a > b) {
        return leaf(c, a);
    }
    long first = get(a), second = get(b);
    if (first == second) {
        return two_saves(first + c, b);
    }
    return first > 5 ? one_save(second) : hooks[0](c + first + second);
}

KEEP long tail_frame(long a)
{
    char memory[3000];
    use(memory);
    long value = memory[a];
    return value > 3 ? deep_saves(value, a, 1, 2) : tail_late(a, value);
}

KEEP long even(long n);

KEEP long odd(long n)
{
    return n == 0 ? 0 : even(n - 1);
}

KEEP long even(long n)
{
    return n == 0 ? 1 : odd(n - 1);
}

/* recursion */

KEEP long right(long n);

KEEP long left(long n)
{
    return n < 2 ? n : right(n - 1) + n;
}

KEEP long right(long n)
{
    long first = n > 10 ? left(n / 2) : get(n);
    return first * left(n - 2);
}

KEEP long ackermann(long m, long n)
{
    if (m == 0) {
        return n + 1;
    }
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

KEEP long fibonacci(long n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

struct tree {
    struct tree *left, *right;
    long key;
};

KEEP long walk(const struct tree *tree, long depth)
{
    if (tree == NULL) {
        return depth;
    }
    long first = walk(tree->left, depth + 1);
    sink = tree->key;
    long second = walk(tree->right, depth + 1);
    return first > second ? first : second;
}

/* calls that do not return */

NORETURN KEEP void fail(const char *text, long value)
{
    char memory[64];
    sprintf(memory, "%.20s: %ld", text, value);
    puts(memory);
    exit(1);
}

NORETURN KEEP void fail_twice(long a)
{
    if (get(a) == 3) {
        fail("a", a);
    }
    long first = get(a);
    use(NULL);
    fail("b", first + a);
}

KEEP long may_abort(long a)
{
    if (a < 0) {
        abort();
    }
    return get(a) + a;
}

KEEP long may_fail(long a, long b)
{
    long first = get(a);
    if (first > 100) {
        fail("first", first);
    }
    long second = get(b + first);
    if (second < 0) {
        fail("second", second);
    }
    return first + second + a;
}

KEEP long fail_in_middle(long a)
{
    char memory[32];
    use(memory);
    switch (memory[a]) {
    case 1:
        fail("one", a);
    case 2:
        fail("two", a + 1);
    case 3:
        abort();
    case 4:
        return get(a);
    case 5:
        __builtin_trap();
    default:
        return memory[0];
    }
}

NORETURN KEEP void for_ever(long a)
{
    for (;;) {
        a = get(a);
        hooks[a & 3](a);
    }
}

/* pointers, setjmp */

KEEP long hooks_loop(const callback *list, long a)
{
    for (; *list != NULL; list++) {
        a = (*list)(a);
        if (a == 0) {
            break;
        }
    }
    return a;
}

static jmp_buf place;

KEEP long with_setjmp(long a)
{
    volatile long kept = a;
    if (setjmp(place) != 0) {
        return kept;
    }
    kept = get(a);
    return get(kept) + a;
}

NORETURN KEEP void jump_back(long a)
{
    use(NULL);
    longjmp(place, (int)get(a));
}

KEEP long setjmp_vla(long n)
{
    char memory[n];
    use(memory);
    if (setjmp(place) == 0) {
        return get(memory[0]);
    }
    return memory[1];
}
