/* SPDX-License-Identifier: MIT */
/*
 * Functions with many shapes of frames; see frames.h. Control flow of all kinds is in
 * frames_flow.c.
 */
#include "frames.h"

#include <alloca.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big {
    long value[12];
};

struct small {
    long a, b;
};

volatile long sink;
volatile double float_sink;
callback hooks[4];
long table[64];

/* Not to be seen through: another definition could take their place. */
__attribute__((weak)) KEEP void use(void *memory)
{
    sink = (long)(intptr_t)memory;
}

__attribute__((weak)) KEEP long get(long value)
{
    return value + sink;
}

__attribute__((weak)) KEEP double get_double(double value)
{
    return value + float_sink;
}

/* leaves */

KEEP long leaf(long a, long b)
{
    return a * 3 + b;
}

KEEP void leaf_empty(void)
{
}

KEEP long leaf_saves(const long *p)
{
    /* More values alive at once than a leaf has registers to spare. */
    long a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7];
    long i = p[8], j = p[9], k = p[10], l = p[11], m = p[12], n = p[13], o = p[14], q = p[15];
    for (long round = 0; round < p[16]; round++) {
        a += b ^ q, b += c ^ a, c += d ^ b, d += e ^ c, e += f ^ d, f += g ^ e, g += h ^ f;
        h += i ^ g, i += j ^ h, j += k ^ i, k += l ^ j, l += m ^ k, m += n ^ l, n += o ^ m;
        o += q ^ n, q += a ^ o;
    }
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + q;
}

KEEP long leaf_array(long index)
{
    volatile char bytes[100]; /* the red zone, where there is one */
    bytes[index & 63] = 1;
    return bytes[index & 31];
}

/* calls and saves */

KEEP long one_call(long a)
{
    return get(a) + 1;
}

KEEP long one_save(long a)
{
    return get(a) + a;
}

KEEP long two_saves(long a, long b)
{
    long first = get(a);
    return get(b) + first + b;
}

KEEP long deep_saves(long a, long b, long c, long d)
{
    long e = get(a), f = get(b), g = get(c), h = get(d);
    long i = get(a + e), j = get(b + f), k = get(c + g), l = get(d + h);
    use(NULL);
    return a + b + c + d + e * f + g * h + i * j + k * l;
}

KEEP long nested_loops(long n, long m)
{
    long sum = 0;
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < m; j++) {
            for (long k = i; k < j; k++) {
                sum += get(i ^ j ^ k);
            }
            table[j & 63] += sum;
        }
    }
    return sum;
}

/* frames of all sizes */

KEEP long frame_small(void)
{
    char memory[40];
    use(memory);
    return memory[3];
}

KEEP long frame_page(long a)
{
    char memory[5000];
    use(memory);
    return memory[a];
}

KEEP long frame_large(long a)
{
    char memory[70000];
    use(memory);
    return memory[a] + a;
}

KEEP long frame_huge(long a, long b)
{
    char memory[1234568];
    use(memory);
    long first = get(a);
    use(memory + 100000);
    return memory[a] + first + get(b);
}

KEEP long frame_large_early(long a, const char *text)
{
    if (text == NULL) {
        return a;
    }
    char memory[9000];
    use(memory);
    if (a < 0) {
        return memory[1];
    }
    strcpy(memory, text);
    use(memory);
    return memory[a];
}

/* frames of a size known at run time */

KEEP long vla(long n)
{
    char memory[n];
    use(memory);
    return memory[n / 2];
}

KEEP long vla_loop(long n)
{
    long sum = 0;
    for (long i = 1; i < n; i++) {
        char memory[i * 8];
        use(memory);
        sum += memory[i] + get(i);
    }
    return sum;
}

KEEP long vla_early(long n, long m)
{
    if (n == 0) {
        return get(m) + m;
    }
    long first[n], second[m];
    use(first);
    use(second);
    if (first[0] > 0) {
        return second[0];
    }
    use(first + 1);
    return first[1] + second[1];
}

KEEP long alloca_some(long n)
{
    char *memory = alloca((size_t)n);
    use(memory);
    return memory[0] + get(n);
}

KEEP long alloca_conditional(long n)
{
    char *memory = n > 4000 ? malloc((size_t)n) : alloca((size_t)n);
    use(memory);
    long result = memory[0];
    if (n > 4000) {
        free(memory);
    }
    return result;
}

KEEP long alloca_constant(void)
{
    char *memory = alloca(64);
    use(memory);
    return memory[5];
}

/* over-aligned */

KEEP long aligned(long a)
{
    _Alignas(64) char memory[64];
    use(memory);
    return memory[a];
}

KEEP long aligned_vla(long n)
{
    _Alignas(32) char fixed[32];
    char memory[n];
    use(fixed);
    use(memory);
    return memory[0] + fixed[1] + get(n);
}

KEEP long aligned_early(long a)
{
    if (a < 3) {
        return a;
    }
    _Alignas(128) char memory[256];
    use(memory);
    return memory[a] + get(a);
}

/* arguments and results */

KEEP long variadic(const char *format, ...)
{
    va_list arguments;
    long sum = 0;
    va_start(arguments, format);
    for (; *format != '\0'; format++) {
        sum += *format == 'd' ? (long)va_arg(arguments, double) : va_arg(arguments, long);
    }
    va_end(arguments);
    return sum;
}

KEEP int variadic_pass(char *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsprintf(out, format, arguments);
    va_end(arguments);
    return length;
}

