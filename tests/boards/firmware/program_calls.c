/* SPDX-License-Identifier: MIT */
/* One thread of control, which does all kinds of calls, and handlers that interrupt it and each
 * other. */
#include "board.h"
#include "work.h"

static unsigned ticks;

void on_clock(void)
{
    ticks++;
    sink += work_short(ticks);
    if (ticks % 2)
        board_pend_low();
}

void on_low(void)
{
    sink += work_recursion(ticks % 3);
    if (ticks % 3)
        board_pend_high();
    sink += work_short(ticks + 1);
}

void on_high(void)
{
    sink += work_switch(ticks) + (unsigned)(int)work_float(2.5f);
}

unsigned on_call(unsigned value)
{
    return work_short(value) + 1;
}

bool on_clock_switches(void)
{
    return false;
}

void task_main(unsigned number)
{
    (void)number;
}

static NOINLINE void round_of_calls(unsigned i)
{
    static unsigned (*const works[])(unsigned) = {work_sort, work_search, work_print, work_large};
    sink += work_some(i);
    sink += works[i % 4](i);
    sink += board_call(i);
    board_pend_low();
}

int main(void)
{
    board_start_clock();
    for (unsigned i = 0;; i++)
        round_of_calls(i);
}
