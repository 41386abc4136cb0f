/* SPDX-License-Identifier: MIT */
#include "graph/process_cpu.h"

#include "graph/profile.h"

void process_cpu_clock(struct process_cpu *cpu, uint64_t cpu_ns)
{
    if (!cpu->has_clock)
        cpu->clock_begin_ns = cpu->clock_end_ns = cpu_ns;
    cpu->has_clock = true;
    if (cpu_ns > cpu->clock_end_ns)
        cpu->clock_end_ns = cpu_ns;
}

void process_cpu_next(struct process_cpu *cpu)
{
    cpu->before_ns = weight_add(cpu->before_ns, cpu->clock_end_ns - cpu->clock_begin_ns);
    cpu->clock_begin_ns = cpu->clock_end_ns = 0;
    cpu->has_clock = false;
}

uint64_t process_cpu_used(const struct process_cpu *cpu)
{
    const uint64_t passed_ns = weight_add(cpu->before_ns, cpu->clock_end_ns - cpu->clock_begin_ns);

    return passed_ns > cpu->counted_ns ? passed_ns : cpu->counted_ns;
}

uint64_t process_cpu_rest(const struct process_cpu *cpu)
{
    const uint64_t used_ns = process_cpu_used(cpu);

    return used_ns > cpu->given_ns ? used_ns - cpu->given_ns : 0;
}
