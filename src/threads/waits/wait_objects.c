/* SPDX-License-Identifier: MIT */
/*
 * Interns the objects that threads wait for, and names them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "threads/waits/wait_names.h"
#include "threads/waits/wait_private.h"

enum status wait_intern_text(struct waits *waits, const char *text, const char **out)
{
    struct pool *pool = &waits->private->texts;
    uint32_t id;
    enum status status = pool_intern(pool, text, &id);

    if (status == STATUS_OK)
        *out = pool->texts[id];
    return status;
}

static uint64_t hash_key(const struct object_key *key)
{
    return keyed_words(keyed_words(key->addr, key->text),
                       keyed_words(keyed_words((uint64_t)key->pid << 32 | key->fd, key->program),
                                   (uint64_t)key->tid << 32 | key->kind));
}

static bool same_key(const struct object_key *a, const struct object_key *b)
{
    return a->addr == b->addr && a->text == b->text && a->pid == b->pid && a->fd == b->fd &&
           a->tid == b->tid && a->kind == b->kind && a->program == b->program;
}

uint64_t wait_program(const struct waits *waits, uint32_t pid)
{
    const uint64_t *program = map_get(&waits->private->programs, pid);

    return program ? *program : 0;
}

/* Sets *out to a new object; WAIT_NONE: there are WAIT_OBJECTS_MAX. */
static enum status add_object(struct waits *waits, const struct object_key *key, uint32_t *out)
{
    struct waits_private *p = waits->private;
    size_t count = waits->object_count + 1;

