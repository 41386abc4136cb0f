/* SPDX-License-Identifier: MIT */
/* The list of tasks, and which comes next: in turn. */
#include "board.h"

struct task *volatile current_task;
struct task task_list[TASK_COUNT];
uint64_t task_stacks[TASK_COUNT][TASK_STACK / 8] NOINIT;

void tasks_choose_next(void)
{
    unsigned next = (unsigned)(current_task - task_list) + 1;
    current_task = &task_list[next < TASK_COUNT ? next : 0];
}
