// SPDX-License-Identifier: MIT
//
// Threads that wait for C++'s locks, which are members of objects:
//
//   deposit   this->mutex_ in a member function
//   transfer  of what a std::unique_ptr has, by a guard
//   save      of a base class, by a reference
//   wait      a condition
//
// "ready" is printed when all of them wait.
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Account {
    long balance = 0;
    std::mutex mutex_;
    std::condition_variable changed_;

    __attribute__((noinline)) void deposit(long amount)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        balance += amount;
    }

    __attribute__((noinline)) void wait()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        while (balance == 0)
            changed_.wait(lock);
        balance--;
    }
};

struct Savings : Account {
    int rate = 1;
};

__attribute__((noinline)) static void transfer(std::unique_ptr<Account> &from)
{
    std::lock_guard<std::mutex> guard(from->mutex_);
    from->balance--;
}

__attribute__((noinline)) static void save(Savings &savings)
{
    std::lock_guard<std::mutex> guard(savings.mutex_);
    savings.balance += savings.rate;
}

int main()
{
    auto held = std::make_unique<Account>(), given = std::make_unique<Account>();
    auto savings = std::make_unique<Savings>();
    Account empty;

    held->mutex_.lock();
    given->mutex_.lock();
    savings->mutex_.lock();
    std::thread depositor([account = held.get()] { account->deposit(1); });
    std::thread transferrer([&given] {
        std::unique_ptr<Account> &own = given;
        transfer(own);
    });
    std::thread saver([&savings] { save(*savings); });
    std::thread waiter([&empty] { empty.wait(); });
    pthread_setname_np(depositor.native_handle(), "deposit");
    pthread_setname_np(transferrer.native_handle(), "transfer");
    pthread_setname_np(saver.native_handle(), "save");
    pthread_setname_np(waiter.native_handle(), "wait");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::puts("ready");
    std::fflush(stdout);
    for (;;)
        pause();
}
