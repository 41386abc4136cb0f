/* SPDX-License-Identifier: MIT */
/*
 * The threads of an RTOS, from any memory under a fixed layout of each system; and the layout of
 * any ELF file, as a process of its own may answer it, or anything else.
 *
 * Input: a byte: the system, 3 or 4; then the memory, the file, or the answer. A walk's readings
 * are bounded.
 */
#include <stdio.h>
#include <sys/mman.h>

#include "../unit/fixture/rtos_fixture.h"
#include "fuzz.h"
#include "boards/rtos/debug/layout.h"
#include "boards/rtos/walk.h"

static void touch(const struct rtos_layout *layout, const struct rtos_tasks *tasks)
{
    if (tasks->count > RTOS_TASKS_MAX)
        abort();
    for (size_t i = 0; i < tasks->count; i++) {
        const struct rtos_task *task = &tasks->tasks[i];

        fuzz_use(strlen(task->name) + strlen(task->object));
        if (rtos_tasks_find(tasks, task->handle_addr) != task ||
            task->told.stack_end_addr < task->told.stack_start_addr)
            abort();
        if (regs_has(&task->regs, layout->arch->pc) != regs_has(&task->regs, layout->arch->sp))
            abort();
    }
}

static void walk(const struct rtos_system *system, const uint8_t *data, size_t size)
{
    static struct rtos_tasks tasks;
    const struct rtos_object objects[] = {{MEMORY_ADDR + 0x400, "a", 0, false},
                                          {MEMORY_ADDR + 0x500, "b", 0, true}};
    struct rtos_object typed[RTOS_FIELDS_MAX];
    struct rtos_fixture f;

    rtos_fixture_init(&f, system, data, size);
    for (size_t i = 0; i < system->field_count; i++)
        if (system->fields[i].kind == RTOS_OBJECT) {
            typed[f.layout.object_count] = objects[f.layout.object_count % 2];
            typed[f.layout.object_count++].field = (uint16_t)i;
        }
    f.layout.objects = typed;
    if (rtos_walk(&f.layout, &f.memory, &tasks) == STATUS_OK)
        touch(&f.layout, &tasks);
    if (f.reads > 2 * WALK_READS_MAX)
        abort();
}

/* Is what was answered what is understood? */
static void restore_same(const struct rtos_layout *layout)
{
    static uint8_t flat[2][RTOS_LAYOUT_FLAT_MAX];
    const size_t size = rtos_layout_flatten(layout, flat[0]);
    struct rtos_layout *restored;

    if (rtos_layout_restore(flat[0], size, &restored) != STATUS_OK ||
        rtos_layout_flatten(restored, flat[1]) != size || memcmp(flat[0], flat[1], size) != 0)
        abort();
    rtos_layout_destroy(restored);
}

static void restore(const uint8_t *data, size_t size)
{
    struct rtos_layout *layout;

    if (rtos_layout_restore(data, size, &layout) == STATUS_OK)
        restore_same(layout);
    rtos_layout_destroy(layout);
}

static void load(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("input", MFD_CLOEXEC);
    struct rtos_layout *layout;
    struct diag diag;
    char path[32];

    if (fd < 0)
        abort();
    fuzz_write(fd, data, size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (rtos_layout_load(path, 0, &layout, &diag) == STATUS_OK)
        restore_same(layout);
    else
        fuzz_use_diag(&diag);
    rtos_layout_destroy(layout);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct rtos_system *const systems[] = {&rtos_freertos, &rtos_zephyr, &rtos_sample};

    if (size == 0)
        return 0;
    if (data[0] < 3)
        walk(systems[data[0]], data + 1, size - 1);
    else if (data[0] == 4)
        restore(data + 1, size - 1);
    else
        load(data + 1, size - 1);
    return 0;
}
