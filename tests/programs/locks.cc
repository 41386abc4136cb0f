// SPDX-License-Identifier: MIT
//
// Threads that share data under locks, as C++ programs do, and measure what CPU time each of their
// functions has used.
//
// usage: locks THREADS SECONDS     "ready" when all run; at the end a line "NAME CPU-NS WALL-NS"
//                                  for each function
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

std::mutex counts_mutex;
std::unordered_map<unsigned, unsigned> counts;
std::shared_mutex names_mutex;
std::map<std::string, unsigned> names;

uint64_t now(clockid_t clock)
{
    timespec time;

    clock_gettime(clock, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

struct share {
    std::atomic<uint64_t> cpu_ns{0}, wall_ns{0};
};

} // namespace

// By these names they are found in the chains, so they are functions of their own.

// A lock that is taken for each of many small steps.
extern "C" __attribute__((noinline)) void counting(std::minstd_rand &random)
{
    for (int i = 0; i < 600; i++) {
        std::lock_guard<std::mutex> lock(counts_mutex);
        counts[static_cast<unsigned>(random()) % 1000]++;
    }
}

// One that is held for long.
extern "C" __attribute__((noinline)) void sorting(std::minstd_rand &random)
{
    static std::vector<unsigned> values(2000);
    std::lock_guard<std::mutex> lock(counts_mutex);

    for (unsigned &value : values)
        value = static_cast<unsigned>(random());
    std::sort(values.begin(), values.end());
}

// A lock that readers share, and a writer now and then.
extern "C" __attribute__((noinline)) void reading(std::minstd_rand &random)
{
    for (int i = 0; i < 200; i++) {
        const std::string name = std::to_string(static_cast<unsigned>(random()) % 3000);

        if (i == 0) {
            std::unique_lock<std::shared_mutex> lock(names_mutex);
            names[name]++;
        } else {
            std::shared_lock<std::shared_mutex> lock(names_mutex);
            names.count(name);
        }
    }
}

// malloc's locks.
extern "C" __attribute__((noinline)) void allocating(std::minstd_rand &random)
{
    std::vector<std::string> kept;

    for (int i = 0; i < 500; i++)
        kept.emplace_back(20 + static_cast<unsigned>(random()) % 200, 'x');
}

namespace {

constexpr struct {
    const char *name;
    void (*run)(std::minstd_rand &);
} functions[] = {
    {"counting", counting}, {"sorting", sorting}, {"reading", reading}, {"allocating", allocating}};
constexpr size_t function_count = sizeof(functions) / sizeof(functions[0]);
share shares[function_count];

void work(unsigned seed, std::chrono::steady_clock::time_point end)
{
    std::minstd_rand random(seed);

    while (std::chrono::steady_clock::now() < end)
        for (size_t i = 0; i < function_count; i++) {
            const uint64_t cpu_ns = now(CLOCK_THREAD_CPUTIME_ID), wall_ns = now(CLOCK_MONOTONIC);

            functions[i].run(random);
            shares[i].wall_ns += now(CLOCK_MONOTONIC) - wall_ns;
            shares[i].cpu_ns += now(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
        }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[2]));
    std::vector<std::thread> threads;

    for (int i = 0; i < std::atoi(argv[1]); i++)
        threads.emplace_back(work, static_cast<unsigned>(i) + 1, end);
    std::puts("ready");
    std::fflush(stdout);
    for (std::thread &thread : threads)
        thread.join();
    for (size_t i = 0; i < function_count; i++)
        std::printf("%s %llu %llu\n", functions[i].name,
                    static_cast<unsigned long long>(shares[i].cpu_ns),
                    static_cast<unsigned long long>(shares[i].wall_ns));
    return 0;
}
