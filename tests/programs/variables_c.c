// SPDX-License-Identifier: MIT
// A deep chain of calls whose frames have arguments and variables of all kinds that C has, for
// tests/system/variables_gdb.py, which compares what cgunwind tells of them with what gdb does.
//
// usage: variables_c [abort] [SEED]
//
// Below a signal handler it says "ready" and waits for ever; with "abort" it ends there by SIGABRT.
// All values come of the seed, which no compiler knows. What is used behind a call lives on across
// it, on the stack or in a register that callees keep; what is not may be gone, or be told by what
// the caller passed. A second thread waits in a chain of its own.

#include <complex.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>

#define APART __attribute__((noinline))
// No tail call: what is behind it uses what is in scope.
#define USE(value)      __asm__ volatile("" : : "g"(value) : "memory")
#define USE_AT(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

enum color { RED, GREEN = 5, BLUE = -7 };
enum access { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_EXECUTE = 4, ACCESS_LONG = 0x100 };
enum wide { WIDE_SMALL = 1, WIDE_LARGE = 0x7fffffffffff };

struct point {
    int x;
    int y;
};

struct rectangle {
    struct point corner[2];
    const char *name;
    enum color color;
};

struct bits {
    unsigned a : 3;
    int b : 5;
    bool c : 1;
    enum access d : 10;
    uint64_t e : 37;
    int : 4;
    signed char f;
};

struct __attribute__((packed)) packed {
    char tag;
    int64_t number;
    short tail;
};

union either {
    float as_float;
    uint32_t as_bits;
    unsigned char as_bytes[4];
};

struct nested {
    union {
        int number;
        float real;
    };
    struct {
        short low;
        short high;
    } halves;
    struct nested *next;
    int (*call)(int, const char *);
    char label[12];
};

struct flexible {
    size_t length;
    int items[];
};

struct queue {
    struct queue *next;
    struct rectangle where;
    double weights[3];
    void *opaque;
};

typedef struct {
    double real;
    double imaginary;
} pair_t;

typedef int vector_t __attribute__((vector_size(16)));
typedef int (*callback_t)(int, const char *);

struct state {
    unsigned seed;
    bool aborts;
    struct queue *queue;
    struct nested *nested;
};

static volatile unsigned seed_cell = 20261127;
static struct rectangle global_rectangle = {{{1, 2}, {3, 4}}, "the whole", GREEN};
static const char *const names[] = {"zero", "one", "two", "three"};
static struct state *in_handler;
static __thread int per_thread = 17;
static atomic_int ready;

static void next_seed(struct state *state)
{
    state->seed = state->seed * 1103515245u + seed_cell;
}

static unsigned draw(struct state *state, unsigned below)
{
    next_seed(state);
    return (state->seed >> 8) % below;
}

static APART void park(const struct state *state)
{
    if (state->aborts) {
        raise(SIGABRT);
    }
    while (!atomic_load(&ready)) {
        usleep(1000);
    }
    puts("ready");
    fflush(stdout);
    while (seed_cell != 0) {
        pause();
    }
}

static APART int add_length(int base, const char *text)
{
    return base + (int)strlen(text);
}

static APART int take_length(int base, const char *text)
{
    return base - (int)strlen(text);
}

static inline __attribute__((always_inline)) long scale(long value, int factor)
{
    long scaled = value * factor;
    USE(scaled);
    return scaled + 1;
}

// Only its caller's registers know what the arguments were.
static APART int entry_only(int first, long second, const char *third, struct state *state)
{
    first += (int)second;
    USE(first);
    USE(third);
    park(state);
    return 1;
}

static APART int vanish(struct state *state, int unused, int half)
{
    int doubled = half * 2;
    int sum = doubled + unused;
    USE(sum);
    int result = entry_only(half, half + 3L, names[half & 3], state);
    return result + (int)state->seed;
}