KEEP long many_arguments(long a, long b, long c, long d, long e, long f, long g, long h, long i,
                         long j)
{
    return get(a + b) + c * d + e * f + g * h + i * j;
}

KEEP long pass_many(long a)
{
    long first = many_arguments(a, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    return many_arguments(first, a, a, a, a, a, a, first, first, a) + first;
}

KEEP long pass_many_twice(long a, long b)
{
    long sum = 0;
    for (long i = 0; i < a; i++) {
        sum += b > i ? many_arguments(a, b, i, 3, 4, 5, 6, 7, 8, 9) : pass_many(i);
    }
    printf("%ld %ld %ld %ld %ld %ld %ld %ld\n", a, b, sum, a, b, sum, a, b);
    return sum;
}

KEEP struct big return_big(long a)
{
    struct big result;
    memset(&result, 0, sizeof(result));
    result.value[a & 7] = get(a);
    return result;
}

KEEP struct small return_small(long a)
{
    struct small result = {a, get(a)};
    return result;
}

KEEP long take_big(struct big big, long index)
{
    return big.value[index] + get(index);
}

KEEP long pass_big(long a)
{
    struct big first = return_big(a), second = return_big(a + 1);
    struct small third = return_small(a);
    return take_big(first, 3) + take_big(second, a & 7) + third.b;
}

KEEP struct big pass_on_big(long a)
{
    if (a > 100) {
        return return_big(a - 1);
    }
    struct big result = return_big(get(a));
    use(&result);
    return result;
}

/* floating point and vectors */

KEEP double float_saves(double a, double b, double c, double d)
{
    double e = get_double(a), f = get_double(b), g = get_double(c), h = get_double(d);
    double i = get_double(a + e), j = get_double(b + f);
    return a * e + b * f + c * g + d * h + i * j;
}

KEEP double float_mixed(double a, long n, float b)
{
    double sum = a;
    for (long i = 0; i < n; i++) {
        sum = get_double(sum * b) + (double)get(i);
    }
    return sum;
}

KEEP double float_many(double a, float b, double c, float d, double e, double f, double g, double h,
                       double i, float j)
{
    return get_double(a * b + c * d + e * f) + g * h + i * j;
}

KEEP double float_spill(const double *p)
{
    double a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7], i = p[8];
    double j = p[9], k = p[10], l = p[11], m = p[12], n = p[13], o = p[14], q = p[15], r = p[16],
           s = p[17];
    for (int round = 0; round < 9; round++) {
        a += b * s, b += c * a, c += d * b, d += e * c, e += f * d, f += g * e, g += h * f,
            h += i * g;
        i += j * h, j += k * i, k += l * j, l += m * k, m += n * l, n += o * m, o += q * n,
            q += r * o;
        r += s * q, s += a * r;
    }
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + q + r + s;
}

typedef int vector __attribute__((vector_size(16)));

KEEP vector vectors(const vector *a, const vector *b, long n)
{
    vector sum = *a;
    for (long i = 0; i < n; i++) {
        sum += a[i] * b[i];
        use(&sum);
    }
    return sum;
}

/* helpers of the compiler */

KEEP int64_t divide(int64_t a, int64_t b, long c)
{
    int64_t first = a / b, second = a % (b + 3);
    return first * second / (c + 1);
}

KEEP uint64_t divide_many(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sum = 0;
    while (a > b) {
        a /= c;
        sum += a % b + (uint64_t)get((long)a) / 7;
    }
    return sum;
}

KEEP void copy(struct big *to, const struct big *from, long n)
{
    struct big local = *from;
    use(&local);
    to[0] = local;
    memcpy(&to[1], &from[n], sizeof(struct big));
    memcpy(to[2].value, from[3].value, 40);
}

KEEP void copy_large(char *to)
{
    char memory[2048];
    memset(memory, 3, sizeof(memory));
    use(memory);
    memcpy(to, memory, sizeof(memory));
}

/* the rest */

KEEP long own_frame(void)
{
    use(__builtin_frame_address(0));
    return (long)(intptr_t)__builtin_return_address(0);
}

KEEP long conditional_calls(long a, long b)
{
    if (a & 1) {
        use(&table[1]);
    }
    if (a & 2) {
        b = get(b);
    }
    if (a & 4) {
        b += get(a) + many_arguments(1, 2, 3, 4, 5, 6, 7, 8, a, b);
    }
    return b > 3 ? b : a;
}

KEEP long many_locals(long a)
{
    long value[9];
    for (int i = 0; i < 9; i++) {
        value[i] = get(a + i);
    }
    long sum = value[0] * value[8] + value[1] * value[7] + value[2] * value[6];
    use(value);
    return sum + value[3] * value[5] + value[4];
}

KEEP long strings(const char *a, char *b)
{
    size_t length = strlen(a);
    if (length > 10 && strcmp(a, b) == 0) {
        return -1;
    }
    char *copy_of = malloc(length + 1);
    if (copy_of == NULL) {
        fail(a, (long)length);
    }
    memcpy(copy_of, a, length + 1);
    strcat(b, copy_of);
    free(copy_of);
    return (long)strlen(b);
}

int main(int argc, char **argv)
{
    long a = argc, sum = 0;
    struct big bigs[8];
    memset(bigs, 0, sizeof(bigs));
    sum += strings(argv[0], argv[1]) + many_locals(a) + conditional_calls(a, sum);
    copy(bigs, bigs + 1, a);
    return (int)(sum + bigs[0].value[a] + pass_big(a));
}
