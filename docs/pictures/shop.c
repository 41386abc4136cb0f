/* SPDX-License-Identifier: MIT */
/*
 * The program of the pictures in README.md: a small order service with two ordinary mistakes.
 *
 * A receiver queues orders, four workers price them. Each worker takes `prices` for a moment.
 * Mistake 1: the reporter holds `prices` while it formats a whole report, so all workers queue up.
 * Mistake 2, with "stuck": a restock locks `prices` then `stock`, an order `stock` then `prices`.
 *
 * usage: shop [stuck]       runs until it is killed
 *
 * It needs about one CPU. All names are what a picture shows: nothing in here is for the tools.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define WORKERS  4
#define ARTICLES 512

static pthread_mutex_t prices = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t stock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t order_came = PTHREAD_COND_INITIALIZER;
static unsigned waiting_orders;
static uint64_t price[ARTICLES], in_stock[ARTICLES];
static bool with_restock;

static void sleep_ms(unsigned ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

/* Some CPU time that the compiler cannot remove. */
static uint64_t mix(uint64_t value, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        value ^= value >> 31;
        value *= UINT64_C(0x9e3779b97f4a7c15);
    }
    return value;
}

__attribute__((noinline)) static uint64_t parse_order(uint64_t number)
{
    return mix(number, 1500000);
}

__attribute__((noinline)) static void price_order(uint64_t order)
{
    pthread_mutex_lock(&prices);
    price[order % ARTICLES] = mix(order, 200000);
    pthread_mutex_unlock(&prices);
}

__attribute__((noinline)) static void reserve_stock(uint64_t order)
{
    pthread_mutex_lock(&stock);
    in_stock[order % ARTICLES] -= 1;
    sleep_ms(2);
    price_order(order);
    pthread_mutex_unlock(&stock);
}

__attribute__((noinline)) static void restock(uint64_t article)
{
    pthread_mutex_lock(&prices);
    price[article % ARTICLES] += 1;
    sleep_ms(2);
    pthread_mutex_lock(&stock);
    in_stock[article % ARTICLES] += 100;
    pthread_mutex_unlock(&stock);
    pthread_mutex_unlock(&prices);
}

__attribute__((noinline)) static uint64_t take_order(void)
{
    static uint64_t number;
    uint64_t mine;

    pthread_mutex_lock(&queue);
    while (waiting_orders == 0)
        pthread_cond_wait(&order_came, &queue);
    waiting_orders--;
    mine = ++number;
    pthread_mutex_unlock(&queue);
    return mine;
}

static void *worker(void *unused)
{
    for (;;) {
        uint64_t order = parse_order(take_order());

        if (with_restock)
            reserve_stock(order);
        else
            price_order(order);
    }
    return unused;
}

__attribute__((noinline)) static void format_report(void)
{
    char line[64];
    uint64_t sum = 0;

    for (unsigned round = 0; round < 1300; round++)
        for (unsigned i = 0; i < ARTICLES; i++)
            sum += (uint64_t)snprintf(line, sizeof(line), "%u %llu", i,
                                      (unsigned long long)(price[i] + sum));
}

static void *reporter(void *unused)
{
    for (;;) {
        sleep_ms(400);
        pthread_mutex_lock(&prices);
        format_report();
        pthread_mutex_unlock(&prices);
    }
    return unused;
}

static void *restocker(void *unused)
{
    for (uint64_t article = 0;; article++) {
        sleep_ms(100);
        restock(article);
    }
    return unused;
}

__attribute__((noinline)) static void receive_orders(void)
{
    for (;;) {
        sleep_ms(20);
        pthread_mutex_lock(&queue);
        waiting_orders += 2;
        pthread_cond_broadcast(&order_came);
        pthread_mutex_unlock(&queue);
    }
}

static void start(const char *name, void *(*run)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, run, NULL);
    pthread_setname_np(thread, name);
}

int main(int argc, char **argv)
{
    with_restock = argc > 1 && strcmp(argv[1], "stuck") == 0;
    for (unsigned i = 0; i < WORKERS; i++) {
        char name[16];

        snprintf(name, sizeof(name), "worker-%u", i);
        start(name, worker);
    }
    start("reporter", reporter);
    if (with_restock)
        start("restocker", restocker);
    receive_orders();
}
