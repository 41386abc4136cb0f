/* SPDX-License-Identifier: MIT */
/* Tasks on stacks of their own, which the clock and they themselves change; handlers that interrupt
 * them and each other. */
#include "board.h"
#include "work.h"

static unsigned ticks;

void on_clock(void)
{
    ticks++;
    sink += work_short(ticks);
    if (ticks % 3 == 0)
        board_pend_low();
}

void on_low(void)
{
    sink += work_short(ticks);
    board_pend_high();
    sink += work_tails(ticks + 1) + (unsigned)(int)work_float(1.5f);
}

void on_high(void)
{
    sink += work_short(ticks + 2) + (unsigned)(int)work_float(2.5f);
}

unsigned on_call(unsigned value)
{
    return work_short(value) + 1;
}

bool on_clock_switches(void)
{
    return ticks % 2;
}

static NOINLINE void turn(unsigned number, unsigned i)
{
    sink += work_some(i + number * 3);
    if (number == 0)
        sink += work_floats(i);
    if (number == 1)
        sink += work_sort(i);
    if (number == 2)
        board_yield();
    sink += board_call(i);
}

void task_main(unsigned number)
{
    for (unsigned i = 0;; i++)
        turn(number, i);
}

int main(void)
{
    board_start_clock();
    sink += work_some(3);
    board_run_tasks();
}
