/* SPDX-License-Identifier: MIT */
#include "output/threads/chrome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "output/json_line.h"
#include "output/threads/output_timeline.h"
#include "threads/concurrency.h"

#define DUMP_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(15))

struct chrome_writer {
    const struct timeline *timeline;
    FILE *out;
    uint8_t *used; /* by node of the profile's trie: it is on an event's stack */
    bool begun;    /* an element was written */
};

/* Makes a value of a text, and frees it; NULL: out of memory. */
static json_t *take_text(char *clean)
{
    json_t *value = clean ? json_string_nocheck(clean) : NULL;

    free(clean);
    return value;
}

/*
 * Rounds to whole microseconds. Viewers compute in floating point, in units of their own: with
 * fractions they would not see that an event ends where the next begins, or inside the outer one.
 */
static uint64_t to_microseconds(uint64_t ns)
{
    return ns / 1000 + (ns % 1000 >= 500);
}

static json_t *microseconds(uint64_t count)
{
    return json_integer((json_int_t)count);
}

/* Puts `inner` into `outer`, unless it is empty, and owns it. */
static void put_object(struct json_line *outer, const char *key, struct json_line *inner)
{
    outer->failed |= inner->failed;
    if (json_object_size(inner->json) > 0)
        json_line_put(outer, key, inner->json);
    else
        json_decref(inner->json);
}

/* Writes an object as an element of the list (`key` NULL) or a member, and frees it. */
static enum status finish(struct chrome_writer *writer, const char *key, struct json_line *object)
{
    enum status status = STATUS_OK;

    if (writer->begun)
        fputc(',', writer->out);
    fputc('\n', writer->out);
    writer->begun = true;
    if (key)
        fprintf(writer->out, "\"%s\":", key);
    if (object->failed)
        status = STATUS_NO_MEMORY;
    else if (json_dumpf(object->json, writer->out, DUMP_FLAGS) != 0)
        status = STATUS_IO;
    json_decref(object->json);
    return status;
}

static struct json_line begin_event(const char *phase, const char *name, uint32_t pid, uint32_t tid)
{
    struct json_line event = json_line_begin(NULL);

    json_line_put(&event, "ph", json_string(phase));
    json_line_put(&event, "name", json_of_text(name));
    json_line_put(&event, "pid", json_integer(pid));
    json_line_put(&event, "tid", json_integer(tid));
    return event;
}

static enum status put_metadata(struct chrome_writer *writer, const char *name, uint32_t pid,
                                uint32_t tid, const char *key, json_t *value)
{
    struct json_line event = begin_event("M", name, pid, tid);
    struct json_line args = json_line_begin(NULL);

    json_line_put(&args, key, value);
    put_object(&event, "args", &args);
    return finish(writer, NULL, &event);
}

/* Writes names and order of tracks. A process is named after the last program that it ran. */
static enum status put_names(struct chrome_writer *writer)
{
    const struct timeline *timeline = writer->timeline;
    const struct history *history = timeline->history;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < history->process_count && status == STATUS_OK; i++) {
        const struct history_process *process = &history->processes[i];

        status = put_metadata(writer, "process_name", process->pid, process->pid, "name",
                              json_of_text(process->program.title ? process->program.title
                                                                  : history_process_name(process)));
        if (status == STATUS_OK)
            status = put_metadata(writer, "process_sort_index", process->pid, process->pid,
                                  "sort_index", json_integer((json_int_t)i));
    }
    for (size_t i = 0; i < timeline->row_count && status == STATUS_OK; i++) {
        const struct history_thread *thread = &history->threads[timeline->rows[i].thread];

        status = put_metadata(writer, "thread_name", thread->pid, thread->tid, "name",
                              take_text(timeline_thread_text(timeline, timeline->rows[i].thread)));
        if (status == STATUS_OK)
            status = put_metadata(writer, "thread_sort_index", thread->pid, thread->tid,
                                  "sort_index", json_integer((json_int_t)i));
    }
    return status;
}