static APART int statics(struct state *state)
{
    static int count = 3;
    static const char *last = "none";
    static __thread long mine = 5;
    static struct point places[2] = {{1, -1}, {2, -2}};
    count += (int)draw(state, 100);
    last = names[count & 3];
    mine += count;
    places[1].y = -count;
    per_thread += 1;
    int result = vanish(state, count, count / 2);
    USE_AT(&count);
    USE_AT(&mine);
    USE_AT(places);
    return result + (int)last[0];
}

static APART int shadows(struct state *state, int value)
{
    int result = 0;
    for (int i = (int)draw(state, 5); i < 9; i++) {
        unsigned char value = (unsigned char)(i * 50);
        USE(value);
        if (value > 100) {
            const char *value = names[i & 3];
            double i = 0.5 + value[0];
            result += statics(state);
            USE(value);
            USE(i);
            break;
        }
        result += value;
    }
    USE(value);
    return result + value;
}

static APART int variadic(struct state *state, int count, ...)
{
    va_list list;
    va_start(list, count);
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += va_arg(list, int);
    }
    va_end(list);
    int below = shadows(state, sum);
    return below + sum + count;
}

static APART int by_pieces(struct state *state, struct point point, pair_t pair,
                           struct rectangle rectangle, union either either)
{
    struct point turned = {-point.y, point.x};
    struct point partly = {point.x + 1, 0};
    pair_t product = {pair.real * 2, pair.imaginary - pair.real};
    USE(turned.x);
    USE(partly.x);
    int below = variadic(state, 3, turned.x, turned.y, partly.x);
    USE(product.real);
    USE(product.imaginary);
    USE_AT(&either);
    return below + turned.x + turned.y + rectangle.corner[1].y + partly.x;
}

static APART int inlined(struct state *state, long start)
{
    long first = scale(start, 3);
    long total = 0;
    for (int i = 0; i < 2; i++) {
        long part = scale(first + i, (int)draw(state, 7) + 2);
        total += part;
    }
    struct point point = {(int)total, (int)first};
    pair_t pair = {(double)total / 3, -1e300 * (double)first};
    union either either = {.as_bits = state->seed};
    int below = by_pieces(state, point, pair, global_rectangle, either);
    return below + (int)first + point.x;
}

// A value that a compiler knows, a value of which it keeps half, an address that it need not keep.
static APART int implicit(struct state *state, int *out)
{
    int constant = 42;
    const char *text = "literal \"quoted\"\n\ttab";
    struct point origin = {0, 7};
    int local = (int)draw(state, 1000);
    int *pointer = &local;
    int **twice = &pointer;
    const struct rectangle *whole = &global_rectangle;
    unsigned short mixed = (unsigned short)(local * 3);
    **twice += 1;
    int below = inlined(state, local);
    *out = below + constant + origin.y + mixed;
    return *pointer + text[0] + whole->corner[0].x;
}

static APART int arrays(struct state *state, int rows, char buffer[], const int (*table)[3])
{
    char repeated[40], exact[4], words[3][8];
    unsigned char raw[16];
    int long_array[230], matrix[2][3];
    int variable[rows];
    const char *strings[3] = {names[draw(state, 4)], NULL, buffer};
    struct point points[4];
    enum color colors[3] = {RED, BLUE, (enum color)draw(state, 9)};
    wchar_t wide[6] = L"wide";
    memset(repeated, 'a' + rows % 20, sizeof repeated);
    repeated[30] = '\0';
    memcpy(exact, "abcd", 4);
    for (int i = 0; i < 3; i++) {
        snprintf(words[i], sizeof words[i], "w%d", i * rows);
    }
    for (int i = 0; i < 16; i++) {
        raw[i] = (unsigned char)(i < 12 ? 200 : i + rows);
    }
    for (int i = 0; i < 230; i++) {
        long_array[i] = i < 25 ? 7 : i * rows;
    }
    for (int i = 0; i < 6; i++) {
        matrix[i / 3][i % 3] = i * rows - 3;
    }
    for (int i = 0; i < rows; i++) {
        variable[i] = -i * rows;
    }
    for (int i = 0; i < 4; i++) {
        points[i] = (struct point){i == 3 ? rows : 1, 2};
    }
    int out = 0;
    int below = implicit(state, &out);
    USE_AT(repeated);
    USE_AT(exact);
    USE_AT(words);
    USE_AT(raw);
    USE_AT(long_array);
    USE_AT(matrix);
    USE_AT(variable);
    USE_AT(strings);
    USE_AT(points);
    USE_AT(colors);
    USE_AT(wide);
    return below + out + table[1][1] + buffer[0];
}