    *out = WAIT_NONE;
    if (waits->object_count == WAIT_OBJECTS_MAX)
        return STATUS_OK;
    if (vec_reserve(&waits->objects, &waits->object_cap, count, sizeof(*waits->objects)) !=
            STATUS_OK ||
        vec_reserve(&p->keys, &p->key_cap, count, sizeof(*p->keys)) != STATUS_OK ||
        vec_reserve(&p->lives, &p->life_cap, count, sizeof(*p->lives)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = (uint32_t)waits->object_count++;
    p->keys[*out] = *key;
    p->lives[*out] = (struct object_life){.newest = *out};
    waits->objects[*out] = (struct wait_object){.pid = key->pid,
                                                .kind = (enum wait_kind)key->kind,
                                                .addr = key->addr,
                                                .fd = key->fd,
                                                .tid = key->tid,
                                                .name = "",
                                                .detail = ""};
    return STATUS_OK;
}

/* Sets *out to the first object with the key. *is_new: the caller fills its name and detail. */
static enum status intern_object(struct waits *waits, const struct object_key *key, uint32_t *out,
                                 bool *is_new)
{
    struct waits_private *p = waits->private;
    uint64_t hash = hash_key(key);
    struct index_probe probe = index_find(&p->object_index, hash);
    enum status status;

    *is_new = false;
    while (index_next(&probe, out))
        if (same_key(&p->keys[*out], key))
            return STATUS_OK;
    status = add_object(waits, key, out);
    *is_new = status == STATUS_OK && *out != WAIT_NONE;
    return *is_new ? index_add(&p->object_index, hash, *out) : status;
}

static enum status set_name(struct waits *waits, uint32_t object, char *name)
{
    enum status status = wait_intern_text(waits, name, &waits->objects[object].name);

    free(name);
    return status;
}

static enum status note_nameless(struct waits_private *p, uint32_t object, uint64_t addr)
{
    if (!p->nameless) {
        p->nameless = calloc(NAMELESS_MAX, sizeof(*p->nameless));
        p->nameless_addrs = calloc(NAMELESS_MAX, sizeof(*p->nameless_addrs));
        if (!p->nameless || !p->nameless_addrs)
            return STATUS_NO_MEMORY;
    }
    if (p->nameless_count == NAMELESS_MAX)
        return STATUS_OK;
    p->nameless[p->nameless_count] = object;
    p->nameless_addrs[p->nameless_count++] = addr;
    return STATUS_OK;
}

static enum status name_place(struct finding *finding, uint32_t object, uint64_t addr,
                              bool *is_known)
{
    struct waits_private *p = finding->waits->private;
    struct wait_place place = {.modules = p->modules,
                               .space = finding->given->space,
                               .threads = &p->threads,
                               .sample = finding->sample,
                               .addr = addr};
    struct wait_place_name name;
    enum status status = wait_place_name(&place, &name);

    *is_known = name.is_known;
    p->lives[object].stack_tid = name.stack_tid;
    p->lives[object].is_variable = name.is_variable;
    return status == STATUS_OK ? set_name(finding->waits, object, name.text) : status;
}

static enum status name_thread(struct finding *finding, uint32_t object, uint32_t tid)
{
    const struct wait_thread *thread = wait_threads_find(&finding->waits->private->threads, tid);
    char *raw, *name;
    int len = thread ? asprintf(&raw, "thread %s (%" PRIu32 ")", thread->name, tid)
                     : asprintf(&raw, "thread %" PRIu32, tid);

    if (len < 0)
        return STATUS_NO_MEMORY;
    name = text_clean(raw, TEXT_REPLACE_CONTROLS);
    free(raw);
    return name ? set_name(finding->waits, object, name) : STATUS_NO_MEMORY;
}

/* Whether a lock at the key's place may be the one that was there. */
static bool is_same_lock(const struct waits_private *p, const struct object_key *key,
                         const struct object_life *life, uint64_t type)
{
    const struct wait_thread *thread = wait_threads_find(&p->threads, life->stack_tid);
    bool is_there = !life->stack_tid || (thread && thread->pid == key->pid);

    return is_there && (!type || !life->type || life->type == type);
}

/* Sets *object to the newest lock with the key. *is_new: the caller fills its name. */
static enum status intern_lock(struct waits *waits, const struct object_key *key, uint64_t type,
                               uint32_t *object, bool *is_new)
{
    struct waits_private *p = waits->private;
    uint32_t first;
    enum status status = intern_object(waits, key, &first, is_new);

    *object = first;
    if (status != STATUS_OK || first == WAIT_NONE || *is_new)
        return status;
    *object = p->lives[first].newest;
    if (is_same_lock(p, key, &p->lives[*object], type))
        return STATUS_OK;
    status = add_object(waits, key, object);
    *is_new = status == STATUS_OK && *object != WAIT_NONE;
    if (*is_new)
        p->lives[first].newest = *object;
    return status;
}

static enum status name_lock(struct finding *finding, uint32_t object)
{
    const struct object_key *key = &finding->waits->private->keys[object];
    bool is_known;
    enum status status;

    if (key->tid)
        return name_thread(finding, object, key->tid);
    status = name_place(finding, object, key->addr, &is_known);
    return status == STATUS_OK && !is_known
               ? note_nameless(finding->waits->private, object, key->addr)
               : status;
}

enum status wait_take_lock(struct finding *finding, const struct lock_found *found)
{
    struct waits *waits = finding->waits;
    struct object_key key = {.addr = found->addr,
                             .pid = finding->sample->pid,
                             .program = wait_program(waits, finding->sample->pid),
                             .tid = found->kind == WAIT_JOIN ? found->owner_tid : 0,
                             .kind =
                                 found->kind == WAIT_RWLOCK_WRITE ? WAIT_RWLOCK_READ : found->kind};
    const uint64_t type = lock_type(found);
    struct object_life *life;
    uint32_t object;
    bool is_new;
    enum status status;

    if (!found->addr)
        return STATUS_OK;
    status = intern_lock(waits, &key, type, &object, &is_new);
    finding->wait.object = object;
    if (status == STATUS_OK && is_new)
        status = name_lock(finding, object);
    if (status == STATUS_OK && object != WAIT_NONE)
        status = wait_name_variable(finding, object, found);
    if (status != STATUS_OK || object == WAIT_NONE)
        return status;
    life = &waits->private->lives[object];
    if (is_new || (type && !life->type))
        status = wait_intern_text(waits, found->detail, &waits->objects[object].detail);
    if (type)
        life->type = type;
    if (status == STATUS_OK && is_new && found->kind == WAIT_CONDITION && !found->doubt) {
        life->layout = found->layout;
        status = wait_note_condition(waits, object);
    }
    return status;
}

/* The RTOS's name goes before a symbol's, which may name something larger. */
enum status wait_take_object(struct finding *finding, enum wait_kind kind, uint64_t addr,
                             const char *name)
{
    const struct object_key key = {.addr = addr,
                                   .pid = finding->sample->pid,
                                   .program = wait_program(finding->waits, finding->sample->pid),
                                   .kind = kind};
    uint32_t object;
    bool is_new;
    char *clean;
    enum status status = intern_object(finding->waits, &key, &object, &is_new);

    finding->wait.object = object;
    if (status != STATUS_OK || !is_new)
        return status;
    if (!name[0])
        return name_lock(finding, object);
    clean = text_clean(name, TEXT_REPLACE_CONTROLS);
    return clean ? set_name(finding->waits, object, clean) : STATUS_NO_MEMORY;
}

enum status wait_take_files(struct finding *finding, const struct wait_files *files)
{
    struct object_key key = {.pid = finding->sample->pid,
                             .program = wait_program(finding->waits, finding->sample->pid),
                             .fd = files->first,
                             .kind = finding->wait.kind};
    uint32_t object;
    bool is_new;
    char *name;
    enum status status = wait_files_name(finding->sample, files, &name);

    if (status != STATUS_OK)
        return status;
    key.text = keyed_text(name);
    status = intern_object(finding->waits, &key, &object, &is_new);
    finding->wait.object = object;
    if (status == STATUS_OK && is_new)
        return set_name(finding->waits, object, name);
    free(name);
    return status;
}

enum status wait_name_again(struct finding *finding)
{
    struct waits_private *p = finding->waits->private;
    const struct wait_thread *thread = wait_threads_find(&p->threads, finding->sample->tid);
    size_t kept = 0;

    for (size_t i = 0; i < p->nameless_count; i++) {
        uint32_t object = p->nameless[i];
        bool is_known = false;

        if (thread && finding->waits->objects[object].pid == thread->pid &&
            wait_threads_on_stack(thread, p->nameless_addrs[i])) {
            enum status status = name_place(finding, object, p->nameless_addrs[i], &is_known);

            if (status != STATUS_OK)
                return status;
        }
        if (!is_known) {
            p->nameless[kept] = object;
            p->nameless_addrs[kept++] = p->nameless_addrs[i];
        }
    }
    p->nameless_count = kept;
    return STATUS_OK;
}