/* "f < g < h < …", innermost first. */
static json_t *chain_text(struct chrome_writer *writer, uint32_t chain)
{
    const struct profile *profile = writer->timeline->profile;
    uint32_t node = profile->chains[chain].leaf;
    char *raw = NULL;
    size_t size;
    FILE *memory = open_memstream(&raw, &size);
    json_t *value = NULL;

    if (!memory)
        return NULL;
    for (size_t i = 0; node != TRIE_ROOT; node = profile->trie.nodes[node].parent, i++) {
        const struct places *places = profile->places[profile->trie.nodes[node].key];

        fputs(i ? " < " : "", memory);
        if (i == CHROME_CHAIN_MAX) {
            fputs("\xe2\x80\xa6", memory);
            break;
        }
        fputs(names_function(writer->timeline->source.names, places->list[0].function)->name,
              memory);
    }
    if (text_close(memory, &raw) == STATUS_OK)
        value = json_of_text(raw);
    free(raw);
    return value;
}

/* Returns a frame's id: its node in the trie, for inlined functions with ".NUMBER". */
static json_t *frame_id(uint32_t node, uint32_t place)
{
    char id[32];

    snprintf(id, sizeof(id), place ? "%" PRIu32 ".%" PRIu32 : "%" PRIu32, node, place);
    return json_string_nocheck(id);
}

static void use_chain(struct chrome_writer *writer, uint32_t chain)
{
    const struct profile *profile = writer->timeline->profile;
    uint32_t node = profile->chains[chain].leaf;

    for (; node != TRIE_ROOT && !writer->used[node]; node = profile->trie.nodes[node].parent)
        writer->used[node] = 1;
}

/* Whether the piece is at least a microsecond long when it is written. */
static bool knows_piece(const struct chrome_writer *writer, const struct timeline_piece *piece)
{
    const uint64_t origin_ns = writer->timeline->zero_ns;

    return to_microseconds(piece->end_ns - origin_ns) >
           to_microseconds(piece->start_ns - origin_ns);
}

/* tts and tdur are on the thread's CPU clock, which was `cpu_ns` at the piece's beginning. */
static void put_times(const struct chrome_writer *writer, struct json_line *event,
                      const struct timeline_piece *piece, uint64_t cpu_ns)
{
    const uint64_t origin_ns = writer->timeline->zero_ns;
    uint64_t start = to_microseconds(piece->start_ns - origin_ns);
    uint64_t cpu_start = to_microseconds(cpu_ns);

    json_line_put(event, "ts", microseconds(start));
    json_line_put(event, "dur", microseconds(to_microseconds(piece->end_ns - origin_ns) - start));
    json_line_put(event, "tts", microseconds(cpu_start));
    json_line_put(event, "tdur", microseconds(to_microseconds(cpu_ns + piece->cpu_ns) - cpu_start));
}

static const char *evidence_name(enum wait_evidence evidence)
{
    return evidence == WAIT_READ_OFF ? "read" : "inferred";
}

/* Puts the wait, its object and its holder. */
static void put_wait(const struct waits *waits, uint32_t index, const char *state,
                     struct json_line *args)
{
    const struct wait *wait = waits && index < waits->count ? &waits->list[index] : NULL;

    if (!wait)
        return;
    json_line_put(args, "state", json_string(state));
    json_line_put(args, "wait", json_string(wait_kind_name(wait->kind)));
    json_line_put(args, "known by", json_string(evidence_name(wait->kind_evidence)));
    if (wait->object < waits->object_count) {
        const struct wait_object *object = &waits->objects[wait->object];

        json_line_put(args, "object", json_of_text(object->name));
        if (object->variable)
            json_line_put(args, "object by variable", json_of_text(object->variable));
        if (object->detail && *object->detail)
            json_line_put(args, "object is", json_of_text(object->detail));
    }
    if (wait->owner_tid && wait->kind != WAIT_JOIN) {
        json_line_put(args, "held by tid", json_integer(wait->owner_tid));
        json_line_put(args, "holder known by", json_string(evidence_name(wait->owner_evidence)));
    }
    if (wait->doubt)
        json_line_put(args, "doubt", json_of_text(wait->doubt));
}

static enum status put_state(struct chrome_writer *writer, const struct history_thread *thread,
                             const struct timeline_piece *piece, uint64_t cpu_ns)
{
    const char *state = timeline_state_name(piece->state);
    char *wait = timeline_wait_text(writer->timeline, piece);
    struct json_line event = begin_event("X", wait ? wait : "", thread->pid, thread->tid);
    struct json_line args = json_line_begin(NULL);

    event.failed |= !wait;
    put_times(writer, &event, piece, cpu_ns);
    json_line_put(&event, "cat", json_string(state));
    put_wait(writer->timeline->history->waits, piece->wait, state, &args);
    put_object(&event, "args", &args);
    free(wait);
    return finish(writer, NULL, &event);
}

