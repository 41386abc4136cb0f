/* SPDX-License-Identifier: MIT */
/* Faults in tasks and in handlers, each of which its handler is over. */
#include "board.h"
#include "work.h"

static unsigned ticks;

void on_clock(void)
{
    ticks++;
    if (ticks % 4 == 0)
        board_pend_low();
}

void on_low(void)
{
    sink += work_short(ticks);
    board_fault(ticks);
    sink += work_short(ticks + 1);
}

void on_high(void)
{
    sink += work_short(ticks + 2);
}

unsigned on_call(unsigned value)
{
    return work_short(value) + 1;
}

bool on_clock_switches(void)
{
    return true;
}

static NOINLINE unsigned fault_below(unsigned depth, unsigned number)
{
    if (depth)
        return fault_below(depth - 1, number) + sink % 5;
    board_fault(number);
    return work_short(number);
}

void task_main(unsigned number)
{
    for (unsigned i = number;; i++) {
        sink += fault_below(i % 4, i % board_fault_count());
        sink += work_some(i);
        sink += board_call(i);
    }
}

int main(void)
{
    for (unsigned i = 0; i < board_fault_count(); i++)
        sink += fault_below(i % 3, i);
    board_start_clock();
    board_run_tasks();
}
