// SPDX-License-Identifier: MIT
//
// Threads that each do other work, made and blocked by what C++'s library has for that. "ready"
// when all are made; goes on until it is killed.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace {

std::mutex stock_mutex, orders_mutex;
std::condition_variable orders_came;
bool has_orders;
std::once_flag loaded;
std::promise<void> kept;

} // namespace

// By these names they are found in the chains, so they are functions of their own.

__attribute__((noinline)) void take_stock()
{
    std::lock_guard<std::mutex> lock(stock_mutex);

    puts("never");
}

__attribute__((noinline)) void serve_orders()
{
    std::unique_lock<std::mutex> lock(orders_mutex);

    orders_came.wait(lock, [] { return has_orders; });
    puts("never");
}

__attribute__((noinline)) void keep_stock(int seconds)
{
    std::lock_guard<std::mutex> lock(stock_mutex);

    kept.set_value();
    for (;;)
        std::this_thread::sleep_for(std::chrono::seconds(seconds));
}

__attribute__((noinline)) void load_prices()
{
    std::this_thread::sleep_for(std::chrono::hours(1));
    puts("never");
}

__attribute__((noinline)) void look_up_prices()
{
    std::call_once(loaded, load_prices);
    puts("never");
}

struct listener {
    int fd;

    __attribute__((noinline)) void listen(const char *name)
    {
        char byte;

        if (read(fd, &byte, 1) == 1)
            puts(name);
    }
};

__attribute__((noinline)) int add_up(int number)
{
    for (;;)
        std::this_thread::sleep_for(std::chrono::milliseconds(100 + number));
}

int main()
{
    int ends[2];

    if (pipe(ends) != 0)
        return 1;
    listener ear{ends[0]};
    std::thread keeper(keep_stock, 3600);
    kept.get_future().wait();
    std::thread taker(take_stock);
    std::thread server(serve_orders);
    std::thread pricer(std::function<void()>{look_up_prices});
    std::thread reader(&listener::listen, &ear, "byte");
    std::future<int> sum = std::async(std::launch::async, add_up, 7);

    puts("ready");
    fflush(stdout);
    return sum.get();
}