static enum status put_function(struct chrome_writer *writer, const struct history_thread *thread,
                                const struct timeline_piece *piece, uint64_t cpu_ns)
{
    char *name = timeline_function_text(writer->timeline, piece->function);
    struct json_line event = begin_event("X", name ? name : "", thread->pid, thread->tid);
    struct json_line args = json_line_begin(NULL);

    event.failed |= !name;
    put_times(writer, &event, piece, cpu_ns);
    json_line_put(&event, "cat", json_string("function"));
    json_line_put(&event, "sf", frame_id(writer->timeline->profile->chains[piece->chain].leaf, 0));
    json_line_put(&args, "chain", chain_text(writer, piece->chain));
    put_object(&event, "args", &args);
    free(name);
    use_chain(writer, piece->chain);
    return finish(writer, NULL, &event);
}

/*
 * Writes a thread's events, outer ones first: of two events with the same times viewers take the
 * first for the outer one.
 */
static enum status put_thread(struct chrome_writer *writer, uint32_t index)
{
    const struct history_thread *thread = &writer->timeline->history->threads[index];
    uint64_t state_cpu_ns = 0, cpu_ns = 0;
    struct timeline_cursor states, functions;
    struct timeline_piece state, function;
    enum status status = STATUS_OK;
    bool more;

    timeline_begin(writer->timeline, index, &states);
    timeline_begin(writer->timeline, index, &functions);
    more = timeline_next_chain(&functions, &function);
    while (status == STATUS_OK && timeline_next_state(&states, &state)) {
        if (knows_piece(writer, &state))
            status = put_state(writer, thread, &state, state_cpu_ns);
        state_cpu_ns += state.cpu_ns;
        while (status == STATUS_OK && more && function.end_ns <= state.end_ns) {
            if (function.function != TIMELINE_NO_FUNCTION && knows_piece(writer, &function))
                status = put_function(writer, thread, &function, cpu_ns);
            cpu_ns += function.cpu_ns;
            more = timeline_next_chain(&functions, &function);
        }
    }
    return status;
}

/* A number of threads with two decimals. */
static json_t *threads(uint64_t count)
{
    return json_real((double)((count * 100 + CONCURRENCY_ONE / 2) / CONCURRENCY_ONE) / 100);
}

static enum status put_count(struct chrome_writer *writer, uint64_t time_ns,
                             const struct concurrency_bin *bin)
{
    const struct timeline *timeline = writer->timeline;
    uint32_t pid = timeline->history->threads[timeline->rows[0].thread].pid;
    struct json_line event = begin_event("C", "running threads", pid, pid);
    struct json_line args = json_line_begin(NULL);

    json_line_put(&event, "ts", microseconds(to_microseconds(time_ns)));
    json_line_put(&args, "running", threads(bin->running));
    json_line_put(&args, "ready", threads(bin->ready));
    put_object(&event, "args", &args);
    return finish(writer, NULL, &event);
}

/* Writes averages over a sample's period, or longer if these would be too many values. */
static enum status put_counts(struct chrome_writer *writer)
{
    const struct timeline *timeline = writer->timeline;
    uint64_t length_ns = timeline->end_ns - timeline->start_ns;
    uint64_t before_ns = timeline->start_ns - timeline->zero_ns;
    uint64_t whole = timeline->period_ns ? length_ns / timeline->period_ns : 0;
    size_t count = whole > CHROME_COUNTS_MAX ? CHROME_COUNTS_MAX : whole > 0 ? (size_t)whole : 1;
    struct concurrency_bin *bins = calloc(count, sizeof(*bins));
    enum status status = bins ? concurrency_bins(timeline, bins, count) : STATUS_NO_MEMORY;

    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (i == 0 || bins[i].running != bins[i - 1].running || bins[i].ready != bins[i - 1].ready)
            status =
                put_count(writer, before_ns + length_ns / count * i + length_ns % count * i / count,
                          &bins[i]);
    free(bins);
    return status;
}

