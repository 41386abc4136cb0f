/* SPDX-License-Identifier: MIT */
/*
 * Variables as Zephyr 3 has them, of the names and shapes that its public headers give: threads,
 * two of which wait for each other's mutexes. With USES_4 one that sleeps is as in 4; SMALL is
 * without a list of threads.
 */
#include "image.h"

#include <stddef.h>

typedef struct _dnode {
    union {
        struct _dnode *head, *next;
    };
    union {
        struct _dnode *tail, *prev;
    };
} sys_dlist_t, sys_dnode_t;
typedef struct {
    sys_dlist_t waitq;
} _wait_q_t;

struct _timeout {
    sys_dnode_t node;
    void (*fn)(struct _timeout *);
    int64_t dticks;
};

struct _thread_base {
    union {
        sys_dnode_t qnode_dlist;
    };
    _wait_q_t *pended_on;
    uint8_t user_options, thread_state;
    union {
        struct {
            int8_t prio;
            uint8_t sched_locked;
        };
        uint16_t preempt;
    };
    void *swap_data;
    struct _timeout timeout;
};

#if defined(__riscv)
struct _callee_saved {
    unsigned long sp, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11;
};
#else
struct _callee_saved {
    uint32_t v1, v2, v3, v4, v5, v6, v7, v8, psp;
};
#endif
typedef struct _callee_saved _callee_saved_t;

struct _thread_stack_info {
    uintptr_t start;
    size_t size, delta;
};
struct _thread_arch {
    uint32_t basepri, swap_return_value;
#ifdef FPU
    uint32_t mode;
    struct {
        uint8_t mode_bits, mode_exc_return;
        uint16_t mode_reserved2;
    };
#endif
};

struct k_thread {
    struct _thread_base base;
    struct _callee_saved callee_saved;
    void *init_data;
    _wait_q_t join_queue;
#ifndef SMALL
    struct k_thread *next_thread;
#endif
    char name[16];
    struct _thread_stack_info stack_info;
    struct _thread_arch arch;
};

struct k_mutex {
    _wait_q_t wait_q;
    struct k_thread *owner;
    uint32_t lock_count;
    int owner_orig_prio;
};
struct k_sem {
    _wait_q_t wait_q;
    unsigned count, limit;
};
struct k_msgq {
    _wait_q_t wait_q;
    size_t msg_size;
    uint32_t max_msgs;
    char *buffer_start, *buffer_end, *read_ptr, *write_ptr;
    uint32_t used_msgs;
};

struct _cpu {
    uint32_t nested;
    char *irq_stack;
    struct k_thread *current, *idle_thread;
    uint8_t id;
};
struct z_kernel {
    struct _cpu cpus[1];
    struct {
        struct k_thread *cache;
    } ready_q;
#ifndef SMALL
    struct k_thread *threads;
#endif
};

#define PENDING   2
#define SLEEPS    4 /* of 4; before, one that has not been started */
#define DEAD      8
#define SUSPENDED 16
#define QUEUED    128
#define PAINT     0xaaaaaaaa

#if defined(__riscv)
#define REGISTERS(area)                                                                            \
    {                                                                                              \
        WORD(&area.frame[0]), WORD(called_pc), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11                \
    }
#define FRAME 0, 0, 0, 0 /* of task_entry */
#else
#define REGISTERS(area)                                                                            \
    {                                                                                              \
        4, 5, 6, 7, 8, 9, 10, 11, WORD(&area.frame[0])                                             \
    }
#define FRAME 0, 1, 2, 3, 12, THUMB(called_pc), WORD(work_pc), 0x01000000, 4, 0
#endif
#ifdef SMALL
#define NEXT(thread)
#else
#define NEXT(thread) .next_thread = thread,
#endif

#define THREAD(thread, following, priority, state, pended, ticks_node)                             \
    static struct {                                                                                \
        uintptr_t painted[30], frame[sizeof((uintptr_t[]){FRAME}) / sizeof(uintptr_t)];            \
    } thread##_area = {{[0 ... 29] = PAINT}, {FRAME}};                                             \
    struct k_thread thread = {.base = {.pended_on = pended,                                        \
                                       .thread_state = state,                                      \
                                       {{priority, 0}},                                            \
                                       .timeout = ticks_node},                                     \
                              .callee_saved = REGISTERS(thread##_area),                            \
                              NEXT(following).name = #thread,                                      \
                              .stack_info = {WORD(&thread##_area), sizeof(thread##_area), 0}}

#define NO_TIMEOUT                                                                                 \
    {                                                                                              \
        {{NULL}, {NULL}}, NULL, 0                                                                  \
    }
#define TIMEOUT(next, n)                                                                           \
    {                                                                                              \
        {{next}, {next}}, NULL, n                                                                  \
    }

extern struct k_thread running, ready, one, two, taker, getter, putter, sleeper, joiner, stopped,
    dead;
extern sys_dlist_t timeout_list;

static struct k_mutex first = {.owner = &two, .lock_count = 1, .owner_orig_prio = 7};
static struct {
    int number;
    struct k_mutex lock;
} pool = {1, {.owner = &one, .lock_count = 1, .owner_orig_prio = 3}};
struct k_sem sem;
static struct k_msgq input = {.max_msgs = 4}, output = {.max_msgs = 2, .used_msgs = 2};
volatile uint64_t curr_tick = 5000;
sys_dlist_t timeout_list = {{&sleeper.base.timeout.node}, {&getter.base.timeout.node}};

struct z_kernel _kernel = {.cpus = {{.current = &running}},
#ifndef SMALL
                           .threads = &running
#endif
};

#ifdef USES_4
#define SLEEPER_STATE SLEEPS
#else
#define SLEEPER_STATE SUSPENDED
#endif

THREAD(running, &ready, 5, QUEUED, NULL, NO_TIMEOUT);
THREAD(ready, &one, 5, QUEUED, NULL, NO_TIMEOUT);
THREAD(one, &two, 3, PENDING, &first.wait_q, NO_TIMEOUT);
THREAD(two, &taker, 3, PENDING, &pool.lock.wait_q, NO_TIMEOUT);
THREAD(taker, &getter, -2, PENDING, &sem.wait_q, NO_TIMEOUT);
THREAD(getter, &putter, 4, PENDING, &input.wait_q, TIMEOUT(&timeout_list, 30));
THREAD(putter, &sleeper, 4, PENDING, &output.wait_q, NO_TIMEOUT);
THREAD(sleeper, &joiner, 6, SLEEPER_STATE, NULL, TIMEOUT(&getter.base.timeout.node, 20));
THREAD(joiner, &stopped, 6, PENDING, &sleeper.join_queue, NO_TIMEOUT);
THREAD(stopped, &dead, 6, SUSPENDED, NULL, NO_TIMEOUT);
THREAD(dead, NULL, 6, DEAD, NULL, NO_TIMEOUT);