static APART int structures(struct state *state, const struct queue *queue, struct nested nested,
                            struct packed packed)
{
    struct bits bits = {draw(state, 8),
                        (int)draw(state, 30) - 15,
                        draw(state, 2) != 0,
                        ACCESS_READ | ACCESS_EXECUTE,
                        123456789012 + draw(state, 99),
                        (signed char)-draw(state, 100)};
    struct flexible *flexible = malloc(sizeof *flexible + 4 * sizeof(int));
    struct nested *next = nested.next;
    struct queue copy = *queue;
    callback_t call = nested.call;
    void *opaque = queue->opaque;
    ptrdiff_t distance = (const char *)queue->where.name - nested.label;
    char buffer[16] = "buffer";
    int table[2][3] = {{1, 2, 3}, {4, (int)draw(state, 50), 6}};
    flexible->length = 4;
    for (int i = 0; i < 4; i++) {
        flexible->items[i] = call(i, buffer);
    }
    int below = arrays(state, 4 + (int)draw(state, 6), buffer, table);
    USE_AT(&bits);
    USE_AT(flexible);
    USE_AT(&copy);
    USE(opaque);
    USE(distance);
    USE_AT(&packed);
    return below + nested.halves.high + next->number + call(below, "x");
}

static APART int scalars_more(struct state *state, char letter, char16_t wide16, char32_t wide32,
                              wchar_t wide, unsigned char octet, long double extended)
{
    float small = 1.0f / (float)(3 + draw(state, 20));
    double large = 1e18 * (double)draw(state, 1000), exact = draw(state, 100);
    double infinite = large / (double)(draw(state, 1)), not_a_number = infinite - infinite;
    double tiny = 4.9e-324 * (1 + draw(state, 9));
    double _Complex complex_number = small + I * large;
    vector_t vector = {(int)draw(state, 9), 1, (int)draw(state, 99), -1};
#ifdef __SIZEOF_INT128__
    __int128 huge = ((__int128)state->seed << 70) + letter;
    unsigned __int128 huge_unsigned = (unsigned __int128)-1 - (unsigned)letter;
#endif
    struct nested next = {.number = 9, .halves = {3, 4}, .label = "next"};
    struct nested nested = {.real = small,
                            .halves = {-1, (short)octet},
                            .next = &next,
                            .call = draw(state, 2) ? add_length : take_length,
                            .label = "a label"};
    struct packed packed = {letter, -(int64_t)state->seed, (short)wide};
    int below = structures(state, state->queue, nested, packed);
    USE(small);
    USE(large);
    USE(exact);
    USE(infinite);
    USE(not_a_number);
    USE_AT(&tiny);
    USE_AT(&complex_number);
    USE_AT(&vector);
#ifdef __SIZEOF_INT128__
    USE_AT(&huge);
    USE_AT(&huge_unsigned);
#endif
    return below + letter + wide16 + (int)wide32 + (int)extended;
}