/* A node's places, the real function outermost; the innermost has the node's own number. */
static enum status put_frames_of(struct chrome_writer *writer, uint32_t node)
{
    const struct timeline *timeline = writer->timeline;
    const struct trie_node *found = &timeline->profile->trie.nodes[node];
    const struct profile_frame *frame = &timeline->profile->frames[found->key];
    const struct places *places = timeline->profile->places[found->key];
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < places->count && status == STATUS_OK; i++) {
        struct json_line object = json_line_begin(NULL);
        json_t *id = frame_id(node, i);

        json_line_put(&object, "name",
                      json_of_text(
                          names_function(timeline->source.names, places->list[i].function)->name));
        json_line_put(&object, "category",
                      json_of_text(frame->module ? text_basename(frame->module->file.path) : ""));
        if (i + 1 < places->count)
            json_line_put(&object, "parent", frame_id(node, i + 1));
        else if (found->parent != TRIE_ROOT)
            json_line_put(&object, "parent", frame_id(found->parent, 0));
        status = id ? finish(writer, json_string_value(id), &object) : STATUS_NO_MEMORY;
        if (!id)
            json_decref(object.json);
        json_decref(id);
    }
    return status;
}

static enum status put_frames(struct chrome_writer *writer)
{
    enum status status = STATUS_OK;

    writer->begun = false;
    fputs("\"stackFrames\":{", writer->out);
    for (uint32_t i = 1; i < writer->timeline->profile->trie.len && status == STATUS_OK; i++)
        if (writer->used[i])
            status = put_frames_of(writer, i);
    fputs("\n}\n", writer->out);
    return status;
}

static enum status put_other(struct chrome_writer *writer, const char *title, uint64_t clock_offset)
{
    struct json_line object = json_line_begin(NULL);
    char number[24];

    json_line_put(&object, "title", json_of_text(title));
    json_line_put(&object, "written by", json_string("cgunwind " CG_VERSION));
    snprintf(number, sizeof(number), "%" PRIu64, writer->timeline->zero_ns);
    json_line_put(&object, "first sample, ns of the target's clock", json_string(number));
    if (clock_offset) {
        snprintf(number, sizeof(number), "%" PRIu64, writer->timeline->zero_ns + clock_offset);
        json_line_put(&object, "first sample, ns since the epoch", json_string(number));
    }
    writer->begun = false;
    return finish(writer, "otherData", &object);
}

static enum status write_all(struct chrome_writer *writer, const char *title, uint64_t clock_offset)
{
    enum status status;

    fputs("{\"displayTimeUnit\":\"ms\",", writer->out);
    status = put_other(writer, title, clock_offset);
    fputs(",\n\"traceEvents\":[", writer->out);
    writer->begun = false;
    if (status == STATUS_OK)
        status = put_names(writer);
    if (status == STATUS_OK && writer->timeline->row_count > 0)
        status = put_counts(writer);
    for (size_t i = 0; i < writer->timeline->row_count && status == STATUS_OK; i++)
        status = put_thread(writer, writer->timeline->rows[i].thread);
    fputs("\n],\n", writer->out);
    return status == STATUS_OK ? put_frames(writer) : status;
}

enum status chrome_write(const struct timeline *timeline, const char *title, uint64_t clock_offset,
                         FILE *out)
{
    struct chrome_writer writer = {.timeline = timeline,
                                   .out = out,
                                   .used = calloc(timeline->profile->trie.len, 1)};
    enum status status = writer.used ? write_all(&writer, title, clock_offset) : STATUS_NO_MEMORY;

    fputs("}\n", out);
    free(writer.used);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish_format(struct output *o, struct diag *diag)
{
    struct output_timeline made;
    enum status status = output_timeline_init(&made, o);

    (void)diag;
    if (status == STATUS_OK)
        status = chrome_write(made.timeline, o->title, o->clock_offset, o->file);
    output_timeline_deinit(&made);
    return status;
}

const struct output_format output_format_chrome = {
    .name = "chrome",
    .help = "what each thread did when, for Perfetto",
    .begins = "^\\{\"displayTimeUnit\":",
    .needs = NEEDS_HISTORY | NEEDS_LINES | NEEDS_ONE_INPUT,
    .honours = HONOURS(VARIABLES),
    .check = output_timeline_check,
    .finish = finish_format,
};