static APART int scalars(struct state *state, int8_t i8, uint16_t u16, int32_t i32, uint64_t u64,
                         bool yes, enum color color, enum access access)
{
    signed char sc = (signed char)(i8 - 1);
    short s = (short)-u16;
    unsigned long ul = u64 ^ 0xffff;
    long long ll = -(long long)u64;
    size_t size = ul % 1000;
    enum color unnamed = (enum color)(color + 77);
    enum access none = (enum access)(access & 8), more = access | ACCESS_LONG;
    enum wide wide = draw(state, 2) ? WIDE_LARGE : WIDE_SMALL;
    volatile int seen = i32 / 3;
    _Atomic int counted = i32 + 1;
    bool no = !yes;
    char letters[5] = {'\n', '\'', '\\', (char)200, (char)('a' + draw(state, 20))};
    int below = scalars_more(state, letters[draw(state, 5)], (char16_t)(0x263a + draw(state, 2)),
                             0x1f600 + draw(state, 4), L'\u20ac', (unsigned char)draw(state, 256),
                             (long double)u16 / 7);
    USE(sc);
    USE(s);
    USE(ul);
    USE(ll);
    USE(size);
    USE(unnamed);
    USE(none);
    USE(more);
    USE(wide);
    USE(no);
    return below + seen + counted + letters[1];
}

static APART int recurse(struct state *state, int depth, const struct queue *upper)
{
    struct queue here = {(struct queue *)upper,
                         global_rectangle,
                         {depth, depth * 0.5, 1e-5},
                         state};
    here.where.corner[depth & 1].x = (int)draw(state, 1000);
    here.where.name = names[depth & 3];
    state->queue = &here;
    int below;
    if (depth > 0) {
        below = recurse(state, depth - 1, &here);
    } else {
        uint64_t large = (uint64_t)draw(state, 1u << 20) << 30;
        below = scalars(state, (int8_t)draw(state, 128), (uint16_t)draw(state, 1u << 16),
                        -(int)draw(state, 1u << 20), large, draw(state, 2) != 0,
                        (enum color)(draw(state, 2) * 5), ACCESS_READ | ACCESS_WRITE);
    }
    USE_AT(&here);
    return below + depth;
}

static void handler(int number, siginfo_t *information, void *context)
{
    struct state *state = in_handler;
    int depth = 2 + number % 2;
    int below = recurse(state, depth, NULL);
    USE(below);
    USE(information);
    USE(context);
}

static APART int interrupted(struct state *state, int first, int second)
{
    int product = first * second, quotient = first / (second + 1);
    const char *name = names[product & 3];
    if (state->aborts) { // where signals are emulated, their frames may be of no known form
        handler(SIGUSR1, NULL, NULL);
    } else {
        raise(SIGUSR1);
    }
    USE(product);
    USE(name);
    return quotient + (int)state->seed;
}

static APART int swapped(int *left, int *right, struct state *state)
{
    int kept = *left;
    *left = *right;
    *right = kept;
    return interrupted(state, *left, *right) + kept;
}

static APART void wait_below(long level, double share)
{
    double rest = 1 - share;
    if (level > 0) {
        wait_below(level - 1, rest / 2);
    } else {
        atomic_store(&ready, 1);
        while (seed_cell != 0) {
            pause();
        }
    }
    USE(rest);
}

static void *thread(void *argument)
{
    struct point *point = argument;
    per_thread = point->x;
    wait_below(point->y, 0.75);
    USE(point);
    return NULL;
}

int main(int count, char **arguments)
{
    struct state state = {seed_cell, false, NULL, NULL};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "abort") == 0) {
            state.aborts = true;
        } else {
            state.seed += (unsigned)strtoul(arguments[i], NULL, 0);
        }
    }
    in_handler = &state;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t other;
    struct point point = {(int)draw(&state, 1000), 3};
    if (!state.aborts && pthread_create(&other, NULL, thread, &point) != 0) {
        return 1;
    }
    int left = (int)draw(&state, 10000), right = (int)draw(&state, 100);
    int result = swapped(&left, &right, &state);
    return result & 1;
}
